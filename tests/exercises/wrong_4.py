"""Wrong answers people give to lesson 4's exercises, and a word of the symptom that the check must name."""

WRONG = {
    "4.1": [
        (
            "GraphRecursionError",
            """
def steps(rounds):
    return 2 * rounds
""",
        ),
        (
            "GraphRecursionError",
            """
def steps(rounds):
    return 2 * rounds + 1
""",
        ),
        (
            "less is enough",
            """
def steps(rounds):
    return 25
""",
        ),
        (
            "less is enough",
            """
def steps(rounds):
    return 3 * rounds + 2
""",
        ),
        (
            "a whole number",
            """
def steps(rounds):
    return f"{2 * rounds + 2} steps"
""",
        ),
    ],
    "4.2": [
        (
            "['a', 'b', 'c', 'c']",
            """
static_edges = [(START, "a"), ("a", "b"), ("b", "c"), ("c", END)]
""",
        ),
        (
            "beside Command",
            """
static_edges = [(START, "a"), ("a", "c"), ("b", "c"), ("c", END)]
""",
        ),
        (
            "['a', 'b']",
            """
static_edges = [(START, "a"), ("c", END)]
""",
        ),
        (
            "edges that compile",
            """
static_edges = [("b", "c"), ("c", END)]
""",
        ),
        (
            "unknown node",
            """
static_edges = [(START, "a"), ("b", "c"), ("c", "END")]
""",
        ),
        (
            "recursion limit",
            """
static_edges = [(START, "a"), ("b", "c"), ("c", "a")]
""",
        ),
        (
            "a list of pairs",
            """
static_edges = {START: "a", "b": "c", "c": END}
""",
        ),
    ],
    "4.3": [
        (
            "IndexError",
            """
def joined(chunks):
    return "".join(chunk.choices[0].delta.content or "" for chunk in chunks)
""",
        ),
        (
            "NoneType",
            """
def joined(chunks):
    return "".join(chunk.choices[0].delta.content for chunk in chunks if chunk.choices)
""",
        ),
        (
            "None'",
            """
def joined(chunks):
    return "".join(str(chunk.choices[0].delta.content) for chunk in chunks if chunk.choices)
""",
        ),
        (
            "got:      ''",
            """
def joined(chunks):
    text = ""
    for chunk in chunks:
        if not chunk.choices or not chunk.choices[0].delta.content:
            break
        text += chunk.choices[0].delta.content
    return text
""",
        ),
        (
            "got:      ['天气', '晴']",
            """
def joined(chunks):
    return [c.choices[0].delta.content for c in chunks if c.choices and c.choices[0].delta.content]
""",
        ),
        (
            "'generator' object",
            """
def joined(chunks):
    return "".join(chunk.choices[0].delta.content or "" for chunk in chunks[:-1])
""",
        ),
        (
            "got:      '晴'",
            """
def joined(chunks):
    for chunk in chunks:
        if chunk.choices and chunk.choices[0].delta.content:
            text = chunk.choices[0].delta.content
    return text
""",
        ),
    ],
    "4.4": [
        (
            "expected: a function",
            """
handler = None
""",
        ),
        (
            "what your function returns",
            """
def handler(error: ToolException | TimeoutError) -> str:
    text = "Try later." if isinstance(error, TimeoutError) else str(error)
""",
        ),
        (
            "expected: a function",
            """
handler = (ToolException, TimeoutError)
""",
        ),
        (
            "none at all means every Exception",
            """
def handler(error):
    return "Try later." if isinstance(error, TimeoutError) else str(error)
""",
        ),
        (
            "OSError leaves the graph",
            """
def handler(error: ToolException | OSError) -> str:
    return "Try later." if isinstance(error, OSError) else str(error)
""",
        ),
        (
            "for a TimeoutError",
            """
def handler(error: ToolException) -> str:
    return str(error)
""",
        ),
        (
            "socket number",
            """
def handler(error: ToolException | TimeoutError) -> str:
    return f"Try later: {error}"
""",
        ),
        (
            "'card expired' for a ToolException",
            """
def handler(error: ToolException | TimeoutError) -> str:
    return "Try again later."
""",
        ),
    ],
    "4.5": [
        (
            "two calls with one result",
            """
def prune(messages):
    answered = {message.tool_call_id for message in messages if message.type == "tool"}
    return [m for m in messages if not calls_of(m) or any(call["id"] in answered for call in calls_of(m))
            and m.type != "tool"]
""",
        ),
        (
            "a call that is no JSON",
            """
def prune(messages):
    answered = {message.tool_call_id for message in messages if message.type == "tool"}
    whole = [m for m in messages if m.type != "ai" or all(call["id"] in answered for call in m.tool_calls)]
    asked = {call["id"] for m in whole if m.type == "ai" for call in m.tool_calls}
    return [m for m in whole if m.type != "tool" or m.tool_call_id in asked]
""",
        ),
        (
            "tool(c2)",
            """
def prune(messages):
    answered = {message.tool_call_id for message in messages if message.type == "tool"}
    return [m for m in messages if all(call["id"] in answered for call in calls_of(m))]
""",
        ),
        (
            "the list you were given has changed",
            """
def prune(messages):
    answered = {message.tool_call_id for message in messages if message.type == "tool"}
    for m in list(messages):
        if not all(call["id"] in answered for call in calls_of(m)):
            messages.remove(m)
    return messages
""",
        ),
        (
            "a call without a result",
            """
def prune(messages):
    return complete(messages)
""",
        ),
        (
            "a whole thread",
            """
def prune(messages):
    return [m for m in messages if m.type != "tool" and not calls_of(m)]
""",
        ),
        (
            "a list of messages",
            """
def prune(messages):
    answered = {message.tool_call_id for message in messages if message.type == "tool"}
    whole = [m for m in messages if all(call["id"] in answered for call in calls_of(m))]
""",
        ),
    ],
}
