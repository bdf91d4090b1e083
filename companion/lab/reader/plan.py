"""What the last request needs: the calls to write now, what to ask for, or nothing more.

The whole request is planned anew each time the prompt is read; calls already answered in the prompt are struck off.
A call whose argument is the result of another waits until that result stands in the prompt.
"""

import re
from dataclasses import dataclass, field

from companion.lab.reader.arithmetic import Answered, beyond, split, sum_calls
from companion.lab.reader.calls import calls_of, plain, struck
from companion.lab.reader.choose import ranked
from companion.lab.reader.courtesy import idle
from companion.lab.reader.gaps import complete, supply
from companion.lab.reader.results import failed
from companion.lab.reader.sources import question_of
from companion.lab.reader.steps import POINTED, Step, steps_of, values_for
from companion.lab.reader.turns import Call, Conversation, Parameter, Tool

REPORTED = re.compile(
    r"(?i)\b(?:did|had) (?:you|i|we) (?:just )?(?:say|said|mention|tell|ask)"
    r"|\b(?:you|i) (?:just )?(?:said|mentioned|told)\b.*\?|[你我](?:刚才|刚刚|之前)(?:说|问|提)"
)


@dataclass
class Plan:
    """Calls to write now; else what is missing; else nothing is open. `beyond`: arithmetic that no tool can do."""

    calls: list[Call] = field(default_factory=list)
    missing: list[tuple[Tool, list[Parameter]]] = field(default_factory=list)
    beyond: set[str] = field(default_factory=set)


def plan(talk: Conversation) -> Plan:
    """Return what the last user message still needs."""
    request = question_of(talk.request)
    if request.isascii() and request.isupper() and not re.search(r"\d", request):
        request = request.lower()
    offered = talk.asked > 0 and talk.turns[talk.asked - 1].text.rstrip().endswith(("?", "？"))
    if not talk.tools or REPORTED.search(request) or (idle(request) and not (offered or POINTED.search(request))):
        return Plan()
    trees, rest = split(talk, request)
    out = Plan(beyond=beyond(talk, request))
    open_calls(out, steps_of(talk, rest), talk)
    out.calls += sum_calls(trees, talk, waiting=bool(out.calls))
    if answered := talk.done():
        out.calls = unanswered(out.calls, answered, [tool.name for tool in talk.tools])
    return out


def unanswered(calls: list[Call], answered: Answered, names: list[str]) -> list[Call]:
    """The calls that are not answered yet; none when they seem not to arrive as they were written."""
    done = [(call.name, plain(call.arguments)) for call, _ in answered]
    fresh = [call for call in calls if (call.name, plain(call.arguments)) not in done]  # never one call twice
    failures = sum(failed(result) or call.name not in names for call, result in answered)
    return [] if max(failures, len(done) - len({*done}) + 1) > len(fresh) else fresh


def open_calls(out: Plan, steps: list[Step], talk: Conversation) -> None:
    """Turn steps into calls; strike off those already answered; note what is missing."""
    left = talk.done()
    broken = any(failed(result) for _, result in left)
    for step in steps:
        complete(step, steps, talk)
        if not step.lacks():
            fresh = [call for call in calls_of(step) if not struck(left, call)]
            out.calls += [call for call in fresh if not struck(left, call, by_name=True)]
        elif not struck(left, Call(step.tool.name, {}), by_name=True) and not broken and not out.calls:
            if supplier := supply(step, talk):
                out.calls.append(supplier)
            else:
                out.missing.append((step.tool, [p for p in step.tool.parameters if p.name in step.lacks()]))


def forced(talk: Conversation, names: set[str]) -> list[Call]:
    """The calls to the named tools that the request asks for; without any, one whose gaps the caller fills."""
    tools = [tool for tool in talk.tools if tool.name in names]
    for offered in (talk.tools, tools):
        fresh = plan(Conversation(talk.turns[: talk.asked + 1] or talk.turns, offered))
        if calls := [call for call in fresh.calls if call.name in names]:
            return calls
    request = question_of(talk.request)
    tool = next((tool for _, tool in ranked(tools, request)), tools[0])
    step = Step(tool, values_for(tool, request, talk), request)
    complete(step, [step], talk)
    return calls_of(step)[:1]
