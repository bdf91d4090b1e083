"""What the last request needs: the calls to write now, what to ask for, or nothing more.

The whole request is planned anew each time the prompt is read; calls already answered in the prompt are struck off.
A call whose argument is the result of another waits until that result stands in the prompt.
"""

# ruff: noqa: E501 (a pattern or a table row is read as one line)

import json
import re
from dataclasses import dataclass, field
from typing import Any

from companion.lab.reader import sums
from companion.lab.reader.arguments import Values, fill
from companion.lab.reader.choose import deeds, ranked, weights
from companion.lab.reader.clauses import clauses, opens
from companion.lab.reader.dates import today_in
from companion.lab.reader.history import from_results, remembered
from companion.lab.reader.kinds import about, kind_of
from companion.lab.reader.numbers import tidy
from companion.lab.reader.phrases import VERBS, Text
from companion.lab.reader.results import failed, number_in
from companion.lab.reader.sources import question_of
from companion.lab.reader.turns import Call, Conversation, Parameter, Tool, pairs
from companion.lab.reader.words import keys, scan, spaced

FOLLOW = re.compile(
    r"^\W*(?:and|or|also|what about|how about|same|again|now|then|no,?|sorry|actually|i meant?|make (?:it|that)|instead|ok(?:ay)?,?|那么?|还有|再|也|不对|不是|换成|改成|我是说|我说的是|抱歉|哦)(?![A-Za-z])",
    re.IGNORECASE,
)
POINTS = re.compile(
    r"\b(?:it|its|that|this|them|those|these|there|same|one|he|him|her|she|the|my)\b|它|这|那|该|他|她|同样|刚才|上面|此",
    re.IGNORECASE,
)
COURTESY = re.compile(
    r"^\W*(?:(?:hi|hello|hey|ok(?:ay)?|great|good|perfect|cool|nice|fine|super|awesome|alright|thanks|thank you|that's all|bye|goodbye|yes|please|sorry|excuse me|good (?:morning|afternoon|evening)|there|so|well|你好|您好|嗨|好的|好|谢谢你?|多谢|请问|麻烦|早上好|太好了|再见|拜拜)(?![A-Za-z])[\s,.!，。！、]+)+",
    re.IGNORECASE,
)
REPORTED = re.compile(
    r"(?i)\b(?:did|had) (?:you|i|we) (?:just )?(?:say|said|mention|tell|ask)|\b(?:you|i) (?:just )?(?:said|mentioned|told)\b.*\?|[你我](?:刚才|刚刚|之前)(?:说|问|提)"
)
DIGIT_SUM = re.compile(r"(?:\band\s+|和)?[(（]*\d[\d.,]*[)）]*(?:\s*[-+*/^×÷][(（\s]*\d[\d.,]*[)）]*)+")
OPS = {"add_op": "+", "subtract_op": "-", "multiply_op": "*", "divide_op": "/", "power_op": "**", "modulo_op": "%"}


@dataclass
class Step:
    """One tool with the values found for it, and the words it was found in."""

    tool: Tool
    values: Values
    text: str


@dataclass
class Plan:
    """Calls to write now; else what is missing; else nothing is open."""

    calls: list[Call] = field(default_factory=list)
    missing: list[tuple[Tool, list[Parameter]]] = field(default_factory=list)
    steps: list[Step] = field(default_factory=list)
    beyond: set[str] = field(default_factory=set)


def plan(talk: Conversation) -> Plan:
    """Return what the last user message still needs."""
    done = talk.done()
    request = question_of(talk.request)
    if request.isascii() and request.isupper() and not re.search(r"\d", request):
        request = request.lower()
    out = Plan()
    offered = talk.asked > 0 and talk.turns[talk.asked - 1].text.rstrip().endswith(("?", "？"))
    if not talk.tools or REPORTED.search(request) or not (offered or re.search(r"\w", COURTESY.sub("", request + " "))):
        return out
    worked, rest = sum_calls(talk, request, done)
    out.steps = steps_of(talk, rest)
    out.beyond = beyond(talk, request)
    open_calls(out, talk, done)
    sums_first = bool(sums.find(next(iter(clauses(request)), "")[:200])) and not beside(next(iter(clauses(request))))
    calls = [*worked, *out.calls] if sums_first else [*out.calls, *worked]
    made = {(call.name, plain(call.arguments)) for call, _ in done}
    out.calls = [call for call in calls if (call.name, plain(call.arguments)) not in made]  # never the same call twice
    return out


def steps_of(talk: Conversation, request: str) -> list[Step]:
    """The steps of a request, or of the request it follows up."""
    before = talk.turns[: talk.asked]
    steps = parse(talk, request)
    asked = (
        bool(before)
        and before[-1].role == "assistant"
        and not before[-1].calls
        and re.search(r"(?i)[?？]\s*$|请|please|which|what|tell me|provide|\bneed\b", before[-1].text)
    )
    if asked and not any(whole(step) for step in steps):
        earlier = next((turn.text for turn in reversed(before) if turn.role == "user"), "")
        offer = (
            before[-1].text
            if re.match(r"(?i)\W*(?:yes|yeah|yep|sure|ok|please do|go ahead|do it|好|是|可以|对|行|嗯)", request)
            else ""
        )
        for text in (f"{earlier}\n{request}", f"{request}\n{earlier}", f"{offer}\n{earlier}" if offer else ""):
            joined = parse(talk, text) if text else []
            if joined and all(whole(step) for step in joined):
                return joined[:1] if len(joined) > 1 and joined[0].tool is joined[-1].tool else joined
    if not any(whole(step) for step in steps) and (again := follow_up(talk, request, steps)):
        return again
    return steps


def whole(step: Step) -> bool:
    """Has the step all its required values?"""
    return all(p.name in step.values for p in step.tool.parameters if p.required)


def follow_up(talk: Conversation, request: str, steps: list[Step]) -> list[Step]:
    """`And tomorrow?`: the last call again, with what is new put over it."""
    calls = [call for call, _ in pairs(talk.turns[: talk.asked]) if call.name] or []
    short = len(scan(request)) <= 8
    if not calls and not steps and FOLLOW.match(request):
        begun = [
            Step(tool, found, request)
            for tool in talk.tools
            if (found := fill(tool, Text(request, today_in(everything(talk)))))
        ]
        return begun[:1]
    if not calls or not (FOLLOW.match(request) or (short and not steps)):
        return []
    tool = next((tool for tool in talk.tools if tool.name == calls[-1].name), None)
    if tool is None or (steps and steps[0].tool is not tool):
        return []
    fresh = fill(tool, Text(request, today_in(everything(talk))))
    if not fresh:
        return []
    old = {name: [value] for name, value in calls[-1].arguments.items()}
    return [Step(tool, {**old, **fresh}, request)]


def everything(talk: Conversation) -> str:
    """System and user texts: where a date of today may stand."""
    return talk.system + "\n" + "\n".join(turn.text for turn in talk.turns[-6:] if turn.role == "user")


def parse(talk: Conversation, request: str) -> list[Step]:
    """The tools a text asks for, piece by piece; pieces without a tool lend their words to a neighbour."""
    today = today_in(everything(talk))
    groups: list[tuple[list[Tool], str]] = []
    loose = ""
    for piece in clauses(polite(request)):
        tools = wanted(talk.tools, piece, today)
        if tools and not (groups and belongs(piece, groups[-1][0][-1], tools[0])):
            groups.append((tools, f"{loose} {piece}".strip()))
            loose = ""
        elif groups:
            groups[-1] = (groups[-1][0], f"{groups[-1][1]}, {piece}")
        else:
            loose = f"{loose} {piece}".strip()
    if not groups and (tools := wanted(talk.tools, request, today)):
        groups = [(tools, request)]
    steps: list[Step] = []
    for tools, text in groups:
        for tool in tools:
            others = {idea for other in tools if other is not tool for idea in about(other)}
            add_step(steps, Step(tool, fill(tool, Text(text, today), others), text), today)
    return steps


def polite(request: str) -> str:
    """The request without the greeting or thanks it opens with."""
    return COURTESY.sub("", request) or request


def belongs(piece: str, before: Tool, now: Tool) -> bool:
    """Does a piece only add a detail to the wish before it: "..., my order number is A-7"?"""
    words = scan(piece)
    matched = {key for word in words for key in word.keys if key in weights(now)}
    asks = (
        re.search(r"[?？]|吗|什么|多少|哪|怎么|几", piece)
        or any(key[0] == "!" or key in VERBS for word in words for key in word.keys)
        or opens(piece)
    )
    return before is not now and not asks and matched <= weights(before).keys()


def add_step(steps: list[Step], step: Step, today: Any) -> None:
    """A step of its own, or more words for the step before if it is the same tool and they do not collide."""
    last = steps[-1] if steps else None
    needed = {p.name for p in step.tool.parameters if p.required}
    if (
        last
        and last.tool is step.tool
        and not (set(last.values) & set(step.values) & needed)
        and not (whole(last) and whole(step) and needed)
    ):
        text = f"{last.text}, {step.text}"
        steps[-1] = Step(step.tool, {**fill(step.tool, Text(text, today)), **last.values, **step.values}, text)
    else:
        steps.append(step)


def wanted(tools: list[Tool], piece: str, today: Any) -> list[Tool]:
    """The tools one piece asks for: the best, and others for ideas that the best leaves open."""
    tools = [tool for tool in tools if not calculator(tool) and not operators(tool)]
    good = ranked(tools, piece)
    if not good:
        return []
    close = [tool for points, tool in good if points > good[0][0] - 0.35]
    best = min(close, key=lambda t: lacking(t, piece, today)) if len(close) > 1 else close[0]
    chosen = [best]
    if re.search(r"\band\b|,|和|及|与|、|跟|还有", piece):
        for _, tool in good:
            left = tuple(w for w in scan(piece) if not any(weights(t).get(k, 0) >= 1 for t in chosen for k in w.keys))
            heads = {k for w in left for k in w.keys}
            if (
                tool not in chosen
                and any(
                    k in heads and weights(tool).get(k, 0) >= 2
                    for k in keys(spaced(tool.name)) | keys(tool.description[:80])
                )
                and not (deeds(tool) - heads)
            ):
                chosen.append(tool)
    return chosen


def lacking(tool: Tool, piece: str, today: Any) -> int:
    """How many required values the piece does not give."""
    found = fill(tool, Text(piece, today))
    return sum(p.required and p.name not in found for p in tool.parameters)


def open_calls(out: Plan, talk: Conversation, done: list[tuple[Call, str]]) -> None:
    """Turn steps into calls; strike off those already answered; note what is missing."""
    left = list(done)
    broken = any(failed(result) for _, result in done)
    for number, step in enumerate(out.steps):
        forget_names(step, talk, done)
        complete(step, out.steps, talk, done)
        if not whole(step):
            if struck(left, Call(step.tool.name, {}), by_name=True):
                continue
            if (number and out.calls) or broken:
                continue
            if supplier := supply(step, talk, done):
                out.calls.append(supplier)
            else:
                out.missing.append(
                    (step.tool, [p for p in step.tool.parameters if p.required and p.name not in step.values])
                )
            continue
        calls = expand(step)
        open_ones = [call for call in calls if not struck(left, call)]
        out.calls += [call for call in open_ones if not struck(left, call, by_name=True)]


def struck(left: list[tuple[Call, str]], call: Call, by_name: bool = False) -> bool:
    """Take a matching answered call from the list: the same arguments, or just the same tool."""
    for i, (made, _) in enumerate(left):
        if made.name == call.name and (by_name or plain(made.arguments) == plain(call.arguments)):
            del left[i]
            return True
    return False


def plain(arguments: dict[str, Any]) -> str:
    """Arguments for comparison: case does not count."""
    return json.dumps(arguments, sort_keys=True, ensure_ascii=False, default=str).lower()


def rows(step: Step) -> list[Values]:
    """`3 large pizzas and 2 small salads`: the values part by part, [] when the parts do not each make a whole."""
    parts = [
        fill(step.tool, Text(part))
        for part in re.split(r"\s*[,，、]\s*(?:and\s+)?|\s+and\s+|和|以及", step.text)
        if part.strip()
    ]
    needed = {p.name for p in step.tool.parameters if p.required}
    several = {name for name, values in step.values.items() if len(values) > 1}
    if len(parts) < 2 or not several or any(not several <= part.keys() for part in parts):
        return []
    common = {name: values for name, values in step.values.items() if len(values) == 1}
    whole_rows = [
        {**{n: v for n, v in common.items() if not all(n in part for part in parts)}, **part} for part in parts
    ]
    return whole_rows if all(needed <= row.keys() for row in whole_rows) else []


def expand(step: Step) -> list[Call]:
    """A call for each value; parameters with as many values as each other go together."""
    if len({len(values) for values in step.values.values()}) > 1 and (split := rows(step)):
        return [call for row in split for call in expand(Step(step.tool, row, ""))]
    count = max((len(values) for values in step.values.values()), default=1)
    calls: list[Call] = []
    for i in range(count):
        arguments = {}
        for parameter in step.tool.parameters:
            if values := step.values.get(parameter.name):
                arguments[parameter.name] = values[i] if len(values) == count else values[min(i, len(values) - 1)]
        if arguments not in [call.arguments for call in calls]:
            calls.append(Call(step.tool.name, arguments))
    return calls


def complete(step: Step, steps: list[Step], talk: Conversation, done: list[tuple[Call, str]]) -> None:
    """Fill required values from this request's other steps, from results, and from what was said before."""
    for parameter in step.tool.parameters:
        if parameter.name in step.values or not parameter.required:
            continue
        kind = kind_of(parameter, step.tool)
        shared = [
            other.values[p.name]
            for other in steps
            if other is not step
            for p in other.tool.parameters
            if p.name in other.values and same_kind(p, parameter, kind, other.tool, step.tool)
        ]
        if shared and kind not in ("message", "integer", "number", "enum", "boolean"):
            step.values[parameter.name] = shared[0]
            continue
        found = from_results(parameter, kind, step.text, done)
        if found is None and (POINTS.search(step.text) or FOLLOW.match(step.text)):
            found = remembered(parameter, kind, step.text, talk)
        if found is None and kind == "place":
            found = remembered(parameter, "home", step.text, talk)
        if found is not None:
            step.values[parameter.name] = [found]


def forget_names(step: Step, talk: Conversation, done: list[tuple[Call, str]]) -> None:
    """A name is no address: where a tool can look the address up, the name is not taken for one."""
    for parameter in step.tool.parameters:
        named = step.values.get(parameter.name)
        if not named or kind_of(parameter, step.tool) not in ("address", "email") or "@" in str(named[0]):
            continue
        bare = Step(step.tool, {n: v for n, v in step.values.items() if n != parameter.name}, step.text)
        if from_results(parameter, "email", step.text, done) is not None or supply(bare, talk, done):
            del step.values[parameter.name]


def same_kind(one: Parameter, other: Parameter, kind: str, tool: Tool, second: Tool) -> bool:
    """Do two parameters mean the same thing?"""
    return one.name == other.name or (kind == kind_of(one, tool) and kind in ("place", "code", "date", "person"))


def supply(step: Step, talk: Conversation, done: list[tuple[Call, str]]) -> Call | None:
    """A call that can find out what is missing: a contact's address, the user's city, today's date."""
    for parameter in step.tool.parameters:
        if not parameter.required or parameter.name in step.values:
            continue
        kind = kind_of(parameter, step.tool)
        hints = {word for word in spaced(parameter.name).split() if len(word) > 2} | {
            kind,
            {"address": "email", "place": "location"}.get(kind, kind),
        }
        for tool in talk.tools:
            text = f"{spaced(tool.name)} {tool.description}".lower()
            ours = {p.name for p in tool.parameters if p.required}
            if (
                tool is step.tool
                or deeds(tool)
                or any(call.name == tool.name for call, _ in done)
                or parameter.name in ours
            ):
                continue
            if any(re.search(rf"\b{re.escape(hint)}s?\b", text) for hint in hints) or keys(
                parameter.description
            ) & keys(tool.description) - {"place"}:
                found = fill(tool, Text(step.text))
                hinted = ours or re.search(
                    r"(?i)\b(?:my|here|me|latest|last|current|where i|near)\b|我|这里|附近|最近|最新|上一", step.text
                )
                if hinted and all(name in found for name in ours):
                    return expand(Step(tool, found, step.text))[0]
    return None


def sum_calls(talk: Conversation, request: str, done: list[tuple[Call, str]]) -> tuple[list[Call], str]:
    """Calls for the arithmetic in the request, and the request without its arithmetic pieces."""
    tools = [tool for tool in talk.tools if calculator(tool) or operators(tool)]
    if not tools:
        return [], request
    earlier = [number for _, result in pairs(talk.turns[: talk.asked]) if (number := number_in(result)) is not None]
    names = {tool.name for tool in tools}
    earlier += [number for call, result in done if call.name not in names and (number := number_in(result)) is not None]
    trees = sums.find(request, earlier[-1] if earlier else None)
    calls: list[Call] = []
    reach = False
    for tree in trees:
        if calc := next((tool for tool in tools if calculator(tool)), None):
            call = Call(calc.name, {calculator(calc): sums.written(tree)})
            reach = True
            if not settled(call, done, len(trees)):
                calls.append(call)
        elif (opened := by_operators(tree, tools, done)) is not None:
            reach = True
            calls += [call for call in opened if call not in calls]
    if not reach and not sums.find(request, 1):
        return [], request
    others = [piece if not sums.find(piece, 1) else beside(piece) for piece in clauses(request)]
    return calls, "\n".join(piece for piece in others if piece)


def beside(piece: str) -> str:
    """What an arithmetic piece says besides a sum in digits: "the weather in Bangkok" and 23*47."""
    rest = DIGIT_SUM.sub(" ", piece)
    return "" if rest == piece or sums.find(rest, 1) else rest


def beyond(talk: Conversation, request: str) -> set[str]:
    """Operations in the request that none of the tools can do, where some tool does arithmetic."""
    offered = {op for tool in talk.tools for op in operators(tool)}
    if not offered or any(calculator(tool) for tool in talk.tools):
        return set()
    return {op for tree in sums.find(request, 1) for op in needs(tree)} - offered


def settled(call: Call, done: list[tuple[Call, str]], total: int) -> bool:
    """Is an expression answered: the same text, or as many answers as there are expressions?"""
    made = [other for other, _ in done if other.name == call.name]
    squeezed = [plain(other.arguments).replace(" ", "") for other in made]
    return plain(call.arguments).replace(" ", "") in squeezed or len(made) >= total


def calculator(tool: Tool) -> str:
    """The name of the parameter that takes an expression, "" if the tool is no calculator."""
    texts = [p for p in tool.parameters if kind_of(p, tool) in ("expression", "item", "query", "message")]
    required = [p for p in texts if p.required] or texts
    if len(required) != 1:
        return ""
    explicit = kind_of(required[0], tool) == "expression"
    ideas = keys(f"{spaced(tool.name)} {tool.description[:200]}")
    return (
        required[0].name
        if "math" in ideas
        and (
            explicit
            or re.search(
                r"(?i)expression|arithmetic|formula|calculat|math|表达式|算式|算术|数学", tool.name + tool.description
            )
        )
        else ""
    )


def operators(tool: Tool) -> set[str]:
    """The operations a tool with two numbers can do, by its name, else its description, else its labels."""
    numeric = [p for p in tool.parameters if p.schema.get("type") in ("integer", "number") and p.required]
    if len(numeric) != 2 or any(p.required and p not in numeric and "enum" not in p.schema for p in tool.parameters):
        return set()
    described = {OPS[key] for key in ordered(tool.description[:200]) if key in OPS}
    named = {OPS[key] for key in keys(spaced(tool.name)) if key in OPS}
    labels = {op for label in operation_labels(tool) for op in [operation_labels(tool)[label]]}
    return labels or (named if named & described or not described else set()) or described


def ordered(text: str) -> list[str]:
    """Ideas in the order they are said."""
    return [key for word in scan(text) for key in word.keys]


def operation_labels(tool: Tool) -> dict[Any, str]:
    """Labels of an enum that are operations: {"add": "+"}."""
    found: dict[Any, str] = {}
    for parameter in tool.parameters:
        for label in parameter.schema.get("enum") or []:
            op = next(
                (OPS[k] for k in keys(spaced(str(label))) if k in OPS),
                str(label) if str(label) in OPS.values() else None,
            )
            if op:
                found[label] = op
    return found


def by_operators(tree: sums.Node, tools: list[Tool], done: list[tuple[Call, str]]) -> list[Call] | None:
    """Calls that a tree needs now, [] when all are answered, None when a tool for one is missing."""
    left = list(done)
    opened: list[Call] = []

    def settle(node: sums.Node) -> float | None:
        if node[0] == "num":
            return float(node[1])
        a, b = settle(node[1]), settle(node[2])
        tool = next(tool for tool in tools if node[0] in operators(tool))
        if a is None or b is None:
            return None
        call = operation(tool, node[0], a, b)
        for i, (made, result) in enumerate(left):
            if made.name == tool.name and alike(made, call, node[0]):
                del left[i]
                return number_in(result)
        opened.append(call)
        return None

    if not needs(tree) <= {op for tool in tools for op in operators(tool)}:
        return None
    settle(tree)
    return [] if any(failed(result) for _, result in done) else opened


def needs(tree: sums.Node) -> set[str]:
    """The operations in a tree."""
    return set() if tree[0] == "num" else {tree[0]} | needs(tree[1]) | needs(tree[2])


def alike(made: Call, call: Call, op: str) -> bool:
    """The same numbers in the same places, or in any place where order does not matter."""
    one = [v for v in made.arguments.values() if isinstance(v, (int, float))]
    two = [v for v in call.arguments.values() if isinstance(v, (int, float))]
    return sorted(one) == sorted(two) if op in "+*" else one == two


def operation(tool: Tool, op: str, a: float, b: float) -> Call:
    """A call of a two-number tool; `Subtract a from b` swaps the places."""
    first, second = [p for p in tool.parameters if p.schema.get("type") in ("integer", "number") and p.required]
    swapped = (
        re.search(
            rf"(?i)subtract\w* {first.name}\b.* from {second.name}\b|divide\w* {second.name}\b.* by {first.name}\b",
            tool.description,
        )
        is not None
    )
    swapped |= op in "-/**" and spaced(first.name).split()[0] in ("divisor", "denominator", "subtrahend", "exponent")
    numbers = {
        p.name: tidy(value) for p, value in zip((second, first) if swapped else (first, second), (a, b), strict=True)
    }
    labels = {
        p.name: label
        for p in tool.parameters
        for label, sign in operation_labels(tool).items()
        if sign == op and label in (p.schema.get("enum") or [])
    }
    return Call(
        tool.name, {p.name: {**numbers, **labels}[p.name] for p in tool.parameters if p.name in {**numbers, **labels}}
    )


def forced(talk: Conversation, names: set[str]) -> Call:
    """A call to one of the named tools, whatever the text says; what is missing is guessed by the caller."""
    tools = [tool for tool in talk.tools if tool.name in names]
    request = question_of(talk.request)
    calls, _ = sum_calls(talk, request, [])
    if fitting := next((call for call in calls if call.name in names), None):
        return fitting
    best = ranked(tools, request)
    tool = best[0][1] if best else tools[0]
    steps = [Step(tool, fill(tool, Text(request, today_in(everything(talk)))), request)]
    complete(steps[0], steps, talk, talk.done())
    return expand(steps[0])[0]
