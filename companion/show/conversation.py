"""A list of messages as a table. Ids are replaced by numbers, so that it is the same on every run."""

from collections.abc import Iterator, Mapping, Sequence
from typing import Any

from langchain_core.messages import BaseMessage, MessageLikeRepresentation, ToolMessage, convert_to_messages

from companion.show.values import tool_calls, written
from companion.show.view import View, tabular


def messages(messages: Sequence[MessageLikeRepresentation] | Mapping[str, Any]) -> View:
    """Return the messages: role, content, calls (`call 1: add(a=1)`), and which call a tool message answers.

    A state with a key `messages` will do, and so will dicts and pairs in place of messages.
    """
    given = messages["messages"] if isinstance(messages, Mapping) else messages
    return tabular(("#", "role", "content", "tool calls", "answers"), rows_of(convert_to_messages(given)))


def rows_of(messages: Sequence[BaseMessage]) -> Iterator[tuple[str, str, str, str, str]]:
    """A table row for each message; a result that answers no call says so."""
    numbers: dict[str | None, str] = {}
    for n, message in enumerate(messages, start=1):
        calls = []
        for call in tool_calls(message):
            numbers[call["id"]] = f"call {len(numbers) + 1}"
            calls.append(f"{numbers[call['id']]}: {written(call)}")
        answers = ""
        if isinstance(message, ToolMessage):
            answers = numbers.get(message.tool_call_id, f"no call has the id {message.tool_call_id!r}")
            answers += " (error)" if message.status == "error" else ""
        yield str(n), message.type, message.text, "\n".join(calls), answers
