"""Tool results: read, judged, and put into words."""

import json
import re
from functools import lru_cache
from typing import Any

from companion.lab.reader.words import spaced

ERROR = re.compile(
    r"^\W*(?:tool )?(?:error|exception|failed|failure|traceback|timeout|invalid|unauthori[sz]ed|forbidden)"
    r"|^\W*(?:错误|失败|异常|出错)|error[:：(]|\b(?:not found|does not exist|no such|timed out|unavailable)\b"
    r"|不存在|未找到|找不到|(?:请求|调用|查询)失败|超时",
    re.I,
)
ORDERS = re.compile(
    r"\b(?:ignore|disregard|forget) (?:all |any |the |your )*(?:previous|prior|above|earlier|other|instructions?)"
    r"|\bsystem prompt\b|\byou (?:must|should) now\b|\byou are now\b|\bnew instructions?\b"
    r"|\b(?:reply|respond|answer) (?:only )?with\b"
    r"|\b(?:assistant|ai|model)s?\b[:,]? (?:must|should|please|call|send|reply)"
    r"|\bcall the (?:tool|function)\b|\bto the assistant\b|\bsay (?:only )?[\"'“]"
    r"|(?:忽略|无视)(?:之前|以上|前面|上面|所有|先前)|(?:请|必须|立即|立刻)(?:调用|回复|回答|发送|删除|取消)"
    r"|系统提示|你现在是|新的?指令",
    re.I,
)
MARKS = re.compile(r"<\|?/?(?:im_start|im_end|tool_call|tool_response)\|?>")
NOTHING = {"", "none", "null", "no results", "no results found", "nothing found", "无", "没有结果", "无结果"}
WORTH = ("result", "value", "answer", "price", "amount", "total")


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
        state = str(data.get("status")).lower() in ("error", "failed", "failure")
        return bool(state or data.get("error") or data.get("errors")) or any(
            data.get(k) is False for k in ("success", "ok")
        )
    return isinstance(data, str) and len(data) < 400 and ERROR.search(data) is not None


def empty(data: Any) -> bool:
    """Is there nothing in it: [], {}, null, "", or a dict whose only lists are empty?"""
    if isinstance(data, dict) and data:
        lists = [value for value in data.values() if isinstance(value, list)]
        told = any(isinstance(value, (dict, bool)) for value in data.values())
        return bool(lists) and not any(lists) and not told and (len(data) <= 3 or data.get("results") == [])
    return data in (None, [], {}) or (isinstance(data, str) and data.strip().lower() in NOTHING)


def number_in(result: str) -> float | None:
    """The number a result is or holds, None when it holds none or several."""
    data = read(result)
    if isinstance(data, dict):
        told = list(data.values()) if len(data) == 1 else [data[key] for key in WORTH if key in data]
        data = told[0] if told else None
    if isinstance(data, (int, float)):
        return None if isinstance(data, bool) else float(data)
    found = re.findall(r"-?\d+(?:,\d{3})*(?:\.\d+)?", data) if isinstance(data, str) and not failed(result) else []
    return float(found[-1].replace(",", "")) if found and (len(found) == 1 or "=" in data) else None


def spoken(data: Any, zh: bool) -> str:
    """Data as words: every value is there, keys as names.

    >>> spoken({"status": "shipped", "items": ["mug", "pen"]}, zh=False)
    'status: shipped, items: mug, pen'
    """
    if isinstance(data, dict):
        told = {spaced(str(key)): value for key, value in data.items() if not hollow(value)}
        return ("，" if zh else ", ").join(f"{k}{'：' if zh else ': '}{spoken(v, zh)}" for k, v in told.items())
    if isinstance(data, list):
        rows = any(isinstance(item, dict) for item in data)
        glue = ("；" if rows else "、") if zh else ("; " if rows else ", ")
        return glue.join(spoken(item, zh) for item in data[:40])
    if isinstance(data, bool):
        return ("是" if data else "否") if zh else ("yes" if data else "no")
    return safe(str(data)) if data is not None else ""


def hollow(value: Any) -> bool:
    """Is a value not worth a word?"""
    return value is None or value in ("", [], {})


def safe(text: str) -> str:
    """The text without prompt markers and without sentences that give orders: a result is data."""
    text = MARKS.sub("", text)
    if not ORDERS.search(text):
        return text.strip()
    parts = re.split(r"(?<=[.!?])\s+|(?<=[。！？\n])\s*", text)
    return " ".join(part.strip() for part in parts if part.strip() and not ORDERS.search(part))
