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
        (
            "OSError leaves the graph",
            """
def told(error):
    if isinstance(error, ToolException):
        return str(error)
    if isinstance(error, OSError):
        return "try once more"
    raise error
""",
        ),
        (
            "got:      None",
            """
def told(error):
    if isinstance(error, ToolException | ConnectionError | TimeoutError):
        print(error)
    else:
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
    "6.4": [
        (
            "the turn before",
            """
def within(messages, budget):
    usage = [getattr(message, "usage_metadata", None) or {} for message in messages]
    return sum(used.get("total_tokens", 0) for used in usage) <= budget
""",
        ),
        (
            "AttributeError",
            """
def within(messages, budget):
    return sum(message.usage_metadata["total_tokens"] for message in turn(messages)) <= budget
""",
        ),
        (
            "TypeError",
            """
def within(messages, budget):
    replies = [message for message in turn(messages) if message.type == "ai"]
    return sum(message.usage_metadata["total_tokens"] for message in replies) <= budget
""",
        ),
        (
            "budget 700",
            """
def within(messages, budget):
    usage = [getattr(message, "usage_metadata", None) or {} for message in turn(messages)]
    spent = sum(used.get("total_tokens", 0) for used in usage)
    return not spent or spent < budget
""",
        ),
    ],
    "6.5": [
        (
            "a compiled graph",
            """
def guarded(agent):
    StateGraph(MessagesState).add_node("agent", agent).add_edge(START, "agent").compile()
""",
        ),
        (
            "KeyError",
            """
def guarded(agent):
    retry = RetryPolicy(max_attempts=3, initial_interval=0.01, jitter=False)
    sorry = lambda state: {"messages": [AIMessage("Sorry.")]}
    builder = StateGraph(MessagesState).add_node("agent", agent, retry_policy=retry, error_handler=sorry)
    return builder.add_edge(START, "agent").compile()
""",
        ),
        (
            "twice, then an answer",
            """
def guarded(agent):
    def away(state, error: NodeError):
        if not isinstance(error.error, ConnectionError):
            raise error.error
        return {"messages": [AIMessage("Sorry.")]}
    return StateGraph(MessagesState).add_node("agent", agent, error_handler=away).add_edge(START, "agent").compile()
""",
        ),
        (
            "ConnectionError three times",
            """
def guarded(agent):
    retry = RetryPolicy(max_attempts=3, initial_interval=0.01, jitter=False)
    builder = StateGraph(MessagesState).add_node("agent", agent, retry_policy=retry)
    builder.add_node("fallback", lambda state: {"messages": [AIMessage("Sorry.")]})
    builder.add_conditional_edges(START, lambda state: "fallback" if state.get("error") else "agent")
    return builder.compile()
""",
        ),
        (
            "KeyError",
            """
def guarded(agent):
    def away(state, error: NodeError):
        if not isinstance(error.error, ConnectionError):
            raise error.error
        return {"messages": [AIMessage("Sorry.")]}
    retry = RetryPolicy(max_attempts=3, initial_interval=0.01, jitter=False, retry_on=Exception)
    builder = StateGraph(MessagesState).add_node("agent", agent, retry_policy=retry, error_handler=away)
    return builder.add_edge(START, "agent").compile()
""",
        ),
    ],
}
