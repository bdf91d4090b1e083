"""A model server as seen from outside: reaching it, and asking for its models."""

import re
import ssl
from collections.abc import Collection
from functools import cache
from urllib.parse import urlsplit
from urllib.request import getproxies, proxy_bypass

import httpx2

from companion.address import is_loopback
from companion.lab.journal import journal
from companion.recorder import keep, keep_async


def http_clients(url: str) -> tuple[httpx2.Client, httpx2.AsyncClient]:
    """Two clients for a base URL. Proxy variables never catch a loopback call; a foreign answer goes to the journal."""
    outside, foreign = not is_loopback(url), url.removesuffix("/v1") not in journal.writers
    hooks, async_hooks = ({"response": [keep]}, {"response": [keep_async]}) if foreign else ({}, {})
    return (
        httpx2.Client(trust_env=outside, event_hooks=hooks, verify=tls()),
        httpx2.AsyncClient(trust_env=outside, event_hooks=async_hooks, verify=tls()),
    )


@cache
def tls() -> ssl.SSLContext:
    """What certificates are checked with: read once, since that takes as long as sixty answers of the lab."""
    return httpx2.create_ssl_context()


def models(url: str, key: str) -> dict[str, str]:
    """The models a server offers and who says so, {} for no list. Raises ConnectionError, PermissionError, ValueError.

    A vLLM answers {"Qwen/Qwen3-4B": "vllm"}.
    """
    try:
        with httpx2.Client(trust_env=not is_loopback(url), timeout=10) as client:
            reply = client.get(f"{url}/models", headers={"Authorization": f"Bearer {key}"})
    except (httpx2.HTTPError, httpx2.InvalidURL, UnicodeError) as error:
        reason = str(error) or type(error).__name__
        advice = "Is the server up, and is LLM_BASE_URL its address?" + through_proxy(url)
        raise ConnectionError(f"Nobody answers at {url} ({reason}). {advice}") from None
    return listed(reply) if reply.is_success else refused(url, reply)


def listed(reply: httpx2.Response) -> dict[str, str]:
    """A list of models; most servers wrap it in an object, some do not."""
    try:
        body = reply.json()
        cards = body["data"] if isinstance(body, dict) else body
        return {str(card["id"]): str(card.get("owned_by")) for card in cards or ()}
    except (ValueError, KeyError, TypeError, AttributeError):
        said = f"{reply.url} answers {reply.text[:60]!r}, which is no list of models."
        raise ValueError(f"{said} Is LLM_BASE_URL a model server?") from None


def refused(url: str, reply: httpx2.Response) -> dict[str, str]:
    """{} where a server has no list of models to give; an error that says what to do for any other refusal."""
    status = f"HTTP {reply.status_code}"
    if reply.has_redirect_location:
        target = reply.headers["location"].removesuffix("/models")
        raise ValueError(f"{url} sends its callers on to {target} ({status}). Set LLM_BASE_URL to where it leads.")
    if reply.status_code in (401, 403):
        raise PermissionError(f"{url} refuses the key ({status}). Check LLM_API_KEY.")
    if reply.status_code == 404 and not re.search(r"/v\d", url):
        raise ValueError(f"{url}/models does not exist there ({status}). Does LLM_BASE_URL lack '/v1' at its end?")
    if reply.is_server_error:
        advice = "It may still be loading: try again in a moment." + through_proxy(url)
        raise ConnectionError(f"{url} is not ready ({status}). {advice}")
    return {}


def through_proxy(url: str) -> str:
    """A hint where a proxy stands between this machine and an address."""
    parts = urlsplit(url)
    proxies = getproxies()
    if is_loopback(url) or not (proxies.get(parts.scheme) or proxies.get("all")) or proxy_bypass(parts.hostname or ""):
        return ""
    return f" A proxy is set for it: if it is in your own network, add {parts.hostname} to NO_PROXY."


def choose_model(url: str, offered: Collection[str], wanted: str | None) -> str:
    """Return the model to ask for. Raises ValueError that names the server's models where `wanted` is not one."""
    some = ", ".join([*offered][:5]) + (", ..." if len(offered) > 5 else "")
    if wanted and (not offered or known(wanted, offered)):
        return wanted
    if wanted:
        raise ValueError(f"{url} has no model {wanted!r}. It offers: {some}. Set LLM_MODEL_ID to one of these.")
    if len(offered) == 1:
        return next(iter(offered))
    raise ValueError(f"LLM_MODEL_ID is not set, and {url} offers {some or 'no list of models'}. Name the one to use.")


def known(wanted: str, offered: Collection[str]) -> bool:
    """Whether a model is on a list, also under the short names that hosted services and Ollama take.

    >>> known("qwen3", ["qwen3:latest"]), known("gemini-x", ["models/gemini-x"]), known("a/b:free", ["a/b"])
    (True, True, True)
    """
    names = {name.removeprefix("models/").removesuffix(":latest") for name in offered} | {*offered}
    return wanted in names or wanted.rpartition(":")[0] in names
