"""The two doors to the outside: a real `ChatOpenAI` and a real `TavilyClient`, told where model and search live.

Nothing configured: both talk to the lab on this machine, started on first use. With LLM_BASE_URL or
TAVILY_API_KEY set (environment or `.env`) the same objects go to the real thing, and nothing else changes.
"""

from typing import TYPE_CHECKING, Any

from companion import endpoint
from companion.address import checked_key, checked_url

if TYPE_CHECKING:
    from langchain_openai import ChatOpenAI
    from tavily import TavilyClient

    from companion.settings import Settings

LAB_KEY = "EMPTY"
LAB_SEARCH_KEY = "tvly-lab"
VLLM = ("vllm", "companion")
ALIASES = {
    "openai_api_base": "base_url",
    "openai_api_key": "api_key",
    "model_name": "model",
    "request_timeout": "timeout",
}


def chat_model(**overrides: Any) -> "ChatOpenAI":
    """Return a chat model; `overrides` are ChatOpenAI's own arguments (`temperature=0.7`, `max_tokens=64`).

    Raises ValueError for an address, a key or a model name that cannot work, ConnectionError where nobody answers.
    """
    from companion.settings import settings

    given = {ALIASES.get(name, name): value for name, value in overrides.items()}
    given = {name: value for name, value in given.items() if value is not None or name not in ("base_url", "api_key")}
    chosen = settings()
    remote = given.get("base_url") or chosen.llm_base_url
    return connected((remote_options(chosen, given) if remote else lab_options()) | given)


def connected(options: dict[str, Any]) -> "ChatOpenAI":
    """The chat model for options that say where it lives; proxy variables neither break it nor make it warn."""
    from langchain_openai import ChatOpenAI

    sync, asynchronous = endpoint.http_clients(str(options["base_url"]))
    http = {"http_client": sync, "http_async_client": asynchronous, "openai_proxy": None, "http_socket_options": ()}
    return ChatOpenAI(**{"temperature": 0, "timeout": 60, "max_retries": 2, **http, **options})


def lab_options() -> dict[str, Any]:
    """Arguments that lead to the lab; starts it."""
    from companion.lab.checks import MODEL
    from companion.lab.server import lab
    from companion.lab.tokens import encode

    return {"base_url": lab().url + "/v1", "api_key": LAB_KEY, "model": MODEL, "custom_get_token_ids": encode}


def remote_options(chosen: "Settings", given: dict[str, Any]) -> dict[str, Any]:
    """Arguments that lead to the configured server, after asking it which models it has."""
    url = checked_url(str(given.get("base_url") or chosen.llm_base_url))
    secret = given.get("api_key") or chosen.llm_api_key or LAB_KEY
    key = checked_key(secret if isinstance(secret, str) else secret.get_secret_value(), "LLM_API_KEY")
    wanted = given.get("model") or chosen.llm_model_id
    offered = endpoint.models(url, key)
    model = endpoint.choose_model(url, offered, wanted)
    tells = {"return_prompt_text": True, "return_token_ids": True} if offered.get(model) in VLLM else None
    return {"base_url": url, "api_key": key, "model": model, "extra_body": tells}


def search_client() -> "TavilyClient":
    """Return a search client: the lab's corpus, or Tavily itself where TAVILY_API_KEY is set."""
    from companion.settings import settings

    key = settings().tavily_api_key
    if key is None:
        from companion.lab.server import lab

        return lab_search_client(lab().url)
    import requests
    from tavily import TavilyClient

    session = requests.Session()
    session.mount("https://", requests.adapters.HTTPAdapter(max_retries=2))
    return TavilyClient(api_key=checked_key(key.get_secret_value(), "TAVILY_API_KEY"), session=session)


def lab_search_client(url: str) -> "TavilyClient":
    """A client for a lab at `url`; proxy variables do not catch it."""
    import requests
    from tavily import TavilyClient

    session = requests.Session()
    session.trust_env = False
    client = TavilyClient(api_key=LAB_SEARCH_KEY, api_base_url=url, session=session)
    session.proxies.clear()
    return client
