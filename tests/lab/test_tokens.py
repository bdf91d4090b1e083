"""Token ids, against the captures.

prompts.json was captured with the older table of control tokens, in which <tool_response>, </tool_response>, <think>
and </think> are ordinary text; the genuine Qwen3 table (prompts-thinking.json) counts each as one token. So a prompt
with one of the four is counted here by an encoder without them.
"""

from functools import cache

import pytest
import tiktoken
from lab_client import captured, lab, named

from companion.lab.tokens import CONTROL_TOKENS, SPLIT, decode, encode, encoding, pieces

NEWER = {"<tool_response>", "</tool_response>", "<think>", "</think>"}
PROMPTS = [case for case in captured("prompts")["cases"] if "prompt" in case]
ENDPOINTS = captured("endpoints")


@cache
def older_encoding() -> tiktoken.Encoding:
    ordinary = encoding().n_vocab - len(CONTROL_TOKENS)
    ranks = {encoding().decode_single_token_bytes(i): i for i in range(ordinary)}
    control = {token: ordinary + i for i, token in enumerate(CONTROL_TOKENS) if token not in NEWER}
    return tiktoken.Encoding("older", pat_str=SPLIT, mergeable_ranks=ranks, special_tokens=control)


def has_newer(case: dict) -> bool:
    return any(tag in case["prompt"] for tag in NEWER)


@pytest.mark.parametrize("case", named([case for case in PROMPTS if not has_newer(case)], "id"))
def test_count_is_the_captured_one(case: dict) -> None:
    assert len(encode(case["prompt"])) == case["prompt_tokens"]


@pytest.mark.parametrize("case", named([case for case in PROMPTS if has_newer(case)], "id"))
def test_count_is_the_captured_one_with_the_older_table(case: dict) -> None:
    assert len(older_encoding().encode(case["prompt"], allowed_special="all")) == case["prompt_tokens"]


@pytest.mark.parametrize("case", named(captured("prompts-thinking")["cases"], "id"))
def test_count_with_the_genuine_table(case: dict) -> None:
    assert len(encode(case["prompt"])) == case["n_tokens"]


TOKEN_CASES = [case for group in ENDPOINTS.values() if isinstance(group, list) for case in group]


@pytest.mark.parametrize("case", named(case for case in TOKEN_CASES if case["path"] == "/detokenize"))
def test_ids_decode_to_the_captured_text_and_back(case: dict) -> None:
    ids, text = case["request"]["tokens"], case["response"]["prompt"]
    assert decode(ids) == text
    assert decode(encode(text)) == text


@pytest.mark.parametrize(
    "case", named(case for case in TOKEN_CASES if case["path"] == "/tokenize" and "prompt" in case["request"])
)
def test_tokenize_answers_as_captured(case: dict) -> None:
    request = {key: value for key, value in case["request"].items() if key != "model"}
    assert lab().post("/tokenize", json=request).json() == case["response"]


def test_pieces_are_the_text() -> None:
    text = "The weather of 曼谷 is 33°C."
    assert "".join(pieces(encode(text))).replace("\ufffd", "") in (text, text.replace("曼", ""))


def test_text_is_brought_to_nfc() -> None:
    assert encode("e\u0301") == encode("é")


@pytest.mark.parametrize("unknown", [-1, 151669, 10**30])
def test_unknown_id_is_named(unknown: int) -> None:
    with pytest.raises(ValueError, match=str(unknown)):
        decode([unknown])
