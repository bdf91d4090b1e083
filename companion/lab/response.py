"""The shapes of answers: key by key, in vLLM's order. What the lab cannot know is null; `created` never changes."""

from typing import Any

from companion.lab.chat import Reply, digest
from companion.lab.checks import MAX_MODEL_LEN, MODEL
from companion.lab.completion import Cut
from companion.lab.request import Text
from companion.lab.tokens import CONTROL_TOKENS, encoding

CREATED = 1767225600
FINGERPRINT = "vllm-0.32.0-lab"
PRINTABLE = [*range(33, 127), *range(161, 173), *range(174, 256)]


def chat_completion(reply: Reply) -> dict[str, Any]:
    """The answer to /v1/chat/completions. With n > 1 the choices differ in nothing but their ids."""
    return {
        "id": reply.id,
        "object": "chat.completion",
        "created": CREATED,
        "model": MODEL,
        "choices": [choice(reply, index) for index in range(reply.request.n or 1)],
        "service_tier": None,
        "system_fingerprint": FINGERPRINT,
        "usage": usage(len(reply.prompt_ids), len(reply.cut.ids) * (reply.request.n or 1)),
        "prompt_logprobs": None,
        **shown_prompt(reply),
        "kv_transfer_params": None,
        "ec_transfer_params": None,
        "metrics": None,
    }


def choice(reply: Reply, index: int) -> dict[str, Any]:
    return {
        "index": index,
        "message": message(reply, index),
        "logprobs": None,
        **reasons(reply),
        "token_ids": reply.cut.ids if reply.request.return_token_ids else None,
        "routed_experts": None,
    }


def reasons(reply: Reply) -> dict[str, Any]:
    return {"finish_reason": reply.finish_reason, "stop_reason": reply.cut.stop_reason}


def shown_prompt(reply: Reply) -> dict[str, Any]:
    """What an answer tells about its prompt."""
    request = reply.request
    return {
        "prompt_token_ids": reply.prompt_ids if request.return_token_ids else None,
        "prompt_text": reply.prompt if request.return_prompt_text else None,
    }


def message(reply: Reply, choice: int) -> dict[str, Any]:
    """The assistant's message. Without calls there is no key `tool_calls`; `content` is null, "" or text."""
    content, calls = reply.parsed.content, reply.parsed.tool_calls
    if calls and not (content or "").strip():
        content = "" if reply.request.forced else None
    entries = [
        {"id": reply.call_id(choice, n), "type": "function", "function": {"name": c.name, "arguments": c.arguments}}
        for n, c in enumerate(calls)
    ]
    return {
        "role": "assistant",
        "content": content,
        "refusal": None,
        "annotations": None,
        "audio": None,
        "function_call": None,
        **({"tool_calls": entries} if entries else {}),
        "reasoning": reply.thought,
    }


def usage(prompt_tokens: int, completion_tokens: int) -> dict[str, Any]:
    """How many tokens; nothing is ever cached."""
    return {
        "prompt_tokens": prompt_tokens,
        "total_tokens": prompt_tokens + completion_tokens,
        "completion_tokens": completion_tokens,
        "prompt_tokens_details": {"cached_tokens": 0, "created_cache_tokens": 0, "multimodal_tokens": None},
        "completion_tokens_details": None,
    }


def text_completion(asked: Text, prompts: list[str], prompt_ids: list[list[int]], cuts: list[Cut]) -> dict[str, Any]:
    """The answer to /v1/completions: `n` equal choices for each prompt."""
    each = [made for made in zip(prompts, prompt_ids, cuts, strict=True) for _ in range(asked.n or 1)]
    return {
        "id": "cmpl-" + digest(*prompts, *(cut.text for cut in cuts)),
        "object": "text_completion",
        "created": CREATED,
        "model": MODEL,
        "choices": [text_choice(asked, index, *made) for index, made in enumerate(each)],
        "service_tier": None,
        "system_fingerprint": FINGERPRINT,
        "usage": usage(sum(map(len, prompt_ids)), sum(len(cut.ids) for _, _, cut in each)),
        "kv_transfer_params": None,
        "ec_transfer_params": None,
        "metrics": None,
    }


def text_choice(asked: Text, index: int, prompt: str, prompt_ids: list[int], cut: Cut) -> dict[str, Any]:
    return {
        "index": index,
        "text": prompt * bool(asked.echo) + cut.text,
        "logprobs": None,
        "finish_reason": cut.finish_reason,
        "stop_reason": cut.stop_reason,
        "token_ids": cut.ids if asked.return_token_ids else None,
        "prompt_logprobs": None,
        "prompt_token_ids": prompt_ids if asked.return_token_ids else None,
        "routed_experts": None,
    }


def model_card() -> dict[str, Any]:
    permission = {
        "id": "modelperm-" + digest(MODEL),
        "object": "model_permission",
        "created": CREATED,
        "allow_create_engine": False,
        "allow_sampling": True,
        "allow_logprobs": False,
        "allow_search_indices": False,
        "allow_view": True,
        "allow_fine_tuning": False,
        "organization": "*",
        "group": None,
        "is_blocking": False,
    }
    return {
        "id": MODEL,
        "object": "model",
        "created": CREATED,
        "owned_by": "companion",
        "root": MODEL,
        "parent": None,
        "max_model_len": MAX_MODEL_LEN,
        "permission": [permission],
    }


def tokenized(ids: list[int], with_text: bool) -> dict[str, Any]:
    """The answer to /tokenize."""
    strings = [token_string(i) for i in ids] if with_text else None
    return {"count": len(ids), "max_model_len": MAX_MODEL_LEN, "tokens": ids, "token_strs": strings}


def token_string(token: int) -> str:
    """A token in the vocabulary's own letters: one for each byte, so that a space is visible.

    >>> token_string(220), token_string(198), token_string(151657)
    ('Ġ', 'Ċ', '<tool_call>')
    """
    if token >= encoding().n_vocab - len(CONTROL_TOKENS):
        return encoding().decode([token])
    return "".join(LETTERS[byte] for byte in encoding().decode_single_token_bytes(token))


def letters() -> dict[int, str]:
    """A visible letter for each byte: itself where it is one, else the next free one from 256 on (GPT-2's table)."""
    others = [byte for byte in range(256) if byte not in PRINTABLE]
    return {byte: chr(byte) for byte in PRINTABLE} | {byte: chr(256 + n) for n, byte in enumerate(others)}


LETTERS = letters()
