"""A model server as seen from outside: reaching it, asking for its models, keeping what it answered."""

import json
from collections.abc import Mapping
from functools import cache
from typing import Any

import httpx2

from companion.address import is_loopback
from companion.lab.journal import Exchange, journal


def http_clients(url: str) -> tuple[httpx2.Client, httpx2.AsyncClient]:
    """Two clients for a base URL. Proxy variables never catch a loopback call; remote answers go to the journal."""
    outside = not is_loopback(url)
    hooks, async_hooks = ({"response": [keep]}, {"response": [keep_async]}) if outside else ({}, {})
    return (
        httpx2.Client(trust_env=outside, event_hooks=hooks),
        httpx2.AsyncClient(trust_env=outside, event_hooks=async_hooks),
    )


@cache
def models(url: str, key: str) -> tuple[str, ...]:
    """The models a server offers, () where it keeps no list. Raises ConnectionError, PermissionError, ValueError."""
    try:
        with httpx2.Client(trust_env=not is_loopback(url), timeout=10) as client:
            reply = client.get(f"{url}/models", headers={"Authorization": f"Bearer {key}"})
    except httpx2.HTTPError as error:
        raise ConnectionError(
            f"Nobody answers at {url} ({type(error).__name__}). Is the server up, and is LLM_BASE_URL its address?"
        ) from None
    if reply.status_code in (401, 403):
        raise PermissionError(f"{url} refuses the key (HTTP {reply.status_code}). Check LLM_API_KEY.")
    if reply.status_code == 404 and not url.endswith("/v1"):
        raise ValueError(f"{url}/models does not exist there (HTTP 404). Does LLM_BASE_URL lack '/v1' at its end?")
    try:
        return tuple(str(model["id"]) for model in reply.json()["data"])
    except (ValueError, KeyError, TypeError):
        return ()


def choose_model(url: str, key: str, wanted: str | None) -> str:
    """Return the model to ask for. Raises ValueError that names the server's models where `wanted` is not one."""
    offered = models(url, key)
    some = ", ".join(offered[:5]) + (", ..." if len(offered) > 5 else "")
    if wanted and (wanted in offered or not offered):
        return wanted
    if wanted:
        raise ValueError(f"{url} has no model {wanted!r}. It offers: {some}. Set LLM_MODEL_ID to one of these.")
    if len(offered) == 1:
        return offered[0]
    raise ValueError(f"LLM_MODEL_ID is not set, and {url} offers {some or 'no list of models'}. Name the one to use.")


def keep(response: httpx2.Response) -> None:
    """Put a remote answer into the journal; streams are passed on unread."""
    if "event-stream" not in response.headers.get("content-type", ""):
        response.read()
        journal.record(exchange_of(response.request, response.status_code, response.content))


async def keep_async(response: httpx2.Response) -> None:
    """The same for asynchronous calls."""
    if "event-stream" not in response.headers.get("content-type", ""):
        await response.aread()
        journal.record(exchange_of(response.request, response.status_code, response.content))


def exchange_of(request: httpx2.Request, status: int, content: bytes) -> Exchange:
    """What is kept of a remote call: the bodies, and the prompt where the server gave it back. No headers, no key."""
    body = read_object(content)
    return Exchange(
        path="/v1/" + request.url.path.rsplit("/v1/", 1)[-1].lstrip("/"),
        request=read_object(request.content),
        status=status,
        response=body,
        prompt=body.get("prompt_text"),
    )


def read_object(content: bytes) -> Mapping[str, Any]:
    """A JSON object, or an empty one."""
    try:
        value = json.loads(content)
    except ValueError:
        return {}
    return value if isinstance(value, dict) else {}
