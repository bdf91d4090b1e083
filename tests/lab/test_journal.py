"""The journal as a learner reads it."""

import pytest

from companion.lab.journal import Exchange, Journal


def test_an_empty_journal_says_what_to_do() -> None:
    with pytest.raises(IndexError, match="The journal is empty: call the model first"):
        Journal()[-1]


def test_the_oldest_exchanges_make_room() -> None:
    journal = Journal(limit=2)
    for path in ("/a", "/b", "/v1/chat/completions"):
        journal.record(Exchange(path, {}, 200, {}))
    assert [exchange.path for exchange in journal] == ["/b", "/v1/chat/completions"]
    assert [exchange.path for exchange in journal.chats()] == ["/v1/chat/completions"]
    assert len(journal) == 2
