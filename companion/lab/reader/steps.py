"""The wishes in a request: a step is one tool with the values found for it, read piece by piece.

Left out: wishes that depend on a condition ("if it rains, ..."), which are read as if it held.
"""

import re
from collections.abc import Collection
from dataclasses import dataclass
from datetime import date

from companion.lab.reader.arguments import Values, fill
from companion.lab.reader.arithmetic import able
from companion.lab.reader.choose import ranked, weights
from companion.lab.reader.clauses import JOINT, clauses, opens
from companion.lab.reader.courtesy import polite
from companion.lab.reader.dates import today_in
from companion.lab.reader.kinds import about, kind_of
from companion.lab.reader.text import Text
from companion.lab.reader.turns import Conversation, Tool, pairs
from companion.lab.reader.words import keys, scan, spaced

LINK = re.compile(
    r"(?i)^\W*(?:and|or|also|same|again|now|then|sorry|actually|ok(?:ay)?|那么?|还有|再|也|抱歉|哦)(?![A-Za-z])"
)
FOLLOW = re.compile(
    r"(?i)^\W*(?:please )?(?:(?:what about|how about|no|i meant?|make (?:it|that)|instead|do the same)\b"
    r"|what(?:'s| is) it like\b|(?:can|could) \w+ \w+ (?:it|that) (?:in|as|for|at)\b"
    r"|不[对是]|换成|改成|我是说|我说的是|[^，。！]{1,15}呢\W*$)"
)
POINTED = re.compile(r"(?i)\b(?:the|that|this)(?: \w+)? ones?\b|\bthe same\b|[那这另]一?个|同样")
ASKS = re.compile(r"(?i)[?？]\s*$|请|please|which|what|tell me|provide|\bneed\b")
AGREES = re.compile(r"(?i)\W*(?:yes|yeah|yep|sure|ok|please|go ahead|do it|好|是|可以|对|行|嗯)")
BARE = re.compile(r"(?i)^(?!\W*(?:(?:i|my|you|we)\b|[我你]))[^.!。！]{1,40}$")  # short, and not about the speakers
REFUSED = re.compile(
    r"(?i)\W*(?:please )?(?:don't|do not|never|no need)\b(?! (?:forget|let|worry))|不[要用](?!\w\W*$)|别(?!忘)"
)
# "two... no, one": what is said after it holds.
CORRECTION = re.compile(
    r"(?i)(?:\.{2,}|…|[-—–,.?!;])\s*(?:(?:oh|sorry|wait|actually|rather|i meant?|make (?:it|that)"
    r"|no(?=[\s,]*(?:,|\d|(?-i:[A-Z])|wait|sorry|make|(?:i|at|on|to|in|for)\b)))\b[\s,]*)+"
    r"(?<=[\s,])|[\s，,。！!…](?:哦|噢|啊)?(?:不对|不是|不(?=[，,])|说错了|错了|我是说|应该是)[，,是]*"
)


@dataclass
class Step:
    """One tool with the values found for it, and the words it was found in."""

    tool: Tool
    values: Values
    text: str

    def lacks(self) -> list[str]:
        """The required parameters without a value."""
        return [p.name for p in self.tool.parameters if p.required and p.name not in self.values]


def steps_of(talk: Conversation, request: str) -> list[Step]:
    """The steps of a request, or of the request it answers or follows up."""
    steps = parse(talk, request)
    if not all(step.lacks() for step in steps):
        return steps
    return resumed(talk, request) or followed(talk, request, steps) or steps


def resumed(talk: Conversation, request: str) -> list[Step]:
    """The steps of the earlier request about which the assistant asked back, now with the answer."""
    *before, last = talk.turns[: talk.asked] or talk.turns[:1]
    if last.role != "assistant" or last.calls or not ASKS.search(last.text):
        return []
    earlier = next((turn.text for turn in reversed(before) if turn.role == "user"), "")
    offer = [last.text] if AGREES.match(request) else []
    for text in (f"{earlier}\n{request}", *offer):
        steps = parse(talk, text)
        if steps and not any(step.lacks() for step in steps):
            return steps
    return []


def followed(talk: Conversation, request: str, steps: list[Step]) -> list[Step]:
    """`And tomorrow?`: the last call again, with what is new put over it; without one, any tool that takes it."""
    last = [call for call, _ in pairs(talk.turns[: talk.asked])][-1:]
    words = LINK.sub("", request)
    if not last and POINTED.search(request) and not any(turn.role == "user" for turn in talk.turns[: talk.asked]):
        return [Step(tool, {}, "") for tool in talk.tools[:1]]  # what it points at has to be asked for
    if words == request and not FOLLOW.match(request) and (steps or not last or opens(words) or not BARE.search(words)):
        return []
    tools = [tool for tool in talk.tools if not last or tool.name == last[0].name]
    if steps:
        tools = [steps[0].tool] if last and steps[0].tool in tools else []
    old = {name: [value] for call in last for name, value in call.arguments.items()}
    found = ((tool, values_for(tool, words, talk)) for tool in tools)
    return next(([Step(tool, {**old, **fresh}, request)] for tool, fresh in found if fresh), [])


def today(talk: Conversation) -> date | None:
    """The date of today, where the system or a user has said it."""
    return today_in(talk.system + "\n" + "\n".join(turn.text for turn in talk.turns[-6:] if turn.role == "user"))


def values_for(tool: Tool, text: str, talk: Conversation, besides: Collection[str] = ()) -> Values:
    """What a text says for a tool's parameters; after a correction the later words hold."""
    worded = any(kind_of(p, tool) == "message" for p in tool.parameters)
    values: Values = {}
    for part in [text] if worded else CORRECTION.split(text):
        values |= fill(tool, Text(part, today(talk)), besides)
    return values


def parse(talk: Conversation, request: str) -> list[Step]:
    """The tools a text asks for, piece by piece; pieces without a tool lend their words to a neighbour."""
    tools = [tool for tool in talk.tools if not able(tool)]
    groups: list[tuple[list[Tool], str]] = []
    loose = ""
    kept = [piece for piece in clauses(polite(request)) if not REFUSED.match(piece)]
    for asked, piece in (wish for one in kept for wish in apart(tools, one, talk)):
        if asked and not (groups and belongs(piece, groups[-1][0][-1], asked[0])):
            groups.append((asked, f"{loose} {piece}".strip()))
            loose = ""
        elif groups:
            groups[-1] = (groups[-1][0], f"{groups[-1][1]}, {piece}")
        else:
            loose = f"{loose} {piece}".strip()
    steps: list[Step] = []
    for asked, text in groups:
        for tool in asked:
            others = {idea for other in asked if other is not tool for idea in about(other)}
            add(steps, Step(tool, values_for(tool, text, talk, others), text), talk)
    return steps


def add(steps: list[Step], step: Step, talk: Conversation) -> None:
    """A step of its own, or more words for the step before if it is the same tool and they do not collide."""
    needed = {p.name for p in step.tool.parameters if p.required}
    last = steps[-1] if steps and steps[-1].tool is step.tool else None
    collide = last and last.values.keys() & step.values.keys() & needed
    if last and not collide and (last.lacks() or step.lacks() or not needed):
        text = f"{last.text}, {step.text}"
        steps[-1] = Step(step.tool, {**values_for(step.tool, text, talk), **last.values, **step.values}, text)
    else:
        steps.append(step)


def belongs(piece: str, before: Tool, now: Tool) -> bool:
    """Does a piece only add a detail to the wish before it: "..., my order number is A-7"?"""
    said = keys(piece)
    wishes = re.search(r"[?？]|什么|多少|怎么|哪|吗|看看|查", piece) or opens(piece)
    return before is not now and not wishes and said & weights(now).keys() <= weights(before).keys()


def apart(tools: list[Tool], piece: str, talk: Conversation) -> list[tuple[list[Tool], str]]:
    """The tools a piece asks for, with the words for each where each has its own: the time in Athens and ..."""
    asked = wanted(tools, piece)
    parts = [(wanted(tools, part), part) for part in JOINT.split(piece)] if len(asked) > 1 else []
    alone = parts and all(len(own) == 1 and values_for(own[0], part, talk) for own, part in parts)
    return parts if alone and {tool for own, _ in parts for tool in own} == {*asked} else [(asked, piece)]


def wanted(tools: list[Tool], piece: str) -> list[Tool]:
    """The tools one piece asks for: the best, and for a list of wishes others whose own idea the best leaves open."""
    found = [tool for _, tool in ranked(tools, piece)]
    chosen = found[:1]
    for tool in found[1:] if re.search(r"\band\b|[,，、和及与跟]|还有", piece) else ():
        words = [word for word in scan(piece) if not any(weights(t).get(k, 0) >= 1 for t in chosen for k in word.keys)]
        own = keys(spaced(tool.name)) | keys(tool.description[:80])
        if any(weights(tool).get(key, 0) >= 2 for word in words for key in word.keys if key in own):
            chosen.append(tool)
    return chosen
