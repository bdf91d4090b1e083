"""The claims of lesson 5 about state: what overwrites, what appends, what is lost without a word."""

import dataclasses
import json
import operator
from pathlib import Path
from typing import Annotated, Any, TypedDict, get_type_hints

import openai
import pytest
from langchain_core.messages import AIMessage, HumanMessage, RemoveMessage, ToolMessage, trim_messages
from langgraph.checkpoint.memory import InMemorySaver
from langgraph.errors import InvalidUpdateError
from langgraph.graph import END, START, MessagesState, StateGraph
from langgraph.graph.message import REMOVE_ALL_MESSAGES, add_messages
from pydantic import BaseModel, ConfigDict
from scripted import ONE, Scripted, add, contents, line, loop, one_plus_one, types


class Plain(TypedDict):
    messages: list[Any]


class Added(TypedDict):
    messages: Annotated[list[Any], operator.add]


TRUTH = Path(__file__).parents[1] / "data" / "ground-truth"
RESULT = ToolMessage("2", tool_call_id="c1")
TURN = [one_plus_one(), RESULT, AIMessage("2")]
HISTORY = [HumanMessage("q1"), *TURN, HumanMessage("q2"), *TURN]


def two_writers(state: type) -> list[Any]:
    graph = line(state, a=lambda s: {"messages": [AIMessage("a")]}, b=lambda s: {"messages": [AIMessage("b")]})
    return contents(graph.invoke({"messages": [HumanMessage("hi")]}))


def test_claim_2_07_and_2_46_and_4_03_a_plain_list_keeps_only_the_last_write() -> None:
    assert two_writers(Plain) == ["b"]


def test_claim_2_08_add_messages_appends() -> None:
    assert two_writers(MessagesState) == ["hi", "a", "b"]


def test_claim_2_08_a_known_id_replaces_and_a_missing_one_is_made() -> None:
    replaced = add_messages([HumanMessage("old", id="1")], [HumanMessage("new", id="1")])
    assert [message.content for message in replaced] == ["new"]
    assert all(message.id for message in add_messages([], [HumanMessage("hi"), HumanMessage("hi")]))


def test_claim_4_04_duplicates_are_removed_by_id_only() -> None:
    same = [AIMessage("x", id="1"), AIMessage("x", id="2"), AIMessage("x"), AIMessage("x")]
    assert len(add_messages([AIMessage("x", id="1")], same)) == 4


class Summarized(MessagesState):
    summary: str


@pytest.mark.parametrize(("update", "left"), [([], 3), ([RemoveMessage(id=REMOVE_ALL_MESSAGES)], 0)])
def test_claim_2_09_an_empty_list_clears_nothing_and_a_remove_message_does(update: list[Any], left: int) -> None:
    graph = line(Summarized, summarize=lambda state: {"summary": "short", "messages": update})
    assert len(graph.invoke({"messages": ["a", "b", "c"]})["messages"]) == left


def test_claim_2_09_none_and_an_unknown_id_are_errors() -> None:
    with pytest.raises(ValueError):
        line(Summarized, summarize=lambda state: {"messages": None}).invoke({"messages": ["a"]})
    with pytest.raises(ValueError, match="delete a message with an ID that doesn't exist"):
        add_messages([HumanMessage("a", id="1")], [RemoveMessage(id="9")])


class TypedDefault(TypedDict):
    q: str
    intent: str = "chat"  # runs, although a type checker refuses it


class ModelDefault(BaseModel):
    q: str
    intent: str = "chat"


@dataclasses.dataclass
class ClassDefault:
    q: str
    intent: str = "chat"


def test_claim_2_20_a_default_in_a_typeddict_is_ignored() -> None:
    with pytest.raises(KeyError, match="intent"):
        line(TypedDefault, a=lambda state: {"q": state["intent"]}).invoke({"q": "x"})


@pytest.mark.parametrize("state", [ModelDefault, ClassDefault])
def test_claim_2_20_a_default_works_in_a_pydantic_or_dataclass_state(state: type) -> None:
    assert line(state, a=lambda state: {"q": state.intent}).invoke({"q": "x"})["q"] == "chat"


class Numbered(MessagesState):
    n: int


@pytest.mark.parametrize("update", [{"message": ["x"]}, {"message": ["x"], "n": 5}])
def test_claim_2_47_a_misspelt_key_is_dropped_from_a_node_without_an_error(update: dict[str, Any]) -> None:
    state = line(Numbered, a=lambda state: update).invoke({"messages": "hi", "n": 0})
    assert (contents(state), state["n"], set(state)) == (["hi"], update.get("n", 0), {"messages", "n"})


def test_claim_2_47_a_misspelt_key_of_the_input_and_of_a_forbidding_model_is_dropped_too() -> None:
    class Forbidding(BaseModel):
        model_config = ConfigDict(extra="forbid")
        n: int = 0

    assert line(Numbered, a=lambda state: {}).invoke({"message": "hi", "n": 0})["messages"] == []
    assert line(Forbidding, a=lambda state: {"m": 1}).invoke({"n": 1}) == {"n": 1}


def test_claim_2_47_a_wrapper_around_the_node_finds_it() -> None:
    def checked(node: Any) -> Any:
        def run(state: Numbered) -> Any:
            update = node(state)
            if unknown := set(update) - set(get_type_hints(Numbered)):
                raise KeyError(f"unknown keys {sorted(unknown)}")
            return update

        return run

    with pytest.raises(KeyError, match=r"unknown keys \['message'\]"):
        line(Numbered, a=checked(lambda state: {"message": ["x"]})).invoke({"messages": "hi"})


def mutate(state: Any) -> dict[str, Any]:
    state["messages"].append(AIMessage("mutated"))
    return {}


def test_claim_2_48_a_scalar_set_in_place_is_lost() -> None:
    def scalar(state: Numbered) -> dict[str, Any]:
        state["n"] = 99
        return {}

    assert line(Numbered, a=scalar).invoke({"n": 1})["n"] == 1


@pytest.mark.parametrize(("durability", "saved"), [("sync", ["hi"]), ("exit", ["hi", "mutated"])])
def test_claim_2_48_a_list_changed_in_place_is_seen_and_saved_or_not(durability: Any, saved: list[str]) -> None:
    seen: list[list[str]] = []
    graph = line(MessagesState, InMemorySaver(), a=mutate, b=lambda state: seen.append(contents(state)))
    result = graph.invoke({"messages": [HumanMessage("hi")]}, ONE, durability=durability)
    assert seen == [contents(result)] == [["hi", "mutated"]]
    assert contents(graph.get_state(ONE).values) == saved


def test_claim_2_48_a_later_proper_write_saves_it_after_all() -> None:
    graph = line(MessagesState, InMemorySaver(), a=mutate, b=lambda state: {"messages": [AIMessage("b")]})
    graph.invoke({"messages": [HumanMessage("hi")]}, ONE, durability="sync")
    assert contents(graph.get_state(ONE).values) == ["hi", "mutated", "b"]


@pytest.mark.parametrize(
    ("state", "saved"),
    [(MessagesState, ["hi", "mutated"]), (Plain, ["hi", "mutated"]), (Added, ["hi", "mutated"] * 2)],
)
def test_claim_2_49_append_and_return_the_same_list_is_right_except_with_an_adding_reducer(
    state: type, saved: list[str]
) -> None:
    graph = line(state, InMemorySaver(), a=lambda state: mutate(state) | {"messages": state["messages"]})
    graph.invoke({"messages": [HumanMessage("hi")]}, ONE)
    assert contents(graph.get_state(ONE).values) == saved


@pytest.mark.parametrize(("state", "kept"), [(Plain, ["new"]), (Added, ["hi", "new"]), (MessagesState, ["hi", "new"])])
def test_claim_2_49_a_new_list_is_merged_by_the_reducer(state: type, kept: list[str]) -> None:
    graph = line(state, a=lambda state: {"messages": [AIMessage("new")]})
    assert contents(graph.invoke({"messages": [HumanMessage("hi")]})) == kept


@pytest.mark.parametrize(
    ("count", "start", "left"),
    [
        (6, None, ["tool", "ai", "human", "ai", "tool", "ai"]),
        (6, "human", ["human", "ai", "tool", "ai"]),
        (2, "human", []),
    ],
)
def test_claim_2_56_keeping_the_last_messages_cuts_a_pair_or_everything(count: int, start: Any, left: Any) -> None:
    kept = trim_messages(HISTORY, max_tokens=count, token_counter=len, strategy="last", start_on=start)
    assert types(kept) == left


BROKEN = [HumanMessage("x"), one_plus_one(), HumanMessage("y")]


def test_claim_1_55_a_broken_pair_is_refused_by_create_react_agent_only(agents: Any, create_react_agent: Any) -> None:
    model = Scripted(script=[AIMessage("ok")])
    checking = create_react_agent(model, [add])
    with pytest.raises(ValueError, match="do not have a corresponding ToolMessage"):
        checking.invoke({"messages": BROKEN})
    for agent in (agents.create_agent(model, [add]), loop(model, [add])):
        assert contents(agent.invoke({"messages": BROKEN}))[-1] == "ok"


@pytest.mark.parametrize("broken", [BROKEN, [RESULT, HumanMessage("x")]], ids=["call alone", "result alone"])
def test_claim_2_57_half_a_pair_is_sent_as_it_is_and_a_checking_server_answers_400(stub: Any, broken: Any) -> None:
    stub.replies = [(400, {"error": {"message": "a call and its result belong together"}})]
    with pytest.raises(openai.BadRequestError, match="belong together"):
        stub.model().invoke(broken)
    roles = {"human": "user", "ai": "assistant", "tool": "tool"}
    assert [message["role"] for message in stub.requests[0]["messages"]] == [roles[kind] for kind in types(broken)]


def test_claim_1_54_each_request_holds_what_it_was_given_and_the_tools_again(stub: Any) -> None:
    bound = stub.model().bind_tools([add])
    for question in ("Bangkok?", "and tomorrow?"):
        bound.invoke(question)
    sent = [([message["content"] for message in body["messages"]], len(body["tools"])) for body in stub.requests]
    assert sent == [(["Bangkok?"], 1), (["and tomorrow?"], 1)]


def test_claim_2_57_a_real_vllm_answers_a_result_whose_id_matches_no_call() -> None:
    captures = json.loads((TRUTH / "wire.json").read_text(encoding="utf-8"))["captures"]
    (orphan,) = [capture for capture in captures if capture["name"] == "orphan_tool_message"]
    call, result = orphan["request"]["messages"][1:]
    assert call["tool_calls"][0]["id"] != result["tool_call_id"]
    assert orphan["status"] == 200


class Base(TypedDict, total=False):
    messages: Annotated[list[Any], add_messages]
    log: Annotated[list[str], operator.add]
    status: str


class Weather(Base, total=False):
    city: str


class Outer(TypedDict):
    question: str


class Inner(TypedDict):
    query: str
    found: str


def test_claim_1_58_shared_keys_flow_and_private_keys_stay_inside() -> None:
    inner = line(Weather, a=lambda state: {"city": "Rome"}, b=lambda state: {"status": state["city"] + " ok"})
    assert line(Base, inner=inner).invoke({"messages": "hi"}).keys() == {"messages", "log", "status"}


def test_claim_1_58_without_a_shared_key_the_subgraph_gets_nothing_and_gives_nothing() -> None:
    seen: list[dict[str, Any]] = []
    inner = line(
        TypedDict("Inner", {"query": str, "found": str}), a=lambda state: seen.append(dict(state)) or {"found": "x"}
    )
    assert line(TypedDict("Outer", {"q": str, "a": str}), inner=inner).invoke({"q": "hi"}) == {"q": "hi"}
    assert seen == [{}]


def test_claim_1_58_an_adding_reducer_doubles_what_a_subgraph_hands_back() -> None:
    inner = line(Base, a=lambda state: {"log": ["inner"]})
    assert line(Base, inner=inner).invoke({"log": ["in"]})["log"] == ["in", "in", "inner"]


def test_claim_x_05_two_branches_that_write_one_key_need_a_reducer() -> None:
    def both(state: type) -> Any:
        builder = StateGraph(state)
        for name in "ab":
            builder.add_node(name, lambda state: {"n": 1})
            builder.add_edge(START, name)
            builder.add_edge(name, END)
        return builder.compile().invoke({"n": 0})

    with pytest.raises(InvalidUpdateError, match="Can receive only one value per step"):
        both(TypedDict("Overwritten", {"n": int}))
    assert both(TypedDict("Summed", {"n": Annotated[int, operator.add]})) == {"n": 2}


@pytest.mark.parametrize(("keep", "kept"), [(2, 2), (3, 4)])
def test_claim_x_26_the_summarization_middleware_keeps_a_pair_whole(agents: Any, keep: int, kept: int) -> None:
    model, writer = Scripted(script=[AIMessage("ok")]), Scripted(script=[AIMessage("SUMMARY")])
    kind = agents.middleware.SummarizationMiddleware
    middleware = kind(model=writer, trigger=("messages", 4), keep=("messages", keep))
    agents.create_agent(model, [], middleware=[middleware]).invoke({"messages": HISTORY[:5]})
    assert types(model.seen[0]) == ["human", *types(HISTORY[5 - kept : 5])]
