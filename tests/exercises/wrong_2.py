"""Wrong answers people give to lesson 2's exercises, and a word of the symptom that the check must name."""

FETCH = """
def fetch(topic):
    found = {"茶": ["龙井上市", "茶馆开业"], "tea": ["It's tea time"]}.get(topic, [])
    return [{"title": title, "body": title * 50} for title in found]
"""

WRONG = {
    "2.1": [
        (
            "without Args:",
            '''
@tool
def track_order(order_id: str, language: str = "en") -> str:
    """Tell where an order is.

    Args:
        order_id: the number
        language: en or zh
    """
    return order_id
''',
        ),
        (
            "a blank one passes",
            """
def track_order(order_id: Annotated[str, "number"], language: Annotated[str, "en or zh"] = "en") -> str:
    return order_id

track_order.__doc__ = "   "
track_order = tool(track_order)
""",
        ),
        (
            "'TODO'",
            '''
@tool
def track_order(order_id: Annotated[str, "number"], language: Annotated[str, "en or zh"] = "en") -> str:
    """TODO"""
    return order_id
''',
        ),
        (
            "a description of language",
            '''
@tool(parse_docstring=True)
def track_order(order_id: str, language: str = "en") -> str:
    """Tell where an order is.

    Args:
        order_id: the number
    """
    return order_id
''',
        ),
        (
            "only order_id required",
            '''
@tool(parse_docstring=True)
def track_order(order_id: str, language: str) -> str:
    """Tell where an order is.

    Args:
        order_id: the number
        language: en or zh
    """
    return order_id
''',
        ),
        (
            "@tool above",
            '''
def track_order(order_id: str, language: str = "en") -> str:
    """Tell where an order is."""
    return order_id
''',
        ),
    ],
    "2.2": [
        (
            "the schema tells the model",
            '''
class Args(BaseModel):
    model_config = ConfigDict(extra="forbid")
    guests: int
    area: Literal["inside", "terrace"]
    note: str | None = None

    @field_validator("guests")
    @classmethod
    def few(cls, guests: int) -> int:
        assert 1 <= guests <= 8
        return guests

@tool(args_schema=Args)
def reserve(guests: int, area: str, note: str | None = None) -> str:
    """Reserve a table."""
    return "ok"
''',
        ),
        (
            "may be null",
            '''
class Args(BaseModel):
    model_config = ConfigDict(extra="forbid")
    guests: int = Field(ge=1, le=8)
    area: Literal["inside", "terrace"]
    note: str | None

@tool(args_schema=Args)
def reserve(guests: int, area: str, note: str | None) -> str:
    """Reserve a table."""
    return "ok"
''',
        ),
        (
            "dropped without a word",
            '''
@tool
def reserve(
    guests: Annotated[int, Field(ge=1, le=8)], area: Literal["inside", "terrace"], note: str | None = None
) -> str:
    """Reserve a table."""
    return "ok"
''',
        ),
        (
            "'guests': 8",
            '''
@tool
def reserve(
    guests: Annotated[int, Field(gt=0, lt=8)], area: Literal["inside", "terrace"], note: str | None = None
) -> str:
    """Reserve a table."""
    return "ok"
''',
        ),
        (
            "the schema tells the model",
            '''
@tool
def reserve(guests: int, area: str, note: str | None = None) -> str:
    """Reserve a table: 1 to 8 guests, inside or terrace."""
    if not 1 <= guests <= 8 or area not in ("inside", "terrace"):
        raise ValueError("cannot reserve")
    return "ok"
''',
        ),
    ],
    "2.3": [
        (
            "it sees ['text', 'state']",
            '''
@tool
def sign(text: str, state: dict) -> str:
    """Sign a text."""
    return f"{text} - {state['user']}"
''',
        ),
        (
            "it sees ['text', 'state']",
            '''
@tool
def sign(text: str, state: Annotated[dict, UserState]) -> str:
    """Sign a text."""
    return f"{text} - {state['user']}"
''',
        ),
        (
            "it sees ['text', 'user']",
            '''
@tool
def sign(text: str, user: str) -> str:
    """Sign a text."""
    return f"{text} - {user}"
''',
        ),
        (
            "read from the injected state",
            '''
USER = "Ada"

@tool
def sign(text: str, state: Annotated[dict, InjectedState]) -> str:
    """Sign a text."""
    return f"{text} - {USER}"
''',
        ),
    ],
    "2.4": [
        (
            "never becomes {}",
            """
def judge(text, tool):
    try:
        arguments = json.loads(text)
    except ValueError:
        arguments = {}
    try:
        tool.invoke(arguments)
    except ValidationError:
        return "shape"
    except (LookupError, ToolException):
        return "fact"
    return "ok"
""",
        ),
        (
            "may be no object",
            """
def judge(text, tool):
    try:
        arguments = json.loads(text)
    except ValueError:
        return "json"
    try:
        tool.invoke(arguments)
    except ValidationError:
        return "shape"
    except (LookupError, ToolException):
        return "fact"
    return "ok"
""",
        ),
        (
            "ZeroDivisionError",
            """
def judge(text, tool):
    try:
        arguments = json.loads(text)
    except ValueError:
        return "json"
    if not isinstance(arguments, dict):
        return "shape"
    try:
        tool.invoke(arguments)
    except ValidationError:
        return "shape"
    except Exception:
        return "fact"
    return "ok"
""",
        ),
        (
            "unexpected keyword argument",
            """
def judge(text, tool):
    try:
        arguments = json.loads(text)
    except ValueError:
        return "json"
    if not isinstance(arguments, dict):
        return "shape"
    try:
        tool.func(**arguments)
    except (LookupError, ToolException):
        return "fact"
    return "ok"
""",
        ),
        (
            "'json' for wipe",
            """
def judge(text, tool):
    try:
        tool.invoke(json.loads(text))
    except ValueError:
        return "shape"
    except (LookupError, ToolException):
        return "fact"
    return "ok"
""",
        ),
    ],
    "2.5": [
        (
            "instead of str",
            FETCH
            + '''
@tool(response_format="content_and_artifact")
def headlines(topic: str) -> tuple[str, list]:
    """List headlines."""
    found = fetch(topic)
    return str([one["title"] for one in found]), found
''',
        ),
        (
            "Chinese as it is",
            FETCH
            + '''
@tool(response_format="content_and_artifact")
def headlines(topic: str) -> tuple[str, list]:
    """List headlines."""
    found = fetch(topic)
    return json.dumps([one["title"] for one in found]), found
''',
        ),
        (
            "as artifact",
            FETCH
            + '''
@tool
def headlines(topic: str) -> str:
    """List headlines."""
    return json.dumps([one["title"] for one in fetch(topic)], ensure_ascii=False)
''',
        ),
        (
            "content that is text",
            FETCH
            + '''
@tool(response_format="content_and_artifact")
def headlines(topic: str) -> tuple[list, list]:
    """List headlines."""
    found = fetch(topic)
    return [one["title"] for one in found], found
''',
        ),
        (
            "only titles",
            FETCH
            + '''
@tool(response_format="content_and_artifact")
def headlines(topic: str) -> tuple[str, list]:
    """List headlines."""
    found = fetch(topic)
    return json.dumps(found, ensure_ascii=False), found
''',
        ),
    ],
}
