"""Wrong answers people give to lesson 6's exercises, and a word of the symptom that the check must name."""

WRONG = {
    "6.1": [
        (
            "A-B-A-B-A",
            """
def too_often(calls, most):
    run = 0
    for before, call in zip([None, *calls], calls):
        run = run + 1 if before and before["args"] == call["args"] else 1
        if run > most:
            return True
    return False
""",
        ),
        (
            "reordered",
            """
def too_often(calls, most):
    signs = [call["name"] + str(call["args"]) for call in calls]
    return any(signs.count(sign) > most for sign in signs)
""",
        ),
        (
            "another id",
            """
def too_often(calls, most):
    signs = [json.dumps(call, sort_keys=True) for call in calls]
    return any(signs.count(sign) > most for sign in signs)
""",
        ),
    ],
    "6.2": [
        (
            "NotImplementedError",
            """
def told(error):
    return f"{error} Please try once more."
""",
        ),
        (
            "NotImplementedError",
            """
def told(error: ToolException | ConnectionError | TimeoutError):
    return str(error) if isinstance(error, ToolException) else "try once more"
""",
        ),
        (
            "TimeoutError",
            """
def told(error):
    if isinstance(error, ToolException):
        return str(error)
    if isinstance(error, ConnectionError):
        return "try once more"
    raise error
""",
        ),
    ],
    "6.3": [
        (
            "KeyError",
            """
def way(state):
    if state["error"]:
        return "fallback"
    return "tools" if state["messages"][-1].tool_calls else END
""",
        ),
        (
            "an answer, round 3",
            """
def way(state):
    if state.get("error"):
        return "fallback"
    if state["rounds"] >= 3:
        return "closing"
    return "tools" if state["messages"][-1].tool_calls else END
""",
        ),
        (
            "calls and an error",
            """
def way(state):
    if state["messages"][-1].tool_calls:
        return "closing" if state["rounds"] >= 3 else "tools"
    return "fallback" if state.get("error") else END
""",
        ),
    ],
}
