"""Streams: vLLM's chunks, and in sum the answer that is not streamed."""

import httpx
import pytest
from lab_client import (
    CALL,
    CHAT,
    ONE_PLUS_ONE,
    TWO_CALLS,
    ask,
    assembled,
    captured,
    lab,
    named,
    parsed,
    said,
    stream,
    without_ids,
)

from companion.lab.server import start

WIRE = {capture["name"]: capture for capture in captured("wire")["captures"]}
RUNS = [
    {"name": f"{name}-{n}", **call}
    for name, run in captured("agent-runs-streamed")["runs"].items()
    for n, call in enumerate(run["calls"])
]
PARSER = captured("parser")["cases"]
# vLLM re-writes arguments when it does not stream and passes them on as written when it does; the lab re-writes always.
# White space before a call is the one thing that only a stream shows.
ONLY_STREAMED = {"newline_before_call"}


def skeleton(chunk: dict) -> list:
    """The keys of a chunk, in order, down to a call."""
    delta = chunk["choices"][0]["delta"] if chunk["choices"] else {}
    calls = [[list(call), list(call["function"])] for call in delta.get("tool_calls", [])]
    return [list(chunk), [list(choice) for choice in chunk["choices"]], list(delta), calls]


@pytest.mark.parametrize(
    "name", ["auto_stream", "auto_stream_debug", "required_stream", "named_stream", "json_schema_stream"]
)
def test_chunks_have_the_captured_keys_in_their_order(name: str) -> None:
    capture = WIRE[name]
    theirs = parsed(capture["response_sse"])
    written = CALL if theirs[1]["choices"][0]["delta"].get("tool_calls") else assembled(theirs)["content"]
    ours = stream(written, capture["request"])
    for at in (0, 1, 2, -2, -1):
        assert skeleton(ours[at]) == skeleton(theirs[at]), at
    assert without_ids(assembled(ours)) == without_ids(assembled(theirs))


def test_text_comes_token_by_token_as_captured() -> None:
    capture = WIRE["auto_stream_debug"]
    theirs = parsed(capture["response_sse"])
    ours = stream(assembled(theirs)["content"], capture["request"])
    for mine, theirs_ in zip(ours[1:-1], theirs[1:-1], strict=True):
        assert mine["choices"] == theirs_["choices"]
    assert ours[0]["prompt_text"].endswith("<|im_start|>assistant\n")


@pytest.mark.parametrize("capture", named(RUNS))
def test_agent_run_is_streamed_as_captured(capture: dict) -> None:
    request = {key: value for key, value in capture["request"].items() if key != "structured_outputs"}
    theirs = assembled(parsed(capture["response_sse"]))
    ours = assembled(stream(capture["raw_completion"].removesuffix("<|im_end|>"), request))
    assert without_ids(ours) == without_ids(theirs)


@pytest.mark.parametrize("case", named(PARSER, "id"))
def test_chunks_add_up_to_the_answer(case: dict) -> None:
    whole, chunks = said(ask(case["completion_text"])), assembled(stream(case["completion_text"]))
    if case["id"] in ONLY_STREAMED:
        assert chunks.pop("content").isspace() and not whole.pop("content")
    assert chunks == whole


MORE = {
    "chinese": ("曼谷的天气是晴天，33°C。", {}),
    "emoji": ("👩‍👩‍👧 and 😀", {}),
    "thought": ("<think>\nHm, 曼谷.\n</think>\n\nIt is sunny.", {}),
    "thought_and_call": ("<think>\nHm.\n" + CALL, {}),
    "two_calls": ("Both: " + TWO_CALLS, {}),
    "one_of_two": (TWO_CALLS, {"parallel_tool_calls": False}),
    "required": (TWO_CALLS, {"tool_choice": "required"}),
    "named": (TWO_CALLS, {"tool_choice": {"type": "function", "function": {"name": "add"}}}),
    "tools_off": (CALL, {"tool_choice": "none"}),
    "stop_in_a_token": ("Hello world, hello moon", {"stop": ["wor"]}),
    "stop_before_a_call": ("Let me see. " + CALL, {"stop": "see"}),
    "cut": ("One two three four", {"max_tokens": 2}),
    "cut_in_a_character": ("曼谷曼谷曼谷", {"max_tokens": 1}),
    "cut_in_a_call": (CALL, {"max_tokens": 12}),
    "cut_before_the_end_token": (CALL, {"max_tokens": 24}),
    "several": ("Hi " + CALL, {"n": 3}),
    "composed": ('<tool_call>{"name": "add", "arguments": {"a": "e\\u0301"}}</tool_call>', {}),
}


@pytest.mark.parametrize(("completion", "fields"), MORE.values(), ids=MORE)
def test_chunks_add_up_to_the_answer_however_it_ends(completion: str, fields: dict) -> None:
    answer, chunks = ask(completion, **fields), stream(completion, **fields)
    for index, choice in enumerate(answer["choices"]):
        mine = [c | {"choices": [x for x in c["choices"] if x["index"] == index]} for c in chunks]
        assert assembled(mine) == said({"choices": [choice]})
    reasoning = [c["delta"]["reasoning"] for chunk in chunks for c in chunk["choices"] if "reasoning" in c["delta"]]
    assert "".join(reasoning) == (answer["choices"][0]["message"]["reasoning"] or "")


@pytest.mark.parametrize(("completion", "fields"), MORE.values(), ids=MORE)
def test_token_ids_of_the_chunks_are_those_of_the_answer(completion: str, fields: dict) -> None:
    fields = fields | {"return_token_ids": True}
    answer, chunks = ask(completion, **fields), stream(completion, **fields)
    parts = [c for chunk in chunks for c in chunk["choices"] if c["index"] == 0]
    ids = [token for part in parts for token in part.get("token_ids") or []]
    assert ids == answer["choices"][0]["token_ids"]
    assert chunks[0]["prompt_token_ids"] == answer["prompt_token_ids"]


def test_a_call_is_announced_once_and_then_only_its_arguments_grow() -> None:
    deltas = [d for chunk in stream(TWO_CALLS) for d in chunk["choices"][0]["delta"].get("tool_calls", [])]
    heads = [delta for delta in deltas if "id" in delta]
    assert [(head["index"], head["function"]) for head in heads] == [(0, {"name": "add"}), (1, {"name": "add"})]
    assert heads[0]["id"] != heads[1]["id"]
    assert all(delta.keys() == {"index", "function"} for delta in deltas if delta not in heads)
    assert [delta["index"] for delta in deltas] == sorted(delta["index"] for delta in deltas)


@pytest.mark.parametrize("options", [None, {}, {"include_usage": False}])
def test_no_usage_unless_asked(options: dict | None) -> None:
    chunks = stream("ok", stream_options=options)
    assert all(chunk["choices"] and "usage" not in chunk for chunk in chunks)


def test_usage_comes_last_and_equals_that_of_the_answer() -> None:
    last = stream(CALL, stream_options={"include_usage": True})[-1]
    usage = ask(CALL)["usage"]
    assert last["choices"] == []
    for key in ("prompt_tokens", "completion_tokens", "total_tokens"):
        assert last["usage"][key] == usage[key]


def test_usage_can_grow_with_the_chunks() -> None:
    chunks = stream("one two three", stream_options={"include_usage": True, "continuous_usage_stats": True})
    counts = [chunk["usage"]["completion_tokens"] for chunk in chunks]
    assert counts == [0, 1, 2, 3, 4, 4]


def test_the_journal_keeps_the_stream_as_an_answer() -> None:
    client = lab(CALL)
    client.post(CHAT, json=ONE_PLUS_ONE)
    client.post(CHAT, json=ONE_PLUS_ONE | {"stream": True})
    whole, streamed = client.app.state.journal
    assert streamed.response == whole.response
    assert streamed.completion == CALL


def test_characters_that_some_clients_take_for_a_line_end_are_escaped() -> None:
    text = "a\u2028b\u2029c\u0085d\r\ne\x0bf\x0cg"
    body = lab(text).post(CHAT, json=ONE_PLUS_ONE | {"stream": True}).text
    lines = [line for line in body.splitlines() if line]
    assert all(line.startswith("data: ") for line in lines)
    assert assembled(parsed(lines))["content"] == text


def test_a_client_that_leaves_in_the_middle_is_noticed_in_silence(caplog: pytest.LogCaptureFixture) -> None:
    server = start()
    body = {"messages": [{"role": "user", "content": "Hello. " * 100}], "n": 16, "stream": True}
    try:
        with httpx.Client(base_url=server.url, trust_env=False) as client:
            for _ in range(10):
                with client.stream("POST", CHAT, json=body) as reply:
                    next(reply.iter_bytes())
            assert client.get("/health").status_code == 200
    finally:
        server.stop()
    assert caplog.records == []
