"""Search through the real TavilyClient over loopback, then the answers that the client never shows."""

import json
from typing import Any

import pytest
import requests
from tavily import BadRequestError, InvalidAPIKeyError, TavilyClient, UsageLimitExceededError
from tavily.errors import ForbiddenError

from companion.lab.search import search

KEY = "Bearer tvly-lab"


def client_for(url: str, key: str) -> TavilyClient:
    session = requests.Session()
    session.trust_env = False
    return TavilyClient(api_key=key, api_base_url=url, session=session)


@pytest.fixture
def client(lab_url: str) -> TavilyClient:
    return client_for(lab_url, "tvly-lab")


def found(query: str, **fields: Any) -> dict[str, Any]:
    status, body = search({"query": query, **fields}, KEY)
    assert status == 200, body
    return body


def refusal(body: Any, key: str | None = KEY) -> tuple[int, str]:
    status, answer = search(body, key)
    assert list(answer) == ["detail"] and list(answer["detail"]) == ["error"]
    return status, answer["detail"]["error"]


@pytest.mark.parametrize(
    ("query", "title", "fact"),
    [
        ("What is the best time to visit Bangkok?", "Best time to visit Bangkok", "November to February"),
        ("When does the last tram on line 7 leave?", "Tram Line 7 of Fableton (fictional)", "23:50"),
        ("clock museum opening hours", "Fableton Clock Museum (fictional): opening hours", "17:30"),
        ("default recursion_limit", "recursion_limit in LangGraph", "10007"),
        ("What is LangGraph?", "What is LangGraph?", "StateGraph"),
        ("曼谷旅游最佳季节", "曼谷旅游的最佳季节", "十一月到次年二月"),
        ("西湖要门票吗？", "杭州西湖的门票与最佳季节", "免费"),
        ("退货", "茶壶父子网店（虚构）退货规则", "三十天"),
        ("LangGraph 持久化", "LangGraph 持久化与检查点", "SqliteSaver"),
        ("LangGraph是什么？", "LangGraph 是什么：状态与节点", "快照"),
    ],
)
def test_a_question_finds_its_passage(client: TavilyClient, query: str, title: str, fact: str) -> None:
    first = client.search(query=query, search_depth="basic", max_results=5)["results"][0]
    assert first["title"] == title
    assert fact in first["content"]


def test_the_answer_has_tavilys_shape(client: TavilyClient) -> None:
    body = client.search("museum opening hours")
    assert list(body) == [
        "query",
        "follow_up_questions",
        "answer",
        "images",
        "results",
        "response_time",
        "request_id",
    ]
    assert body["query"] == "museum opening hours"
    assert body["answer"] is None and body["images"] == []
    assert {tuple(result) for result in body["results"]} == {("title", "url", "content", "score", "raw_content")}


@pytest.mark.parametrize(("wanted", "count"), [(0, 0), (1, 1), (5, 5), (20, 20), (None, 5)])
def test_max_results(client: TavilyClient, wanted: int | None, count: int) -> None:
    assert len(client.search("best month, opening hours, tools and state", max_results=wanted)["results"]) == count


def test_an_answer_is_taken_from_the_best_passage(client: TavilyClient) -> None:
    question = "How much is a day ticket for tram line 7?"
    short = client.search(question, include_answer=True)["answer"]
    assert short == "A single ticket costs 2.60 crowns, a day ticket 7 crowns; children under six ride free."
    assert client.search(question, include_answer="basic")["answer"] == short
    advanced = client.search(question, include_answer="advanced")["answer"]
    assert short in advanced and len(advanced) > len(short)
    assert client.search("图书馆罚款", include_answer=True)["answer"] == "逾期每天罚款两角，最多不超过六元。"


def test_raw_content_only_on_request() -> None:
    assert found("Oslo")["results"][0]["raw_content"] is None
    for form in (True, "markdown", "text"):
        first = found("Oslo", include_raw_content=form)["results"][0]
        assert first["raw_content"] == first["content"]


def test_domains() -> None:
    titles = [result["title"] for result in found("Fableton", include_domains=["example.org/fableton"])["results"]]
    assert titles and all("Fableton" in title for title in titles)
    assert found("Fableton", exclude_domains=["EXAMPLE.org"])["results"] == []
    assert found("Fableton", include_domains=["ample.org"])["results"] == []
    assert found("Fableton", include_domains=["python.org", "example.org"])["results"] == found("Fableton")["results"]


def test_no_match_is_no_error(client: TavilyClient) -> None:
    body = client.search("qwertz zxcvb", include_answer=True)
    assert body["results"] == [] and body["answer"] is None


@pytest.mark.parametrize(
    ("key", "raised", "text"),
    [
        ("tvly-wrong", InvalidAPIKeyError, "missing or invalid API key"),
        ("sk-other", InvalidAPIKeyError, "missing or invalid API key"),
        ("tvly-limit", UsageLimitExceededError, "excessive requests"),
        ("tvly-plan", ForbiddenError, "usage limit"),
    ],
)
def test_refused_keys_raise_the_clients_errors(lab_url: str, key: str, raised: type[Exception], text: str) -> None:
    with pytest.raises(raised, match=text):
        client_for(lab_url, key).search("Oslo")


def test_keyless_mode_is_refused(lab_url: str, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.delenv("TAVILY_API_KEY", raising=False)
    monkeypatch.setenv("NO_PROXY", "127.0.0.1")
    with pytest.raises(InvalidAPIKeyError):
        TavilyClient(api_base_url=lab_url).search("Oslo")


@pytest.mark.parametrize("header", [None, "", "Bearer", "Bearer ", "tvly-lab", "Basic tvly-lab", "Bearer TVLY-lab"])
def test_a_header_without_a_key_is_401(header: str | None) -> None:
    assert refusal({"query": "Oslo"}, header) == (401, "Unauthorized: missing or invalid API key.")


def test_the_key_is_checked_before_the_query() -> None:
    assert refusal({}, None)[0] == 401


def test_a_long_query_raises_the_clients_error(client: TavilyClient) -> None:
    assert client.search("Oslo " * 80)["results"]
    with pytest.raises(BadRequestError, match="Max query length is 400 characters"):
        client.search("Oslo " * 80 + "and more")


@pytest.mark.parametrize("body", [{}, {"query": None}, {"query": ""}, {"query": " \n"}])
def test_a_missing_query(body: dict[str, Any]) -> None:
    assert refusal(body) == (400, "Query is missing.")


@pytest.mark.parametrize(
    ("field", "value"),
    [
        ("query", 5),
        ("query", ["Oslo"]),
        ("query", "\ud800"),
        ("max_results", -1),
        ("max_results", 21),
        ("max_results", "5"),
        ("max_results", True),
        ("search_depth", "deep"),
        ("topic", "sport"),
        ("include_answer", "long"),
        ("include_answer", 1),
        ("include_raw_content", []),
        ("include_images", "no"),
        ("include_domains", "example.org"),
        ("exclude_domains", [1]),
    ],
)
def test_a_wrong_value_names_its_field(field: str, value: object) -> None:
    status, text = refusal({"query": "Oslo", field: value})
    assert status == 400
    assert text.startswith(f"Invalid {field}. ")


@pytest.mark.parametrize("body", [[], "Oslo", None, 7])
def test_a_body_that_is_no_object(body: Any) -> None:
    assert refusal(body) == (400, "The body must be a JSON object.")


def test_both_forms_of_include_answer_are_named() -> None:
    _, text = refusal({"query": "Oslo", "include_answer": "long"})
    assert "boolean" in text and "'basic'" in text


def test_other_fields_of_the_client_change_nothing(client: TavilyClient) -> None:
    plain = client.search("Oslo")
    assert client.search("Oslo", time_range="day", country="norway", include_favicon=True, days=3) == plain


def test_the_same_search_has_the_same_bytes() -> None:
    assert json.dumps(found("Oslo")) == json.dumps(found("Oslo"))
    assert found("Oslo")["request_id"] != found("Lisbon")["request_id"]
