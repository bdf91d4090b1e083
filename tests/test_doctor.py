"""The doctor at a configured server: each thing that can be wrong there has its line."""

import pytest
import uvicorn
from starlette.applications import Starlette
from starlette.responses import HTMLResponse, JSONResponse
from starlette.routing import Route

from companion.doctor import examine
from companion.lab import server
from companion.lab.app import create_app
from companion.lab.server import Lab, start


@pytest.fixture
def configure(tmp_path, monkeypatch):
    """Point the settings at a server, and return the findings about it."""
    monkeypatch.delenv("COMPANION_OFFLINE")
    monkeypatch.chdir(tmp_path)

    def findings(url, **variables):
        monkeypatch.setenv("LLM_BASE_URL", url)
        for name, value in variables.items():
            monkeypatch.setenv(name, value)
        return {finding.line: finding.ok for finding in list(examine())[5:]}

    return findings


@pytest.fixture
def serve(monkeypatch):
    """Start a server with another app in the lab's place."""
    running: list[Lab] = []

    def run(app):
        monkeypatch.setattr(server, "config", lambda: uvicorn.Config(app, log_level="critical", ws="none"))
        running.append(start())
        return running[-1].url + "/v1"

    yield run
    for one in running:
        one.stop()


def words(findings):
    return " | ".join(findings)


def test_a_sound_server_is_well(configure, serve):
    found = configure(serve(create_app()))
    assert all(found.values()), found
    assert "has the model qwen3-stand-in" in words(found)
    assert "answers with a tool call" in words(found)


def test_a_server_without_its_tool_flags(configure, serve):
    found = configure(serve(create_app(tool_parsing=False)))
    assert "--enable-auto-tool-choice --tool-call-parser hermes" in words(found)
    assert not all(found.values())


def test_a_call_that_nobody_parsed(configure, serve):
    fenced = '```json\n{"name": "get_weather", "arguments": {"city": "Bangkok"}}\n```'
    found = configure(serve(create_app(complete=lambda *args, **kwargs: fenced)))
    assert "model, chat template and tool parser do not match" in words(found)


def test_a_model_that_only_talks(configure, serve):
    found = configure(serve(create_app(complete=lambda *args, **kwargs: "It is sunny.")))
    assert "no tool call but text: 'It is sunny.'" in words(found)


def test_a_model_that_is_not_there(configure, serve):
    found = configure(serve(create_app()), LLM_MODEL_ID="Qwen/Qwen4")
    assert "no model 'Qwen/Qwen4'. It offers: qwen3-stand-in" in words(found)


def test_nobody_at_the_address(configure):
    assert "Nobody answers at" in words(configure("http://127.0.0.1:9/v1"))


def test_a_key_that_is_refused(configure, serve):
    async def refuse(request):
        return JSONResponse({"error": "no"}, status_code=401)

    found = configure(serve(Starlette(routes=[Route("/v1/models", refuse)])), LLM_API_KEY="sk-very-secret")
    assert "refuses the key (HTTP 401). Check LLM_API_KEY" in words(found)
    assert "secret" not in words(found)


def speaking(reply, status=200):
    """A model server that answers every question with `reply`."""

    async def models(request):
        return JSONResponse({"data": [{"id": "m"}]})

    async def chat(request):
        return JSONResponse(reply, status) if isinstance(reply, dict) else HTMLResponse(reply, status)

    return Starlette(routes=[Route("/v1/models", models), Route("/v1/chat/completions", chat, methods=["POST"])])


def completion(content=None, **call):
    function = {"name": "get_weather", "arguments": '{"city": "Bangkok"}'} | call.get("function", {})
    calls = [{"id": "c1", "type": "function"} | call | {"function": function}] if call else None
    message = {"role": "assistant", "content": content, "tool_calls": calls}
    return {"id": "x", "object": "chat.completion", "choices": [{"index": 0, "message": message}]}


@pytest.mark.parametrize(
    ("reply", "status", "expected"),
    [
        (completion(id="c1"), 200, "answers with a tool call"),
        (completion(id=None), 200, "the call has no id"),
        (completion(function={"arguments": '{"city": '}), 200, "arguments are no JSON object"),
        (completion(function={"arguments": '"{}"'}), 200, "arguments are no JSON object"),
        (completion(function={"arguments": {"city": "Bangkok"}}), 200, "arguments are no JSON object"),
        (completion(function={"arguments": ""}), 200, "not get_weather(city=...)"),
        (completion(function={"name": "weather"}), 200, "the call is weather("),
        (completion("<tool_call>\n<function=get_weather>\n"), 200, "--tool-call-parser qwen3_coder"),
        (completion("a\nb"), 200, "no tool call but text"),
        ({"choices": []}, 200, "not a chat completion"),
        ({"error": {"message": "overloaded"}}, 200, "overloaded"),
        ("<html>Log in</html>", 200, "not a chat completion"),
        ("<html>\nBad gateway\n</html>", 502, "(HTTP 502): <html> Bad gateway </html>"),
        ({"error": "Model does not support tools"}, 400, 'refuses tools (HTTP 400): {"error":"Model does not'),
        ({"error": {"message": "bad key sk-very-secret"}}, 401, "bad key ***"),
    ],
)
def test_what_can_be_wrong_with_an_answer(configure, serve, reply, status, expected):
    found = configure(serve(speaking(reply, status)), LLM_API_KEY="sk-very-secret")
    assert expected in words(found)
    assert "very" not in words(found)
    assert all(len(line.splitlines()) == 1 for line in found)
    assert all(found.values()) == (expected == "answers with a tool call")


def test_a_server_that_is_not_one_is_told_once(configure, serve):
    async def page(request):
        return HTMLResponse("<html>Log in</html>")

    found = configure(serve(Starlette(routes=[Route("/v1/models", page)])))
    assert list(found.values()) == [False]
    assert "no list of models" in words(found)


def test_a_model_without_an_address(configure):
    assert "no address for them" in words(configure("", LLM_MODEL_ID="Qwen/Qwen3-4B"))


def test_a_dotenv_that_cannot_be_read(configure, tmp_path):
    (tmp_path / ".env").write_bytes("LLM_API_KEY=k".encode("utf-16"))
    assert "not UTF-8" in words(configure(""))
