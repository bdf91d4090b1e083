"""Wrong answers people give to lesson 1's exercises, and a word of the symptom that the check must name."""

HUNT = """
class Hunt(TypedDict, total=False):
    query: str
    words: str
    results: list
    answer: str


def reply(state):
    return {"answer": state["results"][0]["title"] if state["results"] else "Nothing found."}


def wired(look, broaden, route):
    builder = StateGraph(Hunt)
    builder.add_node("search", look).add_node("broaden", broaden).add_node("answer", reply)
    builder.add_edge(START, "search").add_conditional_edges("search", route, ["broaden", "answer"])
    return builder.add_edge("broaden", "search").compile()
"""

WRONG = {
    "1.1": [
        ("old entries", "def keep_three(old, new):\n    return new[-3:]\n"),
        ("the oldest goes", "def keep_three(old, new):\n    return (old + new)[:3]\n"),
        ("the oldest goes", "def keep_three(old, new):\n    return old + new\n"),
        ("in place", "def keep_three(old, new):\n    old.extend(new)\n    return old[-3:]\n"),
        (
            "more than three",
            "def keep_three(old, new):\n    return [*old, *new] if len(old) < 3 else [*old[1:], *new]\n",
        ),
        ("None", "def keep_three(old, new):\n    print((old + new)[-3:])\n"),
    ],
    "1.2": [
        ("four messages", "def recent(messages, turns):\n    return messages[-2 * turns + 1:]\n"),
        ("newest human", "def recent(messages, turns):\n    return messages[-2 * turns:]\n"),
        (
            "tool call",
            "def recent(messages, turns):\n    return [m for m in messages if m.type == 'human'][-turns:]\n",
        ),
        (
            "IndexError",
            """
def recent(messages, turns):
    starts = [i for i, m in enumerate(messages) if m.type == "human"]
    return messages[starts[-turns]:]
""",
        ),
        (
            "left as it was",
            """
def recent(messages, turns):
    while sum(m.type == "human" for m in messages) > turns:
        del messages[0]
    while messages and messages[0].type != "human" and sum(m.type == "human" for m in messages) == turns:
        del messages[0]
    return messages
""",
        ),
    ],
    "1.3": [
        (
            "ForbiddenError",
            """
def patient_search(client, query, attempts):
    for _ in range(attempts):
        try:
            found = client.search(query=query)["results"]
            return {"search_status": "found" if found else "nothing_found", "search_results": found}
        except errors.UsageLimitExceededError:
            pass
    return {"search_status": "try_later", "search_results": []}
""",
        ),
        (
            "stays used up",
            """
def patient_search(client, query, attempts):
    for _ in range(attempts):
        try:
            found = client.search(query=query)["results"]
            return {"search_status": "found" if found else "nothing_found", "search_results": found}
        except tuple(PROBLEMS) as problem:
            status = next(PROBLEMS[kind] for kind in PROBLEMS if isinstance(problem, kind))
    return {"search_status": status, "search_results": []}
""",
        ),
        (
            "an empty list is an answer",
            """
def patient_search(client, query, attempts):
    status = "nothing_found"
    for _ in range(attempts):
        try:
            if found := client.search(query=query)["results"]:
                return {"search_status": "found", "search_results": found}
        except tuple(PROBLEMS) as problem:
            status = next(PROBLEMS[kind] for kind in PROBLEMS if isinstance(problem, kind))
            if status not in ("try_later", "unavailable"):
                break
    return {"search_status": status, "search_results": []}
""",
        ),
        (
            "not one more",
            """
def patient_search(client, query, attempts):
    try:
        found = client.search(query=query)["results"]
        return {"search_status": "found" if found else "nothing_found", "search_results": found}
    except tuple(PROBLEMS) as problem:
        status = next(PROBLEMS[kind] for kind in PROBLEMS if isinstance(problem, kind))
        if status in ("try_later", "unavailable") and attempts > 0:
            return patient_search(client, query, attempts - 1)
        return {"search_status": status, "search_results": []}
""",
        ),
        (
            "another try",
            """
def patient_search(client, query, attempts):
    return search_with(client, query)


def search_with(client, query):
    try:
        found = client.search(query=query)["results"]
        return {"search_status": "found" if found else "nothing_found", "search_results": found}
    except Exception:
        return {"search_status": "unavailable", "search_results": []}
""",
        ),
        ("as a node does", "def patient_search(client, query, attempts):\n    return client.search(query=query)\n"),
    ],
    "1.4": [
        (
            "one word",
            HUNT
            + """
def build_broader(search):
    return wired(
        lambda s: {"words": s.get("words", s["query"]), "results": search(s.get("words", s["query"]))},
        lambda s: {"words": s["words"].rsplit(" ", 1)[0]},
        lambda s: "answer" if s["results"] else "broaden",
    )
""",
        ),
        (
            "overwritten",
            HUNT
            + """
def build_broader(search):
    return wired(
        lambda s: {"results": search(s["query"])},
        lambda s: {"query": s["query"].rsplit(" ", 1)[0]},
        lambda s: "broaden" if not s["results"] and " " in s["query"] else "answer",
    )
""",
        ),
        (
            "the router",
            HUNT
            + """
def build_broader(search):
    return wired(
        lambda s: {"words": s.get("words", s["query"]), "results": search(s.get("words", s["query"]))},
        lambda s: {"words": s["words"].rsplit(" ", 1)[0]},
        lambda s: "broaden" if not s["results"] and s["words"] == s["query"] and " " in s["query"] else "answer",
    )
""",
        ),
        (
            "KeyError",
            HUNT
            + """
def build_broader(search):
    return wired(
        lambda s: {"results": search(s["words"])},
        lambda s: {"words": s["words"].rsplit(" ", 1)[0]},
        lambda s: "broaden" if not s["results"] and " " in s["words"] else "answer",
    )
""",
        ),
        (
            "builder.compile()",
            """
def build_broader(search):
    return StateGraph(Parcel)
""",
        ),
        (
            "no broaden",
            HUNT
            + """
def build_broader(search):
    def look(state):
        words = state["query"]
        while not (found := search(words)) and " " in words:
            words = words.rsplit(" ", 1)[0]
        return {"results": found}

    builder = StateGraph(Hunt).add_node("search", look).add_node("answer", reply)
    return builder.add_edge(START, "search").add_edge("search", "answer").compile()
""",
        ),
    ],
}
