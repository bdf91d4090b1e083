"""Answers whose form the prompt dictates: search words, labelled lines, and summaries."""

import re

from companion.lab.reader import results
from companion.lab.reader.followups import in_full
from companion.lab.reader.sources import question_of, sentences
from companion.lab.reader.turns import Conversation
from companion.lab.reader.words import chinese, scan

ASKING = {"list", "search", "question", "recommend"}
TOKEN = re.compile(r"[\w'’.-]*\w")
LINE = re.compile(
    r"^\s*[-*\d.]*\s*\**([A-Za-z][A-Za-z _-]{1,24}|[\u4e00-\u9fff]{2,10})\**[ \t]*([:：])(?!//)[ \t]*(.*)$", re.M
)
DICTATED = re.compile(r"\b(?:format|lines|following form|exactly)\b|格式|按照|按以下|如下|两行|输出|回复", re.I)
NO_LABEL = re.compile(r"\b(?:format|lines?|form|answer|reply|write|respond)\b|格式|回答|分析|输出|按|行", re.I)
HOLE = re.compile(r"(?:\.{2,}|…+|<.*>|\[.*\]|\{.*\}|（.*）|\(.*\)|【.*】|xxx?|___+)\W*$", re.I)
SEARCHED = re.compile(r"search|keyword|query|搜索|关键词|检索", re.I)
QUOTED = re.compile(r"(?:问题|查询|提问|需求|query|question|message|asks?)\W{0,3}[:：]?\s*[\"“「']([^\"”」']+)", re.I)
SUMMARY = re.compile(r"summari[sz]e|\bsummary\b|总结|概括|归纳|摘要", re.I)
ASKED = re.compile(
    r"^\W*(?:(?:please|can you|could you) )?(?:summari[sz]e|(?:create|write|give(?: me)?|extend) (?:a|the) summary)"
    r"|\bsummary of (?:the|this|our) conversation|^\W*(?:请|帮我)?(?:总结|概括|归纳|摘要)"
    r"|(?:对话|会话|聊天).{0,6}(?:总结|摘要|概括)",
    re.I,
)
STORED = re.compile(r"(?:summary[^:：\n]*|摘要)[:：]\s*(.+)", re.I)


def keywords(text: str) -> str:
    """What to type into a search box.

    >>> keywords("What are the opening hours of the city museum?")
    'opening hours city museum'
    """
    return " ".join(" ".join(map(telling, TOKEN.findall(text))).split()) or text.strip()


def telling(token: str) -> str:
    """The part of a run of letters that says something."""
    for word in reversed(scan(token)):
        if word.known and (ASKING.issuperset(word.keys) or word.text.lower() in ("where", "哪里", "哪儿")):
            token = f"{token[: word.start]} {token[word.end :]}"
    return token


def labelled(talk: Conversation) -> str:
    """The lines that a prompt dictates: `Search term: ...`; "" when it dictates none."""
    for text in (talk.request, *(turn.text for turn in talk.turns if turn.role == "system")):
        if holes := dictated(text):
            subject = subject_of(talk)
            return "\n".join(f"{m[1].strip()}{m[2]}{' ' * (m[2] == ':')}{line_value(m[1], subject)}" for m in holes)
    return ""


def dictated(text: str) -> list[re.Match[str]]:
    """The lines to be filled in: a label, and a place kept free or a few words on what belongs there."""
    if not DICTATED.search(text):
        return []
    lines = [line for line in LINE.finditer(text) if not NO_LABEL.search(line[1])]
    short = [
        line for line in lines if 0 < len(line[3].strip()) < 40 and not re.search(r"[?？]|https?:|。\s*$", line[3])
    ]
    holes = [line for line in lines if HOLE.match(line[3].strip())] or short
    return holes if len(holes) > 1 or (holes and SEARCHED.search(holes[0][1])) else []


def subject_of(talk: Conversation) -> str:
    """The user's own question inside a message that may also dictate the form."""
    question = question_of(talk.request)
    if quoted := QUOTED.search(question):
        return quoted[1]
    if not DICTATED.search(question):
        return in_full(talk)
    lines = [line for line in question.splitlines() if not DICTATED.search(line) and not LINE.match(line)]
    return next((line.strip() for line in reversed(lines) if line.strip()), question)


def line_value(label: str, subject: str) -> str:
    """The value for a label: keywords for a search term, else the request itself."""
    if SEARCHED.search(label) or re.search(r"\bterm", label, re.I):
        return keywords(subject)
    subject = subject.strip("?？.。 ")
    return f"用户想了解：{subject}" if chinese(label) else f"The user wants to know: {subject}"


def summary(talk: Conversation, question: str) -> str:
    """A short extract of what was said; "" when no summary is asked for."""
    told_to = SUMMARY.search(talk.system) and not STORED.search(talk.system)
    if not ASKED.search(question) and not (told_to and len(question) > 200):
        return ""
    brought = re.split(r"[:：\n]", question, maxsplit=1)[1:]
    if brought and len(brought[0].strip()) > 60:
        return " ".join(sentences(results.safe(brought[0]))[:3])
    return recap(talk, question, chinese(question))


def recap(talk: Conversation, question: str, zh: bool) -> str:
    """The conversation so far in short lines, an older summary first."""
    names = {"user": "用户", "assistant": "助手"} if zh else {"user": "User", "assistant": "Assistant"}
    earlier = [turn for turn in talk.turns[: talk.asked] if turn.role in names and turn.text]
    lines = [f"{names[turn.role]}: {short(turn.text)}" for turn in earlier]
    stored = [text.strip() for text in STORED.findall(f"{talk.system}\n{question}")]
    if not lines and not stored:
        return "还没有可以总结的内容。" if zh else "There is nothing to summarise yet."
    return "\n".join(["对话摘要：" if zh else "Summary of the conversation:", *stored[:1], *lines[-12:]])


def short(text: str) -> str:
    """At most about 200 characters, cut at a word."""
    text = results.safe(" ".join(question_of(text).split()))
    return text if len(text) <= 200 else text[:197].rsplit(" ", 1)[0] + "..."
