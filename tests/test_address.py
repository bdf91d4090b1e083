"""Addresses of model servers: mistakes are named with their cure, and loopback is told from the rest."""

import pytest

from companion.address import checked_url, is_loopback


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
