"""Guided output: JSON that validates against its schema, filled from the text as far as the text goes.

Values are looked for as for a tool's arguments; what is not found becomes null, the default, or the smallest value
the schema allows. What does not fit is not taken; what does not fit as a whole gives way to a minimal instance.
"""

import json
import re
from typing import Any

from companion.lab.reader.arguments import fill
from companion.lab.reader.dates import today_in
from companion.lab.reader.evidence import best
from companion.lab.reader.followups import in_full
from companion.lab.reader.formats import SEARCHED, keywords
from companion.lab.reader.labels import classify
from companion.lab.reader.minimal import minimal, valid
from companion.lab.reader.people import is_person, person
from companion.lab.reader.sources import question_of, sentences, told
from companion.lab.reader.text import Text
from companion.lab.reader.turns import Conversation, Parameter, Schema, Tool, resolved, tool_of
from companion.lab.reader.words import spaced

ANSWER = r"answer|reply|response|回答"
SENTENCE = re.compile(
    rf"intent|summary|reason|explanation|rationale|thought|goal|need|understanding|request|{ANSWER}|意图|概括|总结|理由|需求",
    re.I,
)
HEADING = re.compile(
    r"^\W*(?:please\s+)?(?:extract|parse|read|analy[sz]e|identify|pull out|get|structure|classify|turn)\b"
    r"[^:：.\n]{0,60}[:：.\n]\s*(?=\S)|^\W*(?:请|帮我)*(?:提取|抽取|解析|识别|分析|整理)[^:：。\n]{0,30}[:：。\n]\s*(?=\S)",
    re.I,
)


def guided(talk: Conversation, schema: Schema) -> str:
    """JSON text that validates against `schema`. Raises ValueError when nothing does."""
    text = question_of(talk.request) if talk.request else talk.system
    value = build(talk, schema, text)
    return json.dumps(value if valid(value, schema) else minimal(schema, schema), ensure_ascii=False)


def build(talk: Conversation, schema: Schema, text: str) -> Any:
    """The value the text suggests for a schema; None where it suggests none."""
    top = resolved(schema, schema)
    rooted: Schema = {key: schema[key] for key in ("$defs", "definitions") if key in schema}
    if top.get("properties"):
        name, description = str(top.get("title") or "answer"), str(top.get("description") or "")
        return record(talk, tool_of(name, description, {**top, **rooted}), text)
    if "type" in top or "enum" in top:
        one = {"properties": {"answer": top}, "required": ["answer"], **rooted}
        return record(talk, tool_of("answer", talk.system[:400], one), text).get("answer")
    return None


def record(talk: Conversation, tool: Tool, text: str) -> dict[str, Any]:
    """One object: each property by what kind of property it is, else from what the text says."""
    source = Text(HEADING.sub("", text), today_in(f"{talk.system}\n{text}"))
    asked = in_full(talk) or text
    found = {p.name: value for p in tool.parameters if (value := judged(p, talk, asked, source)) is not None}
    left = {
        p.name: {**p.schema, "description": p.description}
        for p in tool.parameters
        if p.name not in found and not is_sentence(p)
    }
    said = fill(tool_of(tool.name, "", {**tool.schema, "properties": left}), source)
    found |= {name: values[0] for name, values in said.items()}
    fitting = {p.name: found[p.name] for p in tool.parameters if p.name in found and fits(found[p.name], p, tool)}
    return whole(fitting, tool, talk, asked)


def whole(found: dict[str, Any], tool: Tool, talk: Conversation, asked: str) -> dict[str, Any]:
    """The object of what was found, with something for each property that must be there."""
    wanted = [p for p in tool.parameters if p.name in found or p.required or p.schema.get("nullable") or is_sentence(p)]
    return {p.name: found[p.name] if p.name in found else otherwise(p, talk, asked, tool) for p in wanted}


def fits(value: Any, parameter: Parameter, tool: Tool) -> bool:
    """Does the value fit the parameter's schema, whose `null` stands beside it?"""
    return valid(value, parameter.schema, tool.schema) or (value is None and "nullable" in parameter.schema)


def judged(parameter: Parameter, talk: Conversation, asked: str, source: Text) -> Any:
    """A label for the text, words to search for, the name of a person; None for properties of other kinds."""
    if "enum" in parameter.schema:
        return classify(parameter, talk.system, asked)
    if is_person(parameter):
        return person(source) or None
    named = SEARCHED.search(parameter.name) or SEARCHED.search(parameter.description)
    if named and parameter.schema.get("type") == "string" and not is_sentence(parameter):
        return keywords(asked)
    return None


def is_sentence(parameter: Parameter) -> bool:
    """Is the property a sentence of the writer's own: an intent, a summary, a reason?"""
    if parameter.schema.get("type") != "string" or "enum" in parameter.schema:
        return False
    last = spaced(parameter.name).split()[-1:]  # of `query_intent` the last word says what it is
    named = SENTENCE.search("".join(last)) or SENTENCE.search(f"{parameter.name} {parameter.description[:60]}")
    return named is not None and not SEARCHED.search("".join(last))


def otherwise(parameter: Parameter, talk: Conversation, text: str, tool: Tool) -> Any:
    """A value for a property the text says nothing about."""
    schema = parameter.schema
    if is_sentence(parameter):
        return sentence_for(parameter, talk, text)
    if schema.get("nullable") or "null" in (schema.get("type") or ()):
        return None
    if "default" in schema or schema.get("type") == "boolean":
        return schema.get("default", False)
    try:
        return minimal(schema, tool.schema)
    except ValueError:
        return None


def sentence_for(parameter: Parameter, talk: Conversation, text: str) -> str:
    """An answer out of the prompt where an answer is wanted, else the request in short."""
    if re.search(ANSWER, parameter.name + parameter.description[:40], re.I) and (hit := best(text, told(talk))):
        return hit.text
    first = (sentences(text) or [text or "-"])[0]
    return first[: max(1, min(parameter.schema.get("maxLength") or 200, 200))]
