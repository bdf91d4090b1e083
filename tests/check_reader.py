"""Check a chat server against reader-cases.jsonl: what a learner expects of a small tool-calling model.

    python check_reader.py http://127.0.0.1:8000                    every case
    python check_reader.py http://127.0.0.1:8000 --only follow_up   one category, or one id

Python's standard library only. Exit code: 0 all right, 1 some case wrong, 2 a bad case file or no server.
A case: id, category, lang, holdout, messages, tools, response_schema (or null), expect.
Every key of `expect` must hold:

    calls                 [[name, {argument: value}], ...]   these calls and no others
    order_matters         with calls: in this order (default false)
    no_calls              no call, and some text
    content_contains_all  every item is in the text; an item that is a list: one of it is enough
    content_contains_any  one of the items is in the text
    content_not_contains  none of the items is in the text
    json                  the text is JSON, fits response_schema, has at least these keys with these values
    json_valid            the text is JSON and fits response_schema

A value is compared exactly: numbers as numbers, strings without outer space and case. In its place may stand
    {"any_of": [...]}             one of these (also for a whole argument object)
    {"expr": "23*47"}             Python arithmetic with the same numbers and the same result
    {"contains_all": [...]}       a string with these items (read as content_contains_all)
Arguments must also fit the tool's own schema (an enum label counts letter by letter). An argument left out and
one sent with the schema's default are the same. In texts: case, width (full, half), thousands separators, `*`,
spaces beside Chinese characters and a leading <think> block do not count; 33 is found in "33.0°C", but not in "133" or "33.5"; an outer space ends
the word: " no " is found in "No, sorry", but not in "now".
"""

import argparse
import ast
import concurrent.futures
import http.client
import itertools
import json
import math
import re
import sys
import unicodedata
import urllib.error
import urllib.request
from collections import Counter
from pathlib import Path

EXPECT_KEYS = {
    "calls",
    "order_matters",
    "no_calls",
    "content_contains_all",
    "content_contains_any",
    "content_not_contains",
    "json",
    "json_valid",
}
MARKUP = ("<tool_call", "</tool_call", "<tool_response", "</tool_response", "<|im_start|>", "<|im_end|>")


class BadCase(ValueError):
    """The case itself is wrong: never count it as right or wrong."""


# ---------------------------------------------------------------- text


def norm(text):
    text = unicodedata.normalize("NFKC", text).casefold()
    text = text.translate({0x2018: "'", 0x2019: "'", 0x2212: "-", ord("*"): None, ord("`"): None})
    text = re.sub(r"(?<=\d),(?=\d{3}(?!\d))", "", " ".join(text.split()))
    return re.sub(r"(?<=[\u4e00-\u9fff]) | (?=[\u4e00-\u9fff])", "", text)


def found(item, text):
    """Is item (a string, or a list of which one is enough) in the text? Numbers only as whole numbers."""
    if isinstance(item, list):
        return any(found(i, text) for i in item)
    needle = norm(item)
    if not needle:
        raise BadCase("empty text to look for")
    pattern = (r"(?<![a-z])" if item[0] == " " else "") + re.escape(needle) + (r"(?![a-z])" if item[-1] == " " else "")
    if needle[0].isdigit():
        pattern = r"(?<!\d)(?<!\d\.)" + pattern
    if needle[-1].isdigit():
        pattern += (r"0*" if re.search(r"\.\d+$", needle) else "") + r"(?!\d)(?!\.\d*[1-9])"
    return re.search(pattern, norm(text)) is not None


# ---------------------------------------------------------------- values


def is_number(v):
    return isinstance(v, (int, float)) and not isinstance(v, bool)


def same_number(a, b):
    return math.isclose(a, b, rel_tol=1e-9, abs_tol=1e-12)


def arithmetic(text):
    """Python arithmetic -> (value, its numbers sorted); ValueError if it is anything else."""
    numbers = []

    def walk(node):
        if isinstance(node, ast.Expression):
            return walk(node.body)
        if isinstance(node, ast.Constant) and is_number(node.value):
            numbers.append(node.value)
            return node.value
        if isinstance(node, ast.UnaryOp) and isinstance(node.op, (ast.USub, ast.UAdd)):
            return -walk(node.operand) if isinstance(node.op, ast.USub) else walk(node.operand)
        if isinstance(node, ast.BinOp):
            a, b = walk(node.left), walk(node.right)
            match node.op:
                case ast.Add():
                    return a + b
                case ast.Sub():
                    return a - b
                case ast.Mult():
                    return a * b
                case ast.Div():
                    return a / b
                case ast.Pow() if abs(a) <= 1000 and abs(b) <= 100:
                    return a**b
        raise ValueError("not plain arithmetic")

    try:
        value = walk(ast.parse(text.strip(), mode="eval"))
    except (SyntaxError, ArithmeticError, RecursionError, MemoryError) as e:
        raise ValueError(str(e)) from None
    if not is_number(value):
        raise ValueError("no real number")
    return value, sorted(numbers)


def same_expr(want, got):
    if not isinstance(got, str):
        return False
    value, numbers = arithmetic(want)
    try:
        got_value, got_numbers = arithmetic(got)
    except ValueError:
        return False
    return (
        same_number(value, got_value)
        and len(numbers) == len(got_numbers)
        and all(map(same_number, numbers, got_numbers))
    )


def same(want, got, subset=False):
    """Is the value right? With subset, objects may have more keys than wanted."""
    if isinstance(want, dict) and len(want) == 1:
        key, arg = next(iter(want.items()))
        if key == "any_of":
            return any(same(w, got, subset) for w in arg)
        if key == "expr":
            return same_expr(arg, got)
        if key == "contains_all":
            return isinstance(got, str) and all(found(i, got) for i in arg)
    if isinstance(want, dict):
        return (
            isinstance(got, dict)
            and (want.keys() <= got.keys() if subset else want.keys() == got.keys())
            and all(same(w, got[k], subset) for k, w in want.items())
        )
    if isinstance(want, list):
        return isinstance(got, list) and len(want) == len(got) and all(same(w, g, subset) for w, g in zip(want, got))
    if isinstance(want, str):
        return isinstance(got, str) and clean(want) == clean(got)
    if is_number(want):
        return is_number(got) and same_number(want, got)
    return want is got  # true, false, null


def clean(text):
    return unicodedata.normalize("NFKC", text).strip().casefold()


# ---------------------------------------------------------------- JSON Schema (the part that tools and answers use)

TYPES = {
    "object": lambda v: isinstance(v, dict),
    "array": lambda v: isinstance(v, list),
    "string": lambda v: isinstance(v, str),
    "boolean": lambda v: isinstance(v, bool),
    "null": lambda v: v is None,
    "number": is_number,
    "integer": lambda v: is_number(v) and math.isfinite(v) and v == int(v),
}
SILENT = {"title", "description", "default", "examples", "$defs", "$schema", "format"}


def equal_json(a, b):
    return json.dumps(a, sort_keys=True) == json.dumps(b, sort_keys=True)


def misfit(value, schema, root=None, at="$"):
    """Why the value does not fit the schema, or None."""
    root = schema if root is None else root
    if schema is True or schema == {}:
        return None
    if schema is False:
        return f"{at}: not allowed"
    for key, rule in schema.items():
        why = None
        match key:
            case "$ref":
                target = root
                for step in rule.removeprefix("#/").split("/"):
                    target = target[step]
                why = misfit(value, target, root, at)
            case "type":
                kinds = [rule] if isinstance(rule, str) else rule
                why = None if any(TYPES[k](value) for k in kinds) else f"{at}: not {'/'.join(kinds)}"
            case "enum":
                why = None if any(equal_json(value, e) for e in rule) else f"{at}: {value!r} is none of {rule}"
            case "const":
                why = None if equal_json(value, rule) else f"{at}: {value!r} is not {rule!r}"
            case "anyOf" | "oneOf":
                fits = sum(misfit(value, s, root, at) is None for s in rule)
                why = None if fits == 1 or (fits and key == "anyOf") else f"{at}: fits {fits} of {key}"
            case "allOf":
                why = next(filter(None, (misfit(value, s, root, at) for s in rule)), None)
            case "properties" if isinstance(value, dict):
                why = next(
                    filter(None, (misfit(value[k], s, root, f"{at}.{k}") for k, s in rule.items() if k in value)), None
                )
            case "required" if isinstance(value, dict):
                lost = [k for k in rule if k not in value]
                why = f"{at}: lacks {lost}" if lost else None
            case "additionalProperties" if isinstance(value, dict):
                more = [k for k in value if k not in schema.get("properties", {})]
                why = next(filter(None, (misfit(value[k], rule, root, f"{at}.{k}") for k in more)), None)
            case "items" if isinstance(value, list):
                why = next(filter(None, (misfit(v, rule, root, f"{at}[{i}]") for i, v in enumerate(value))), None)
            case "minItems" if isinstance(value, list):
                why = f"{at}: fewer than {rule} items" if len(value) < rule else None
            case "maxItems" if isinstance(value, list):
                why = f"{at}: more than {rule} items" if len(value) > rule else None
            case "minimum" if is_number(value):
                why = f"{at}: under {rule}" if value < rule else None
            case "maximum" if is_number(value):
                why = f"{at}: over {rule}" if value > rule else None
            case "minLength" if isinstance(value, str):
                why = f"{at}: shorter than {rule}" if len(value) < rule else None
            case "maxLength" if isinstance(value, str):
                why = f"{at}: longer than {rule}" if len(value) > rule else None
            case (
                "properties"
                | "required"
                | "additionalProperties"
                | "items"
                | "minItems"
                | "maxItems"
                | "minimum"
                | "maximum"
                | "minLength"
                | "maxLength"
            ):
                pass  # says nothing about a value of another type
            case _ if key not in SILENT:
                raise BadCase(f"schema keyword {key!r} is not known here")
        if why:
            return why
    return None


# ---------------------------------------------------------------- one case


def loads(text):
    def refuse(name):
        raise ValueError(f"{name} is not JSON")

    return json.loads(text, parse_constant=refuse)


def parameters(case, name):
    for tool in case["tools"]:
        if tool["function"]["name"] == name:
            return tool["function"].get("parameters") or {"type": "object", "properties": {}}
    return None


def same_args(want, got, schema):
    if isinstance(want, dict) and want.keys() == {"any_of"}:
        return any(same_args(w, got, schema) for w in want["any_of"])
    defaults = {k: s["default"] for k, s in schema.get("properties", {}).items() if "default" in s}
    want, got = defaults | want, defaults | got
    return want.keys() == got.keys() and all(same(w, got[k]) for k, w in want.items())


def call_is(case, want, got):
    return want[0] == got[0] and same_args(want[1], got[1], parameters(case, want[0]))


def check_calls(case, got):
    want = case["expect"]["calls"]
    for name, _ in want:
        if parameters(case, name) is None:
            raise BadCase(f"{case['id']}: expected tool {name!r} is not among the tools")
    if len(want) == len(got):
        orders = [got] if case["expect"].get("order_matters") else itertools.permutations(got)
        if any(all(call_is(case, w, g) for w, g in zip(want, order)) for order in orders):
            return None
    return f"calls: want {json.dumps(want, ensure_ascii=False)}, got {json.dumps(got, ensure_ascii=False)}"


def problems(case, completion):
    """Yield what is wrong with the completion."""
    expect = case["expect"]
    if not expect.keys() & (EXPECT_KEYS - {"order_matters"}) or expect.keys() - EXPECT_KEYS:
        raise BadCase(f"{case['id']}: cannot read expect {sorted(expect)}")
    text = re.sub(r"\A\s*<think>.*?</think>", "", completion.get("content") or "", flags=re.S).strip()
    shown = repr(text if len(text) < 200 else text[:200] + "...")
    calls = []
    for call in completion.get("tool_calls") or []:
        try:
            args = loads(call["arguments"])
        except (ValueError, TypeError):
            args = None
        if not isinstance(args, dict):
            yield f"arguments of {call['name']} are not a JSON object: {call['arguments']!r}"
            return
        schema = parameters(case, call["name"])
        why = f"no such tool: {call['name']}" if schema is None else misfit(args, schema)
        if why:
            yield f"call {call['name']} {json.dumps(args, ensure_ascii=False)}: {why}"
            return
        calls.append([call["name"], args])
    for mark in MARKUP:
        if mark in text:
            yield f"prompt markup in the text: {shown}"
            break
    if "calls" in expect:
        yield check_calls(case, calls)
    if expect.get("no_calls") or "json" in expect or expect.get("json_valid"):
        if calls:
            yield f"want no call, got {json.dumps(calls, ensure_ascii=False)}"
        elif not text:
            yield "no text"
    for item in expect.get("content_contains_all", []):
        if not found(item, text):
            yield f"text lacks {item!r}: {shown}"
    if "content_contains_any" in expect and not found(expect["content_contains_any"], text):
        yield f"text has none of {expect['content_contains_any']!r}: {shown}"
    for item in expect.get("content_not_contains", []):
        if found(item, text):
            yield f"text has {item!r}: {shown}"
    if "json" in expect or expect.get("json_valid"):
        if not case["response_schema"]:
            raise BadCase(f"{case['id']}: a json expectation without response_schema")
        try:
            value = loads(text)
        except ValueError as e:
            yield f"not JSON ({e}): {shown}"
            return
        yield misfit(value, case["response_schema"])
        if "json" in expect and not same(expect["json"], value, subset=True):
            yield f"json: want {json.dumps(expect['json'], ensure_ascii=False)}, got {shown}"


def check(case, completion):
    """(ok, why) for {"content": str | None, "tool_calls": [{"name": str, "arguments": JSON text}]}."""
    wrong = [p for p in problems(case, completion) if p]
    return not wrong, "; ".join(wrong)


# ---------------------------------------------------------------- the server

OPENER = urllib.request.build_opener(urllib.request.ProxyHandler({}))  # a proxy variable must not catch loopback


def fetch(url, body=None, timeout=60):
    data = None if body is None else json.dumps(body).encode()
    headers = {"Content-Type": "application/json", "Authorization": "Bearer EMPTY"}
    with OPENER.open(urllib.request.Request(url, data, headers), timeout=timeout) as reply:
        return json.load(reply)


def request_body(case, model, extra):
    body = {"model": model, "messages": case["messages"], "temperature": 0, "max_tokens": 512}
    if case["tools"]:
        body["tools"] = case["tools"]
    if case["response_schema"]:
        body["response_format"] = {
            "type": "json_schema",
            "json_schema": {"name": "answer", "strict": True, "schema": case["response_schema"]},
        }
    return body | extra


def run_case(case, base, model, timeout, extra):
    try:
        message = fetch(f"{base}/chat/completions", request_body(case, model, extra), timeout)["choices"][0]["message"]
        calls = [
            {"name": c["function"]["name"], "arguments": c["function"]["arguments"]}
            for c in message.get("tool_calls") or []
        ]
        completion = {"content": message.get("content"), "tool_calls": calls}
    except urllib.error.HTTPError as e:
        return False, f"HTTP {e.code}: {e.read(300).decode(errors='replace')}"
    except (OSError, http.client.HTTPException, ValueError, LookupError, TypeError, AttributeError) as e:
        return False, f"no usable answer: {type(e).__name__}: {e}"
    return check(case, completion)


def table(title, cases, results, key):
    right, total = Counter(), Counter()
    for case in cases:
        for group in ((key(case), case.get("holdout", False)), (key(case), "all")):
            total[group] += 1
            right[group] += results[case["id"]][0]
    print(f"\n{title:18} {'all':>9} {'dev':>9} {'holdout':>9}")
    for name in dict.fromkeys(key(c) for c in cases):
        cells = (f"{right[name, h]}/{total[name, h]}" for h in ("all", False, True))
        print(f"{name:18} " + " ".join(f"{c:>9}" for c in cells))


def main(argv=None):
    p = argparse.ArgumentParser(description=__doc__.splitlines()[0])
    p.add_argument("base_url", help="with or without /v1")
    p.add_argument("--cases", default=Path(__file__).with_name("reader-cases.jsonl"), type=Path)
    p.add_argument("--set", choices=("all", "dev", "holdout"), default="all")
    p.add_argument("--only", action="append", help="a category or an id; may be repeated")
    p.add_argument("--model", help="default: the first of /v1/models")
    p.add_argument("--timeout", type=float, default=60, help="seconds for one case")
    p.add_argument("--workers", type=int, default=1)
    p.add_argument("--extra", type=json.loads, default={}, help="JSON object merged into each request")
    a = p.parse_args(argv)
    base = a.base_url.rstrip("/").removesuffix("/v1") + "/v1"
    cases = [json.loads(line) for line in a.cases.read_text(encoding="utf-8").splitlines() if line.strip()]
    cases = [c for c in cases if a.set == "all" or bool(c.get("holdout")) == (a.set == "holdout")]
    cases = [c for c in cases if not a.only or {c["id"], c["category"]} & set(a.only)]
    if not cases:
        print("no case matches", file=sys.stderr)
        return 2
    try:
        model = a.model or fetch(f"{base}/models", timeout=a.timeout)["data"][0]["id"]
    except (OSError, http.client.HTTPException, ValueError, LookupError, TypeError) as e:
        print(f"no model list at {base}/models: {e}", file=sys.stderr)
        return 2
    try:
        with concurrent.futures.ThreadPoolExecutor(a.workers) as pool:
            answers = pool.map(lambda c: run_case(c, base, model, a.timeout, a.extra), cases)
            results = dict(zip((c["id"] for c in cases), answers))
    except BadCase as e:
        print(f"bad case: {e}", file=sys.stderr)
        return 2
    table("category", cases, results, lambda c: c["category"])
    table("language", cases, results, lambda c: c["lang"])
    table("", cases, results, lambda c: "total")
    wrong = [c for c in cases if not results[c["id"]][0]]
    if wrong:
        print("\nwrong:")
    for case in wrong:
        print(f"  {case['id']}{' (holdout)' if case.get('holdout') else ''}: {results[case['id']][1]}")
    return 1 if wrong else 0


if __name__ == "__main__":
    sys.exit(main())
