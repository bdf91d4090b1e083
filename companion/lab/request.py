"""What a request may say: the fields the lab reads, and their types. Unknown fields are ignored, as in vLLM."""

import json
from functools import cached_property
from typing import Any, Literal

from pydantic import BaseModel, ConfigDict, Field, field_validator
from pydantic_core import PydanticCustomError

from companion.lab.prompt import arguments_of


class Body(BaseModel):
    """A JSON object in a request."""

    model_config = ConfigDict(extra="ignore", allow_inf_nan=False)


class Part(Body):
    """One piece of a message's content."""

    type: str
    text: str = ""


class FunctionCall(Body):
    name: str
    arguments: str

    @field_validator("arguments")
    @classmethod
    def whole_characters(cls, arguments: str) -> str:
        if "\\u" in arguments:
            try:
                json.dumps(arguments_of(arguments), ensure_ascii=False).encode()
            except UnicodeEncodeError:
                raise PydanticCustomError("string_unicode", "Half a character (a lone surrogate) is no text") from None
        return arguments


class ToolCall(Body):
    """A call in the history. `arguments` is JSON text; the id is not needed to render it."""

    id: str | None = None
    type: Literal["function"] = "function"
    function: FunctionCall


class Message(Body):
    """A message. Only an assistant's content may be null."""

    role: str
    content: str | list[str | Part] | None = None
    tool_calls: list[ToolCall] | None = None
    tool_call_id: str | None = None
    reasoning: Any = None
    reasoning_content: Any = None

    @field_validator("content")
    @classmethod
    def only_assistants_are_silent(cls, content: Any, info: Any) -> Any:
        if content is None and info.data.get("role") != "assistant":
            raise PydanticCustomError("string_type", "Input should be a valid string")
        return content


class Function(Body):
    name: str
    description: str | None = None
    parameters: dict[str, Any] | None = None
    strict: bool | None = None
    defer_loading: bool | None = None


class Tool(Body):
    type: Literal["function"] = "function"
    function: Function
    defer_loading: bool | None = None


class JsonSchema(Body):
    name: str = ""
    schema_: dict[str, Any] | None = Field(default=None, alias="schema")


class ResponseFormat(Body):
    type: Literal["text", "json_object", "json_schema"]
    json_schema: JsonSchema | None = None


class StructuredOutputs(Body):
    json_: dict[str, Any] | None = Field(default=None, alias="json")
    choice: list[str] | None = None
    regex: str | None = None
    grammar: str | None = None
    structural_tag: Any = None


class StreamOptions(Body):
    include_usage: bool | None = False
    continuous_usage_stats: bool | None = False


class Sampling(Body):
    """What chat and text completions share."""

    model: str | None = None
    max_tokens: int | None = None
    stop: str | list[str] | None = None
    n: int | None = 1
    temperature: float | None = None
    top_p: float | None = None
    top_k: int | None = None
    min_p: float | None = None
    presence_penalty: float | None = None
    frequency_penalty: float | None = None
    repetition_penalty: float | None = None
    seed: int | None = Field(default=None, ge=-(2**63), lt=2**63)
    stream: bool | None = False
    stream_options: StreamOptions | None = None
    return_token_ids: bool | None = None
    prompt_logprobs: int | None = None

    @property
    def stops(self) -> list[str]:
        return [self.stop] if isinstance(self.stop, str) else self.stop or []

    @property
    def limit(self) -> int | None:
        """The most tokens that the client wants."""
        return self.max_tokens

    @property
    def limit_name(self) -> str:
        """The field that says so."""
        return "max_tokens"


class Chat(Sampling):
    """The body of /v1/chat/completions and its /render."""

    messages: list[Message]
    max_completion_tokens: int | None = None
    tools: list[Tool] | None = None
    tool_choice: Any = None
    parallel_tool_calls: bool | None = True
    response_format: ResponseFormat | None = None
    structured_outputs: StructuredOutputs | None = None
    logprobs: bool | None = False
    top_logprobs: int | None = None
    return_prompt_text: bool | None = None
    return_token_offsets: bool | None = None
    return_token_strs: bool | None = False
    add_generation_prompt: bool = True
    continue_final_message: bool = False
    chat_template: str | None = None
    chat_template_kwargs: dict[str, Any] | None = None

    @property
    def limit(self) -> int | None:
        return self.max_tokens if self.max_completion_tokens is None else self.max_completion_tokens

    @property
    def limit_name(self) -> str:
        return "max_tokens" if self.max_completion_tokens is None else "max_completion_tokens"

    @cached_property
    def plain_tools(self) -> list[dict[str, Any]]:
        """The tools as objects, [] for none."""
        return [tool.model_dump() for tool in self.tools or []]

    @cached_property
    def choice(self) -> str:
        """How tools may be used: auto, none, required, or named."""
        if self.tools is None:
            return "none"
        return "named" if isinstance(self.tool_choice, dict) else self.tool_choice or "auto"

    @cached_property
    def forced(self) -> list[str]:
        """Names of tools one of which must be called."""
        if self.choice == "named":
            return [self.tool_choice["function"]["name"]]
        return [tool.function.name for tool in self.tools or []] if self.choice == "required" else []

    @property
    def one_call(self) -> bool:
        """Whether a forced answer ends with its first call."""
        return self.choice == "named" or self.parallel_tool_calls is False

    @cached_property
    def schema_of_answer(self) -> dict[str, Any] | None:
        """The JSON schema that the answer must fit. A forced call wins over it."""
        asked = self.response_format
        if self.forced or (asked is None and self.structured_outputs is None):
            return None
        if asked is not None and asked.type != "text":
            given = asked.json_schema.schema_ if asked.json_schema else None
            return given if asked.type == "json_schema" and given is not None else {"type": "object"}
        outputs = self.structured_outputs or StructuredOutputs()
        return {"enum": outputs.choice} if outputs.choice else outputs.json_


class Text(Sampling):
    """The body of /v1/completions: a prompt, or several, that no template touches."""

    prompt: str | list[str] | list[int]
    max_tokens: int | None = 16
    echo: bool | None = False
    logprobs: int | None = None
    suffix: str | None = None


class Tokenize(Body):
    """The body of /tokenize with a text. (With messages it is a `Chat`.)"""

    model: str | None = None
    prompt: str
    return_token_strs: bool | None = False


class Detokenize(Body):
    """The body of /detokenize."""

    model: str | None = None
    tokens: list[int]
