"""One function for each POST: the JSON body in, an `Answer` out, or a LabError."""

import json
from collections.abc import Iterator, Mapping
from dataclasses import dataclass
from typing import Any

from starlette.requests import Request

from companion.lab import search as searches
from companion.lab.chat import digest, fitting, prompt_of, rendered, reply, room
from companion.lab.checks import MODEL, check_conversation, check_model, check_parsing, check_text, check_tool_choice
from companion.lab.completion import cut
from companion.lab.errors import LabError, checked
from companion.lab.grammar import structural_tag
from companion.lab.request import Chat, Detokenize, Text, Tokenize
from companion.lab.response import chat_completion, text_completion, tokenized
from companion.lab.stream import events
from companion.lab.tokens import decode, encode, encoding

Json = dict[str, Any]


@dataclass(frozen=True)
class Answer:
    """What goes back, and what the journal keeps. `events` is the answer as a stream; `response` says the same."""

    response: Json
    status: int = 200
    prompt: str | None = None
    completion: str | None = None
    events: Iterator[str] | None = None
    headers: Mapping[str, str] | None = None


def chat(body: Json, request: Request) -> Answer:
    """POST /v1/chat/completions."""
    asked = checked(Chat, body)
    state = request.app.state
    if not state.tool_parsing:
        check_parsing(asked)
    made = reply(asked, state.complete, state.faults)
    stream = state.faults.events(events(made)) if asked.stream else None
    return Answer(chat_completion(made), prompt=made.prompt, completion=made.completion, events=stream)


def render(body: Json, request: Request) -> Answer:
    """POST /v1/chat/completions/render: the prompt as tokens, and how they would be sampled."""
    asked = checked(Chat, body)
    prompt, ids = prompt_of(asked)
    response = {
        "request_id": "chatcmpl-" + digest(prompt),
        "token_ids": ids,
        "token_offsets": offsets(ids) if asked.return_token_offsets else None,
        "features": None,
        "content_parts": None,
        "sampling_params": sampling_params(asked, room(asked, ids)),
        "model": MODEL,
        "reasoning_ended": None,
        "reasoning_parser_kwargs": None,
        "return_token_ids": asked.return_token_ids,
        "output_mode": "tokens",
        "stream": bool(asked.stream),
        "stream_options": asked.stream_options.model_dump() if asked.stream_options else None,
        "cache_salt": None,
        "priority": 0,
        "kv_transfer_params": None,
        "ec_transfer_params": None,
    }
    return Answer(response, prompt=prompt)


def sampling_params(asked: Chat, max_tokens: int) -> Json:
    """The sampling of a request as vLLM resolves it, with the grammar of forced calls."""
    grammar, schema = structural_tag(asked), asked.schema_of_answer
    tag = json.dumps(grammar, ensure_ascii=False) if grammar else None
    outputs = {
        "json": schema,
        "regex": None,
        "choice": None,
        "grammar": None,
        "json_object": None,
        "disable_any_whitespace": False,
        "disable_additional_properties": False,
        "whitespace_pattern": None,
        "structural_tag": tag,
        "_backend": None,
        "_backend_was_auto": False,
    }
    return {
        "presence_penalty": asked.presence_penalty or 0.0,
        "frequency_penalty": asked.frequency_penalty or 0.0,
        "repetition_penalty": 1.0 if asked.repetition_penalty is None else asked.repetition_penalty,
        "temperature": 1.0 if asked.temperature is None else asked.temperature,
        "stop": asked.stops,
        "stop_token_ids": [],
        "max_tokens": max_tokens,
        **({"skip_special_tokens": False} if asked.choice != "none" else {}),
        "output_kind": 2,
        "skip_clone": True,
        **({"structured_outputs": outputs} if tag or schema is not None else {}),
        "bad_words": [],
        "skip_reading_prefix_cache": False,
    }


def offsets(ids: list[int]) -> list[list[int]]:
    """Where each token begins and ends in the prompt, in characters."""
    text, starts = encoding().decode_with_offsets(ids)
    return [list(pair) for pair in zip(starts, [*starts[1:], len(text)], strict=True)]


def completions(body: Json, request: Request) -> Answer:
    """POST /v1/completions: no template is applied, the reader gets the prompt as it is."""
    asked = checked(Text, body)
    check_text(asked)
    prompts = prompts_of(asked)
    ids = [fitting(prompt, asked) for prompt in prompts]
    state = request.app.state
    written = [state.faults.rewrite(state.complete(prompt)) for prompt in prompts]
    cuts = [cut(text, room(asked, each), asked.stops) for text, each in zip(written, ids, strict=True)]
    response = text_completion(asked, prompts, ids, cuts)
    return Answer(response, prompt="\n".join(prompts), completion="\n".join(written))


def prompts_of(asked: Text) -> list[str]:
    """The prompts as texts."""
    prompt = asked.prompt
    if isinstance(prompt, str):
        return [prompt]
    texts = [each for each in prompt if isinstance(each, str)]
    return texts or [decoded([each for each in prompt if isinstance(each, int)])]


def tokenize(body: Json, request: Request) -> Answer:
    """POST /tokenize: a text, or messages and tools."""
    if "messages" not in body:
        text = checked(Tokenize, body)
        check_model(text.model)
        return Answer(tokenized(encoded(text.prompt), bool(text.return_token_strs)))
    asked = checked(Chat, body)
    check_tool_choice(asked)
    check_model(asked.model)
    check_conversation(asked)
    prompt = rendered(asked)
    return Answer(tokenized(encoded(prompt), bool(asked.return_token_strs)), prompt=prompt)


def encoded(text: str) -> list[int]:
    """The token ids of a text. Raises LabError for one that the tokenizer gives up on: a million spaces in a row."""
    try:
        return encode(text)
    except ValueError as error:
        raise LabError(f"The text cannot be tokenized: {error}. Send it in shorter pieces.", "prompt") from None


def detokenize(body: Json, request: Request) -> Answer:
    """POST /detokenize."""
    asked = checked(Detokenize, body)
    check_model(asked.model)
    return Answer({"prompt": decoded(asked.tokens)})


def decoded(ids: list[int]) -> str:
    """The text of token ids. Raises LabError for an id that is not in the vocabulary."""
    try:
        return decode(ids)
    except ValueError as error:
        raise LabError(str(error), "tokens") from None


def search(body: Json, request: Request) -> Answer:
    """POST /search, in Tavily's shape."""
    status, response = searches.search(body, request.headers.get("authorization"))
    return Answer(request.app.state.faults.found(response), status=status)
