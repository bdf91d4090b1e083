"""Where model and search live: the environment, `.env`, and addresses with a mistake in them."""

import pytest

from companion.settings import checked_url, is_loopback, settings


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


@pytest.mark.parametrize(
    ("url", "words"),
    [
        ("http://127.0.0.1:8000", "Write 'http://127.0.0.1:8000/v1'"),
        ("http://127.0.0.1:8000/", "Write 'http://127.0.0.1:8000/v1'"),
        ("http://127.0.0.1:8000/v1/", "slash at the end"),
        ("http:/127.0.0.1:8000/v1", "Write 'http://127.0.0.1:8000/v1'"),
        ("https:/api.example.org/v1", "Write 'https://api.example.org/v1'"),
        ("127.0.0.1:8000/v1", "begins with 'http://'"),
        ("http://127.0.0.1:8000/v1/chat/completions", "Write 'http://127.0.0.1:8000/v1'"),
        ("https://user:sk-1@api.example.org/v1", "LLM_API_KEY"),
    ],
)
def test_a_mistake_in_an_address_is_named_with_its_cure(url, words):
    with pytest.raises(ValueError, match="LLM_BASE_URL") as caught:
        checked_url(url)
    assert words in str(caught.value)
    assert "sk-1" not in str(caught.value)


def test_sound_addresses_pass():
    for url in ("http://127.0.0.1:8000/v1", "https://api.example.org/api/paas/v4", "http://[::1]:8000/v1"):
        assert checked_url(f" {url} ") == url


def test_loopback_is_told_from_the_rest():
    assert all(map(is_loopback, ("http://127.0.0.1:1/v1", "http://localhost:1", "http://[::1]:1/v1")))
    assert not is_loopback("https://localhost.example.org/v1")
