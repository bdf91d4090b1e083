"""Plain text answers: from tool results, from the prompt, a question for what is missing, or "I do not know"."""

import re

from companion.lab.reader import results, sums
from companion.lab.reader.evidence import best, narrowed
from companion.lab.reader.followups import in_full
from companion.lab.reader.formats import labelled, summary
from companion.lab.reader.reports import ZH_NAMES, one_result
from companion.lab.reader.smalltalk import repeated, said_back, small_talk
from companion.lab.reader.sources import Sentence, found_by_tools, hits, last_of, question_of, told
from companion.lab.reader.turns import Call, Conversation, Parameter, Tool
from companion.lab.reader.words import chinese, spaced

DOINGS = {
    "+": ("add", "加法"), "-": ("subtract", "减法"), "*": ("multiply", "乘法"), "/": ("divide", "除法"),
    "**": ("raise to a power", "乘方"), "%": ("take remainders", "取余"),
}  # fmt: skip
EN_NAMES = {"to": "recipient or destination (to)", "from": "starting point (from)"}
SOURCED = re.compile(r"\b(?:sources?|passages?|context|th(?:is|e) text)\b|资料|上下文", re.I)


def ask(missing: list[tuple[Tool, list[Parameter]]], request: str) -> str:
    """A question for what a call still needs, in the user's language."""
    zh = chinese(request)
    names = list(dict.fromkeys(named(parameter, zh) for _, parameters in missing for parameter in parameters))
    if zh:
        return f"请提供以下信息：{'、'.join(names)}。请问是什么？"
    which = " and which ".join(names)
    return f"I need a bit more to do that. Please tell me the {' and the '.join(names)}: which {which}?"


def named(parameter: Parameter, zh: bool) -> str:
    """A parameter's name for a question, with its choices."""
    name = spaced(parameter.name)
    choices = ("、" if zh else ", ").join(map(str, parameter.schema.get("enum") or ()))
    if not zh:
        return EN_NAMES.get(name, name) + (f" ({choices})" if choices else "")
    described = parameter.description.split("，")[0].strip("。 ") if chinese(parameter.description) else ""
    name = ZH_NAMES.get(name) or described or ZH_NAMES.get(name.split()[-1], name)
    return name + (f"（{choices}）" if choices else "")


def cannot(operations: set[str], request: str) -> str:
    """Which arithmetic no tool can do."""
    names = [DOINGS[op][chinese(request)] for op in DOINGS if op in operations]
    if chinese(request):
        return f"没有工具能做{'、'.join(names)}，所以我算不出其余部分。"
    return f"I cannot {' or '.join(names)}: none of my tools does that."


def after_tools(talk: Conversation, done: list[tuple[Call, str]]) -> str:
    """The answer out of the results of this request."""
    zh = chinese(question_of(talk.request))
    # Hits, and texts to read rather than values to report.
    searched = [r for _, r in done if hits(data := results.read(r)) or (isinstance(data, str) and len(r) > 300)]
    last = [(c, r) for n, (c, r) in enumerate(done) if r not in searched and not passed_on(r, done[n + 1 :])]
    parts = [one_result(call, result, zh, len(last) > 1) for call, result in last]
    if searched:
        parts.insert(0, grounded(in_full(talk), found_by_tools(searched), zh) or not_mentioned(zh))
    return "\n".join(dict.fromkeys(filter(None, parts)))


def passed_on(result: str, later: list[tuple[Call, str]]) -> bool:
    """Was a number only worked out to be used by a later call?"""
    number = results.number_in(result)
    used = [value for call, _ in later for value in call.arguments.values() if not isinstance(value, bool)]
    return number is not None and number in used


def grounded(question: str, found: list[Sentence], zh: bool) -> str:
    """The sentence that answers, with its source; "" when there is none."""
    hit = best(question, found)
    if hit is None:
        return ""
    source = (f"（来源：{hit.url}）" if zh else f" (source: {hit.url})") if hit.url else ""
    return results.safe(narrowed(question, hit)) + source


def without_tools(talk: Conversation) -> str:
    """The answer when no tool is to be called and none was."""
    question = question_of(talk.request)
    zh = chinese(question) if question.strip() else chinese(talk.system)
    if text := labelled(talk) or summary(talk, question) or small_talk(question, zh):
        return text
    found = told(talk)
    if text := repeated(talk, question, zh) or from_prompt(talk, found, zh) or worked_out(question):
        return text
    brought = question not in ("", talk.request)  # with passages before it
    sourced = brought or any(sentence.url for sentence in found) or SOURCED.search(talk.request + talk.system)
    return not_mentioned(zh) if sourced else dont_know(zh, bool(talk.tools))


def from_prompt(talk: Conversation, found: list[Sentence], zh: bool) -> str:
    """An answer out of what system and user have said; a user's own words are given back as such."""
    question = last_of(in_full(talk))
    hit = best(question, found)
    if hit and hit.told_by == "user" and not hit.url and hit.text not in talk.request:
        return said_back(question, hit.text) or (f"你说过：{hit.text}" if zh else f"You said: {hit.text}")
    return grounded(question, found, zh)


def worked_out(question: str) -> str:
    """The sums in a question with their results; "" when there are none or one cannot be worked out."""
    worked = [(sums.written(tree), sums.value(tree)) for tree in sums.find(question)]
    return "" if any(value is None for _, value in worked) else "\n".join(f"{text} = {value}" for text, value in worked)


def not_mentioned(zh: bool) -> str:
    """What to say when the sources are silent."""
    return "资料中没有提到，我不知道。" if zh else "The sources do not mention that, so I do not know."


def dont_know(zh: bool, tools: bool) -> str:
    """The honest end."""
    if zh:
        return "我不知道：对话里没有相关内容" + ("，可用的工具也帮不上。" if tools else "，也没有可用的工具。")
    return "I do not know: nothing in this conversation says so, and " + (
        "none of my tools fits." if tools else "I have no tool to look it up."
    )
