"""Plain text answers: from tool results, from the prompt, a question for what is missing, or "I do not know"."""

# ruff: noqa: E501 (a pattern or a table row is read as one line)

import re
from typing import Any

from companion.lab.reader import results, sums
from companion.lab.reader.choose import CHAT
from companion.lab.reader.evidence import best
from companion.lab.reader.formats import labelled, summary
from companion.lab.reader.reports import ZH_NAMES, one_result
from companion.lab.reader.sources import found_by_tools, hits, question_of, told
from companion.lab.reader.turns import Call, Conversation, Parameter, Tool
from companion.lab.reader.words import chinese, keys, spaced


def ask(missing: list[tuple[Tool, list[Parameter]]], request: str) -> str:
    """A question for what a call still needs, in the user's language."""
    parameters = [p for _, ps in missing for p in ps]
    if chinese(request):
        return "请提供以下信息：" + "、".join(dict.fromkeys(zh_name(p) for p in parameters)) + "。请问是什么？"
    names = list(dict.fromkeys(en_name(p) for p in parameters))
    return f"I need a bit more to do that. Please tell me the {' and the '.join(names)}: which {' and which '.join(names)}?"


DOINGS = {"+": ("add", "加法"), "-": ("subtract", "减法"), "*": ("multiply", "乘法"), "/": ("divide", "除法"), "**": ("raise to a power", "乘方"), "%": ("take remainders", "取余")}  # fmt: skip


def cannot(operations: set[str], request: str) -> str:
    """Which arithmetic no tool can do."""
    names = [DOINGS[op][chinese(request)] for op in DOINGS if op in operations]
    if chinese(request):
        return f"没有工具能做{'、'.join(names)}，所以我算不出其余部分。"
    return f"I cannot {' or '.join(names)}: none of my tools does that."


def zh_name(parameter: Parameter) -> str:
    """A parameter's name for a Chinese question, with its choices."""
    name = spaced(parameter.name)
    known = (
        ZH_NAMES.get(name)
        or (parameter.description.split("，")[0].strip("。 ") if chinese(parameter.description) else "")
        or ZH_NAMES.get(name.split()[-1])
    )
    choices = parameter.schema.get("enum")
    return (known or name) + (f"（{'、'.join(map(str, choices))}）" if choices else "")


def en_name(parameter: Parameter) -> str:
    """A parameter's name for an English question, with its choices."""
    choices = parameter.schema.get("enum")
    name = spaced(parameter.name)
    name = {"to": "recipient or destination (to)", "from": "starting point (from)"}.get(name, name)
    return name + (f" ({', '.join(map(str, choices))})" if choices else "")


def after_tools(talk: Conversation, done: list[tuple[Call, str]]) -> str:
    """The answer out of the results of this request."""
    question = question_of(talk.request)
    zh = chinese(question)
    searched = [result for _, result in done if hits(results.read(result)) or long_text(result)]
    parts: list[str] = []
    if searched:
        parts.append(grounded(question, found_by_tools(searched), zh, talk) or not_mentioned(zh))
    told_last = [(c, r) for n, (c, r) in enumerate(done) if r not in searched and not passed_on(r, done[n + 1 :])]
    parts += [one_result(call, result, zh, len(told_last) > 1) for call, result in told_last]
    return ("\n" if len(parts) > 1 else "").join(dict.fromkeys(part for part in parts if part))


def passed_on(result: str, later: list[tuple[Call, str]]) -> bool:
    """Was a number only worked out to be used by a later call?"""
    number = results.number_in(result)
    return number is not None and any(
        value == number and not isinstance(value, bool) for call, _ in later for value in call.arguments.values()
    )


def long_text(result: str) -> bool:
    """Is the result a text to read rather than a value to report?"""
    return isinstance(results.read(result), str) and len(result) > 300


def grounded(question: str, found: list[Any], zh: bool, talk: Conversation) -> str:
    """The sentence that answers, with its source; "" when there is none."""
    hit = best(question, found)
    if not hit:
        return ""
    sentence = hit
    source = (f"（来源：{sentence.url}）" if zh else f" (source: {sentence.url})") if sentence.url else ""
    return f"{results.safe(sentence.text)}{source}"


def not_mentioned(zh: bool) -> str:
    """What to say when the sources are silent."""
    return "资料中没有提到，我不知道。" if zh else "The sources do not mention that, so I do not know."


def without_tools(talk: Conversation) -> str:
    """The answer when no tool is to be called and none was."""
    question = question_of(talk.request)
    zh = chinese(question) if question.strip() else chinese(talk.system)
    if text := labelled(talk, question) or summary(talk, question):
        return text
    if reply := small_talk(question, zh):
        return reply
    found = told(talk)
    if reply := repeated(talk, question, zh) or from_prompt(talk, question, found, zh):
        return reply
    if trees := sums.find(question):
        worked = [(sums.written(tree), sums.value(tree)) for tree in trees]
        if all(value is not None for _, value in worked):
            return "\n".join(f"{text} = {value}" for text, value in worked)
    if any(s.url for s in found) or re.search(
        r"(?i)\b(?:sources?|passages?|context)\b|资料|上下文", talk.request + talk.system
    ):
        return not_mentioned(zh)
    return dont_know(zh, bool(talk.tools))


def from_prompt(talk: Conversation, question: str, found: list[Any], zh: bool) -> str:
    """An answer out of what system and user have said; a user's own words are given back as such."""
    hit = best(question, found)
    if not hit:
        return ""
    if hit.told_by == "user" and not hit.url and hit.text not in talk.request:
        return said_back(question, hit.text) or (f"你说过：{hit.text}" if zh else f"You said: {hit.text}")
    return grounded(question, found, zh, talk)


TURNED = {"i": "you", "i'm": "you are", "i've": "you have", "i'd": "you would", "am": "are", "was": "were", "my": "your", "mine": "yours", "me": "you", "myself": "yourself"}  # fmt: skip
FIRST = re.compile(rf"(?i)\b(?:{'|'.join(sorted(TURNED, key=len, reverse=True))})\b(?!')|我")
OWN_CLAUSE = re.compile(r"(?i)(?:\s*[,;]\s*|\s+)(?:and\s+|but\s+)?(?=(?:I|I'm|my)\s)|[，,；]\s*(?=我|也?住|今年|喜欢)")


def said_back(question: str, statement: str) -> str:
    """The part of the user's own statement that answers, from me to you; "" when it says nothing about the user.

    >>> said_back("Where do I live?", "My name is Ann and I live in Graz.")
    'You live in Graz.'
    """
    statement = re.sub(
        r"(?i)^\W*(?:please |also )?(?:remember|note|by the way|btw|hi|hello|hey)\b[\s,!:]*(?:that )?", "", statement
    )
    parts = [part for part in OWN_CLAUSE.split(statement) if part]
    asked = keys(question)
    chosen = max(parts, key=lambda part: len(asked & keys(part)), default="")
    if not FIRST.search(chosen) and not (chinese(chosen) and FIRST.search(statement)):
        return ""
    turned = FIRST.sub(lambda m: "你" if m[0] == "我" else TURNED[m[0].lower()], chosen.replace("’", "'"))
    turned = turned if turned.startswith("你") or not chinese(turned) else f"你{turned}"
    return turned[:1].upper() + turned[1:].rstrip(" .!。！") + ("。" if chinese(turned) else ".")


def repeated(talk: Conversation, question: str, zh: bool) -> str:
    """What did I just say / ask?"""
    if not re.search(
        r"(?i)\bwhat (?:did|have) i (?:just )?(?:say|ask|said|asked|tell)|\bmy (?:last|previous|first) (?:question|message)|我(?:刚才|刚刚|之前|上一个)?(?:说|问)(?:了|过|的)?(?:什么|啥)|上一个问题",
        question,
    ):
        return ""
    earlier = [turn.text for turn in talk.turns[: talk.asked] if turn.role == "user"]
    if not earlier:
        return "你还没有说过别的话。" if zh else "You have not said anything before this."
    said = earlier[0] if re.search(r"(?i)\bfirst\b|第一", question) else earlier[-1]
    return f"你说的是：{said}" if zh else f"You said: {said}"


def small_talk(text: str, zh: bool) -> str:
    """Greetings and thanks, and who is speaking."""
    match = CHAT.match(text) if len(text) < 60 else None
    low = text.lower()
    if re.search(r"thank|谢", low) and match:
        return "不客气！" if zh else "You are welcome."
    if re.search(r"who are you|what are you|what can you do|你是谁|你叫什么|你能做什么|你会什么", low):
        return (
            "我是课程里的离线替身：按规则读提示词，不是语言模型。"
            if zh
            else "I am the offline stand-in of this course: rules that read the prompt, not a language model."
        )
    if (
        re.search(
            r"^\W*(?:hi|hello|hey|good (?:morning|afternoon|evening)|how are you|nice to meet)|你好|您好|上好|早上好|嗨",
            low,
        )
        and match
    ):
        name = re.search(r"(?:\bI'm|\bI am|\bmy name is)\s+([A-Z]\w+)|我叫([\u4e00-\u9fff]{2,4})", text)
        who = next((g for g in name.groups() if g), "") if name else ""
        return (
            f"你好{'，' + who if who else ''}！有什么可以帮你？"
            if zh
            else f"Hello{', ' + who if who else ''}! What can I do for you?"
        )
    if re.search(r"\bbye\b|goodbye|再见|拜拜|晚安|good night", low) and match:
        return "再见！" if zh else "Goodbye!"
    if re.search(r"\bjoke\b|笑话", low):
        return (
            "程序员最怕什么？怕的是昨天还能跑的代码。"
            if zh
            else "Why did the loop go to school? It wanted to end well."
        )
    introduced = re.match(
        r"(?i)\W*(?:my name is|i am|i'm|call me|i live|i like|i prefer|i work|remember)\b(?!.*\?)|\W*(?:我叫|我是|我住|我喜欢|记住|我在)(?!.*[？?吗])",
        text,
    )
    return ("好的，我记下了。" if zh else "All right, noted.") if introduced else ""


def dont_know(zh: bool, tools: bool) -> str:
    """The honest end."""
    if zh:
        return "我不知道：对话里没有相关内容" + ("，可用的工具也帮不上。" if tools else "，也没有可用的工具。")
    return "I do not know: nothing in this conversation says so, and " + (
        "none of my tools fits." if tools else "I have no tool to look it up."
    )
