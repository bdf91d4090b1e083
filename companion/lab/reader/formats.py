"""Answers whose form the prompt dictates: labelled lines, and summaries."""

# ruff: noqa: E501 (a pattern or a table row is read as one line)

import re

from companion.lab.reader import results
from companion.lab.reader.sources import question_of, sentences
from companion.lab.reader.turns import Conversation
from companion.lab.reader.words import chinese, scan

LINE = re.compile(
    r"^\s*[-*\d.]*\s*\**([A-Za-z][A-Za-z _-]{1,24}|[\u4e00-\u9fff]{2,10})\**[ \t]*([:：])[ \t]*(.*)$", re.MULTILINE
)
DICTATED = re.compile(r"(?i)\bformat\b|\blines?\b|following form|exactly|格式|按照|按以下|如下|两行|输出|回复")
HOLE = re.compile(r"(?i)(?:\.{2,}|…+|<.*>|\[.*\]|\{.*\}|（.*）|\(.*\)|【.*】|xxx?|___+)\W*$")
SUMMARY = re.compile(
    r"(?i)^\W*(?:please |can you |could you )?(?:summari[sz]e|create a summary|write a summary|give (?:me )?a summary|extend the summary)|\bsummary of (?:the|this|our) conversation|^\W*(?:请|帮我)?(?:总结|概括|归纳|摘要)|(?:对话|会话|聊天).{0,6}(?:总结|摘要|概括)"
)
QUESTION_WORDS = re.compile(
    r"(?:请问|有没有|有什么|怎么样|怎么走|是什么|什么时候|为什么|如何|什么|哪些|哪里|怎么|吗|呢|多少|我想知道|我想|帮我|查一下|推荐|告诉我|请|的|了|[？?。！!，,])"
)


def keywords(text: str) -> str:
    """What to type into a search box.

    >>> keywords("What are the opening hours of the city museum?")
    'opening hours city museum'
    """
    if chinese(text):
        return " ".join(part for part in QUESTION_WORDS.sub(" ", text).split() if part) or text.strip()
    kept: list[str] = []
    for match in re.finditer(r"[\w'’.-]*\w", text):
        words = scan(match[0])
        if not words or any(word.keys for word in words):
            kept.append(match[0])
    text_kept = " ".join(kept)
    return text_kept or text.strip()


def labelled(talk: Conversation, question: str) -> str:
    """The lines that a prompt dictates: `Search term: ...`; "" when it dictates none."""
    for turn in (talk.turns[talk.asked] if talk.asked >= 0 else None, *[t for t in talk.turns if t.role == "system"]):
        if turn is None or not DICTATED.search(turn.text):
            continue
        lines = [
            m for m in LINE.finditer(turn.text) if not re.search(r"(?i)格式|回答|分析|输出|format|answer|reply", m[1])
        ]
        found = [m for m in lines if HOLE.match(m[3].strip())] or [m for m in lines if blank(m[3])]
        if found and (len(found) > 1 or re.search(r"(?i)search|搜索", found[0][1])):
            subject = subject_of(talk, question)
            return "\n".join(
                f"{m[1].strip()}{m[2]}{' ' if m[2] == ':' else ''}{line_value(m[1], subject)}" for m in found
            )
    return ""


def blank(value: str) -> bool:
    """Is this a short description of what belongs there?"""
    value = value.strip()
    return 0 < len(value) < 40 and not re.search(r"[?？]|https?:", value) and value[-1:] not in "。"


def subject_of(talk: Conversation, question: str) -> str:
    """The user's own question inside a message that also dictates the form."""
    quoted = re.search(
        r"(?:问题|查询|提问|需求|query|question|message|asks?)\W{0,3}[:：]?\s*[\"“「']([^\"”」']+)",
        question,
        re.IGNORECASE,
    )
    if quoted:
        return quoted[1]
    if DICTATED.search(question):
        lines = [
            line
            for line in question.splitlines()
            if line.strip() and not LINE.match(line) and not DICTATED.search(line)
        ]
        labelled_line = [
            re.split(r"[:：]", line, maxsplit=1)[1]
            for line in question.splitlines()
            if re.match(r"(?i)\W*(?:user|question|query|用户|问题|用户问题|用户的问题)\s*[:：]", line)
        ]
        return (labelled_line or lines or [question])[-1].strip()
    return question


def line_value(label: str, subject: str) -> str:
    """The value for a label: keywords for a search term, else the request itself."""
    if re.search(r"(?i)search|keyword|query|term|搜索|关键词|检索", label):
        return keywords(subject)
    if chinese(label):
        return f"用户想了解：{subject.strip('？?。')}"
    return f"The user wants to know: {subject.strip('?. ')}"


def summary(talk: Conversation, question: str) -> str:
    """A short extract of what was said; "" when no summary is asked for."""
    in_system = re.search(r"(?i)summari[sz]e|总结|摘要|概括", talk.system) and not re.search(
        r"(?i)summary of (?:the )?(?:earlier|previous|conversation)[^.]*:|摘要[:：]", talk.system
    )
    if not SUMMARY.search(question) and not (in_system and len(question) > 200):
        return ""
    zh = chinese(question)
    inline = re.split(r"[:：\n]", question, maxsplit=1)
    if len(inline) > 1 and len(inline[1].strip()) > 60:
        return " ".join(extract(sentences(results.safe(inline[1]))))
    earlier = [
        turn
        for turn in talk.turns[: talk.asked]
        if turn.role in ("user", "tool", "assistant") and (turn.text or turn.results)
    ]
    lines = [
        f"{('用户' if zh else 'User') if turn.role == 'user' else ('助手' if zh else 'Assistant')}: {short(turn.text)}"
        for turn in earlier
        if turn.text
    ]
    before = [
        m[1].strip() for m in re.finditer(r"(?i)(?:summary[^:：\n]*|摘要)[:：]\s*(.+)", talk.system + "\n" + question)
    ]
    head = "对话摘要：" if zh else "Summary of the conversation:"
    return (
        "\n".join([head, *before[:1], *(lines[-12:])])
        if lines or before
        else ("还没有可以总结的内容。" if zh else "There is nothing to summarise yet.")
    )


def extract(parts: list[str]) -> list[str]:
    """The first sentence, and the two that carry most numbers and names."""
    weight = {part: len(re.findall(r"\d+|(?<=\s)[A-Z]\w+", part)) for part in parts[1:]}
    top = sorted(weight, key=lambda part: -weight[part])[:2]
    return [part for n, part in enumerate(parts) if n == 0 or part in top]


def short(text: str) -> str:
    """At most about 200 characters, cut at a sentence."""
    text = results.safe(" ".join(question_of(text).split()))
    return text if len(text) <= 200 else text[:197].rsplit(" ", 1)[0] + "..."
