"""One tool result told in words: an error, nothing, a number, a short sentence, or every key with its value."""

import re
from typing import Any

from companion.lab.reader import results
from companion.lab.reader.turns import Call
from companion.lab.reader.words import spaced

ZH = """
city 城市, location 地点, place 地点, date 日期, day 日期, time 时间, room 会议室, order id 订单号, amount 金额,
quantity 数量, query 搜索关键词, title 标题, name 名称, origin 出发地, destination 目的地, from 出发地,
to 收件人或目的地, text 文本, message 消息内容, minutes 分钟数, email 邮箱, item 商品, language 语言,
target language 目标语言, size 大小, stop 站点, line 线路, temperature 温度, humidity 湿度, price 价格, eta 预计到达,
stock 库存, in stock 有货, shelf 书架, author 作者, total 总计, seats 座位, id 编号, url 网址, expression 算式,
expr 算式, loan id 借阅编号, phone 电话, currency 货币, from currency 原货币, to currency 目标货币, subject 主题,
body 正文, branch 分馆, song 歌曲, duration 时长, people 人数, guests 人数, drink 饮料, book 书名
"""
ZH_NAMES = {name: zh for entry in ZH.split(",") for name, _, zh in [entry.strip().rpartition(" ")]}
# Keys whose value says enough by itself, and keys whose value the rest is about.
BARE = {
    "status", "condition", "conditions", "weather", "forecast", "description", "summary", "state", "message", "day",
    "date", "currency",
}  # fmt: skip
SUBJECT = {
    "city", "location", "place", "name", "title", "item", "product", "room", "stop", "line", "branch", "book", "order",
    "id", "event",
}  # fmt: skip
UNITS = {"c": " °C", "f": " °F", "celsius": " °C", "fahrenheit": " °F", "km": " km", "kg": " kg", "percent": "%"}


def one_result(call: Call, result: str, zh: bool, several: bool) -> str:
    """One result in words; an error or an empty answer is said as such."""
    data = results.read(result)
    said, about = results.spoken(data, zh), results.spoken(call.arguments, zh)
    if results.failed(result):
        return f"查询失败，工具返回错误：{said}" if zh else f"That did not work, the tool reported an error: {said}"
    if results.empty(data) or not said:
        return nothing(about, zh)
    if several and about and not any(str(value).lower() in said.lower() for value in call.arguments.values()):
        return f"{call.name}({about}){'：' if zh else ': '}{said}"
    if about and acknowledged(data):
        return f"已完成（{about}）。" if zh else f"Done ({about})."
    if re.fullmatch(r"-?[\d.,]+", said):
        return f"结果是 {said}。" if zh else f"The result is {said}."
    if isinstance(data, str):
        return said
    return brief(data, zh) or (f"查询结果：{said}。" if zh else f"Here is the result: {said}.")


def acknowledged(data: Any) -> bool:
    """Does a result say nothing but that it worked: {"success": true}?"""
    if not isinstance(data, dict) or len(data) != 1:
        return False
    [(key, value)] = data.items()
    return value is True and str(key).lower() in ("success", "ok", "done")


def nothing(about: str, zh: bool) -> str:
    """That a call found nothing."""
    if zh:
        return f"没有找到结果（{about}）。"
    return f"There are no results: none found ({about})." if about else "There are no results."


def brief(data: Any, zh: bool) -> str:
    """A short sentence for one or several small records, "" for anything larger.

    >>> brief({"city": "Rome", "temperature_c": 24, "condition": "sunny"}, zh=False)
    'Rome: temperature 24 °C, sunny.'
    """
    told = [record(row, zh) for row in (data if isinstance(data, list) else [data])[:40]]
    text = ("；" if zh else "; ").join(told) + ("。" if zh else ".")
    return text[:1].upper() + text[1:] if told and all(told) else ""


def record(row: Any, zh: bool) -> str:
    """One record, what it is about first; "" when it is large or holds other records."""
    if not isinstance(row, dict) or any(isinstance(value, (dict, list)) and value for value in row.values()):
        return ""
    kept = {spaced(str(key)): value for key, value in row.items() if not results.hollow(value)}
    if not 0 < len(kept) <= 6:
        return ""
    subject = next((key for key in kept if key.rpartition(" ")[2] in SUBJECT and isinstance(kept[key], str)), None)
    subject = "result" if "result" in kept else subject
    facts = ("，" if zh else ", ").join(fact(key, value, zh) for key, value in kept.items() if key != subject)
    if subject == "result":
        facts = facts and (f"（{facts}）" if zh else f" ({facts})")
        return f"{'结果是' if zh else 'the result is'} {results.spoken(kept['result'], zh)}{facts}"
    head = results.spoken(kept[subject], zh) if subject else ""
    return head + (("：" if zh else ": ") if head and facts else "") + facts


def fact(key: str, value: Any, zh: bool) -> str:
    """One key with its value: `sunny`, `temperature 24 °C`, `in stock: no`."""
    said = results.spoken(value, zh)
    if key.rpartition(" ")[2] in BARE and isinstance(value, str):
        return said
    name, _, unit = key.rpartition(" ")
    if name and unit in UNITS and not isinstance(value, bool):
        key, said = name, said + UNITS[unit]
    key = ZH_NAMES.get(key, key) if zh else key
    return f"{key}{'：' if zh else ': '}{said}" if isinstance(value, bool) else f"{key} {said}"
