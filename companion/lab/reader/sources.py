"""Answers out of the prompt itself: passages with their urls, a system text, what the user said before.

A sentence answers a question when it carries most of what the question is about, and above all its rarest words.
Left out: facts spread over several sentences, and reasoning about them.
"""

# ruff: noqa: E501 (a pattern or a table row is read as one line)

import operator
import re
from collections import Counter
from dataclasses import dataclass
from functools import lru_cache
from typing import Any

from companion.lab.reader import results
from companion.lab.reader.phrases import ASKING
from companion.lab.reader.turns import Conversation
from companion.lab.reader.words import keys, scan

URL = re.compile(r"https?://[^\s，。、<>\"'）)\]]+")
ASKED = re.compile(
    r"(?:^|\n)\W{0,3}(?:question|my question|user question|query|q|问题|用户问题|提问)\W{0,3}[:：]\s*(.+)",
    re.IGNORECASE | re.DOTALL,
)
HEADER = re.compile(
    r"^\W{0,4}(?:sources?|passages?|documents?|context|search results?|results?|资料|参考资料|来源|文档|上下文|搜索结果|背景)\W{0,3}[:：]?\s*$|^\s*(?:\[\d+\]|<(?:doc|source|passage)\b|#{1,4} |-{3,}$|(?:source|passage|document|doc|资料|文档|来源|结果) ?\d+)",
    re.IGNORECASE,
)
PREFIX = re.compile(
    r"^\W*(?:using|based on|according to|from|given|with)\b[^,?]*\b(?:sources?|passages?|context|documents?|results?|text)\b[^,?]*,\s*|^\W*(?:根据|依据|基于)[^，,？]*(?:资料|文档|内容|结果|来源)[^，,？]*[，,]\s*",
    re.IGNORECASE,
)
BARE = re.compile(
    r"^\W{0,4}(?:sources?|passages?|documents?|context|search results?|results?|资料|参考资料|来源|文档|上下文|搜索结果|背景)\W{0,3}$",
    re.IGNORECASE,
)
RULE = re.compile(
    r"\b(?:answer|reply|respond|use|cite|give|quote|say|tell|do not|don't|never|always|you are|be (?:brief|concise|polite))\b.*\b(?:sources?|passages?|results?|context|url|only|question|below|above|documents?|don't know|assistant|information|answer)\b|^you are\b"
    r"|(?:根据|只用|仅|请|如果|不要|必须|务必).*(?:资料|回答|来源|网址|搜索结果|说明|上下文|提到|文档)|^你是",
    re.IGNORECASE,
)
NUMERIC = re.compile(
    r"\bhow (?:many|much|tall|long|high|old|far|deep|wide|big|large|often|fast|heavy)\b|\bwhat (?:year|time|date|price)\b|\bwhen\b|多少|多高|多长|多大|多远|多深|多重|多久|几|何时|什么时候|哪一?年",
    re.IGNORECASE,
)
MEASURED = {
    r"how tall|how high|多高": r"\b(?:tall|high|height|metres?|meters?|feet|m)\b|高|米", r"how long|多长": r"\b(?:long|length|metres?|km|kilomet\w+|minutes?|hours?|days?|weeks?|miles?|takes?|lasts?)\b|长|公里|分钟|小时|天|米",
    r"which day|what day|哪天|哪一天|星期几|周几": r"\b(?:mon|tues|wednes|thurs|fri|satur|sun)days?\b|周|星期|\d", r"how deep|多深": r"\b(?:deep|depth)\b|深", r"how wide|多宽": r"\b(?:wide|width)\b|宽", r"how heavy|多重": r"\b(?:weigh\w*|heavy|kg|kilo\w*|tons?|tonnes?)\b|重|吨", r"how old|多大年": r"\b(?:old|age|years?|since|built|\d{4})\b|岁|年", r"how (?:big|large)|多大": r"\b(?:area|square|hectares?|acres?|size|large)\b|公顷|平方|面积", r"how fast|多快": r"\b(?:speed|km/h|mph|fast)\b|速度|时速",
    r"how often|多久一[次班趟]": r"\b(?:every|daily|weekly|hourly|twice|once|per)\b|每", r"how far|多远": r"\b(?:km|kilomet\w+|miles?|metres?|away)\b|公里|米|里", r"\bwhen\b|what year|什么时候|何时|哪一?年": r"\d{4}|\d[:：]\d\d|\b(?:jan|feb|mar|apr|may|jun|jul|aug|sep|oct|nov|dec|spring|summer|autumn|winter|monday|tuesday|wednesday|thursday|friday|saturday|sunday)|\d+ ?(?:am|pm)|点|年|月|日|周",
    r"how much (?:is|does|do|are)|多少钱|价格|price|cost": r"[$€£¥]|\b(?:dollars?|euros?|usd|eur|pounds?|free|kroner)\b|元|免费", r"几点|what time": r"\d[:：]\d\d|\d ?(?:am|pm)|\d+ ?(?:点|时)|noon|midnight",
}  # fmt: skip
NAMED = re.compile(r"\b(?:I am|I'm|[Uu]ser is|[Tt]his is) [A-Z]\w+|我是[\u4e00-\u9fff]{2,3}(?![\u4e00-\u9fff])")
OPEN = re.compile(
    r"(?i)\brecommend\w*|\bsuggest\w*|\btell me about\b|\badvice\b|\btips\b|\bnews\b|\blatest\b|推荐|建议|介绍|怎么玩|攻略|新闻|最新"
)
FIGURE = re.compile(
    r"[\d零一二三四五六七八九十]|\b(?:one|two|three|four|five|six|seven|eight|nine|ten|twelve|once|twice|noon|midnight|half|(?:mon|tues|wednes|thurs|fri|satur|sun)days?|january|february|march|april|may|june|july|august|september|october|november|december|spring|summer|autumn|winter)\b",
    re.IGNORECASE,
)
VAGUE = {
    "today", "place", "city_name", "list", "question", "time", "chat", "code", "read", "next", "high", "long",
    "knowledge", "search", "web", "positive", "convert", "status", "free", "unit", "name_of",
}  # fmt: skip


@dataclass(frozen=True)
class Sentence:
    """One sentence, its url, and the title it stands under."""

    text: str
    url: str
    title: str
    own: frozenset[str]
    told_by: str = ""


def question_of(text: str) -> str:
    """The question in a message, without "using only these sources," before it."""
    return PREFIX.sub("", asked_in(text))


def asked_in(text: str) -> str:
    """The question in a message that may also bring passages.

    >>> question_of("Sources: ... \\n\\nQuestion: How tall is it?")
    'How tall is it?'
    """
    if match := list(ASKED.finditer(text)):
        return match[-1][1].strip().split("\n\n")[0]
    if len(text) < 300 and text.count("\n") < 4 and not URL.search(text):
        return text
    lines = [line.strip() for line in text.splitlines() if line.strip()]
    asking = [found[1] for line in lines if len(line) < 300 and (found := re.match(r"(.*[?？])[^?？]{0,60}$", line))]
    if asking and (len(lines) > 2 or len(text) > 300):
        return asking[-1]
    return text if len(text) < 1500 else (lines[-1] if len(lines[-1]) < 300 else lines[-1][-300:])


def sentences(text: str) -> list[str]:
    """Text cut into sentences; urls and decimals stay whole."""
    return [
        part.strip()
        for part in re.split(r"(?<=[.!?])\s+(?=[A-Z\"'\d(])|(?<=[。！？])|\n+|[;；](?=\s)", text)
        if part and part.strip()
    ]


def passages(text: str, told_by: str = "") -> list[Sentence]:
    """The sentences of a text that brings passages, each with the url of its block."""
    found: list[Sentence] = []
    block: list[str] = []
    for line in [*text.splitlines(), "\n"]:
        if (not line.strip() or HEADER.match(line)) and block:
            found += block_of(block, told_by)
            block = []
        if line.strip():
            block.append(line)
    return found


def block_of(lines: list[str], told_by: str) -> list[Sentence]:
    """One block: the url anywhere in it holds for all of it, a short first line is its title."""
    if BARE.match(lines[0]) and len(lines) > 1:
        lines = lines[1:]
    text = "\n".join(lines)
    url = match[0].rstrip(".,;") if (match := URL.search(text)) else ""
    head = re.sub(
        r"^\s*(?:\[\d+\]|\d+[.)]|#+|(?:source|title|标题|来源)\s*\d*\s*[:：])?\s*", "", lines[0], flags=re.IGNORECASE
    )
    title = (
        URL.sub("", head).strip(" -—:：()（）[]")
        if len(head) < 90 and len(lines) > 1 and head.strip()[-1:] not in ".。!！?？"
        else ""
    )
    found: list[Sentence] = []
    for line in lines:
        bare = re.sub(
            r"^\W*(?:url|link|source|网址|链接|来源|content|内容|正文|title|标题|text)\s*[:：]\s*",
            "",
            line.strip(),
            flags=re.IGNORECASE,
        )
        bare = re.sub(r"^(?:\[\d+\]|[-*•]|\d+[.)])\s*", "", URL.sub("", bare)).strip(" ()（）-—")
        for sentence in sentences(bare):
            if (
                len(sentence) > 3
                and sentence != title
                and not results.ORDERS.search(sentence)
                and not HEADER.match(sentence)
            ):
                # "Its height is ..." is about what the block began with.
                topic = title or (
                    found[0].text
                    if found and re.match(r"(?i)(?:it|its|they|the|this|he|she)\b|它|其|该|这", sentence)
                    else ""
                )
                found.append(Sentence(sentence, url, topic, frozenset(ideas(sentence)), told_by))
    return found


def ideas(text: str) -> set[str]:
    """What a text is about, with its codes and years."""
    named = {"name_of"} if NAMED.search(text) else set()
    return keys(text) | codes(text) | named


def codes(text: str) -> set[str]:
    """Years and codes in a text."""
    return set(re.findall(r"\b\d+\b|\b[A-Z]+-?\d+\b", text))


def hits(data: Any) -> list[dict[str, Any]]:
    """Search results inside a tool result: [{title, url, content}, ...]."""
    rows = data.get("results") if isinstance(data, dict) else data
    if isinstance(rows, dict):
        rows = [rows]
    if not isinstance(rows, list):
        return []
    return [
        row
        for row in rows
        if isinstance(row, dict)
        and any(isinstance(row.get(k), str) for k in ("content", "snippet", "text", "passage", "body"))
    ]


def found_by_tools(texts: list[str]) -> list[Sentence]:
    """The sentences that tools brought."""
    found: list[Sentence] = []
    for text in texts:
        data = results.read(text)
        rows = hits(data)
        for row in rows:
            body = next(
                str(row[k]) for k in ("content", "snippet", "text", "passage", "body") if isinstance(row.get(k), str)
            )
            url, title = str(row.get("url") or row.get("link") or row.get("source") or ""), str(row.get("title") or "")
            found += [
                Sentence(s, url, title, frozenset(ideas(s)), "tool")
                for s in sentences(body)
                if not results.ORDERS.search(s)
            ]
        if not rows and isinstance(data, str):
            found += passages(data, "tool")
    return found


def told(talk: Conversation) -> list[Sentence]:
    """Everything the prompt states: system text, the user's statements, passages in the last message."""
    found: list[Sentence] = []
    for n, turn in enumerate(talk.turns[: talk.asked + 1]):
        text = turn.text
        if turn.role == "user" and n == talk.asked:
            text = text.replace(question_of(text), "\n") if question_of(text) != text else ""
        if turn.role in ("system", "user") and text:
            found += [
                s for s in passages(text, turn.role) if not RULE.search(s.text) and not s.text.endswith(("?", "？"))
            ]
        found += found_by_tools(turn.results) if turn.results else []
    return found


def best(question: str, found: list[Sentence]) -> tuple[Sentence, float] | None:
    """The sentence that answers the question, None when none carries enough of it."""
    wanted = parts(question)
    if not wanted or not found:
        return None
    count = Counter(key for s in found for key in s.own | titled(s.title))
    rarity = [1.15 / (1 + min(count[key] for key in part)) + 0.15 for part in wanted]
    asked = Question(
        wanted,
        rarity,
        next(
            (re.compile(p, re.IGNORECASE) for a, p in MEASURED.items() if re.search(a, question, re.IGNORECASE)), None
        ),
        NUMERIC.search(question) is not None,
        {key for match in re.finditer(r"(?<=\w )[A-Z][a-z]+", question) for key in keys(match[0])},
    )
    touched = set().union(*wanted)
    near = [(n, s) for n, s in enumerate(found) if touched & s.own or (s.title and touched & titled(s.title))]
    points, _, sentence = max(((fitness(asked, s), -n, s) for n, s in near), default=(0.0, 0, found[0]))
    return (sentence, points) if points >= (0.3 if OPEN.search(question) else 0.55) else None


def parts(question: str) -> list[set[str]]:
    """What a question is about, word by word, each with the ideas it can stand for."""
    words = [
        [set(word.keys)] if word.known else [{key} for key in word.keys]
        for word in scan(question)
        if word.text.lower() not in ASKING
    ]
    plain = [part for word in words for part in word if part] + [{code} for code in codes(question)]
    return [part for part in plain if not part & VAGUE] or plain


@dataclass(frozen=True)
class Question:
    """A question taken apart: its words, how rare each is, what figure it asks for, and the names in it."""

    wanted: list[set[str]]
    rarity: list[float]
    measured: re.Pattern[str] | None
    numeric: bool
    names: set[str]


@lru_cache(maxsize=512)
def titled(title: str) -> frozenset[str]:
    """The ideas of a title."""
    return frozenset(keys(title))


def fitness(asked: Question, sentence: Sentence) -> float:
    """The share of the question that a sentence carries; more with a fitting figure, less without, less for lost names."""
    title = titled(sentence.title)
    hit = [1.0 if part & sentence.own else 0.85 if part & title else 0.0 for part in asked.wanted]
    points: float = sum(map(operator.mul, asked.rarity, hit)) / sum(asked.rarity)
    if asked.measured:
        points += 0.35 if asked.measured.search(sentence.text) and FIGURE.search(sentence.text) else -0.35
    elif asked.numeric and not FIGURE.search(sentence.text):
        points -= 0.3
    if 1.0 not in hit and not asked.measured:
        points -= 0.5
    lost = asked.names - sentence.own - title
    return points - (0.3 * len(lost) / len(asked.names) if asked.names else 0.0)
