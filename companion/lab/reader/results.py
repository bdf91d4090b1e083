"""Tool results: read, judged, and put into words."""

# ruff: noqa: E501 (a pattern or a table row is read as one line)

import json
import re
from functools import lru_cache
from typing import Any

from companion.lab.reader.words import spaced

ERROR = re.compile(
    r"^\W*(?:tool )?(?:error|exception|failed|failure|traceback|timeout|invalid|unauthori[sz]ed|forbidden|错误|失败|异常|出错|超时)|\berror\b[:：]|\bnot found\b|\bdoes not exist\b|\bno such\b|\btimed out\b|\bunavailable\b|Error[:(]|不存在|未找到|找不到|请求失败|调用失败|查询失败|超时",
    re.IGNORECASE,
)
ORDERS = re.compile(
    r"\b(?:ignore|disregard|forget) (?:all |any |the |your )*(?:previous|prior|above|earlier|other|instructions?)|\bsystem prompt\b|\byou (?:must|should) now\b|\byou are now\b|\bnew instructions?\b"
    r"|\b(?:reply|respond|answer) (?:only )?with\b|\b(?:assistant|ai|model)s?\b[:,]? (?:must|should|please|call|send|reply)|\bcall the (?:tool|function)\b|\bto the assistant\b|\bsay (?:only )?[\"'“]"
    r"|忽略(?:之前|以上|前面|上面|所有|先前)|无视(?:之前|以上|前面|所有)|(?:请|必须|立即|立刻)(?:调用|回复|回答|发送|删除|取消)|系统提示|你现在是|新的?指令",
    re.IGNORECASE,
)


@lru_cache(maxsize=256)
def read(result: str) -> Any:
    """A result as data where it is JSON, else as the text it is."""
    try:
        return json.loads(result)
    except (ValueError, RecursionError):
        return result


def failed(result: str) -> bool:
    """Does the result report an error?"""
    data = read(result)
    if isinstance(data, dict):
        state = data.get("status")
        return (
            bool(data.get("error") or data.get("errors"))
            or data.get("success") is False
            or data.get("ok") is False
            or (isinstance(state, str) and state.lower() in ("error", "failed", "failure"))
        )
    return isinstance(data, str) and len(data) < 400 and ERROR.search(data) is not None


def empty(data: Any) -> bool:
    """Is there nothing in it: [], {}, null, "", or a dict whose only lists are empty?"""
    if data in (None, "", [], {}):
        return True
    if isinstance(data, str):
        return data.strip().lower() in (
            "none",
            "null",
            "no results",
            "no results found",
            "nothing found",
            "无",
            "没有结果",
            "无结果",
        )
    lists = [value for value in data.values() if isinstance(value, list)] if isinstance(data, dict) else []
    return (
        bool(lists)
        and not any(lists)
        and not any(isinstance(v, (dict, bool)) for v in data.values())
        and (len(data) <= 3 or data.get("results") == [])
    )


def number_in(result: str) -> float | None:
    """The number a result is or holds, None when it holds none or several."""
    data = read(result)
    if isinstance(data, dict):
        data = (
            next((data[key] for key in ("result", "value", "answer", "price", "amount", "total") if key in data), None)
            if len(data) != 1
            else next(iter(data.values()))
        )
    if isinstance(data, bool):
        return None
    if isinstance(data, (int, float)):
        return float(data)
    found = re.findall(r"-?\d+(?:,\d{3})*(?:\.\d+)?", data) if isinstance(data, str) and not failed(result) else []
    return float(found[-1].replace(",", "")) if found and (len(found) == 1 or "=" in str(data)) else None


def spoken(data: Any, zh: bool, depth: int = 0) -> str:
    """Data as words: every value is there, keys as names.

    >>> spoken({"status": "shipped", "items": ["mug", "pen"]}, zh=False)
    'status: shipped, items: mug, pen'
    """
    if isinstance(data, dict):
        parts = [
            f"{spaced(str(key))}{'：' if zh else ': '}{spoken(value, zh, depth + 1)}"
            for key, value in data.items()
            if value not in (None, "", [], {})
        ]
        return ("，" if zh else ", ").join(parts)
    if isinstance(data, list):
        glue = ("；" if zh else "; ") if any(isinstance(item, dict) for item in data) else ("、" if zh else ", ")
        return glue.join(spoken(item, zh, depth + 1) for item in data[:40])
    if isinstance(data, bool):
        return ("是" if data else "否") if zh else ("yes" if data else "no")
    return safe(str(data)) if data is not None else ""


def safe(text: str) -> str:
    """The text without prompt markers and without sentences that give orders: a result is data."""
    text = re.sub(r"<\|?/?(?:im_start|im_end|tool_call|tool_response)\|?>", "", text)
    if not ORDERS.search(text):
        return text.strip()
    kept = [part for part in re.split(r"(?<=[.!?。！？\n])\s*", text) if part and not ORDERS.search(part)]
    return " ".join(kept).strip()
