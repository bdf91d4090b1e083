"""Faults over HTTP: for a shared lab, and only where it was started for that."""

from collections.abc import Callable
from typing import Any

import httpx2
import pytest
from lab_client import CALL, CHAT, ONE_PLUS_ONE, TWO_CALLS, lab
from starlette.testclient import TestClient


@pytest.fixture
def shared() -> TestClient:
    return lab(TWO_CALLS, open_to_faults=True)


def test_a_shared_lab_takes_faults_over_http(shared: TestClient) -> None:
    wanted = {"faults": ["duplicate_id"], "say": ["Hello."], "times": 1}
    assert shared.post("/faults", json=wanted).json() == wanted | {"seconds": 1.0}
    answers = [shared.post(CHAT, json=ONE_PLUS_ONE).json()["choices"][0]["message"] for _ in range(3)]
    assert answers[0]["content"] == "Hello."
    assert [len({call["id"] for call in answer["tool_calls"]}) for answer in answers[1:]] == [1, 2]
    shared.post("/faults", json={"faults": ["unavailable"]})
    assert shared.post(CHAT, json=ONE_PLUS_ONE).status_code == 503
    assert shared.delete("/faults").json() == {"faults": []}
    assert shared.post(CHAT, json=ONE_PLUS_ONE).status_code == 200


@pytest.mark.parametrize(
    "body",
    [{"faults": ["nope"]}, {"faults": ["tool_raises"]}, {"faults": "slow"}, {"seconds": 3600}, {"times": 0}, [], None],
)
def test_a_wrong_order_is_a_400_and_changes_nothing(shared: TestClient, body: Any) -> None:
    answer = shared.post("/faults", json=body)
    assert (answer.status_code, answer.json()["error"]["code"]) == (400, 400)
    assert shared.post(CHAT, json=ONE_PLUS_ONE).status_code == 200


@pytest.mark.parametrize("method", ["post", "delete"])
def test_a_lab_is_not_open_to_faults_unless_it_was_asked_to_be(method: str) -> None:
    send: Callable[..., Any] = getattr(lab(CALL), method)
    assert send("/faults", **({"json": {"faults": ["slow"]}} if method == "post" else {})).status_code == 404


def test_faults_do_not_reach_the_other_paths(shared: TestClient) -> None:
    shared.post("/faults", json={"faults": ["unavailable"]})
    assert shared.post("/tokenize", json={"prompt": "1+1"}).status_code == 200
    assert shared.get("/v1/models").status_code == 200


def test_the_command_line_opens_a_lab_to_faults(serve: Callable[..., Any]) -> None:
    with httpx2.Client(trust_env=False, base_url=serve("--faults")[1], timeout=60) as client:
        assert client.post("/faults", json={"say": ["Said."]}).status_code == 200
        body = ONE_PLUS_ONE | {"model": "qwen3-stand-in"}
        assert client.post(CHAT, json=body).json()["choices"][0]["message"]["content"] == "Said."
