"""The address and the key of a server: whether a client can use them, and whether the address stays on this machine."""

import re
from ipaddress import ip_address
from urllib.parse import urlsplit

ENDINGS = ("/chat/completions", "/completions", "/models", "/responses", "/embeddings")
LIKE = "Write it like 'http://127.0.0.1:8000/v1'."


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
    if odd := re.search(r"[\s\x00-\x1f\\<>{}\"'“”‘’]", url):
        return f"the character {odd[0]!r} has no place in an address. {LIKE}"
    try:
        parts = urlsplit(url)
        has_port = parts.port is not None
    except ValueError as error:
        return f"it cannot be read ({error}). {LIKE}"
    if parts.scheme in ("http", "https") and not parts.netloc:
        right = f"{parts.scheme}://{url.split(':', 1)[1].lstrip('/')}"
        return f"an address begins with '{parts.scheme}://', two slashes. Write {right!r}."
    if parts.scheme not in ("http", "https"):
        cure = LIKE if "//" in url else f"Write 'http://{url}' if the server speaks plain HTTP."
        return f"an address begins with 'http://' or 'https://'. {cure}"
    return wrong_host(parts.hostname, has_port, parts.netloc) or wrong_path(url, parts.path)


def wrong_host(host: str | None, has_port: bool, netloc: str) -> str | None:
    """What is wrong between the two slashes and the path."""
    if "@" in netloc:
        return "a key inside the address ends up in logs. Put it into LLM_API_KEY."
    if not host or (netloc.endswith(":") and not has_port):
        return f"the {'port' if host else 'host'} is missing. {LIKE}"
    return None


def wrong_path(url: str, path: str) -> str | None:
    """What is wrong behind the host: the client adds its own path at the end."""
    bare = re.split("[?#]", url)[0].rstrip("/")
    if ending := next((each for each in ENDINGS if bare.endswith(each)), None):
        return f"the client adds '{ending}' itself. Write {bare.removesuffix(ending)!r}."
    if path in ("", "/"):
        return f"the path is missing; vLLM answers under /v1. Write {bare + '/v1'!r}."
    if bare == url:
        return None
    extra = "a slash at the end doubles in" if url.rstrip("/") == bare else "what follows '?' or '#' lands inside"
    return f"{extra} the client's requests. Write {bare!r}."


def checked_key(key: str, name: str) -> str:
    """Return a key that a header can carry. Raises ValueError that does not show it."""
    if not key.isascii() or not key.isprintable() or " " in key:
        raise ValueError(f"{name} has a character that no key has, such as a space or a curly quote. Copy it again.")
    return key


def is_loopback(url: str) -> bool:
    """Whether an address stays on this machine.

    >>> is_loopback("http://127.0.0.2:8000/v1")
    True
    """
    host = (urlsplit(url).hostname or "").rstrip(".")
    try:
        address = ip_address(host)
    except ValueError:
        return host == "localhost" or host.endswith(".localhost")
    return address.is_loopback or address.is_unspecified
