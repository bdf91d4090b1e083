"""`check` in the hands of a learner: whatever is handed over, it says what to do in a few lines and raises nothing."""

import sys
import threading
from concurrent.futures import ThreadPoolExecutor
from dataclasses import replace

import pytest

from companion import check
from companion.exercises import exercises as registered
from companion.exercises import registry


def keep(old: list[str], new: list[str]) -> list[str]:
    """The right answer to exercise 1.1."""
    return [*old, *new][-3:]


async def later(old, new):
    return keep(old, new)


class Unspeakable(Exception):  # noqa: N818
    def __str__(self):
        raise RuntimeError("no words")


def raising(error):
    def answer(old, new):
        raise error

    return answer


@pytest.mark.parametrize("number", ["1.1", " 1.1 ", 1.1])
def test_the_number_may_be_written_in_any_way(number, capsys):
    check(number, keep)
    assert capsys.readouterr().out.startswith("Right. Exercise 1.1 is done")


@pytest.mark.parametrize("number", ["9.9", None, ["1.1"], "Exercise 1.1"])
def test_another_number_is_answered_with_those_there_are(number, capsys):
    check(number, keep)
    assert "There are: 1.1, 1.2" in capsys.readouterr().out


@pytest.mark.parametrize("answer", [None, "keep", 5, ["a"], {}, NotImplemented, list, keep([], [])])
def test_what_is_no_function_is_named(answer, capsys):
    check("1.1", answer)
    lines = capsys.readouterr().out.splitlines()
    assert lines[0] == "Not yet, exercise 1.1."
    assert lines[1] == "expected: a function"
    assert "hand over the function by its name" in lines[3]


@pytest.mark.filterwarnings("error")
def test_an_async_function_is_named_and_not_called(capsys):
    check("1.1", later)
    assert "`def`, not `async def`" in capsys.readouterr().out


def test_two_answers_are_one_too_many(capsys):
    check("1.1", keep, keep)
    assert "expected: one answer" in capsys.readouterr().out


@pytest.mark.parametrize(
    ("answer", "words"),
    [
        (raising(SystemExit(3)), "raised SystemExit"),
        (lambda old, new: sys.exit("bye"), "raised SystemExit"),
        (raising(KeyboardInterrupt()), "raised KeyboardInterrupt"),
        (raising(GeneratorExit()), "raised GeneratorExit"),
        (raising(Unspeakable()), "Unspeakable, which cannot be shown"),
        (raising(ValueError("one\ntwo")), "it says:  one two"),
        (lambda old: old, "takes 1 positional argument but 2 were given"),
    ],
)
def test_whatever_an_answer_raises_is_told(answer, words, capsys, own_progress):
    check("1.1", answer)
    said = capsys.readouterr().out
    assert words in said
    assert len(said.splitlines()) == 3
    assert not own_progress.exists()


def test_an_interrupted_check_leaves_nothing_running(monkeypatch):
    monkeypatch.setitem(registry._known, "1.1", replace(registered()["1.1"], seconds=30))
    before = threading.active_count()

    def endless(old, new):
        while True:
            pass

    def interrupt(self, timeout=None):
        monkeypatch.undo()
        raise KeyboardInterrupt

    monkeypatch.setattr(threading.Thread, "join", interrupt)
    with pytest.raises(KeyboardInterrupt):
        check("1.1", endless)
    assert threading.active_count() == before


@pytest.mark.filterwarnings("ignore::pytest.PytestUnhandledThreadExceptionWarning")  # Python itself says nothing
def test_threads_of_a_stopped_answer_end_without_a_word(monkeypatch, capfd, caplog):
    monkeypatch.setitem(registry._known, "1.1", replace(registered()["1.1"], seconds=0.5))

    def endless():
        while True:
            pass

    def answer(old, new):
        pool = ThreadPoolExecutor(2)
        pool.submit(int)
        threading.Thread(target=endless, daemon=True).start()
        return pool.submit(endless).result()

    check("1.1", answer)
    out, err = capfd.readouterr()
    assert "no end after 0.5 seconds" in out
    assert err == ""
    assert caplog.records == []
