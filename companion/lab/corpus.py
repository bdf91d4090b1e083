"""The lab's small web: 60 passages in corpus.jsonl and a full-text index over them, in SQLite's FTS5.

English words are stemmed. Chinese goes in as overlapping pairs of characters, because SQLite's own trigrams cannot
find a word of two. A passage in the language of the question is preferred. No synonyms, no translation.
"""

import json
import re
import sqlite3
from collections.abc import Iterator
from functools import cache
from importlib.resources import files
from threading import Lock
from typing import NamedTuple

HAN = "\u3400-\u9fff"
RUNS = re.compile(rf"[{HAN}]+|[^\W_{HAN}]+")
FILLERS = re.compile(  # what a question is made of besides its subject
    r"请问|什么|怎么|如何|多少|哪里|哪些|几点|可以|[的了吗呢是在]|\b(?:a|an|and|are|as|at|be|by|can|do|does|for|from|how|i|in|is|it|its"
    r"|me|my|near|not|of|on|or|should|tell|that|the|this|to|was|what|when|where|which|who|why|will|with|you|your)\b",
    re.IGNORECASE,
)
TITLE_WEIGHT = 3.0
SAME_LANGUAGE = 1.2
_lock = Lock()


class Page(NamedTuple):
    """One passage, as it would be found on the web."""

    title: str
    url: str
    content: str


@cache
def pages() -> list[Page]:
    """The passages, in the order of the file."""
    text = files("companion.lab").joinpath("corpus.jsonl").read_text(encoding="utf-8")
    return [Page(**json.loads(line)) for line in text.splitlines()]


def ranked(query: str) -> list[tuple[Page, float]]:
    """Every passage that shares a term with the query and its score between 0 and 1, best first."""
    expression = " OR ".join(operands(query))
    hits = []
    for row, relevance in matches(expression) if expression else ():
        page = pages()[row - 1]
        weight = relevance * (SAME_LANGUAGE if chinese(page.title) == chinese(query) else 1)
        hits.append((page, round(weight / (weight + 4), 4)))
    return sorted(hits, key=lambda hit: -hit[1])


def matches(expression: str) -> list[tuple[int, float]]:
    """Row numbers and BM25 relevance (larger is better) for an FTS5 expression."""
    question = "SELECT rowid, -bm25(passages, ?, 1.0) FROM passages WHERE passages MATCH ? ORDER BY rowid"
    with _lock:
        return index().execute(question, (TITLE_WEIGHT, expression)).fetchall()


@cache
def index() -> sqlite3.Connection:
    """The passages in a table in memory. One connection for all threads, used under the lock."""
    connection = sqlite3.connect(":memory:", check_same_thread=False)
    connection.execute("CREATE VIRTUAL TABLE passages USING fts5(title, content, tokenize='porter unicode61')")
    rows = [(" ".join(terms(page.title)), " ".join(terms(page.content))) for page in pages()]
    connection.executemany("INSERT INTO passages VALUES (?, ?)", rows)
    return connection


def operands(query: str) -> Iterator[str]:
    """The query as FTS5 terms, each in quotes so that no operator is left; one Chinese character is a prefix.

    >>> list(operands('the "tram" AND 西湖门票'))
    ['"tram"', '"西湖"', '"湖门"', '"门票"']
    """
    for term in dict.fromkeys(subject(query)):
        yield f'"{term}"*' if len(term) == 1 and chinese(term) else f'"{term}"'


def subject(query: str) -> list[str]:
    """The terms of a query without the words that every question has."""
    return terms(FILLERS.sub(" ", query))


def terms(text: str) -> list[str]:
    """Words in small letters, and Chinese in pairs.

    >>> terms("Go to 西湖边")
    ['go', 'to', '西湖', '湖边']
    """
    return [term for run in RUNS.findall(text.casefold()) for term in pairs(run)]


def pairs(run: str) -> list[str]:
    """A Chinese run as overlapping pairs, any other run whole."""
    if len(run) == 1 or not chinese(run):
        return [run]
    return [run[at : at + 2] for at in range(len(run) - 1)]


def chinese(text: str) -> bool:
    """Whether there is a Chinese character in the text."""
    return re.search(f"[{HAN}]", text) is not None
