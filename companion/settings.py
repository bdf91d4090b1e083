"""Where the model and the search live: four variables, from the environment or from `.env`. None set: the lab."""

import os
from pathlib import Path

from pydantic import Field, SecretStr, field_validator
from pydantic_settings import BaseSettings, SettingsConfigDict

AROUND = " \t\r\n\"'“”‘’"


class Settings(BaseSettings):
    """The learner's choice. Keys are secrets: their text appears in no repr, log or journal."""

    model_config = SettingsConfigDict(env_ignore_empty=True, extra="ignore", env_file_encoding="utf-8")

    llm_base_url: str | None = Field(default=None, description="where a vLLM or hosted model answers, with /v1")
    llm_api_key: SecretStr | None = None
    llm_model_id: str | None = None
    tavily_api_key: SecretStr | None = None

    @field_validator("*", mode="before")
    @classmethod
    def bare(cls, value: str | None) -> str | None:
        """A value without the spaces and quotes around it, as `docker --env-file` and Windows' `set` leave them."""
        return (value or "").strip(AROUND) or None


def settings() -> Settings:
    """Return the current settings: environment first, then the nearest `.env` from here upward.

    With COMPANION_OFFLINE set, nothing is configured whatever stands there: the tests run so. Raises ValueError for a
    `.env` that is not UTF-8.
    """
    if os.environ.get("COMPANION_OFFLINE", "").strip().lower() not in ("", "0", "false", "no", "off"):
        return Settings.model_construct()
    here = Path.cwd()
    found = next((folder / ".env" for folder in (here, *here.parents) if (folder / ".env").is_file()), None)
    try:
        return Settings(_env_file=found)
    except UnicodeDecodeError:
        raise ValueError(f"{found} is not UTF-8 text, so nothing in it counts. Save it again as UTF-8.") from None
