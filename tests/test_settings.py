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


@pytest.mark.parametrize("value", [" m ", '"m"', "'m'", "“m”", ' "m" \r'])
def test_spaces_and_quotes_around_a_value_are_not_part_of_it(online, monkeypatch, value):
    monkeypatch.setenv("LLM_MODEL_ID", value)
    monkeypatch.setenv("LLM_API_KEY", value)
    assert settings().llm_model_id == settings().llm_api_key.get_secret_value() == "m"


def test_a_value_of_nothing_but_spaces_or_quotes_is_an_unset_one(online):
    (online / ".env").write_bytes(b"LLM_BASE_URL='  '\r\nTAVILY_API_KEY=\" \"\r\n")
    assert settings().llm_base_url is None
    assert settings().tavily_api_key is None


@pytest.mark.parametrize("encoding", ["utf-16", "latin-1"])
def test_a_dotenv_that_is_not_utf8_is_named(online, encoding):
    (online / ".env").write_bytes("# café\nLLM_BASE_URL=http://127.0.0.1:1/v1\n".encode(encoding))
    with pytest.raises(ValueError, match=r"\.env is not UTF-8 text.*Save it again as UTF-8"):
        settings()


@pytest.mark.parametrize("value", ["", "0", "false", "No", " off "])
def test_offline_can_be_switched_off(online, monkeypatch, value):
    monkeypatch.setenv("COMPANION_OFFLINE", value)
    monkeypatch.setenv("LLM_BASE_URL", "http://127.0.0.1:1/v1")
    assert settings().llm_base_url == "http://127.0.0.1:1/v1"
