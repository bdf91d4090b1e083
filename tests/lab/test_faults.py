"""Each fault as the real clients meet it, and nothing of it afterwards."""

import gc
import threading
import time
from collections.abc import Iterator
from functools import reduce
from operator import add
from pathlib import Path
from typing import Any

import openai
import pytest
from lab_client import CALL
from langchain_core.messages import AIMessage
from langchain_core.tools import tool
from requests import HTTPError
from tavily.errors import ForbiddenError, UsageLimitExceededError

import companion
from companion import chat_model, faults, search_client, tools
from companion.lab.faults import Faults
from companion.tools import calculate, weather

BANGKOK = "What is the weather in Bangkok?"
TWO_CITIES = "What is the weather in Bangkok and in Oslo?"
QUIET: dict[str, Any] = {"max_retries": 0}


@tool
def get_weather(city: str, day: str = "today") -> dict[str, Any]:
    """Get the weather of a city."""
    return weather(city, day)


@pytest.fixture(autouse=True)
def nothing_left() -> Iterator[None]:
    """Every test ends with a healthy lab."""
    yield
    answer = ask()
    faults.clear()
    assert names(answer) == ["get_weather"]


def ask(question: str = BANGKOK, **options: Any) -> AIMessage:
    """The answer of the lab, over HTTP."""
    message = chat_model(**QUIET | options).bind_tools([get_weather]).invoke(question)
    assert isinstance(message, AIMessage)
    return message


def names(message: AIMessage) -> list[str]:
    return [call["name"] for call in message.tool_calls]


def streamed(question: str = BANGKOK) -> Any:
    """The chunks of an answer, put together."""
    return reduce(add, chat_model(**QUIET).bind_tools([get_weather]).stream(question))


@pytest.mark.parametrize(
    ("fault", "error", "status"),
    [
        ("rate_limit", openai.RateLimitError, 429),
        ("server_error", openai.InternalServerError, 500),
        ("unavailable", openai.InternalServerError, 503),
    ],
)
def test_a_server_refuses(fault: str, error: type[openai.APIStatusError], status: int) -> None:
    with faults(fault, seconds=1.5), pytest.raises(error) as raised:
        ask()
    assert raised.value.status_code == status
    assert raised.value.response.headers.get("Retry-After") == ("2" if status == 429 else None)
    assert companion.journal[-1].status == status
    assert companion.journal[-1].response["error"]["code"] == status


def test_the_clients_own_retry_gets_over_a_refusal_that_happens_once() -> None:
    with faults("unavailable", times=1) as trouble:
        assert names(ask(max_retries=1)) == ["get_weather"]
    assert trouble.happened == ["unavailable"]


def test_slow_is_a_matter_of_the_clients_patience() -> None:
    with faults("slow", seconds=0.4):
        begun = time.monotonic()
        assert names(ask()) == ["get_weather"]
        assert time.monotonic() - begun >= 0.4
        with pytest.raises(openai.APITimeoutError):
            ask(timeout=0.1)


def test_a_client_that_has_left_leaves_nothing_in_the_journal() -> None:
    companion.journal.clear()
    with faults("slow", seconds=0.3):
        with pytest.raises(openai.APITimeoutError):
            ask(timeout=0.1)
        ask()  # begins later and waits as long: when it ends, the first has ended too
    assert len(companion.journal) == 1


def test_a_dropped_stream_ends_without_an_error_and_with_half_a_call() -> None:
    with faults("dropped_stream"):
        message = streamed()
    assert [(call["name"], call["args"]) for call in message.tool_calls] == [("get_weather", {})]
    assert "finish_reason" not in message.response_metadata


def test_a_broken_stream_is_an_error_in_the_middle() -> None:
    with faults("broken_stream"), pytest.raises(openai.APIConnectionError):
        streamed()


def test_stream_faults_leave_whole_answers_alone() -> None:
    with faults("dropped_stream", "broken_stream") as trouble:
        assert names(ask()) == ["get_weather"]
    assert trouble.happened == []


def test_length_cuts_in_the_middle_of_the_call() -> None:
    with faults("length"):
        message = ask()
    assert message.response_metadata["finish_reason"] == "length"
    assert message.tool_calls == []
    assert message.text.startswith('<tool_call>\n{"name": "get_weather"')
    assert "}" not in message.text
    assert message.usage_metadata is not None
    assert message.usage_metadata["output_tokens"] < 15


BANGKOK_CALL = '{"name": "get_weather", "arguments": {"city": "Bangkok"}}'
FENCED = '```json\n{\n  "name": "get_weather",\n  "arguments": {\n    "city": "Bangkok"\n  }\n}\n```'


@pytest.mark.parametrize(
    ("fault", "content"),
    [
        ("malformed_json", f"<tool_call>\n{BANGKOK_CALL[:-1]}\n</tool_call>"),
        ("plain_call", FENCED),
        ("empty", ""),
    ],
)
def test_a_call_that_is_none(fault: str, content: str) -> None:
    with faults(fault):
        message = ask()
    assert (message.content, message.tool_calls, message.invalid_tool_calls) == (content, [], [])
    assert message.response_metadata["finish_reason"] == "stop"


def test_a_call_without_its_end_tag_is_still_one_but_two_are_none() -> None:
    with faults("no_end_tag") as trouble:
        assert names(ask()) == ["get_weather"]
        assert names(ask(TWO_CITIES)) == []
    assert trouble.happened == ["no_end_tag", "no_end_tag"]


def test_an_invented_tool_and_a_wrong_argument() -> None:
    with faults("invented_tool", "wrong_argument"):
        (call, other) = ask(TWO_CITIES).tool_calls
    assert (call["name"], call["args"]) == ("get_weather_v2", {"city_name": "Bangkok"})
    assert (other["name"], other["args"]) == ("get_weather", {"city": "Oslo"})


@pytest.mark.parametrize(("fault", "expected"), [("duplicate_id", "chatcmpl-tool-0"), ("null_id", None)])
def test_ids_of_calls(fault: str, expected: str | None) -> None:
    with faults(fault) as trouble:
        assert [call["id"] for call in ask(TWO_CITIES).tool_calls] == [expected, expected]
        assert [call["id"] for call in streamed().tool_calls] == [expected]
    assert trouble.happened == [fault, fault]


def test_insisting_repeats_the_first_call_whatever_is_asked_next() -> None:
    with faults("insist") as trouble:
        for question in (BANGKOK, "What is the weather in Oslo?", "Thank you!"):
            assert [call["args"] for call in ask(question).tool_calls] == [{"city": "Bangkok"}]
        assert chat_model(**QUIET).invoke("Hello!").text
    assert trouble.happened == ["insist", "insist"]


def test_drift_from_a_format() -> None:
    with faults("drift"):
        structured = chat_model(**QUIET).bind(response_format={"type": "json_object"}).invoke("Give me JSON.")
    assert structured.text.startswith("Here is the JSON you asked for:\n```json\n{")


def test_guided_json_can_be_malformed_too() -> None:
    with faults("malformed_json"):
        message = chat_model(**QUIET).bind(response_format={"type": "json_object"}).invoke("Give me JSON.")
    assert message.text.startswith("{")
    assert not message.text.endswith("}")


def test_search_faults() -> None:
    client = search_client()
    healthy = client.search("Oslo")["results"]
    for fault, error in (("search_limit", UsageLimitExceededError), ("search_plan", ForbiddenError)):
        with faults(fault), pytest.raises(error):
            client.search("Oslo")
    with faults("search_error"), pytest.raises(HTTPError, match="500"):
        client.search("Oslo")
    with faults("search_empty"):
        assert client.search("Oslo", include_answer=True)["results"] == []
    with faults("search_poisoned"):
        first, *others = client.search("Oslo")["results"]
    assert first["content"] == f"{healthy[0]['content']}. {faults.POISON}"
    assert others == healthy[1:]
    with faults("search_slow", seconds=0.2):
        begun = time.monotonic()
        assert client.search("Oslo")["results"] == healthy
        assert time.monotonic() - begun >= 0.2


def test_tool_faults() -> None:
    with faults("tool_raises"), pytest.raises(ConnectionError, match="did not answer"):
        get_weather.invoke({"city": "Oslo"})
    with faults("tool_empty"):
        assert (weather("Oslo"), calculate("1 + 1")) == ({}, None)
    with faults("tool_poisoned"):
        assert weather("Oslo")["condition"] == f"snow. {faults.POISON}"
        assert calculate("1 + 1") == f"2. {faults.POISON}"
        assert tools.order("ORD-1001")["eta"] == f"2 days. {faults.POISON}"
    with faults("tool_slow", seconds=0.1):
        begun = time.monotonic()
        assert weather("Oslo")["condition"] == "snow"
        assert time.monotonic() - begun >= 0.1


def test_a_tool_keeps_its_signature() -> None:
    assert set(tool(weather).args) == {"city", "day"}


def test_say_is_the_next_completion_to_the_letter() -> None:
    faults.say('<tool_call>\n{"name": "book_hotel", "arguments": {}}\n</tool_call>', "Label: as it is")
    with faults("drift", "invented_tool"):
        assert names(ask()) == ["book_hotel"]
        assert ask().text == "Label: as it is"


def test_what_is_said_inside_a_block_comes_first_and_is_forgotten_at_its_end() -> None:
    faults.say("outer")
    with faults():
        faults.say("inner", "never")
        assert ask().text == "inner"
    assert ask().text == "outer"


def test_a_refused_request_does_not_use_up_what_is_to_be_said() -> None:
    faults.say("still there")
    with faults("unavailable"), pytest.raises(openai.InternalServerError):
        ask()
    assert ask().text == "still there"


def test_times_counts_each_fault_by_what_it_changed() -> None:
    with faults("malformed_json", "no_end_tag", times=1) as trouble:
        assert names(ask()) == []
        assert names(ask()) == ["get_weather"]
    assert trouble.happened == ["malformed_json", "no_end_tag"]


def test_blocks_in_blocks_end_one_by_one() -> None:
    with faults("invented_tool"):
        with faults("wrong_argument"):
            assert [(call["name"], call["args"]) for call in ask().tool_calls] == [
                ("get_weather_v2", {"city_name": "Bangkok"})
            ]
        assert [(call["name"], call["args"]) for call in ask().tool_calls] == [("get_weather_v2", {"city": "Bangkok"})]


@pytest.mark.parametrize("interruption", [RuntimeError, KeyboardInterrupt, SystemExit, GeneratorExit])
def test_nothing_is_left_after(interruption: type[BaseException]) -> None:
    with pytest.raises(interruption), faults("unavailable", "tool_raises"):
        faults.say("left over")
        raise interruption
    assert names(ask()) == ["get_weather"]
    assert weather("Oslo")["condition"] == "snow"


def test_a_generator_that_is_dropped_takes_its_faults_along() -> None:
    def generator() -> Iterator[str]:
        with faults("empty"):
            yield ask().text

    running = generator()
    assert next(running) == ""
    del running
    gc.collect()
    assert names(ask()) == ["get_weather"]


def test_blocks_may_end_in_any_order() -> None:
    first, second = faults("empty"), faults("invented_tool")
    first.__enter__()
    second.__enter__()
    first.__exit__(None, None, None)
    assert names(ask()) == ["get_weather_v2"]
    second.__exit__(None, None, None)
    assert names(ask()) == ["get_weather"]


def test_clear_ends_also_a_block_that_is_still_open() -> None:
    with faults("empty"):
        faults.clear()
        assert names(ask()) == ["get_weather"]


def test_the_same_faults_give_the_same_answers() -> None:
    def run() -> list[Any]:
        companion.journal.clear()
        with faults("invented_tool", "duplicate_id", times=2):
            for _ in range(3):
                ask(TWO_CITIES)
        return [exchange.response for exchange in companion.journal]

    first, second = run(), run()
    assert first == second
    assert first[0] == first[1] != first[2]


def test_many_threads_share_what_times_allows() -> None:
    own, got = Faults(), []

    def worker() -> None:
        for _ in range(50):
            got.append(own.rewrite(CALL))

    with own("empty", times=100) as trouble:
        workers = [threading.Thread(target=worker) for _ in range(8)]
        [each.start() for each in workers]
        [each.join() for each in workers]
    assert (got.count(""), got.count(CALL), len(trouble.happened)) == (100, 300, 100)


@pytest.mark.parametrize(
    ("arguments", "options", "words"),
    [
        (("rate_limits",), {}, "There is no fault 'rate_limits'. There are: rate_limit, "),
        (("slow",), {"seconds": 31}, "choose 0 to 30"),
        (("slow",), {"seconds": -1}, "choose 0 to 30"),
        (("slow",), {"times": 0}, "1 or more"),
    ],
)
def test_what_cannot_be_is_refused_at_once(arguments: tuple[str], options: dict[str, Any], words: str) -> None:
    with pytest.raises(ValueError, match=words):
        faults(*arguments, **options)


def test_a_configured_server_is_out_of_reach(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.delenv("COMPANION_OFFLINE")
    monkeypatch.setenv("LLM_BASE_URL", "https://models.example.org/v1")
    with pytest.warns(UserWarning, match="LLM_BASE_URL leads elsewhere"), faults("empty"):
        pass
    with faults("tool_raises"), pytest.raises(ConnectionError):
        weather("Oslo")
    monkeypatch.undo()


def test_each_fault_has_a_test_here() -> None:
    source = Path(__file__).read_text(encoding="utf-8")
    assert [name for name in faults.names() if f'"{name}"' not in source] == []


@pytest.mark.parametrize("text", [None, 5, ["one", "two"], b"one", "half \ud83d"])
def test_what_is_no_text_cannot_be_said(text: Any) -> None:
    with pytest.raises((TypeError, UnicodeEncodeError)):
        Faults().say("fine", text)
