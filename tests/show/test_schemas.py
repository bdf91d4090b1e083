import json
from typing import Annotated

from langchain_core.tools import StructuredTool, tool
from langgraph.prebuilt import InjectedState
from show_samples import ADD, NASTY, words

from companion import show


@tool
def add(a: int, b: int = 1, state: Annotated[dict | None, InjectedState] = None) -> int:
    """Add two numbers."""
    return a + b


def parts(view: object) -> dict[str, str]:
    """The twin by its headings."""
    found: dict[str, str] = {}
    for line in str(view).splitlines():
        if line[0].isdigit():
            name = line[2:]
        else:
            found[name] = found.get(name, "") + line + "\n"
    return found


def test_a_tool_in_four_forms() -> None:
    forms = parts(show.schema(add))
    assert list(forms) == ["Python", "JSON schema", "On the wire", "In the prompt"]
    assert forms["Python"].startswith("  def add(a: int, b: int = 1, state:")
    assert '"""Add two numbers."""' in forms["Python"]
    assert list(json.loads(forms["JSON schema"])["properties"]) == ["a", "b"]
    wire = json.loads(forms["On the wire"])
    assert wire["function"]["parameters"]["properties"]["b"] == {"default": 1, "type": "integer"}
    assert json.loads(forms["In the prompt"]) == wire
    assert forms["In the prompt"].count("\n") == 1


def test_an_async_tool_keeps_its_keyword() -> None:
    @tool
    async def wait(seconds: int) -> str:
        """Wait."""
        return "done"

    assert "async def wait(seconds: int) -> str:" in str(show.schema(wait))


def test_a_dict_has_no_python_form() -> None:
    forms = parts(show.schema(ADD))
    assert "Python" not in forms
    assert json.loads(forms["JSON schema"]) == ADD["function"]["parameters"]


def test_a_tool_with_a_json_schema_shows_that_schema() -> None:
    plain = {"title": "q", "type": "object", "properties": {"x": {"type": "string", "title": "X"}}}
    made = StructuredTool.from_function(lambda x: x, name="ask", description="Ask.", args_schema=plain)
    assert json.loads(parts(show.schema(made))["JSON schema"])["properties"] == plain["properties"]


def test_words_of_others_are_escaped() -> None:
    view = show.schema({"type": "function", "function": {"name": "f", "description": NASTY, "parameters": {}}})
    assert "<script" not in view.html
    assert "<script>alert" in words(view)
