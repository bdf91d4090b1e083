"""The address of a model server: whether a client can use it, and whether it stays on this machine."""

import re
from urllib.parse import urlsplit

LOOPBACK = ("127.0.0.1", "localhost", "::1")


def checked_url(url: str) -> str:
    """Return a base URL that a client can use. Raises ValueError that names the mistake and the cure."""
    problem = mistake(url)
    if problem:
        raise ValueError(f"LLM_BASE_URL is {re.sub('//[^/]*@', '//***@', url)!r}: {problem}")
    return url.strip()


def mistake(url: str) -> str | None:
    """What is wrong with a base URL and what to write instead, or None.

    >>> mistake("http://127.0.0.1:8000/v1")
    """
    url = url.strip()
    parts = urlsplit(url)
    if parts.scheme in ("http", "https") and not parts.netloc:
        right = f"{parts.scheme}://{url.split(':', 1)[1].lstrip('/')}"
        return f"an address begins with '{parts.scheme}://', two slashes. Write {right!r}."
    if parts.scheme not in ("http", "https"):
        return f"an address begins with 'http://' or 'https://'. Write 'http://{url}' if the server speaks plain HTTP."
    if parts.username or parts.password:
        return "a key inside the address ends up in logs. Put it into LLM_API_KEY."
    if url.endswith("/chat/completions"):
        return f"the client adds '/chat/completions' itself. Write {url.removesuffix('/chat/completions')!r}."
    if parts.path in ("", "/"):
        return f"the path is missing; vLLM answers under /v1. Write {url.rstrip('/') + '/v1'!r}."
    if url.endswith("/"):
        return f"a slash at the end doubles in the client's requests. Write {url.rstrip('/')!r}."
    return None


def is_loopback(url: str) -> bool:
    """Whether an address stays on this machine."""
    return urlsplit(url).hostname in LOOPBACK
