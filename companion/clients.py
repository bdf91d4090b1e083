"""The two doors to the outside: a real `ChatOpenAI` and a real `TavilyClient`, told where model and search live.

Nothing configured: both talk to the lab on this machine, started on first use. With LLM_BASE_URL or
TAVILY_API_KEY set (environment or `.env`) the same objects go to the real thing, and nothing else changes.
"""

from typing import TYPE_CHECKING, Any

from companion import endpoint
from companion.address import checked_url

if TYPE_CHECKING:
    from langchain_openai import ChatOpenAI
    from tavily import TavilyClient

    from companion.settings import Settings

LAB_KEY = "EMPTY"
LAB_SEARCH_KEY = "tvly-lab"


def chat_model(**overrides: Any) -> "ChatOpenAI":
    """Return a chat model; `overrides` are ChatOpenAI's own arguments (`temperature=0.7`, `max_tokens=64`).

    Raises ValueError for an address or a model name that cannot work, ConnectionError where nobody answers.
    """
    from langchain_openai import ChatOpenAI

    from companion.settings import settings

    chosen = settings()
    options: dict[str, Any] = {"temperature": 0, "timeout": 60, "max_retries": 2}
    options |= remote_options(chosen, overrides) if chosen.llm_base_url else lab_options()
    options |= overrides
    sync, asynchronous = endpoint.http_clients(str(options["base_url"]))
    return ChatOpenAI(**{"http_client": sync, "http_async_client": asynchronous, **options})


def lab_options() -> dict[str, Any]:
    """Arguments that lead to the lab; starts it."""
    from companion.lab.checks import MODEL
    from companion.lab.server import lab

    return {"base_url": lab().url + "/v1", "api_key": LAB_KEY, "model": MODEL}


def remote_options(chosen: "Settings", overrides: dict[str, Any]) -> dict[str, Any]:
    """Arguments that lead to the configured server, after asking it which models it has."""
    url = checked_url(chosen.llm_base_url or "")
    key = chosen.llm_api_key.get_secret_value() if chosen.llm_api_key else LAB_KEY
    wanted = overrides.get("model") or overrides.get("model_name") or chosen.llm_model_id
    return {"base_url": url, "api_key": key, "model": endpoint.choose_model(url, key, wanted)}


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
    return TavilyClient(api_key=key.get_secret_value(), session=session)


def lab_search_client(url: str) -> "TavilyClient":
    """A client for a lab at `url`; proxy variables do not catch it."""
    import requests
    from tavily import TavilyClient

    session = requests.Session()
    session.trust_env = False
    client = TavilyClient(api_key=LAB_SEARCH_KEY, api_base_url=url, session=session)
    session.proxies.clear()
    return client
