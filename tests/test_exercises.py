"""The exercises of all lessons: stubs are calm, solutions pass, wrong answers are refused by name, quizzes are fair."""

import linecache
import re
import time
from collections import Counter
from dataclasses import replace
from pathlib import Path

import pytest

from companion.exercises import exercises as registered
from companion.exercises import registry
from notebooks import DETAILS, LESSONS, check_call, exercises, read

SOUND = {exercise.number: (path, exercise) for path in LESSONS for exercise in exercises(path)}
NUMBERS = sorted(SOUND, key=lambda number: [int(part) for part in number.split(".")])
by_number = pytest.mark.parametrize("number", NUMBERS)
BANK = Path(__file__).parent / "exercises"
QUESTION = re.compile(r"^### Question (\d+\.\d+)$", re.MULTILINE)


def wrong_answers(number):
    """Answers that people give, each banked after a line `# 4.1: a word of the symptom that the check must name`."""
    text = (BANK / f"wrong_{number.split('.')[0]}.txt").read_text(encoding="utf-8")
    banked = re.findall(rf"^# {re.escape(number)}: (.+)\n((?:(?!# \d+\.\d+: ).*\n)*)", text, re.MULTILINE)
    first = "".join(code for symptom, code in banked if symptom == "before each")
    return [(symptom, first + code) for symptom, code in banked if symptom != "before each"]


@pytest.fixture(scope="module")
def lesson_names():
    """What a learner's kernel holds when the exercises come: the lesson's teaching cells, run once a lesson."""
    spaces = {}

    def names(path):
        if path not in spaces:
            space = {"__name__": "__main__", "display": lambda *_: None}
            stubs = {exercise.cell for exercise in exercises(path)}
            for i, cell in enumerate(read(path).cells):
                if cell.cell_type == "code" and i not in stubs and not cell.source.lstrip().startswith("%"):
                    exec(compile(cell.source, f"<cell {i}>", "exec"), space)
            spaces[path] = space
        return dict(spaces[path])

    return names


def answer(number, code, names, capsys):
    """Run code in place of the stub, then the notebook's own check call; return what it printed."""
    path, exercise = SOUND[number]
    space, cell, source = names(path), f"<exercise {number}>", code + "\n" + check_call(exercise.stub)
    linecache.cache[cell] = (len(source), None, source.splitlines(keepends=True), cell)  # as a notebook's kernel does
    capsys.readouterr()
    exec(compile(source, cell, "exec"), space)
    return capsys.readouterr().out


def test_every_registered_exercise_stands_in_a_lesson_and_the_other_way_round():
    assert sorted(SOUND) == sorted(registered())
    counts = Counter(number.split(".")[0] for number in SOUND)
    assert all(3 <= counts[lesson] <= 5 for lesson in counts)


@by_number
def test_an_exercise_has_its_form(number):
    exercise = SOUND[number][1]
    assert re.search(r"^difficulty [1-5]/5 · \d+ minutes$", exercise.task, re.MULTILINE)
    assert exercise.summaries[-1] == "Solution"
    assert any(name.startswith("Stuck?") for name in exercise.summaries)
    assert f'check("{number}"' in exercise.stub
    title = re.search(r"### Exercise \S+ - (.+)", exercise.task)[1]
    assert title == registered()[number].title


@by_number
def test_an_untouched_stub_is_calm(number, lesson_names, capsys, own_progress):
    said = answer(number, SOUND[number][1].stub.split("check(")[0], lesson_names, capsys)
    assert said.startswith(f"Exercise {number} is open")
    assert len(said.splitlines()) == 1
    assert not own_progress.exists()


@by_number
def test_the_solution_passes(number, lesson_names, capsys):
    said = answer(number, SOUND[number][1].solution, lesson_names, capsys)
    assert said.splitlines()[-1].startswith(f"Right. Exercise {number} is done"), said


@pytest.mark.parametrize(
    ("number", "symptom", "code"), [(n, symptom, code) for n in NUMBERS for symptom, code in wrong_answers(n)]
)
def test_a_wrong_answer_is_refused_by_its_symptom(number, symptom, code, lesson_names, capsys):
    said = answer(number, code, lesson_names, capsys)
    lines = said.splitlines()
    start = next((i for i, line in enumerate(lines) if line.startswith(f"Not yet, exercise {number}")), None)
    assert start is not None, said
    assert symptom.casefold() in said.casefold(), said
    assert len(lines) - start <= 4
    assert "Traceback" not in said


@by_number
def test_an_endless_answer_is_stopped(number, lesson_names, capsys, monkeypatch):
    """The stub with an endless loop as its body, judged within one second instead of the exercise's own time."""
    monkeypatch.setitem(registry._known, number, replace(registered()[number], seconds=1))
    body = SOUND[number][1].stub.split("check(")[0]
    loop = "def endless(*args, **kwargs):\n    while True:\n        pass\n"
    endless = re.sub(r"^(\s+)\.\.\.$", r"\1while True:\n\1    pass", body, flags=re.MULTILINE)
    endless = loop + re.sub(r"= \.\.\.", "= endless", endless)
    lesson_names(SOUND[number][0])  # the lesson's own cells take their time
    begun = time.monotonic()
    said = answer(number, endless, lesson_names, capsys)
    assert time.monotonic() - begun < 8
    assert f"Not yet, exercise {number}" in said


def test_three_wrong_answers_or_more_are_banked_for_each():
    assert {number for number in NUMBERS if len(wrong_answers(number)) < 3} == set()


def questions(path):
    return [cell.source for cell in read(path).cells if cell.cell_type == "markdown" and QUESTION.search(cell.source)]


@pytest.mark.parametrize("path", [p for p in LESSONS if exercises(p)], ids=lambda path: path.stem)
def test_a_quiz_is_fair(path):
    quiz = questions(path)
    assert 3 <= len(quiz) <= 5
    headings = re.findall(r"^#+ (.+)$", "\n".join(c.source for c in read(path).cells), re.MULTILINE)
    anchors = {heading.strip().replace(" ", "-") for heading in headings}
    places, longest = Counter(), 0
    for question in quiz:
        choices = DETAILS.findall(question)
        right = [i for i, (_, why) in enumerate(choices) if why.strip().startswith("Right.")]
        assert len(right) == 1
        assert len(choices) in (3, 4)
        assert all(re.match(r"\s*(Right|Wrong)\. \w", why) for _, why in choices)
        linked = re.findall(r'(?:href="#|\(#)([^")]+)[")]', choices[right[0]][1])
        assert linked
        assert set(linked) <= anchors
        lengths = [len(name) for name, _ in choices]
        longest += lengths[right[0]] == max(lengths) and lengths.count(max(lengths)) == 1
        places[right[0]] += 1
    assert max(places.values()) <= (len(quiz) + 1) // 2
    assert longest <= len(quiz) // 2


def test_the_count_is_told(tell):
    refused = sum(len(wrong_answers(number)) for number in NUMBERS)
    quiz = sum(len(questions(path)) for path in LESSONS)
    solved = sum(bool(exercise.solution) for _, exercise in SOUND.values())
    tell(f"exercises: {len(NUMBERS)}, solutions: {solved}, wrong answers: {refused}, quiz questions: {quiz}")
    assert solved == len(NUMBERS)
