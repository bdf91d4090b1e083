"""What a parameter is asking for, judged by its type, its name and its description."""

# ruff: noqa: E501 (a pattern or a table row is read as one line)

import re
from functools import lru_cache

from companion.lab.reader.turns import Parameter, Tool
from companion.lab.reader.words import keys, spaced

# Tried in order; the name decides before the description does.
PATTERNS = (
    ("street", r"\bstreet\b|\baddress line\b|\bdelivery address\b|\bshipping address\b|^address$|街道|送货地址|收货地址|^地址"),
    ("path", r"\bpath\b|\bfile ?name\b|^file$|文件路径|文件名"),
    ("email", r"e-?mail(?: address)?$|邮箱|电子邮件地址"),
    ("url", r"\b(?:url|link|website|webpage)\b|网址|链接"),
    ("phone", r"\bphone\b|电话|手机号"),
    ("expression", r"\bexpr(?:ession)?\b|\bformula\b|\bequation\b|表达式|算式"),
    ("datetime", r"\bdate ?time\b|date and time|日期和时间|日期时间"),
    ("date", r"\bdate\b|\bday\b|\bdeadline\b|\bcheck (?:in|out)\b|\bdue\b|日期|哪一天|哪天"),
    ("time", r"\btime\b|\bhour\b|\bat\b$|\bclock\b|时间|时刻|几点"),
    ("currency", r"\bcurrency\b|\bcurrencies\b|货币|币种"),
    ("language", r"\blang(?:uage)?\b|语言|语种"),
    ("unit", r"\bunits?\b|单位"),
    ("code", r"\b(?:id|ids|code|sku|isbn|reference|ref|tracking|ticket|symbol|ticker)\b|\b(?:order|flight|train|account|invoice|booking|reservation|tracking|parcel|loan|employee|customer) (?:no|number|num)\b|编号|单号|订单号|航班号|车次|工号|学号|代码|号码|预订号"),
    ("origin", r"^(?:origin|from|source|start|departure|depart)\b|^from\b.*(?:city|station|stop|place|airport)|出发地|起点|出发站|始发|出发"),
    ("destination", r"^(?:destination|to|dest|target|end|arrival)\b(?! (?:lang|curr|unit))|目的地|终点|到达"),
    ("message", r"\b(?:text|message|body|content|note|reminder|memo|task|todo|comment|description|what|sentence|question|reason|feedback)\b|内容|正文|消息|文本|备注|事项|任务|原文|原因"),
    ("title", r"\bsubject\b|主题$"),
    ("query", r"\b(?:query|keywords?|search|topic|term|q|about)\b|关键词|搜索|主题|检索"),
    ("title", r"\b(?:title|label|headline)\b|标题|书名|片名"),
    ("person", r"\b(?:person|people|recipient|contact|employee|author|artist|attendees?|guest|customer|user|passenger|patient|receiver|assignee|doctor|teacher|member|colleague|full name|first name|last name)\b|姓名|收件人|联系人|员工|作者|歌手|乘客|人名|收信人|参会人"),
    ("place", r"\b(?:city|cities|place|location|town|country|region|where|address|area|destination|station|stop|state|capital|village)\b|站点|车站|城市|地点|地方|国家|地区|位置|目的地|地址"),
)  # fmt: skip


@lru_cache(maxsize=1024)
def by_words(words: str) -> str:
    """The first kind whose pattern the words fit, "" for none."""
    return next((kind for kind, pattern in PATTERNS if re.search(pattern, words)), "")


def kind_of(parameter: Parameter, tool: Tool) -> str:
    """The kind of value a parameter takes.

    A type is a kind of its own; strings are told apart by format, then name, then description.
    """
    schema = parameter.schema
    if isinstance(schema.get("enum"), list) or "const" in schema:
        return "enum"
    kind = schema.get("type")
    kind = next((k for k in kind if k != "null"), "string") if isinstance(kind, list) and kind else kind
    if kind in ("boolean", "integer", "number", "array", "object"):
        return str(kind)
    formats = {
        "date": "date",
        "date-time": "datetime",
        "time": "time",
        "email": "email",
        "uri": "url",
        "idn-email": "email",
    }
    if schema.get("format") in formats:
        return formats[schema["format"]]
    return string_kind(spaced(parameter.name), parameter.description.lower(), tool)


def string_kind(name: str, description: str, tool: Tool) -> str:
    """The kind of a string parameter."""
    people = r"person|customer|contact|guest|passenger|patient|student|member|employee|attendee|姓名|联系人|客户"
    if name == "name" and re.search(people, f"{tool.name} {tool.description} {description}".lower()):
        return "person"
    kind = by_words(name)
    told = by_words(description[:120])
    if kind in ("time", "date") and (
        told == "datetime" or re.search(r"t\d\d:\d\d|hh:mm.*yyyy|yyyy.*hh:mm", description)
    ):
        return "datetime"
    if name in ("to", "recipient", "receiver", "from", "start", "end", "source", "target", "user", "customer"):
        return endpoint(name, told, tool)
    if kind in ("origin", "destination", "place") and told in ("email", "code", "language", "currency", "unit"):
        return told
    if kind in ("origin", "destination") and (inner := by_words(name.split(" ", 1)[-1])) in (
        "currency",
        "language",
        "unit",
        "date",
        "time",
    ):
        return inner
    return kind or (told if told not in ("message", "query", "time", "title") else "") or "item"


def endpoint(name: str, told: str, tool: Tool) -> str:
    """`to` and `from` mean a place, a person, a currency or a unit: the tool's own words decide."""
    if told and told not in ("message", "query"):
        return told
    about = spaced(tool.name) + " " + tool.description.lower()
    if re.search(r"e-?mail|邮件", about) and name in ("to", "from", "recipient"):
        return "address"
    if name in ("recipient", "receiver", "user", "customer"):
        return "person"
    for kind, pattern in (
        ("currency", r"currenc|money|exchange rate|货币|汇率"),
        ("language", r"translat|翻译"),
        ("unit", r"\bunits?\b|单位|kilomet|celsius"),
        ("person", r"message|send|call|transfer|pay|发送|转账|消息|短信"),
    ):
        if re.search(pattern, about):
            return kind
    if name in ("to", "end", "target"):
        return "destination"
    return "origin" if name in ("from", "start", "source") else "person"


def about(tool: Tool) -> set[str]:
    """The ideas a tool's own words carry: the words for them are hardly ever its values."""
    return (
        keys(spaced(tool.name))
        | keys(tool.description[:600])
        | {k for p in tool.parameters for k in keys(spaced(p.name))}
    )
