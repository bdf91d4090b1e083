"""One answer, from the request to what the client gets: prompt, completion, the cut, thought, content, calls.

Two clean-ups happen to the messages before `prompt.render` puts them down as vLLM does: a `developer` message counts
as a system message (the template would drop it without a word), and tool results that name the calls of the message
before them are put into the order of those calls (the prompt shows no ids, so order is all the model has).
"""

import json
from collections.abc import Callable, Collection, Mapping
from dataclasses import dataclass
from functools import cached_property
from hashlib import sha256
from itertools import groupby
from typing import Any, Protocol

from companion.lab.calls import read, split_thought
from companion.lab.checks import MAX_MODEL_LEN, check_chat, check_room
from companion.lab.completion import CALL_TAGS, END, Cut, cut
from companion.lab.faults import Faults
from companion.lab.parser import Parsed
from companion.lab.prompt import render
from companion.lab.request import Chat, Sampling
from companion.lab.tokens import encode

LONGEST_TOKEN = 128


class Complete(Protocol):
    """Prompt text in, completion text out: the model's place."""

    def __call__(self, prompt: str, schema: dict[str, Any] | None = None, *, force: Collection[str] = ...) -> str: ...


@dataclass(frozen=True)
class Reply:
    """What the stand-in wrote, `completion` uncut and `cut` as the client wanted it, and what it says.

    `named` is what becomes of the ids of calls: they stay, if no fault is on.
    """

    request: Chat
    prompt: str
    prompt_ids: list[int]
    completion: str
    cut: Cut
    named: Callable[[str], str | None] = str

    @cached_property
    def thought(self) -> str | None:
        return split_thought(self.cut.text)[0]

    @cached_property
    def text(self) -> str:
        """What stands after the thought."""
        return split_thought(self.cut.text)[1]

    @cached_property
    def parsed(self) -> Parsed:
        """Content and calls. Nothing is parsed where tools are off or a schema guides the answer."""
        request = self.request
        if request.choice == "none" or request.schema_of_answer is not None:
            return Parsed(self.text)
        parsed = read(self.text, request.plain_tools)
        return parsed if request.parallel_tool_calls is not False else Parsed(parsed.content, parsed.tool_calls[:1])

    @property
    def finish_reason(self) -> str:
        """As in vLLM: calls end with "tool_calls", but a named one with "stop"; a cut says "length"."""
        calls = self.parsed.tool_calls and self.request.choice != "named"
        return "tool_calls" if calls else self.cut.finish_reason

    @cached_property
    def id(self) -> str:
        return "chatcmpl-" + digest(self.prompt, self.cut.text)

    def call_id(self, choice: int, index: int) -> str | None:
        """The id of a call: the same on every run, another for each call, choice, answer and prompt."""
        return self.named("chatcmpl-tool-" + digest(self.prompt, self.cut.text, str(choice), str(index)))


def digest(*parts: str) -> str:
    """Sixteen hex digits that stand for the content: no clock, no chance, the same bytes on every run."""
    return sha256("\0".join(parts).encode()).hexdigest()[:16]


def prompt_of(request: Chat) -> tuple[str, list[int]]:
    """The prompt of a checked request as text and tokens. Raises LabError when it does not fit the context."""
    check_chat(request)
    prompt = rendered(request)
    return prompt, fitting(prompt, request)


def fitting(prompt: str, request: Sampling) -> list[int]:
    """The tokens of a prompt. Raises LabError when it does not fit the context; one far too long is not counted."""
    if len(prompt) > MAX_MODEL_LEN * LONGEST_TOKEN:
        check_room(len(prompt), request)
    ids = encode(prompt)
    check_room(len(ids), request)
    return ids


def room(request: Sampling, prompt_ids: list[int]) -> int:
    """How many tokens the answer may have: as many as are wanted, or what the prompt leaves of the context."""
    return request.limit or MAX_MODEL_LEN - len(prompt_ids)


def rendered(request: Chat) -> str:
    """The prompt text."""
    messages = in_call_order([message.model_dump(exclude_unset=True) for message in request.messages])
    messages = [m | {"role": "system"} if m["role"] == "developer" else m for m in messages]
    thinking = (request.chat_template_kwargs or {}).get("enable_thinking")
    prompt = render(messages, request.plain_tools, request.add_generation_prompt, thinking)
    return prompt.removesuffix(END + "\n") if request.continue_final_message else prompt


def in_call_order(messages: list[dict[str, Any]]) -> list[dict[str, Any]]:
    """The messages, each run of tool results in the order of the calls that it answers."""
    ordered: list[dict[str, Any]] = []
    for role, run in groupby(messages, key=lambda message: message["role"]):
        same = list(run)
        ordered += by_call(same, ordered[-1]) if role == "tool" and ordered else same
    return ordered


def by_call(results: list[dict[str, Any]], before: Mapping[str, Any]) -> list[dict[str, Any]]:
    """The results in call order if each names its own call of the message before them; else as they came."""
    order = [call.get("id") for call in before.get("tool_calls") or []]
    ids = [result.get("tool_call_id") for result in results]
    if None in ids or not set(ids) <= set(order) or len(set(ids)) < len(ids):
        return results
    return sorted(results, key=lambda result: order.index(result["tool_call_id"]))


def reply(request: Chat, complete: Complete, faults: Faults) -> Reply:
    """Check the request, render it, let `complete` write, cut. Raises LabError for a request that is refused."""
    prompt, ids = prompt_of(request)
    written = guided(request, complete(prompt, request.schema_of_answer, force=request.forced))
    completion = faults.rewrite(written, request.choice != "none")
    limit = room(request, ids)
    limit = min(limit, faults.limit(completion) or limit)
    made = cut(completion, limit, request.stops, CALL_TAGS if request.forced else ())
    return Reply(request, prompt, ids, completion, made, faults.ids(made.text))


def guided(request: Chat, completion: str) -> str:
    """The completion as a grammar would have it: one forced call where one is asked for, a bare word for a choice."""
    if request.forced and request.one_call:
        first, tag, _ = completion.partition("</tool_call>")
        return first + tag
    outputs = request.structured_outputs
    is_choice = outputs is not None and outputs.choice and request.schema_of_answer == {"enum": outputs.choice}
    return str(json.loads(completion)) if is_choice else completion
