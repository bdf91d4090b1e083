"""The two doors: the lab where nothing is configured, the configured server otherwise; proxies never in between."""

import pytest

from companion import chat_model, journal, search_client
from companion.lab.server import lab, start


@pytest.fixture
def online(tmp_path, monkeypatch):
    monkeypatch.delenv("COMPANION_OFFLINE")
    monkeypatch.chdir(tmp_path)


@pytest.fixture(scope="module")
def other_server():
    """A server of its own, as a vLLM would be."""
    server = start()
    yield server
    server.stop()


@pytest.fixture
def dead_proxies(monkeypatch):
    for name in (
        "HTTP_PROXY",
        "HTTPS_PROXY",
        "ALL_PROXY",
        "http_proxy",
        "https_proxy",
        "all_proxy",
        "TAVILY_HTTP_PROXY",
    ):
        monkeypatch.setenv(name, "http://127.0.0.1:9")
    for name in ("NO_PROXY", "no_proxy"):
        monkeypatch.delenv(name, raising=False)


def test_without_configuration_the_lab_answers_and_starts_once():
    first, second = chat_model(), chat_model()
    assert first.openai_api_base == second.openai_api_base == lab().url + "/v1"
    assert first.invoke("Hello").content
    assert lab().url.startswith("http://127.0.0.1:")


def test_proxy_variables_do_not_catch_the_lab(dead_proxies):
    assert chat_model(max_retries=0).invoke("Hello").content
    assert search_client().search("LangGraph")["results"]


async def ask_later():
    return await chat_model(max_retries=0).ainvoke("Hello")


def test_asynchronous_calls_pass_proxies_by_too(dead_proxies):
    import asyncio

    assert asyncio.run(ask_later()).content


def test_overrides_are_the_clients_own_arguments():
    model = chat_model(temperature=0.7, max_tokens=3)
    journal.clear()
    model.invoke("Tell me about Bangkok")
    request = journal.chats()[-1].request
    assert (request["temperature"], request["max_completion_tokens"]) == (0.7, 3)
    assert journal.chats()[-1].response["choices"][0]["finish_reason"] == "length"


def test_a_configured_server_gets_the_calls(online, other_server, monkeypatch):
    monkeypatch.setenv("LLM_BASE_URL", other_server.url + "/v1")
    model = chat_model()
    assert model.openai_api_base == other_server.url + "/v1"
    assert (model.max_retries, model.request_timeout) == (2, 60)
    assert model.invoke("Hello").content


def test_a_model_that_the_server_lacks_is_named_with_those_it_has(online, other_server, monkeypatch):
    monkeypatch.setenv("LLM_BASE_URL", other_server.url + "/v1")
    monkeypatch.setenv("LLM_MODEL_ID", "Qwen/Qwen4")
    with pytest.raises(ValueError, match=r"no model 'Qwen/Qwen4'.*qwen3-stand-in.*LLM_MODEL_ID"):
        chat_model()


def test_a_wrong_path_is_named(online, other_server, monkeypatch):
    monkeypatch.setenv("LLM_BASE_URL", other_server.url + "/api")
    with pytest.raises(ValueError, match="lack '/v1'"):
        chat_model()


def test_a_server_that_is_not_there_is_named(online, monkeypatch):
    monkeypatch.setenv("LLM_BASE_URL", "http://127.0.0.1:9/v1")
    with pytest.raises(ConnectionError, match=r"Nobody answers at http://127\.0\.0\.1:9/v1"):
        chat_model()


def test_a_mistyped_address_is_named_before_anything_is_sent(online, monkeypatch):
    monkeypatch.setenv("LLM_BASE_URL", "http:/127.0.0.1:8000/v1")
    with pytest.raises(ValueError, match="two slashes"):
        chat_model()


def test_a_tavily_key_leads_to_tavily(online, monkeypatch):
    monkeypatch.setenv("TAVILY_API_KEY", "tvly-mine")
    client = search_client()
    assert client.base_url == "https://api.tavily.com"
    assert client.api_key == "tvly-mine"


def test_without_a_key_search_stays_here_and_works():
    client = search_client()
    assert client.base_url == lab().url
    assert client.search("checkpointer", max_results=2)["results"]


def test_keys_reach_neither_the_journal_nor_the_repr(online, other_server, monkeypatch):
    monkeypatch.setenv("LLM_BASE_URL", other_server.url + "/v1")
    monkeypatch.setenv("LLM_API_KEY", "sk-very-secret")
    journal.clear()
    model = chat_model()
    model.invoke("Hello")
    assert "sk-very-secret" not in repr(model) + "".join(map(repr, journal))


def test_variables_of_other_programs_neither_break_a_client_nor_make_it_warn(dead_proxies, monkeypatch, caplog):
    monkeypatch.setenv("OPENAI_PROXY", "http://127.0.0.1:9")
    monkeypatch.setenv("OPENAI_API_BASE", "http://127.0.0.1:9/v1")
    assert chat_model(max_retries=0).invoke("Hello").content
    assert caplog.records == []


def test_the_other_names_of_an_argument_count_as_well(other_server):
    assert chat_model(openai_api_base=other_server.url + "/v1").openai_api_base == other_server.url + "/v1"
    with pytest.raises(ValueError, match="no model 'x'"):
        chat_model(base_url=other_server.url + "/v1", model_name="x")


def test_an_address_of_none_is_the_configured_one_and_not_a_public_service():
    assert chat_model(base_url=None, api_key=None).openai_api_base == lab().url + "/v1"


def test_tokens_are_counted_here():
    assert chat_model().get_num_tokens("1+1") == 3


@pytest.mark.parametrize("name", ["LLM_API_KEY", "TAVILY_API_KEY"])
def test_a_key_with_a_line_break_is_named_and_not_shown(online, other_server, monkeypatch, name):
    monkeypatch.setenv("LLM_BASE_URL", other_server.url + "/v1")
    monkeypatch.setenv(name, "sk-very\nsecret")
    with pytest.raises(ValueError, match=name) as caught:
        (chat_model if name == "LLM_API_KEY" else search_client)()
    assert "very" not in str(caught.value)


def test_another_server_on_this_machine_fills_the_journal_too(online, monkeypatch, serve):
    """As a real vLLM on 127.0.0.1 would; a process of its own, so that nothing but the client can write."""
    monkeypatch.setenv("LLM_BASE_URL", serve()[1] + "/v1")
    journal.clear()
    chat_model().invoke("Hello")
    (kept,) = journal.chats()
    assert kept.prompt.endswith("<|im_start|>assistant\n")
    assert kept.completion == kept.response["choices"][0]["message"]["content"]
