from langchain_core.messages import AIMessage, HumanMessage, ToolMessage
from show_samples import NASTY, words

from companion import show


def call(name: str, call_id: str, **args: object) -> dict[str, object]:
    return {"name": name, "args": args, "id": call_id, "type": "tool_call"}


def conversation(first: str, second: str) -> list[object]:
    calls = [call("add", first, a=1), call("add", second, a=2)]
    results = [ToolMessage("2", tool_call_id=second), ToolMessage("bad", tool_call_id=first, status="error")]
    return [HumanMessage("both?"), AIMessage("", tool_calls=calls, id=f"run-{first}"), *results]


def test_calls_are_numbered_and_results_point_at_them() -> None:
    assert str(show.messages(conversation("id-a", "id-b"))).splitlines() == [
        "#  role   content  tool calls        answers",
        "1  human  both?",
        "2  ai              call 1: add(a=1)",
        "                   call 2: add(a=2)",
        "3  tool   2                          call 2",
        "4  tool   bad                        call 1 (error)",
    ]


def test_ids_do_not_change_the_picture() -> None:
    one, two = show.messages(conversation("a", "b")), show.messages(conversation("c", "d"))
    assert (one.html, str(one)) == (two.html, str(two))


def test_a_result_that_answers_nothing_says_so() -> None:
    assert "no call has the id 'lost'" in str(show.messages([ToolMessage("2", tool_call_id="lost")]))


def test_words_of_others_are_escaped() -> None:
    odd = AIMessage(NASTY, tool_calls=[call(NASTY, NASTY, a=NASTY)])
    view = show.messages([odd, ToolMessage(NASTY, tool_call_id=NASTY), ToolMessage("", tool_call_id=NASTY + "!")])
    assert "<script" not in view.html
    assert words(view).count("<script>") == 5


def test_a_state_and_dicts_and_pairs_will_do() -> None:
    expected = str(show.messages([HumanMessage("hi"), AIMessage("hello")]))
    pairs = [("user", "hi"), {"role": "assistant", "content": "hello"}]
    assert str(show.messages(pairs)) == str(show.messages({"messages": pairs})) == expected
