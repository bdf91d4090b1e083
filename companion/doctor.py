"""Check a machine for the course: one line a check, what is wrong and what to do."""

import platform
import re
import sys
from collections.abc import Callable, Iterator
from dataclasses import dataclass, replace
from functools import cache
from importlib import metadata
from pathlib import Path
from typing import TYPE_CHECKING, Any

from packaging.requirements import Requirement
from pydantic import SecretStr, ValidationError

from companion.settings import settings

if TYPE_CHECKING:
    import openai
    from langchain_core.messages import AIMessage

LOCK = Path(__file__).parent.parent / "requirements.lock"
ASK = "What is the weather in Bangkok? Use the tool."
NO_OBJECT = "the call's arguments are no JSON object. Update the server, or try another tool parser"
GET_WEATHER = {
    "name": "get_weather",
    "description": "Get the current weather for a city.",
    "parameters": {"type": "object", "properties": {"city": {"type": "string"}}, "required": ["city"]},
}


@dataclass(frozen=True)
class Finding:
    """One check: its name, whether all is well, and a line that says what was seen or what to do."""

    name: str
    ok: bool
    line: str

    def __str__(self) -> str:
        return f"{'ok  ' if self.ok else 'FAIL'}  {self.name:10}  {self.line}"


def examine() -> Iterator[Finding]:
    """Yield the findings, quick ones first. A check that breaks is a finding, not a traceback."""
    checks = {"python": python, "packages": packages, "kernel": kernel, "lab": lab_model, "search": lab_search}
    for name, check in checks.items():
        yield attempt(name, check)
    try:
        chosen = settings()
    except ValueError as error:
        yield Finding("settings", False, str(error))
        return
    if chosen.llm_base_url:
        from companion import clients

        options = cache(lambda: clients.remote_options(chosen, {}))  # asks the server for its models, once
        there = attempt("server", lambda: server(options()), chosen.llm_api_key)
        yield there
        if there.ok:
            yield attempt("tool calls", lambda: asked(options(), "tool calls"), chosen.llm_api_key)
    elif chosen.llm_api_key or chosen.llm_model_id:
        cure = "Set LLM_BASE_URL too, or the lessons ask the lab"
        yield Finding("server", False, f"LLM_API_KEY or LLM_MODEL_ID is set, and no address for them. {cure}")
    if chosen.tavily_api_key:
        yield attempt("tavily", tavily, chosen.tavily_api_key)


def attempt(name: str, check: Callable[[], Finding], key: SecretStr | None = None) -> Finding:
    """The finding of a check, or the error that it raised; in one line, without the key."""
    try:
        found = check()
    except Exception as error:
        found = Finding(name, False, f"{type(error).__name__}: {error}")
    line = " ".join(found.line.split())
    return replace(found, line=line.replace(key.get_secret_value(), "***") if key else line)


def python() -> Finding:
    """The version of Python."""
    right = (3, 11) <= sys.version_info[:2] <= (3, 13)
    cure = "" if right else ". Install Python 3.11, 3.12 or 3.13 and run `make lab` again"
    return Finding("python", right, f"Python {platform.python_version()}{cure}")


def packages() -> Finding:
    """Installed versions against the lock."""
    if not LOCK.exists():
        return Finding("packages", False, "the course's requirements.lock is not beside this package: clone the course")
    wrong = [line for line in map(mismatch, locked()) if line]
    if wrong:
        more = f" and {len(wrong) - 3} more" if len(wrong) > 3 else ""
        return Finding("packages", False, f"{'; '.join(wrong[:3])}{more}. Run `make setup`")
    return Finding("packages", True, "every package as in requirements.lock")


def locked() -> Iterator[Requirement]:
    """The lock's requirements that apply to this machine."""
    for line in LOCK.read_text(encoding="utf-8").splitlines():
        if re.match(r"[a-zA-Z]", line):
            requirement = Requirement(line.split("#")[0].strip())
            if requirement.marker is None or requirement.marker.evaluate():
                yield requirement


def mismatch(wanted: Requirement) -> str | None:
    """What differs for one package, or None."""
    try:
        found = metadata.version(wanted.name)
    except metadata.PackageNotFoundError:
        return f"{wanted.name} is missing"
    fits = wanted.specifier.contains(found, prereleases=True)
    return None if fits else f"{wanted.name} {found}, not {wanted.specifier}"


def kernel() -> Finding:
    """Whether the notebooks' kernel `python3` is this Python."""
    from jupyter_client.kernelspec import KernelSpecManager, NoSuchKernel

    try:
        spec = KernelSpecManager().get_kernel_spec("python3")
    except NoSuchKernel:
        return Finding("kernel", False, "no kernel named python3. Run `python -m ipykernel install --sys-prefix`")
    program = Path(spec.argv[0])
    same = not program.is_absolute() or program.resolve() == Path(sys.executable).resolve()
    cure = f"the kernel python3 starts {program}, not this Python. Run `python -m ipykernel install --sys-prefix`"
    return Finding("kernel", same, "python3 starts this Python" if same else cure)


def lab_model() -> Finding:
    """Whether the lab answers with a tool call."""
    from companion import clients

    return asked(clients.lab_options(), "lab")


def lab_search() -> Finding:
    """Whether the lab's search finds something."""
    from companion import clients
    from companion.lab.server import lab

    with clients.lab_search_client(lab().url) as client:
        found = client.search("LangGraph", max_results=1)["results"]
    return Finding("search", bool(found), "the lab's search answers" if found else "the lab's search finds nothing")


def server(options: dict[str, Any]) -> Finding:
    """Whether the configured server is there and has the model."""
    return Finding("server", True, f"{options['base_url']} is up and has the model {options['model']}")


def asked(options: dict[str, Any], name: str) -> Finding:
    """Ask for the weather with one tool, as the lessons do, and read what comes back."""
    import openai

    from companion import clients

    model = clients.connected({**options, "max_retries": 1})
    try:
        reply = model.bind_tools([GET_WEATHER]).invoke(ASK)
    except openai.APIStatusError as error:
        problem: str | None = refusal(error)
    except openai.APIConnectionError as error:
        problem = f"the connection broke before the answer was whole: {error.__cause__ or error}"
    except ValidationError:
        problem = NO_OBJECT
    except (AttributeError, TypeError, ValueError, LookupError) as error:
        reason = str(error).splitlines()[0][:120] if str(error) else ""
        what = f"the answer is not a chat completion ({type(error).__name__}: {reason})"
        problem = f"{what}. Is it an OpenAI-style server?"
    else:
        problem = unusable(reply)
    return Finding(name, problem is None, problem or "answers with a tool call")


def refusal(error: "openai.APIStatusError") -> str:
    """What a server says that does not answer, and the cure where it is known."""
    said = " ".join(error.response.text.split())[:200]
    if "enable-auto-tool-choice" in said:
        return "the tool parser is off: start vLLM with `--enable-auto-tool-choice --tool-call-parser hermes`"
    what = "refuses tools" if error.status_code == 400 else "does not answer the question"
    return f"the server {what} (HTTP {error.status_code}): {said or 'no reason given'}"


def unusable(reply: "AIMessage") -> str | None:
    """What is wrong with an answer that should be a call of get_weather with a city, or None."""
    if reply.invalid_tool_calls:
        return NO_OBJECT
    if not reply.tool_calls:
        return spoken(reply.text)
    call = reply.tool_calls[0]
    if not call["id"]:
        return "the call has no id, so no result can answer it. Update the server, or try another tool parser"
    if call["name"] != "get_weather" or "city" not in call["args"]:
        return f"the call is {call['name']}({brief(call['args'])}), not get_weather(city=...). Try a larger model"
    return None


def spoken(text: str) -> str:
    """What is wrong with an answer without a call: text that looks like one nobody parsed, or plain text."""
    if "<function=" in text:
        cure = "the model writes XML calls: start vLLM with `--tool-call-parser qwen3_coder`"
        return f"the call came back as text ({brief(text)}), {cure}"
    if "get_weather" in text:
        return f"the call came back as text ({brief(text)}): model, chat template and tool parser do not match"
    return f"no tool call but text: {brief(text)}. Try a larger model or a clearer description"


def brief(value: object) -> str:
    """The beginning of a value."""
    text = repr(value)
    return text if len(text) <= 62 else text[:60] + "..."


def tavily() -> Finding:
    """Whether Tavily takes the configured key."""
    from companion import clients

    clients.search_client().search("LangGraph", max_results=1)
    return Finding("tavily", True, "Tavily takes the key")
