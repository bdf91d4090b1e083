"""The corpus: its form, and that every question in words finds what it asks for."""

import re
from concurrent.futures import ThreadPoolExecutor

import pytest

from companion.lab.corpus import Page, pages, ranked


def best(query: str) -> str:
    return ranked(query)[0][0].title


def test_scores_fall_and_stay_between_0_and_1() -> None:
    scores = [score for _, score in ranked("best time to visit Tokyo")]
    assert len(scores) > 5
    assert scores == sorted(scores, reverse=True)
    assert 0 < scores[-1] <= scores[0] < 1


@pytest.mark.parametrize("page", pages(), ids=lambda page: page.url.removeprefix("https://example.org/"))
def test_every_passage_is_found_by_its_own_title(page: Page) -> None:
    assert best(page.title) == page.title


def test_the_corpus_keeps_its_form() -> None:
    assert len({page.url for page in pages()}) == len({page.title for page in pages()}) == len(pages()) == 60
    for page in pages():
        assert page.url.startswith("https://example.org/")
        in_chinese = re.search("[一-鿿]", page.title) is not None
        assert 60 <= len(page.content) <= 160 if in_chinese else 40 <= len(page.content.split()) <= 90, page.url


def test_the_language_of_the_question_is_preferred() -> None:
    assert best("recursion_limit") == "recursion_limit in LangGraph"
    assert best("recursion_limit 是什么") == "循环次数上限 recursion_limit"


def test_one_chinese_character_is_enough() -> None:
    assert "上海旅游的最佳季节" in [page.title for page, _ in ranked("雨")]


@pytest.mark.parametrize("query", ['"', "'", "*", "()", "?!…", "-", "a\0b", "^", "{}", "。，", "the of", "x" * 400])
def test_signs_alone_find_nothing(query: str) -> None:
    assert ranked(query) == []


@pytest.mark.parametrize(
    "query",
    [
        'Oslo "daylight',
        "Oslo AND daylight",
        "daylight NOT Oslo",
        'NEAR("Oslo daylight", 2)',
        "title:Oslo daylight*",
        "(Oslo OR",
        "Oslo'); DROP TABLE passages; -- daylight",
        "^Oslo + -daylight {content}",
    ],
)
def test_operators_are_only_words(query: str) -> None:
    assert best(query) == "Best time to visit Oslo"


def test_threads_do_not_disturb_each_other() -> None:
    queries = [page.title for page in pages()] * 3
    with ThreadPoolExecutor(8) as pool:
        firsts = pool.map(best, queries)
    assert list(firsts) == queries
