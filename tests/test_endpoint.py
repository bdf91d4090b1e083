"""A model server seen from outside: how it is reached, and how its list of models is read."""

import httpx2
import pytest

from companion.endpoint import choose_model, http_clients, models
from companion.recorder import keep


def test_only_remote_clients_read_proxies_and_only_those_of_other_servers_keep_answers(lab_url):
    urls = (lab_url + "/v1", "http://127.0.0.1:1/v1", "https://api.example.org/v1")
    own, local, remote = (http_clients(url)[0] for url in urls)
    assert (own.trust_env, local.trust_env, remote.trust_env) == (False, False, True)
    assert [client.event_hooks["response"] for client in (own, local, remote)] == [[], [keep], [keep]]


def test_models_of_the_lab(lab_url):
    offered = models(lab_url + "/v1", "EMPTY")
    assert offered == {"qwen3-stand-in": "companion"}
    assert choose_model(lab_url + "/v1", offered, None) == "qwen3-stand-in"


def test_nobody_there():
    with pytest.raises(ConnectionError, match="Is the server up"):
        models("http://127.0.0.1:9/v1", "EMPTY")


@pytest.fixture
def answering(monkeypatch):
    """Let every server answer the question for its models with this."""

    def answer(status=200, **given):
        transport = httpx2.MockTransport(lambda request: httpx2.Response(status, **given))
        make = httpx2.Client
        monkeypatch.setattr(httpx2, "Client", lambda **options: make(transport=transport))

    return answer


@pytest.mark.parametrize(
    ("given", "error", "words"),
    [
        ({"status": 307, "headers": {"location": "https://x.org/v1/models"}}, ValueError, "on to https://x.org/v1 "),
        ({"status": 401}, PermissionError, "refuses the key"),
        ({"status": 503}, ConnectionError, "not ready.*may still be loading"),
        ({"text": "<html>Log in</html>"}, ValueError, "no list of models"),
        ({"json": {"models": [{"name": "m"}]}}, ValueError, "no list of models"),
        ({"text": ""}, ValueError, "no list of models"),
    ],
)
def test_an_answer_that_is_no_list_of_models_is_told_from_the_others(answering, given, error, words):
    answering(**given)
    with pytest.raises(error, match=words):
        models("https://api.example.org/v1", "k")


@pytest.mark.parametrize(
    ("given", "offered"),
    [
        ({"json": [{"id": "m"}]}, {"m": "None"}),
        ({"json": {"data": None}}, {}),
        ({"status": 404}, {}),
        ({"status": 429}, {}),
    ],
)
def test_lists_of_other_shapes_and_servers_without_one(answering, given, offered):
    answering(**given)
    assert models("https://api.example.org/api/paas/v4", "k") == offered


def test_a_proxy_is_named_as_what_may_be_in_the_way(monkeypatch):
    monkeypatch.setenv("HTTP_PROXY", "http://user:secret@127.0.0.1:9")
    monkeypatch.delenv("NO_PROXY", raising=False)
    with pytest.raises(ConnectionError, match=r"A proxy is set for it.*add 192\.168\.1\.5 to NO_PROXY") as caught:
        models("http://192.168.1.5:8000/v1", "k")
    assert "secret" not in str(caught.value)


@pytest.mark.parametrize("wanted", ["qwen3", "qwen3:latest", "gemini-x", "models/gemini-x", "a/b:free"])
def test_short_names_of_hosted_models_are_taken(wanted):
    assert choose_model("https://x.org/v1", ["qwen3:latest", "models/gemini-x", "a/b"], wanted) == wanted
