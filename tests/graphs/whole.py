"""What must hold for the messages of every thread."""

from collections.abc import Sequence

from langchain_core.messages import AnyMessage


def assert_whole(messages: Sequence[AnyMessage]) -> None:
    """Each message with calls is followed by exactly its results, in the order of its calls; there are no others."""
    rest = list(messages)
    while rest:
        message = rest.pop(0)
        assert message.type != "tool", "a result without a call"
        for call in [*getattr(message, "tool_calls", []), *getattr(message, "invalid_tool_calls", [])]:
            assert rest.pop(0).tool_call_id == call["id"]
