"""The `add` agent of lesson 3, through the front door."""

from companion import chat_model, journal
from companion.graphs.raw_prompt import build


def ask(text: str) -> list:
    return build(chat_model()).invoke({"messages": [("user", text)]}, {"recursion_limit": 10})["messages"]


def test_one_plus_one_takes_one_call_and_one_result():
    messages = ask("1+1")
    assert [message.type for message in messages] == ["human", "ai", "tool", "ai"]
    assert messages[1].tool_calls[0]["args"] == {"a": 1, "b": 1}
    assert messages[2].content == "2"
    assert "2" in messages[3].content


def test_the_second_prompt_begins_with_the_first():
    journal.clear()
    ask("What is 23+47?")
    first, second = journal.chats()
    assert second.prompt.startswith(first.prompt)
    assert "<tool_response>\n70\n</tool_response>" in second.prompt


def test_a_greeting_calls_nothing():
    assert [message.type for message in ask("Hello!")] == ["human", "ai"]
