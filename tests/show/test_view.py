from companion.show.view import View, columns, details, pre, table, tag, width


def test_plain_strings_are_escaped_everywhere() -> None:
    bad = "<script>\"&'"
    html = tag("p", bad, tag("b", bad), title=bad) + details(bad, bad) + table([bad], [[bad]])
    assert "<script>" not in html
    assert html.count("&lt;script&gt;&quot;&amp;&#x27;") == 7


def test_a_leading_newline_survives_html() -> None:
    assert ">\n\ntext</pre>" in pre("\ntext")


def test_columns_line_up_with_chinese_and_line_breaks() -> None:
    rows = columns(("city", "n"), [("上海", "1"), ("Rome\nItaly", "2")]).splitlines()
    assert rows == ["city   n", "上海   1", "Rome   2", "Italy"]
    assert [width(row) for row in rows[:3]] == [8, 8, 8]


def test_half_a_character_reaches_a_notebook_as_a_question_mark() -> None:
    shown = View(tag("p", "a\ud800"), "a\ud800")._repr_mimebundle_()
    assert shown == {"text/html": "<p>a?</p>", "text/plain": "a?"}
