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
DENIES = re.compile(r"n't\b|\b(?:not?|never|nobody|nothing|still)\b|[不没]", re.I)
REST = ("neutral", "none", "other", "general", "unknown", "chat", "normal", "medium", "其他", "中性", "一般")
REST_OF_QUESTIONS = ("neutral", "none", "other", "general", "unknown", "knowledge", "question", "request", *REST)


def classify(parameter: Parameter, system: str, text: str) -> Any:
    """The label whose own words, or whose explanation in the prompt, share most with the text; None if none does."""
    options = parameter.schema.get("enum") or []
    names = [spaced(str(label)) for label in options]
    told = f"{system}\n{parameter.description}"
    shared = [keys(f"{name} {hint(str(label), told)}") for name, label in zip(names, options, strict=True)]
    points = [
        fit(text, name, ideas - set().union(*shared[:n], *shared[n + 1 :]))
        for n, (name, ideas) in enumerate(zip(names, shared, strict=True))
    ]
    if not any(points):
        return fallback(options, text)
    chosen = options[points.index(max(points))]
    other = OPPOSITE.get(str(chosen)) if NEGATED.search(text) else None  # negative for a negated positive: "not good"
    return other if other in options else chosen


def fit(text: str, label: str, ideas: set[str]) -> float:
    """How much a text speaks of a label: by its name, by ideas only it has, by a sum to work out."""
    named = re.search(rf"(?<![A-Za-z]){re.escape(label)}(?![A-Za-z])", text, re.I)
    worked_out = "math" in keys(label) and sums.find(text)
    return 3 * bool(named) + 2.5 * bool(worked_out) + 2 * sum(not ideas.isdisjoint(w.keys) for w in scan(text))


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
    named = [option for name in order for option in options if str(option).lower() == name]
    unhappy = [option for option in options if DENIES.search(text) and "negative" in keys(str(option))]
    return next(iter([*named, *unhappy]), None)
