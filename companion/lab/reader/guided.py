"""Guided output: JSON that validates against its schema, filled from the text as far as the text goes.

Values are looked for as for a tool's arguments; what is not found becomes null, the default, or the smallest value
the schema allows. The result is checked with `companion.lab.schemas`; if it does not fit, a minimal instance takes its place.
"""

# ruff: noqa: E501 (a pattern or a table row is read as one line)

import json
import re
from typing import Any

from companion.lab.reader.arguments import fill
from companion.lab.reader.dates import today_in
from companion.lab.reader.evidence import best
from companion.lab.reader.formats import keywords
from companion.lab.reader.labels import classify
from companion.lab.reader.minimal import minimal, valid
from companion.lab.reader.phrases import Text
from companion.lab.reader.sources import question_of, sentences, told
from companion.lab.reader.turns import Conversation, Parameter, Tool, resolved, tool_of
from companion.lab.reader.words import scan, spaced

FREE = re.compile(
    r"(?i)intent|summary|reason|explanation|rationale|thought|goal|need|understanding|request|answer|reply|response|意图|概括|总结|理由|需求|回答"
)
SEARCHED = re.compile(r"(?i)search|keyword|query|搜索|关键词|检索")
NAME = re.compile(
    r"(?:\bmy name is|\bname is|\bname:|\bi am|\bi'm|\bthis is|\bcalled|\bmr\.?|\bmrs\.?|\bms\.?|\bdr\.?)\s+((?:[A-Z][\w'-]*\s?){1,3})|(?:我叫|名叫|姓名[:：是]?\s*|我是|叫做?)([\u4e00-\u9fff]{2,3}?)(?=[，。,.、；\s今的（(]|$|\d)|^\W*([\u4e00-\u9fff]{2,3}?)(?=今年|[，,]\s*\d+岁|是|住)",
    re.IGNORECASE,
)
SURNAMES = "赵钱孙李周吴郑王冯陈卫蒋沈韩杨朱秦许何吕张孔曹严金魏陶姜谢邹苏潘葛范彭鲁马方任袁柳史唐薛雷贺罗毕郝安常于傅齐康余顾孟黄穆萧尹姚邵汪毛米宋庞熊项祝董梁杜阮蓝闵季贾江童郭梅林钟徐邱骆高夏蔡田胡凌霍万卢莫房丁邓石崔龚程邢陆翁段侯武刘龙叶白赖乔温庄阎易廖曾游肖欧小老阿"
CHINESE_NAME = re.compile(
    rf"(?:(?<![\u4e00-\u9fff])|(?<=[和与跟给找由请向]))(?:(?:请|联系|通知|告诉|叫|找|给|客户|用户|同事|让|我是|收件人|联系人|姓名|患者|学生|老师|乘客|作者)[是为:：]?)*([{SURNAMES}][\u4e00-\u9fff]{{1,2}}?)(?=[，,。、；;：:（(\s的今是在要想和与开见吃去来一]|先生|女士|电话|$|\d)"
)
PERSON = re.compile(r"(?<![\w-])((?:[A-Z][a-z'’]+(?:-[A-Z][a-z]+)?)(?:\s+[A-Z][a-z'’]+){0,2})")


HEADING = re.compile(
    r"(?i)^\W*(?:please\s+)?(?:extract|parse|read|analy[sz]e|identify|pull out|get|structure|classify|turn)\b[^:：.\n]{0,60}[:：.\n]\s*(?=\S)|^\W*(?:请|帮我)*(?:提取|抽取|解析|识别|分析|整理)[^:：。\n]{0,30}[:：。\n]\s*(?=\S)"
)


def guided(talk: Conversation, schema: dict[str, Any]) -> str:
    """JSON text that validates against `schema`."""
    text = question_of(talk.request) if talk.request else talk.system
    value = build(talk, schema, text)
    if not valid(value, schema):
        value = mended(value, schema)
    return json.dumps(value, ensure_ascii=False)


def mended(value: Any, schema: dict[str, Any]) -> Any:
    """The value with parts that do not fit replaced by minimal ones, part by part, else as a whole."""
    if isinstance(value, dict):
        for key in list(value):
            trial = {**value}
            sub = resolved((schema.get("properties") or {}).get(key), schema)
            if not valid(
                trial[key], {**sub, "$defs": schema.get("$defs", {}), "definitions": schema.get("definitions", {})}
            ):
                try:
                    trial[key] = minimal((schema.get("properties") or {}).get(key, {}), schema)
                except (RecursionError, ValueError):
                    trial.pop(key)
                value = trial
        if valid(value, schema):
            return value
    return minimal(schema, schema)


def build(talk: Conversation, schema: dict[str, Any], text: str) -> Any:
    """The value the text suggests for a schema."""
    top = resolved(schema, schema)
    if top.get("properties"):
        tool = tool_of(
            str(top.get("title") or "answer"),
            str(top.get("description") or ""),
            {**top, "$defs": schema.get("$defs", {})},
        )
        return {**record(talk, tool, text)}
    if isinstance(schema, dict) and ("type" in top or "enum" in top):
        tool = tool_of(
            "answer",
            talk.system[:400],
            {"properties": {"answer": top}, "required": ["answer"], "$defs": schema.get("$defs", {})},
        )
        return record(talk, tool, text).get("answer")
    return {"answer": text[:200]} if valid({}, schema) and top.get("type", "object") == "object" and not top else None


def record(talk: Conversation, tool: Tool, text: str) -> dict[str, Any]:
    """One object: each property from what the text says, else by what kind of property it is."""
    source = Text(HEADING.sub("", text), today_in(talk.system + "\n" + text))
    judged = {
        p.name: label
        for p in tool.parameters
        if "enum" in p.schema and (label := classify(p, talk.system, text)) is not None
    }
    named = {p.name: name for p in tool.parameters if is_name(p) and (name := person(source))}
    searched = {
        p.name: keywords(text)
        for p in tool.parameters
        if p.schema.get("type") == "string" and SEARCHED.search(f"{p.name} {p.description}") and "enum" not in p.schema
    }
    inferred = {**searched, **judged, **named}
    rest = tool_of(
        tool.name,
        "",
        {
            **tool.schema,
            "properties": {
                p.name: p.schema | {"description": p.description}
                for p in tool.parameters
                if p.name not in inferred and not free_text(p)
            },
        },
    )
    found = {name: values[0] for name, values in fill(rest, source).items()}
    found |= inferred
    return {
        p.name: found[p.name] if p.name in found else otherwise(p, talk, text, tool)
        for p in tool.parameters
        if p.name in found or p.required or p.schema.get("nullable") or free_text(p)
    }


def free_text(parameter: Parameter) -> bool:
    """Is the property a sentence of the writer's own: an intent, a summary, a reason?"""
    return (
        parameter.schema.get("type") == "string"
        and "enum" not in parameter.schema
        and FREE.search(parameter.name + " " + parameter.description[:60]) is not None
        and not SEARCHED.search(parameter.name)
    )


def is_name(parameter: Parameter) -> bool:
    """Is the property the name of a person?"""
    words = spaced(parameter.name)
    return parameter.schema.get("type") == "string" and (
        words
        in (
            "name",
            "full name",
            "customer",
            "person",
            "customer name",
            "user name",
            "author",
            "sender",
            "patient",
            "guest",
            "passenger",
            "first name",
        )
        or "姓名" in parameter.description
    )


def person(text: Text) -> str:
    """The first name of a person in the text, taken."""
    match = NAME.search(text.text)
    group = next((n for n in (1, 2, 3) if match and match[n]), 0)
    if match and group and (group > 1 or match[group][:1].isupper()):
        text.use(*match.span(group))
        return match[group].strip()
    for found in CHINESE_NAME.finditer(text.text):
        if text.free(*found.span(1)):
            text.use(*found.span(1))
            return found[1]
    for found in PERSON.finditer(text.text):
        if not common(found[1]) and text.free(*found.span(1)):
            text.use(*found.span(1))
            return re.sub(r"['’]s$", "", found[1])
    return ""


def common(word: str) -> bool:
    """Is this capital only that of a sentence's first word?"""
    first = scan(word)[:1]
    return not first or first[0].known or word in ("Order", "Please", "Customer", "Name")


def otherwise(parameter: Parameter, talk: Conversation, text: str, tool: Tool) -> Any:
    """A value for a property the text says nothing about."""
    schema = parameter.schema
    if free_text(parameter):
        return sentence_for(parameter, talk, text)
    if schema.get("nullable") or (isinstance(schema.get("type"), list) and "null" in schema["type"]):
        return None
    if "default" in schema:
        return schema["default"]
    if schema.get("type") == "boolean":
        return False
    try:
        return minimal(schema, tool.schema)
    except (RecursionError, ValueError):
        return None


def sentence_for(parameter: Parameter, talk: Conversation, text: str) -> str:
    """An answer out of the prompt where an answer is wanted, else the request in short."""
    if re.search(r"(?i)answer|reply|response|回答", parameter.name + parameter.description[:40]) and (
        hit := best(text, told(talk))
    ):
        return hit.text
    first = (sentences(text) or [text or "-"])[0]
    limit = parameter.schema.get("maxLength") or 200
    return first[: max(1, min(limit, 200))]
