"""Check a machine for the course: one line a check, what is wrong and what to do."""

import platform
import re
import sys
from collections.abc import Callable, Iterator
from dataclasses import dataclass
from importlib import metadata
from pathlib import Path

from packaging.requirements import Requirement

from companion.settings import Settings, settings

LOCK = Path(__file__).parent.parent / "requirements.lock"
ASK = "What is the weather in Bangkok? Use the tool."


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
    checks: list[Callable[[], Finding]] = [python, packages, kernel, lab_model, lab_search]
    chosen = settings()
    if chosen.llm_base_url:
        checks += [lambda: server(chosen), lambda: tool_calls(chosen)]
    if chosen.tavily_api_key:
        checks.append(tavily)
    for check in checks:
        name = "server" if check.__name__ == "<lambda>" else check.__name__
        try:
            yield check()
        except Exception as error:
            yield Finding(name, False, f"{type(error).__name__}: {str(error).splitlines()[0] if str(error) else ''}")


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
    return (
        None if wanted.specifier.contains(found, prereleases=True) else f"{wanted.name} {found}, not {wanted.specifier}"
    )


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

    options = clients.lab_options()
    return asked(options["base_url"], options["api_key"], options["model"], "lab")


def lab_search() -> Finding:
    """Whether the lab's search finds something."""
    from companion import clients
    from companion.lab.server import lab

    with clients.lab_search_client(lab().url) as client:
        found = client.search("LangGraph", max_results=1)["results"]
    return Finding("search", bool(found), "the lab's search answers" if found else "the lab's search finds nothing")


def server(chosen: Settings) -> Finding:
    """Whether the configured server is there and has the model."""
    from companion import clients

    options = clients.remote_options(chosen, {})
    return Finding("server", True, f"{options['base_url']} is up and has the model {options['model']}")


def tool_calls(chosen: Settings) -> Finding:
    """Whether the configured server turns what the model writes into tool calls."""
    from companion import clients

    options = clients.remote_options(chosen, {})
    return asked(options["base_url"], options["api_key"], options["model"], "tool calls")


def asked(url: str, key: str, model: str, name: str) -> Finding:
    """Ask for the weather with one tool, and read what comes back."""
    import openai

    from companion import endpoint

    weather = {"name": "get_weather", "description": "Get the current weather for a city."}
    weather["parameters"] = {"type": "object", "properties": {"city": {"type": "string"}}, "required": ["city"]}  # type: ignore[assignment]
    client = openai.OpenAI(
        base_url=url, api_key=key, http_client=endpoint.http_clients(url)[0], max_retries=1, timeout=60
    )
    try:
        reply = client.chat.completions.create(
            model=model,
            messages=[{"role": "user", "content": ASK}],
            tools=[{"type": "function", "function": weather}],  # type: ignore[typeddict-item]
            temperature=0,
        )
    except openai.BadRequestError as error:
        if "enable-auto-tool-choice" in str(error):
            cure = "start vLLM with `--enable-auto-tool-choice --tool-call-parser hermes`"
            return Finding(name, False, f"the tool parser is off: {cure}")
        return Finding(name, False, f"the server refuses tools: {error.message}")
    return judged(reply.choices[0].message, name)


def judged(message: object, name: str) -> Finding:
    """Read an answer: a call, text that looks like a call nobody parsed, or plain text."""
    content = getattr(message, "content", None) or ""
    if getattr(message, "tool_calls", None):
        return Finding(name, True, "answers with a tool call")
    if "get_weather" in content:
        return Finding(
            name,
            False,
            f"the call came back as text ({content[:40]!r}): model, chat template and tool parser do not match",
        )
    return Finding(name, False, f"no tool call but text: {content[:60]!r}. Try a larger model or a clearer description")


def tavily() -> Finding:
    """Whether Tavily takes the configured key."""
    from companion import clients

    clients.search_client().search("LangGraph", max_results=1)
    return Finding("tavily", True, "Tavily takes the key")
