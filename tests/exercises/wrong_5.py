"""Wrong answers people give to lesson 5's exercises, and a word of the symptom that the check must name."""

WRONG = {
    "5.1": [
        (
            "quantities add up",
            """
def merge(old, new):
    return {**old, **new}
""",
        ),
        (
            "zero or less leaves",
            """
def merge(old, new):
    return {item: old.get(item, 0) + new.get(item, 0) for item in {**old, **new}}
""",
        ),
        (
            "left alone",
            """
def merge(old, new):
    for item, quantity in new.items():
        old[item] = old.get(item, 0) + quantity
        if old[item] <= 0:
            del old[item]
    return old
""",
        ),
        (
            "KeyError",
            """
def merge(old, new):
    cart = dict(old)
    for item, quantity in new.items():
        cart[item] += quantity
    return {item: quantity for item, quantity in cart.items() if quantity > 0}
""",
        ),
        (
            "quantities add up",
            """
def merge(old, new):
    return new
""",
        ),
    ],
    "5.2": [
        (
            "a result without its call",
            """
def fit(messages, limit):
    return messages[-limit:] if limit else []
""",
        ),
        (
            "nothing left",
            """
def fit(messages, limit):
    return trim_messages(messages, max_tokens=limit, token_counter=len, strategy="last", start_on="human")
""",
        ),
        (
            "a call without its result",
            """
def fit(messages, limit):
    kept = [m for m in messages if m.type != "tool"]
    return kept[-limit:] if limit else kept[-2:]
""",
        ),
        (
            "system message in front",
            """
def fit(messages, limit):
    split = turns(messages)
    kept = split.pop()
    while split and len(split[-1]) + len(kept) <= limit:
        kept = split.pop() + kept
    return kept
""",
        ),
        (
            "left as it is",
            """
def fit(messages, limit):
    front = [messages.pop(0)] if messages and messages[0].type == "system" else []
    split = turns(messages)
    kept = split.pop()
    while split and len(split[-1]) + len(kept) <= limit:
        kept = split.pop() + kept
    return front + kept
""",
        ),
        (
            "within the limit",
            """
def fit(messages, limit):
    front = [m for m in messages[:1] if m.type == "system"]
    return front + list(chain(*turns(messages[len(front):])[-max(limit, 1):]))
""",
        ),
    ],
    "5.3": [
        (
            "a thread of its own",
            """
def config_for(user_id, conversation):
    return {"configurable": {"thread_id": f"{user_id}:{conversation}"}}
""",
        ),
        (
            "a thread of its own",
            """
def config_for(user_id, conversation):
    return {"configurable": {"thread_id": user_id, "conversation": conversation}}
""",
        ),
        (
            "ValueError for ('', 'c')",
            """
def config_for(user_id, conversation):
    return {"configurable": {"thread_id": repr((user_id, conversation))}}
""",
        ),
        (
            "where the checkpointer looks",
            """
def config_for(user_id, conversation):
    return {"thread_id": repr((user_id, conversation))}
""",
        ),
        (
            "the same thread",
            """
import itertools
numbers = itertools.count()
def config_for(user_id, conversation):
    if not (user_id or "").strip() or not (conversation or "").strip():
        raise ValueError("who?")
    return {"configurable": {"thread_id": str(next(numbers))}}
""",
        ),
    ],
    "5.4": [
        (
            "IntegrityError",
            """
def charge(ledger, config, call_id, order_id):
    with ledger:
        ledger.execute("INSERT INTO charges VALUES (?, ?)", [config["configurable"]["thread_id"] + call_id, order_id])
    return f"charged for {order_id}"
""",
        ),
        (
            "too coarse",
            """
def charge(ledger, config, call_id, order_id):
    with ledger:
        ledger.execute("INSERT OR IGNORE INTO charges VALUES (?, ?)", [order_id, order_id])
    return f"charged for {order_id}"
""",
        ),
        (
            "a charge is missing",
            """
def charge(ledger, config, call_id, order_id):
    with ledger:
        ledger.execute("INSERT OR IGNORE INTO charges VALUES (?, ?)", [call_id, order_id])
    return f"charged for {order_id}"
""",
        ),
        (
            "not committed",
            """
def charge(ledger, config, call_id, order_id):
    key = config["configurable"]["thread_id"] + "/" + call_id
    ledger.execute("INSERT OR IGNORE INTO charges VALUES (?, ?)", [key, order_id])
    return f"charged for {order_id}"
""",
        ),
        (
            "ran again",
            """
def charge(ledger, config, call_id, order_id):
    with ledger:
        number = ledger.execute("SELECT count(*) FROM charges").fetchone()[0]
        ledger.execute("INSERT INTO charges VALUES (?, ?)", [str(number), order_id])
    return f"charged for {order_id}"
""",
        ),
        (
            "INSERT OR IGNORE",
            """
def charge(ledger, config, call_id, order_id):
    key = config["configurable"]["thread_id"] + "/" + call_id
    with ledger:
        ledger.execute("INSERT OR REPLACE INTO charges VALUES (?, ?)", [key, order_id])
    return f"charged for {order_id}"
""",
        ),
        (
            "same receipt",
            """
def charge(ledger, config, call_id, order_id):
    key = config["configurable"]["thread_id"] + "/" + call_id
    with ledger:
        done = ledger.execute("INSERT OR IGNORE INTO charges VALUES (?, ?)", [key, order_id]).rowcount
    return f"charged for {order_id}" if done else "already done"
""",
        ),
    ],
    "5.5": [
        (
            "nobody's parent",
            """
def lost(graph, config):
    return [snapshot.values for snapshot in graph.get_state_history(config)]
""",
        ),
        (
            "the current state",
            """
def lost(graph, config):
    history = list(graph.get_state_history(config))
    parents = {id_of(snapshot.parent_config) for snapshot in history}
    return [snapshot.values for snapshot in history if id_of(snapshot.config) not in parents]
""",
        ),
        (
            "nobody's parent",
            """
def lost(graph, config):
    ends = [snapshot.values for snapshot in graph.get_state_history(config) if not snapshot.next]
    return ends[1:]
""",
        ),
        (
            "has .values",
            """
def lost(graph, config):
    history = list(graph.get_state_history(config))
    parents = {id_of(snapshot.parent_config) for snapshot in history}
    return [snapshot for snapshot in history[1:] if id_of(snapshot.config) not in parents]
""",
        ),
        (
            "TypeError",
            """
def lost(graph, config):
    history = list(graph.get_state_history(config))
    parents = {s.parent_config["configurable"]["checkpoint_id"] for s in history}
    return [s.values for s in history[1:] if id_of(s.config) not in parents]
""",
        ),
    ],
}
