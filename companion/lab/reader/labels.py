"""Which label of an enum suits a text: classification by shared ideas."""

import re
from typing import Any

from companion.lab.reader import sums
from companion.lab.reader.turns import Parameter
from companion.lab.reader.words import keys, scan, spaced

NEGATED = re.compile(
    r"\b(?:not|never|isn't|wasn't|don't|didn't|hardly)\b(?:\s+\w+){0,2}\s+(?:good|great|like|happy|recommend|enjoy\w*|worth|bad)|不(?:好|喜欢|满意|推荐|错过)",
    re.IGNORECASE,
)


def classify(parameter: Parameter, system: str, text: str) -> Any:
    """The label whose own words, or whose explanation in the prompt, share most with the text; None if none does."""
    options = parameter.schema.get("enum") or []
    hints = {str(label): hint(str(label), f"{system}\n{parameter.description}") for label in options}
    shared = [keys(spaced(str(label)) + " " + hints[str(label)]) for label in options]
    points = []
    for label, ideas in zip(options, shared, strict=True):
        score = sum(
            2.0 if len(word.text) > 1 else 1.2
            for word in scan(text)
            if any(key in ideas and sum(key in other for other in shared) == 1 for key in word.keys)
        )
        score += 2.5 * bool("math" in keys(spaced(str(label))) and sums.find(text))
        score += 3.0 * bool(
            re.search(rf"(?<![A-Za-z]){re.escape(spaced(str(label)))}(?![A-Za-z])", text, re.IGNORECASE)
        )
        score += sum(0.5 for word in scan(text) if any(key in keys(spaced(str(label))) for key in word.keys))
        points.append(score)
    if not points or max(points) == 0:
        return fallback(options, text)
    chosen = options[points.index(max(points))]
    return opposite(chosen, options) if NEGATED.search(text) and opposite(chosen, options) else chosen


def hint(label: str, system: str) -> str:
    """What the prompt says about a label: `outfit（穿衣）`, `billing: invoices and payments`."""
    found = re.search(
        rf"(?<![A-Za-z]){re.escape(label)}['\"”]?\s*(?:[（(]([^）)]*)[）)]|[:：=]\s*([^\n;；]+)|\s+[-–—]\s+([^\n;；]+)|(?:表示|为|是|means?|for)\s*([^,，;；。\n]+))",
        system,
    )
    return next((group for group in found.groups() if group), "") if found else ""


def opposite(label: Any, options: list[Any]) -> Any:
    """negative for a negated positive: "not good"."""
    other = {"positive": "negative", "negative": "positive"}.get(str(label))
    return other if other in options else None


def fallback(options: list[Any], text: str) -> Any:
    """The label for everything else, where there is one."""
    asks = re.search(r"[?？]|吗|什么|怎么", text)
    order = (
        (
            "neutral",
            "none",
            "other",
            "general",
            "unknown",
            "knowledge",
            "question",
            "normal",
            "medium",
            "其他",
            "中性",
            "chat",
        )
        if asks
        else ("neutral", "none", "other", "general", "unknown", "chat", "normal", "medium", "其他", "中性", "一般")
    )
    return next((option for name in order for option in options if str(option).lower() == name), None)
