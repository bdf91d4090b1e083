"""Executing a lesson: what is stored, what is told, what stays as it was."""

import nbformat
import pytest

from companion.run import chosen, run, table


@pytest.fixture
def lesson(tmp_path):
    def make(*sources):
        notebook = nbformat.v4.new_notebook(cells=[nbformat.v4.new_code_cell(source) for source in sources])
        path = tmp_path / "01_made_up.ipynb"
        nbformat.write(notebook, path)
        return path

    return make


def test_outputs_are_stored_the_same_each_time(lesson):
    path = lesson("x = 20", "print(x + 22)")
    run([path], write=True)
    first = path.read_bytes()
    run([path], write=True)
    assert path.read_bytes() == first
    assert [cell.id for cell in nbformat.read(path, 4).cells] == ["cell-01", "cell-02"]
    assert b'"42\\n"' in first


def test_a_run_without_write_leaves_the_file_alone(lesson):
    path = lesson("print(1)")
    before = path.read_bytes()
    (result,) = run([path])
    assert result.error is None
    assert path.read_bytes() == before


def test_a_failing_cell_is_told_and_nothing_is_stored(lesson):
    path = lesson("print(1)", "1 / 0")
    before = path.read_bytes()
    (result,) = run([path], write=True)
    assert result.error == "ZeroDivisionError: division by zero"
    assert path.read_bytes() == before
    assert "01_made_up      2" in table([result])


def test_a_lesson_named_twice_is_run_once_and_no_name_is_no_lesson():
    assert [path.stem for path in chosen(["3", "03_raw_prompt", "0"])] == ["03_raw_prompt", "00_start_here"]
    with pytest.raises(FileNotFoundError, match="No lesson ''"):
        chosen([""])
