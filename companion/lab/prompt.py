"""Messages and tools in, the text the model reads out: Qwen3's chat format, as vLLM renders it.

A model reads one long text. This module writes that text. It does what the Jinja template of the Qwen3
tokenizer does, byte for byte (vLLM 0.32.0's `launch render` is the judge, see tests/data/prompts.json),
and it does vLLM's clean-up of the request first: unknown keys of a tool are dropped, arguments become
objects again, content parts are joined by newlines.

Left out: images, tools given as anything but functions, and other models' templates.
"""

import json
from collections.abc import Mapping, Sequence
from typing import Any

Message = Mapping[str, Any]
Tool = Mapping[str, Any]

TOOLS_HEADER = """# Tools

You may call one or more functions to assist with the user query.

You are provided with function signatures within <tools></tools> XML tags:
<tools>"""

TOOLS_FOOTER = """
</tools>

For each function call, return a json object with function name and arguments within <tool_call></tool_call> XML tags:
<tool_call>
{"name": <function-name>, "arguments": <args-json-object>}
</tool_call>"""


def render(
    messages: Sequence[Message],
    tools: Sequence[Tool] | None = None,
    add_generation_prompt: bool = True,
    enable_thinking: bool | None = None,
) -> str:
    """Return the prompt text for OpenAI-style `messages` and `tools`.

    `enable_thinking=False` closes an empty think block for the model; `None` and `True` leave it to the model.
    Raises ValueError when a tool has no `function`, or a call's arguments are neither JSON text nor an object.
    """
    messages = [{**message, "content": text_of(message.get("content"))} for message in messages]
    prompt = system_turn(messages, tools)
    question = last_question(messages)
    for i, message in enumerate(messages):
        match message["role"]:
            case "system" if i > 0:
                prompt += f"<|im_start|>system\n{message['content']}<|im_end|>\n"
            case "user":
                prompt += f"<|im_start|>user\n{message['content']}<|im_end|>\n"
            case "assistant":
                prompt += assistant_turn(message, in_loop=i > question, is_last=i == len(messages) - 1)
            case "tool":
                prompt += tool_result(messages, i)
    if add_generation_prompt:
        prompt += "<|im_start|>assistant\n"
        if enable_thinking is False:
            prompt += "<think>\n\n</think>\n\n"
    return prompt


def system_turn(messages: Sequence[Message], tools: Sequence[Tool] | None) -> str:
    """The first turn: the system message, then the tools. Neither there: no turn at all."""
    first = messages[0] if messages and messages[0]["role"] == "system" else None
    if not tools:
        return f"<|im_start|>system\n{first['content']}<|im_end|>\n" if first else ""
    intro = first["content"] + "\n\n" if first else ""
    lines = "".join("\n" + json.dumps(wire_tool(tool), ensure_ascii=False) for tool in tools)
    return f"<|im_start|>system\n{intro}{TOOLS_HEADER}{lines}{TOOLS_FOOTER}<|im_end|>\n"


def assistant_turn(message: Message, in_loop: bool, is_last: bool) -> str:
    """One answer of the model: text, then each call as JSON between tags. The ids of calls do not appear."""
    thought, text = split_thought(message)
    turn = "<|im_start|>assistant\n"
    if in_loop and (is_last or thought):
        turn += f"<think>\n{thought.strip(chr(10))}\n</think>\n\n{text.lstrip(chr(10))}"
    else:
        turn += text
    for n, call in enumerate(message.get("tool_calls") or []):
        function = call.get("function") or call
        arguments = json.dumps(arguments_of(function.get("arguments")), ensure_ascii=False)
        turn += "\n" if n or text else ""
        turn += f'<tool_call>\n{{"name": "{function["name"]}", "arguments": {arguments}}}\n</tool_call>'
    return turn + "<|im_end|>\n"


def tool_result(messages: Sequence[Message], i: int) -> str:
    """A result. Results in a row share one user turn; only their order says which call each one answers."""
    starts = i == 0 or messages[i - 1]["role"] != "tool"
    ends = i == len(messages) - 1 or messages[i + 1]["role"] != "tool"
    result = f"\n<tool_response>\n{messages[i]['content']}\n</tool_response>"
    return ("<|im_start|>user" if starts else "") + result + ("<|im_end|>\n" if ends else "")


def last_question(messages: Sequence[Message]) -> int:
    """Index of the last real user message: a user message that looks like a tool result does not count."""
    for i in range(len(messages) - 1, -1, -1):
        content = messages[i]["content"]
        is_result = content.startswith("<tool_response>") and content.endswith("</tool_response>")
        if messages[i]["role"] == "user" and not is_result:
            return i
    return len(messages) - 1


def split_thought(message: Message) -> tuple[str, str]:
    """The thought and the visible text of an answer, from `reasoning` or from its <think> block."""
    content: str = message["content"]
    reasoning = message.get("reasoning") or message.get("reasoning_content")
    if isinstance(reasoning, str):
        return reasoning, content
    if "</think>" not in content:
        return "", content
    before, after = content.split("</think>")[0], content.split("</think>")[-1]
    return before.rstrip("\n").split("<think>")[-1].lstrip("\n"), after.lstrip("\n")


def text_of(content: Any) -> str:
    """Content as text: null is empty, the text parts of a list stand on lines of their own."""
    if content is None or isinstance(content, str):
        return content or ""
    return "\n".join(part if isinstance(part, str) else part.get("text", "") for part in content)


def arguments_of(arguments: Any) -> Any:
    """The API carries arguments as JSON text, the template wants the object. Broken text becomes {} (as in vLLM)."""
    if not isinstance(arguments, str):
        return arguments or {}
    try:
        return json.loads(arguments) or {}
    except (ValueError, RecursionError):
        return {}


def wire_tool(tool: Tool) -> dict[str, Any]:
    """What vLLM keeps of a tool: known keys in a fixed order, null where one is missing; the rest is dropped.

    >>> wire_tool({"function": {"name": "f", "note": "dropped"}})
    {'type': 'function', 'function': {'name': 'f', 'description': None, 'parameters': None}}
    """
    if "function" not in tool:
        raise ValueError(f"a tool needs a 'function' with its name; this one has only {sorted(tool)}")
    sent = tool["function"]
    function = {key: sent.get(key) for key in ("name", "description", "parameters")}
    optional = {key: sent[key] for key in ("strict", "defer_loading") if sent.get(key) is not None}
    deferred = {"defer_loading": True} if tool.get("defer_loading") else {}
    return {"type": "function", "function": function | optional | deferred} | deferred
