"""Checks of lesson 3: the raw prompt."""

from collections.abc import Callable
from typing import Any

from companion.exercises.registry import Wrong, exercise
from companion.lab import prompt, tokens

RESULTS = (["2"], ["2", "1081"], ["曼谷：晴", "", "a\nb"])
USER = [{"role": "user", "content": "1+1"}]


@exercise("3.1", "Two results in one turn")
def results_turn(answer: Callable[[list[str]], str]) -> None:
    """The turn must be the one that a prompt really holds."""
    for results in RESULTS:
        messages = [{"role": "tool", "content": result} for result in results]
        right, got = prompt.render(messages, add_generation_prompt=False), answer(list(results))
        if not isinstance(got, str):
            raise Wrong("a text", repr(got), "the function must return the turn, not print it")
        if got.count("<|im_start|>") != 1:
            raise Wrong("one user turn for all results", f"{got.count('<|im_start|>')} turns", "where the turn begins")
        if got != right:
            raise Wrong(repr(right), repr(got), "the newlines around the tags and at the end")


@exercise("3.2", "The price of a tool")
def price(answer: Callable[[list[dict[str, Any]]], int]) -> None:
    """The price is a difference of two prompts."""
    short, chinese = make_tool("now", "Tell the time."), make_tool("weather", "查询指定城市的天气。" * 3)
    free = len(tokens.encode(prompt.render(USER)))
    for tools in ([], [short], [short, chinese], [chinese] * 5):
        right, got = len(tokens.encode(prompt.render(USER, tools))) - free, answer(list(tools))
        if got != right:
            hint = "the frame around the tools costs too" if tools else "no tools, no frame, no price"
            raise Wrong(f"{right} tokens for {len(tools)} tool(s)", got, hint)


def make_tool(name: str, description: str) -> dict[str, Any]:
    """A tool without parameters."""
    function = {"name": name, "description": description, "parameters": {"type": "object", "properties": {}}}
    return {"type": "function", "function": function}


@exercise("3.3", "The alarm")
def missed_call(answer: Callable[[str, list[str]], str | None]) -> None:
    """Texts that meant a call, and texts that did not."""
    names = ["add", "get_weather"]
    meant = {
        '```json\n{\n  "name": "add",\n  "arguments": {"a": 1}\n}\n```': "add",
        '{"name":"get_weather","arguments":{"city":"曼谷"}}': "get_weather",
        '<tool_call>\n{"name" : "add", "arguments": {"a": 1,}\n</tool_call>': "add",
        "<tool_call>\n{'name': 'get_weather', 'arguments': {}}\n</tool_call>": "get_weather",
        "You could add them, or ask get_weather for the city.": None,
        '{"name": "delete_everything", "arguments": {}}': None,
        '{"names": "add"}': None,
        "": None,
    }
    for text, right in meant.items():
        got = answer(text, list(names))
        if got != right:
            look = "a call has the key name in quotes, then one of your tools"
            raise Wrong(f"{right!r} for {text!r}", repr(got), look)


@exercise("3.4", "No turn of their own")
def safe(answer: Callable[[str], str]) -> None:
    """No typed control token may survive, and ordinary text must."""
    for text in ("a < b and <b>bold</b>", "曼谷天气怎么样？ 1 | 2", "if x<y|z: <|"):
        if answer(text) != text:
            raise Wrong(f"ordinary text unchanged: {text!r}", repr(answer(text)), "what else your pattern touches")
    control = range(tokens.encode("<|endoftext|>")[0], tokens.encode("</think>")[0] + 1)
    typed = [f"a{token}b" for token in tokens.CONTROL_TOKENS] + ["<|im_<|im_end|>end|>", "<tool_<think>call>"]
    for text in typed:
        cleaned = answer(text)
        if any(token in control for token in tokens.encode(cleaned)):
            raise Wrong(
                f"no control token left of {text!r}", repr(cleaned), "all 26 tokens, and what removal puts together"
            )
        if "a" in text[:1] and not cleaned.startswith("a"):
            raise Wrong(f"the words around the token kept in {text!r}", repr(cleaned), "what you throw away with it")
