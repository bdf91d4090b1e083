from langchain_core.messages import AIMessage, HumanMessage

from companion.show.values import brief


def test_messages_show_words_and_calls_but_no_ids() -> None:
    call = {"name": "add", "args": {"a": 1}, "id": "secret-id", "type": "tool_call"}
    assert brief(AIMessage("", id="run-123", tool_calls=[call])) == "ai:  [calls add(a=1)]"
    assert brief([HumanMessage("hi", id="x")]) == "[human: hi]"


def test_a_call_that_could_not_be_read_is_shown() -> None:
    bad = {"name": "add", "args": "{a:", "id": "1", "error": "no JSON", "type": "invalid_tool_call"}
    assert brief(AIMessage("", invalid_tool_calls=[bad])) == "ai:  [calls add('{a:')]"


def test_no_address_and_no_order_of_a_set() -> None:
    assert brief({"o": object(), "s": {"b", "a", "c"}}) == "{o: <object object>, s: {'a', 'b', 'c'}}"


def test_long_values_are_cut_and_say_so() -> None:
    assert brief("x" * 500).endswith("… (502 characters)")
    assert len(brief("x" * 500)) < 200
