"""Where model and search live: the environment and `.env`."""

import pytest

from companion.settings import settings


@pytest.fixture
def online(tmp_path, monkeypatch):
    """A learner's own folder, where configuration counts."""
    monkeypatch.delenv("COMPANION_OFFLINE")
    monkeypatch.chdir(tmp_path)
    return tmp_path


def test_nothing_set_means_the_lab(online):
    assert settings().llm_base_url is None
    assert settings().tavily_api_key is None


def test_a_dotenv_of_a_folder_above_counts_and_the_environment_wins(online, monkeypatch):
    (online / ".env").write_text("LLM_BASE_URL=http://127.0.0.1:1/v1\nLLM_MODEL_ID=from-file\nOTHER=1\n")
    (online / "notebooks").mkdir()
    monkeypatch.chdir(online / "notebooks")
    monkeypatch.setenv("LLM_MODEL_ID", "from-environment")
    assert settings().llm_base_url == "http://127.0.0.1:1/v1"
    assert settings().llm_model_id == "from-environment"


def test_an_empty_variable_is_an_unset_one(online, monkeypatch):
    monkeypatch.setenv("LLM_BASE_URL", "")
    assert settings().llm_base_url is None


def test_offline_overrules_everything(online, monkeypatch):
    monkeypatch.setenv("LLM_BASE_URL", "http://127.0.0.1:1/v1")
    monkeypatch.setenv("COMPANION_OFFLINE", "1")
    assert settings().llm_base_url is None


def test_keys_do_not_show(online, monkeypatch):
    monkeypatch.setenv("LLM_API_KEY", "sk-very-secret")
    monkeypatch.setenv("TAVILY_API_KEY", "tvly-very-secret")
    assert "secret" not in f"{settings()!r} {settings()} {settings().model_dump()}"
