"""The rules between the fields of a request. Every check raises LabError, in vLLM's words where they are known.

Those stand in tests/data/ground-truth/errors.json. The lab's own refusals, all 400: logprobs (a rule-based stand-in
has no probabilities), `chat_template` (as a vLLM without --trust-request-chat-template), grammars and regular
expressions, streamed text completions, and `n` above 16.
"""

from collections.abc import Mapping
from typing import Any

from jsonschema_rs import ValidationError

from companion.lab.errors import LabError, short, wrong_value
from companion.lab.request import Chat, Part, Sampling, Text
from companion.lab.schemas import validator

MODEL = "qwen3-stand-in"
MAX_MODEL_LEN = 4096
MAX_CHOICES = 16
USAGE_OF_NAMED = 'Correct usage: `{"type": "function", "function": {"name": "my_function"}}`'


def check_chat(request: Chat) -> None:
    """Raise LabError for a chat request that cannot be answered; in vLLM's order."""
    check_tool_choice(request)
    check_output(request)
    check_model(request.model)
    check_conversation(request)
    check_limit(request)
    check_sampling(request)
    if request.schema_of_answer is not None:
        check_schema(request.schema_of_answer)


def check_text(request: Text) -> None:
    """Raise LabError for a text completion that cannot be answered."""
    if request.suffix is not None:
        raise LabError("suffix is not currently supported", "suffix")
    if request.stream:
        raise LabError("The lab streams chat completions only. Leave out `stream`.", "stream")
    if request.logprobs is not None or request.prompt_logprobs is not None:
        raise no_probabilities()
    check_model(request.model)
    if not request.prompt:
        raise LabError("Either prompt or prompt_embeds must be provided and non-empty.", "prompt")
    several = isinstance(request.prompt, list) and isinstance(request.prompt[0], str)
    if several and len(request.prompt) > MAX_CHOICES:
        raise LabError(f"The lab takes at most {MAX_CHOICES} prompts at once, got {len(request.prompt)}.", "prompt")
    check_limit(request)
    check_sampling(request)


def check_limit(request: Sampling) -> None:
    """Raise LabError when more tokens are wanted than the context holds."""
    limit, name = request.limit, request.limit_name
    if limit is not None and limit > MAX_MODEL_LEN:
        message = f"{name}={limit} cannot be greater than max_model_len={MAX_MODEL_LEN}."
        raise wrong_value(f"{message} Please request fewer output tokens.", name, limit)


def check_room(prompt_tokens: int, request: Sampling) -> None:
    """Raise LabError when prompt and answer do not fit into the context. vLLM stops counting at one too many."""
    start, wanted = f"This model's maximum context length is {MAX_MODEL_LEN} tokens. However,", request.limit or 1
    total = prompt_tokens + wanted
    if prompt_tokens > MAX_MODEL_LEN:
        contains = f"your prompt contains at least {MAX_MODEL_LEN + 1} input tokens"
        advice = (
            "which exceeds this limit even without any output tokens. Please reduce the length of the input prompt."
        )
        raise wrong_value(f"{start} {contains}, {advice}", "input_tokens", MAX_MODEL_LEN + 1)
    if total > MAX_MODEL_LEN:
        contains = (
            f"you requested {wanted} output tokens and your prompt contains at least {prompt_tokens} input tokens"
        )
        advice = "Please reduce the length of the input prompt or the number of requested output tokens."
        raise wrong_value(
            f"{start} {contains}, for a total of at least {total} tokens. {advice}", "input_tokens", total
        )


def check_sampling(request: Sampling) -> None:
    """Raise LabError for a number that sampling cannot use."""
    if request.n is not None and not 1 <= request.n <= MAX_CHOICES:
        bound = "least 1" if request.n < 1 else f"most {MAX_CHOICES}"
        raise LabError(f"n must be at {bound}, got {request.n}.")
    for name, low, high in (("presence_penalty", -2, 2), ("frequency_penalty", -2, 2), ("min_p", 0, 1)):
        value = getattr(request, name)
        if value is not None and not low <= value <= high:
            raise LabError(f"{name} must be in [{low}, {high}], got {value}.")
    if request.repetition_penalty is not None and request.repetition_penalty <= 0:
        raise LabError(f"repetition_penalty must be greater than zero, got {request.repetition_penalty}.")
    if request.temperature is not None and request.temperature < 0:
        message = f"temperature must be non-negative, got {request.temperature}."
        raise wrong_value(message, "temperature", request.temperature)
    if request.top_p is not None and not 0 < request.top_p <= 1:
        raise wrong_value(f"top_p must be in (0, 1], got {request.top_p}.", "top_p", request.top_p)
    if request.top_k is not None and request.top_k < -1:
        raise LabError(f"top_k must be 0 (disable), or at least 1, got {request.top_k}.")
    if request.limit is not None and request.limit < 1:
        raise wrong_value(f"max_tokens must be at least 1, got {request.limit}.", "max_tokens", request.limit)
    if "" in request.stops:
        raise LabError("stop cannot contain an empty string.")


def check_tool_choice(request: Chat) -> None:
    """Raise LabError for an empty tool list, or a choice that is no choice; vLLM's order of checks."""
    choice, tools = request.tool_choice, request.tools
    if tools == []:
        message = "`tools` must not be an empty array. Either provide at least one tool or omit the field entirely."
        raise wrong_value(message, "tools")
    if choice is None or choice == "none":
        return
    if tools is None:
        raise wrong_value("When using `tool_choice`, `tools` must be set.", "tool_choice")
    if isinstance(choice, dict):
        check_named(choice.get("function"), [tool.function.name for tool in tools])
    elif choice not in ("auto", "required"):
        allowed = 'Only named tools, "none", "auto" or "required" are supported.'
        raise wrong_value(f"Invalid value for `tool_choice`: {choice}! {allowed}", "tool_choice")


def check_named(function: Any, names: list[str]) -> None:
    """Raise LabError unless `function` is {"name": ...} of one of the tools."""
    if not isinstance(function, Mapping):
        message = f"Invalid value for `function`: `{function}` in `tool_choice`! {USAGE_OF_NAMED}"
    elif "name" not in function:
        message = f"Expected field `name` in `function` in `tool_choice`! {USAGE_OF_NAMED}"
    elif function["name"] not in names:
        message = "The tool specified in `tool_choice` does not match any of the specified `tools`"
    else:
        return
    raise wrong_value(message, "tool_choice")


def check_output(request: Chat) -> None:
    """Raise LabError for options of the output that contradict each other, or that the lab has no answer to."""
    asked = request.response_format
    if asked and asked.type == "json_schema" and asked.json_schema is None:
        message = "When response_format type is 'json_schema', the 'json_schema' field must be provided."
        raise wrong_value(message, "response_format")
    if request.stream_options and not request.stream:
        raise wrong_value("Stream options can only be defined when `stream=True`.", "stream_options")
    if request.top_logprobs is not None and request.top_logprobs > 20:
        message = f"Requested sample logprobs of {request.top_logprobs}, which is greater than max allowed: 20"
        raise wrong_value(message, "logprobs", request.top_logprobs)
    if request.logprobs or request.top_logprobs or request.prompt_logprobs is not None:
        raise no_probabilities()
    outputs = request.structured_outputs
    if outputs and (outputs.regex or outputs.grammar or outputs.structural_tag):
        message = "The lab follows a JSON schema or a choice, no regular expression or grammar. Use `response_format`."
        raise LabError(message, "structured_outputs")


def check_conversation(request: Chat) -> None:
    """Raise LabError for messages that cannot be rendered."""
    if request.chat_template is not None:
        trust = "Chat template is passed with request, but --trust-request-chat-template is not set."
        raise LabError(f"{trust} Refused request with untrusted chat template.")
    if request.continue_final_message and request.add_generation_prompt:
        raise LabError("Cannot set both `continue_final_message` and `add_generation_prompt` to True.")
    if not request.messages:
        raise LabError("Cannot apply chat template to an empty conversation. Provide at least one message.")
    for message in request.messages:
        for part in message.content if isinstance(message.content, list) else []:
            if isinstance(part, Part) and part.type != "text":
                seen = "" if part.type == "image_url" else f", it cannot read a part of type '{short(part.type, 40)}'"
                raise LabError(f"{MODEL} is not a multimodal model{seen}")


def check_parsing(request: Chat) -> None:
    """Raise LabError as a vLLM does that was started without its two flags for tools."""
    check_tool_choice(request)
    if request.choice == "auto":
        message = '"auto" tool choice requires --enable-auto-tool-choice and --tool-call-parser to be set'
        raise LabError(message)
    if request.forced:
        wanted = f'function "{request.forced[0]}"' if request.choice == "named" else '"required"'
        raise LabError(f"tool_choice={wanted} requires --tool-call-parser to be set")


def check_model(model: str | None) -> None:
    """Raise LabError for another model's name; no name at all means the only one there is."""
    if model is not None and model != MODEL:
        message = f"The model `{model}` does not exist. Valid aliases: {MODEL}."
        raise LabError(message, "model", status=404, type="NotFoundError")


def check_schema(schema: Mapping[str, Any]) -> None:
    """Raise LabError for a JSON schema that is none."""
    try:
        validator(schema)
    except ValidationError as error:
        is_type = error.instance_path[-1:] == ["type"]
        problem = f"Invalid type: {error.instance}" if is_type else error.message
        raise LabError(f"Grammar error: {problem}") from None


def no_probabilities() -> LabError:
    """The refusal of every kind of logprobs."""
    message = "The stand-in follows rules and has no token probabilities. Leave out `logprobs`, or ask a real model."
    return wrong_value(message, "logprobs")
