"""Which label of an enum suits a text: classification by shared ideas."""

import re
from typing import Any

from companion.lab.reader import sums
from companion.lab.reader.turns import Parameter
from companion.lab.reader.words import keys, scan, spaced

NEGATED = re.compile(
    r"\b(?:not|never|isn't|wasn't|don't|didn't|hardly)\b(?:\s+\w+){0,2}\s+(?:good|great|like|happy|recommend|enjoy\w*|worth"
    r"|bad)|不(?:好|喜欢|满意|推荐|错过)",
    re.I,
)
OPPOSITE = {"positive": "negative", "negative": "positive"}
ASKS = re.compile(r"[?？]|吗|什么|怎么")
REST = ("neutral", "none", "other", "general", "unknown", "chat", "normal", "medium", "其他", "中性", "一般")
REST_OF_QUESTIONS = ("neutral", "none", "other", "general", "unknown", "knowledge", "question", *REST)


def classify(parameter: Parameter, system: str, text: str) -> Any:
    """The label whose own words, or whose explanation in the prompt, share most with the text; None if none does."""
    options = parameter.schema.get("enum") or []
    names = [spaced(str(label)) for label in options]
    own = [keys(name) for name in names]
    shared = [
        ideas | keys(hint(str(o), f"{system}\n{parameter.description}")) for o, ideas in zip(options, own, strict=True)
    ]
    points = [
        fit(text, own[n], shared[n] - set().union(*shared[:n], *shared[n + 1 :])) + 3.0 * bool(named(name, text))
        for n, name in enumerate(names)
    ]
    if not any(points):
        return fallback(options, text)
    chosen = options[points.index(max(points))]
    other = OPPOSITE.get(str(chosen)) if NEGATED.search(text) else None  # negative for a negated positive: "not good"
    return other if other in options else chosen


def fit(text: str, own: set[str], alone: set[str]) -> float:
    """How much a text speaks of a label: of ideas that no other label has, and of the label's own words."""
    points = 2.5 * bool("math" in own and sums.find(text))
    for word in scan(text):
        points += (2.0 if len(word.text) > 1 else 1.2) * (not alone.isdisjoint(word.keys))
        points += 0.5 * (not own.isdisjoint(word.keys))
    return points


def named(label: str, text: str) -> bool:
    """Does the text name the label itself?"""
    return re.search(rf"(?<![A-Za-z]){re.escape(label)}(?![A-Za-z])", text, re.I) is not None


def hint(label: str, told: str) -> str:
    """What the prompt says about a label: `outfit（穿衣）`, `billing: invoices and payments`."""
    found = re.search(
        rf"(?<![A-Za-z]){re.escape(label)}['\"”]?\s*(?:[（(]([^）)]*)[）)]|[:：=]\s*([^\n;；]+)|\s+[-–—]\s+([^\n;；]+)"
        r"|(?:表示|为|是|means?|for)\s*([^,，;；。\n]+))",
        told,
    )
    return found[found.lastindex or 0] if found else ""


def fallback(options: list[Any], text: str) -> Any:
    """The label for everything else, where there is one."""
    order = REST_OF_QUESTIONS if ASKS.search(text) else REST
    return next((option for name in order for option in options if str(option).lower() == name), None)
