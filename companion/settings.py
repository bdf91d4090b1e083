"""Where the model and the search live: four variables, from the environment or from `.env`. None set: the lab."""

import os
from pathlib import Path

from pydantic import Field, SecretStr
from pydantic_settings import BaseSettings, SettingsConfigDict


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
