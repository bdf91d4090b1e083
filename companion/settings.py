"""Where the model and the search live: four variables, from the environment or from `.env`. None set: the lab."""

import os
import re
from pathlib import Path
from urllib.parse import urlsplit

from pydantic import Field, SecretStr
from pydantic_settings import BaseSettings, SettingsConfigDict

LOOPBACK = ("127.0.0.1", "localhost", "::1")


class Settings(BaseSettings):
    """The learner's choice. Keys are secrets: their text appears in no repr, log or journal."""

    model_config = SettingsConfigDict(env_ignore_empty=True, extra="ignore", env_file_encoding="utf-8")

    llm_base_url: str | None = Field(default=None, description="where a vLLM or hosted model answers, with /v1")
    llm_api_key: SecretStr | None = None
    llm_model_id: str | None = None
    tavily_api_key: SecretStr | None = None


def settings() -> Settings:
    """Return the current settings: environment first, then the nearest `.env` from here upward.

    With COMPANION_OFFLINE set, nothing is configured whatever stands there: the tests run so.
    """
    if os.environ.get("COMPANION_OFFLINE"):
        return Settings.model_construct()
    here = Path.cwd()
    found = [folder / ".env" for folder in (here, *here.parents) if (folder / ".env").is_file()]
    return Settings(_env_file=found[0] if found else None)


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
