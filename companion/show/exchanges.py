"""One call of the model, in the five steps it takes: request, prompt, completion, what the parser found, response."""

import json
from collections.abc import Mapping, Sequence
from typing import Any

from companion.lab.journal import MODEL_PATHS, Exchange
from companion.lab.parser import Parsed, parse
from companion.show.prompts import prompt, turn_lines, view
from companion.show.view import Html, View, brief_json, folded_json, indented, plural, tabular, tag

TITLES = ("Request", "Prompt", "Completion", "Parsed", "Response")


def exchange(exchange: Exchange, previous: Exchange | None = None) -> View:
    """Return the five numbered steps of one call; with `previous`, what is new in the prompt is marked."""
    return numbered(steps(exchange, previous))


def steps(exchange: Exchange, previous: Exchange | None = None) -> list[tuple[str, View]]:
    """The steps, each as a heading and a view."""
    return [
        (f"POST {exchange.path}", View(folded_json(exchange.request, "request"), brief_json(exchange.request))),
        ("the text the model reads" + tokens(exchange, "prompt_tokens"), prompt_step(exchange, previous)),
        ("the text the model wrote" + tokens(exchange, "completion_tokens"), completion_step(exchange)),
        parsed_step(exchange),
        response_step(exchange),
    ]


def tokens(exchange: Exchange, kind: str) -> str:
    """How many tokens the response counts, as the end of a heading."""
    usage = exchange.response.get("usage") or {}
    return f", {plural(usage[kind], 'token')}" if kind in usage else ""


def numbered(found: Sequence[tuple[str, View]]) -> View:
    """Steps under each other, with their numbers."""
    html, text = [], []
    for number, (title, (heading, body)) in enumerate(zip(TITLES, found, strict=True), start=1):
        name = f"{number} {title}"
        html.append(tag("p", tag("b", name), f" · {heading}", style="margin:1em 0 .3em"))
        html.append(Html(body.html))
        text.append(f"{name} · {heading}\n{indented(body.text)}")
    return View(tag("div", *html), "\n".join(text))


def prompt_step(exchange: Exchange, previous: Exchange | None) -> View:
    """Step 2."""
    if exchange.prompt is None:
        return absent(exchange)
    return prompt(exchange.prompt, against=previous.prompt if previous else None)


def completion_step(exchange: Exchange) -> View:
    """Step 3."""
    if exchange.completion is None:
        return absent(exchange)
    return view([(" ", list(turn_lines(exchange.completion, role="assistant")))])


def absent(exchange: Exchange) -> View:
    """What stands where no text was read or written, or none that the server tells."""
    refused = f"the request was answered {exchange.status} before any text was made"
    untold = "this server does not tell; a vLLM does, asked for `return_prompt_text` and `return_token_ids`"
    reason = f"none: {refused if exchange.status >= 400 else untold if exchange.path in MODEL_PATHS else 'a search'}"
    return View(tag("p", tag("i", reason)), reason)


def parsed_step(exchange: Exchange) -> tuple[str, View]:
    """Step 4: what the parser makes of the completion."""
    if exchange.completion is None:
        return "what the parser found", absent(exchange)
    parsed = parse(exchange.completion)
    heading = plural(len(parsed.tool_calls), "tool call") if parsed.tool_calls else "no tool call: all of it is content"
    return heading, tabular(("part", "name", "text"), found(parsed))


def found(parsed: Parsed) -> list[tuple[str, str, str]]:
    """The parts of a parsed completion as table rows."""
    content = [] if parsed.content is None else [("content", "", parsed.content)]
    return content + [(f"call {n}", call.name, call.arguments) for n, call in enumerate(parsed.tool_calls, start=1)]


def response_step(exchange: Exchange) -> tuple[str, View]:
    """Step 5: the message of the response, or the whole response where there is none."""
    choice: Mapping[str, Any] = (exchange.response.get("choices") or [{}])[0]
    body = choice.get("message") or exchange.response
    reason = choice.get("finish_reason")
    heading = f"status {exchange.status}" + (f", finish_reason {json.dumps(reason)}" if choice else "")
    return heading, View(folded_json(body, "response"), brief_json(body))
