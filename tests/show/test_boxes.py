from show_samples import NASTY, words

from companion import show
from companion.lab.tokens import encode


def test_tokens_ids_and_count() -> None:
    assert str(show.tokens("1+1<|im_end|>")).splitlines() == [
        "4 tokens, 13 characters",
        "1 16  + 10  1 16  <|im_end|> 151645",
    ]


def test_html_shows_each_token_and_its_id() -> None:
    seen = words(show.tokens("weather in Paris"))
    assert "3 tokens" in seen
    assert all(str(token) in seen for token in encode("weather in Paris"))


def test_spaces_and_newlines_are_visible() -> None:
    assert "·world 1879  ⏎ 198" in str(show.tokens("hello world\n"))


def test_a_character_cut_into_tokens_shows_its_bytes() -> None:
    twin = str(show.tokens("龘"))
    assert "�" not in twin
    assert "\\x" in twin


def test_control_tokens_are_marked_and_everything_is_escaped() -> None:
    html = show.tokens(NASTY).html
    assert "<script" not in html
    assert "font-weight:bold" in html
    assert "font-weight:bold" not in show.tokens("plain").html


def test_no_text_is_no_tokens() -> None:
    assert str(show.tokens("")) == "0 tokens, 0 characters"
