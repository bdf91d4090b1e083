"""Prompt text in, turns and tools out: the reader has nothing but the text, so it takes the text apart again.

Whatever opens a turn in the text is a turn, also when a user typed the marker: a model cannot tell either.
Broken JSON in the tools block or in a call is skipped; nothing here raises.
"""

import json
import re
from dataclasses import dataclass, field
from functools import cached_property, lru_cache
from typing import Any

Schema = dict[str, Any]

TOOLS = re.compile(r"(?:# Tools\s.{0,400}?)?<tools>\n(.*?)\n</tools>(?:.{0,400}?\n</tool_call>)?", re.DOTALL)
CALL = re.compile(r"<tool_call>\s*(.*?)\s*(?:</tool_call>|\Z)", re.DOTALL)
RESULT = re.compile(r"<tool_response>\n?(.*?)\n?</tool_response>", re.DOTALL)
THOUGHT = re.compile(r"\A\s*<think>.*?</think>\s*", re.DOTALL)
HEADING = re.compile(r"(?m)^\s*(?:Args|Parameters|Returns|参数|返回)[:：].*$")
ARGUMENT_DOC = re.compile(r"^\s*(\w+)\s*(?:\([^)\n]*\))?\s*[:：]\s*(\S.*)$", re.MULTILINE)


@dataclass(frozen=True, eq=False)
class Parameter:
    """One argument a tool takes."""

    name: str
    schema: Schema
    description: str
    required: bool


@dataclass(frozen=True, eq=False)
class Tool:
    """One line of the tools block, read."""

    name: str
    description: str
    parameters: tuple[Parameter, ...]
    schema: Schema


@dataclass(frozen=True, eq=False)
class Call:
    """A call with its arguments as an object."""

    name: str
    arguments: dict[str, Any]


@dataclass
class Turn:
    """One turn: who speaks, the text, and the calls or tool results in it."""

    role: str
    text: str
    calls: list[Call] = field(default_factory=list)
    results: list[str] = field(default_factory=list)


@dataclass
class Conversation:
    """All the reader knows."""

    turns: list[Turn]
    tools: list[Tool]

    @property
    def system(self) -> str:
        """Every system text, joined."""
        return "\n".join(turn.text for turn in self.turns if turn.role == "system")

    @cached_property
    def asked(self) -> int:
        """Index of the last user message, -1 when there is none."""
        return next((i for i in range(len(self.turns) - 1, -1, -1) if self.turns[i].role == "user"), -1)

    @property
    def request(self) -> str:
        """Text of the last user message."""
        return self.turns[self.asked].text if self.asked >= 0 else ""

    def done(self) -> list[tuple[Call, str]]:
        """Calls answered since the last user message, each with its result: only their order ties them."""
        return pairs(self.turns[self.asked + 1 :])


def pairs(turns: list[Turn]) -> list[tuple[Call, str]]:
    """Calls and the results that follow them, matched by order; a result without a call keeps an empty name."""
    found: list[tuple[Call, str]] = []
    waiting: list[Call] = []
    for turn in turns:
        waiting = turn.calls or waiting
        for n, result in enumerate(turn.results):
            found.append((waiting[n] if n < len(waiting) else Call("", {}), result))
    return found


def read(prompt: str) -> Conversation:
    """Return the turns and tools written in a prompt."""
    head, *chunks = prompt.split("<|im_start|>")
    turns = [Turn("user", head.strip())] if head.strip() else []
    tools: list[Tool] = []
    for n, chunk in enumerate(chunks):
        role, _, body = chunk.partition("\n")
        if role.strip() == "assistant" and n == len(chunks) - 1 and "<|im_end|>" not in body:
            break  # the place where the answer begins
        turns.append(read_turn(role.strip(), body.split("<|im_end|>")[0], tools))
    return Conversation(turns, tools)


def read_turn(role: str, body: str, tools: list[Tool]) -> Turn:
    """One turn; tools that a system turn offers are added to `tools`."""
    if role == "system":
        for block in TOOLS.finditer(body):
            tools.extend(tool for line in block[1].splitlines() if (tool := read_tool(line.strip())))
            body = body.replace(block[0], "")
        return Turn(role, body.strip())
    if role == "assistant":
        body = THOUGHT.sub("", body)
        calls = [call for text in CALL.findall(body) if (call := read_call(text))]
        return Turn(role, body.split("<tool_call>")[0].strip(), calls)
    if results := RESULT.findall(body):
        rest = RESULT.sub("", body).strip()
        return Turn("user" if rest else "tool", rest, [], results)
    return Turn(role, body.strip())


def read_call(text: str) -> Call | None:
    """A call from its JSON text, None when it is not one."""
    try:
        call = json.loads(text)
        return Call(str(call["name"]), dict(call["arguments"]))
    except (ValueError, KeyError, TypeError, RecursionError):
        return None


@lru_cache(maxsize=512)
def read_tool(line: str) -> Tool | None:
    """A tool from its line in the tools block, None when the line is not one."""
    try:
        function = json.loads(line)["function"]
        schema = function.get("parameters") or {"type": "object", "properties": {}}
        return tool_of(str(function["name"]), str(function.get("description") or ""), schema)
    except (ValueError, KeyError, TypeError, AttributeError, RecursionError):
        return None


def tool_of(name: str, description: str, schema: Schema) -> Tool:
    """A tool with its parameters; a docstring's `Args:` lines describe parameters that have no text of their own."""
    subs = {key: resolved(sub, schema) for key, sub in (schema.get("properties") or {}).items()}
    notes = {key: text for key, text in ARGUMENT_DOC.findall(description) if key in subs}
    kept = [line for line in description.splitlines() if not (m := ARGUMENT_DOC.match(line)) or m[1] not in subs]
    required = schema.get("required") or []
    parameters = tuple(
        Parameter(key, sub, str(sub.get("description") or notes.get(key) or ""), key in required)
        for key, sub in subs.items()
    )
    return Tool(name, HEADING.sub("", "\n".join(kept)), parameters, schema)


def resolved(sub: Any, root: Schema, depth: int = 8) -> Schema:
    """A property's schema with `$ref` followed and `anyOf: [X, null]` opened to X marked nullable."""
    if not isinstance(sub, dict) or not depth:
        return sub if isinstance(sub, dict) else {}
    rest = {key: value for key, value in sub.items() if key not in ("$ref", "anyOf", "oneOf", "allOf")}
    if "$ref" in sub:
        return resolved({**target(sub["$ref"], root), **rest}, root, depth - 1)
    options = sub.get("anyOf") or sub.get("oneOf") or sub.get("allOf") or []
    real = [option for option in options if isinstance(option, dict) and option.get("type") != "null"]
    if not real or ("allOf" in sub and len(real) > 1):
        return sub
    nullable = {"nullable": True} if len(real) < len(options) else {}
    return resolved({**real[0], **rest, **nullable}, root, depth - 1)


def target(ref: Any, root: Schema) -> Schema:
    """What a local `$ref` points at, {} when it points nowhere."""
    found: Any = root
    for step in str(ref).removeprefix("#").strip("/").split("/"):
        found = found.get(step, {}) if isinstance(found, dict) and step else found
    return found if isinstance(found, dict) else {}
