"""Addresses of model servers: mistakes are named with their cure, and loopback is told from the rest."""

import pytest

from companion.address import checked_key, checked_url, is_loopback


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
        ("http://127.0.0.1:8000/v1/models", "Write 'http://127.0.0.1:8000/v1'"),
        ("http://127.0.0.1:8000/v1/chat/completions/", "Write 'http://127.0.0.1:8000/v1'"),
        ("http://127.0.0.1:8000/v1?key=sk-1", "Write 'http://127.0.0.1:8000/v1'"),
        ("http://127.0.0.1:port/v1", "cannot be read"),
        ("http://127.0.0.1:99999/v1", "cannot be read"),
        ("http://127.0.0.1:/v1", "port is missing"),
        ("http://:8000/v1", "host is missing"),
        ("http://[::1/v1", "cannot be read"),
        ("http://::1:8000/v1", "cannot be read"),
        ("http:\\\\127.0.0.1:8000\\v1", "no place in an address"),
        ("http://<your-host>:8000/v1", "no place in an address"),
        ("http://127.0.0.1:8000/v1\nx", "no place in an address"),
        ("ftp://127.0.0.1/v1", "Write it like 'http://127.0.0.1:8000/v1'"),
    ],
)
def test_a_mistake_in_an_address_is_named_with_its_cure(url, words):
    with pytest.raises(ValueError, match="LLM_BASE_URL") as caught:
        checked_url(url)
    assert words in str(caught.value)
    assert "user" not in str(caught.value)


def test_sound_addresses_pass():
    for url in ("http://127.0.0.1:8000/v1", "https://api.example.org/api/paas/v4", "http://[::1]:8000/v1"):
        assert checked_url(f" {url} ") == url


def test_loopback_is_told_from_the_rest():
    here = (
        "127.0.0.1:1",
        "localhost:1",
        "[::1]:1",
        "127.0.0.2:1",
        "0.0.0.0:1",
        "LOCALHOST",
        "x.localhost",
        "localhost.",
    )
    assert all(is_loopback(f"http://{host}/v1") for host in here)
    assert not any(map(is_loopback, ("https://localhost.example.org/v1", "http://192.168.1.5:8000/v1")))


@pytest.mark.parametrize("key", ["sk-1\nsk-2", "sk 1", "“sk-1”", "schlüssel", "sk-1\x00"])
def test_a_key_that_no_header_can_carry_is_refused_and_not_shown(key):
    with pytest.raises(ValueError, match="LLM_API_KEY has a character that no key has") as caught:
        checked_key(key, "LLM_API_KEY")
    assert key not in str(caught.value)
