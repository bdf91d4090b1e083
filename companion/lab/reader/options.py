"""The labels of an enum that a text names."""

import re
from collections.abc import Iterator
from functools import lru_cache
from typing import Any

from companion.lab.reader.coded import directed, names
from companion.lab.reader.text import Text
from companion.lab.reader.turns import Parameter, Tool
from companion.lab.reader.words import CHINESE, keys, scan, spaced

WHOLE = r"(?<![A-Za-z0-9]){}(?:s|es)?(?![A-Za-z0-9])"
Found = tuple[int, int, Any]


def labels(parameter: Parameter, tool: Tool, text: Text) -> list[Any]:
    """The labels of an enum that the text names, in order; takes their places."""
    options = parameter.schema.get("enum") or [parameter.schema.get("const")]
    told = f"{parameter.description}\n{tool.description}"
    found = [(*span, label) for label in options if (span := said(str(label), told, text))]
    found = found or list(by_ideas(options, text))
    about = keys(spaced(tool.name)) | keys(tool.description[:200])
    found = [f for f in found if keys(text.text[f[0] : f[1]]).isdisjoint(about)] or found
    found = sorted((f for f in found if not any(inside(f, other) for other in found)), key=lambda f: f[0])
    if len(found) > 1 and re.search(r"\b(?:from|to|source|target)\b", spaced(parameter.name)):
        found = directed(parameter, found, text)
    for start, end, _ in found:
        text.use(start, end)
    return [label for _, _, label in found]


def inside(one: Found, other: Found) -> bool:
    """Is a place a part of another, larger one?"""
    return other[0] <= one[0] and one[1] <= other[1] and other[1] - other[0] > one[1] - one[0]


def said(label: str, told: str, text: Text) -> tuple[int, int] | None:
    """Where the text names a label, None if it does not."""
    matches = (match for pattern in aliases(label, told) for match in pattern.finditer(text.text))
    return next((match.span() for match in matches if text.free(*match.span())), None)


@lru_cache(maxsize=1024)
def aliases(label: str, told: str) -> list[re.Pattern[str]]:
    """The label as people write it, and what the descriptions say it means: `celsius 为摄氏度`, `今天（today）`."""
    bare = re.escape(label)
    means = rf"(?<![A-Za-z]){bare}['\"”]?\s*(?:[（(=:：]|为|是|表示|means?|for)\s*([^，,;；、。.()（）\n'\"]+)"
    glossed = rf"([\w\u4e00-\u9fff]+)\s*[（(]\s*['\"]?{bare}['\"]?\s*[）)]"
    others = [*names("currency").get(label, ()), *re.findall(means, told)]
    others += [re.sub(r"^.*[或和是]", "", word) for word in re.findall(glossed, told)]
    patterns = [re.escape(spaced(label)).replace(r"\ ", r"[\s_-]?"), *(re.escape(word.strip()) for word in others)]
    return [
        re.compile(p if CHINESE.match(p) or not p[-1].isalnum() else WHOLE.format(p), re.IGNORECASE)
        for p in patterns
        if p
    ]


def by_ideas(options: list[Any], text: Text) -> Iterator[Found]:
    """Labels whose idea the text carries, when no other label shares that idea."""
    ideas = [keys(spaced(str(label))) for label in options]
    for label, mine in zip(options, ideas, strict=True):
        own = {key for key in mine if sum(key in other for other in ideas) == 1}
        for word in scan(text.text):
            if not own.isdisjoint(word.keys) and text.free(word.start, word.end):
                yield word.start, word.end, label
                break
