"""POST /search in Tavily's shape, over the passages of corpus.jsonl instead of the web.

Left out, on purpose: dates, countries and images are accepted and change nothing; no passage is news. Also unlike
Tavily: a query of one character is searched, a wrong type is a 400 that names the field, and a request without any
key is refused (the public service answers a few).

Keys: anything that starts with `tvly-` is accepted, except those in REFUSED, which show what a refusal looks like.
tavily-python raises UsageLimitExceededError for 429, but ForbiddenError for 432.
"""

import re
import uuid
from typing import Annotated, Any, Literal

from pydantic import BaseModel, ConfigDict, Field, StringConstraints, ValidationError

from companion.lab.corpus import Page, ranked, subject, terms

UNAUTHORIZED = (401, "Unauthorized: missing or invalid API key.")
REFUSED = {
    "tvly-wrong": UNAUTHORIZED,
    "tvly-limit": (429, "Your request has been blocked due to excessive requests. Please reduce rate of requests."),
    "tvly-plan": (432, "This request exceeds your plan's set usage limit. Please upgrade your plan."),
}
MAX_QUERY = 400
SENTENCE_END = re.compile(r"(?<=[.!?])\s+|(?<=[。！？])")


class Request(BaseModel):
    """The fields of Tavily's request that change the answer; the others are ignored."""

    model_config = ConfigDict(strict=True)

    query: Annotated[str, StringConstraints(strip_whitespace=True, min_length=1, max_length=MAX_QUERY)]
    max_results: int = Field(5, ge=0, le=20)
    search_depth: Literal["basic", "advanced", "fast", "ultra-fast"] = "basic"
    topic: Literal["general", "news", "finance"] = "general"
    include_answer: bool | Literal["basic", "advanced"] = False
    include_raw_content: bool | Literal["markdown", "text"] = False
    include_images: bool = False
    include_domains: list[str] = []
    exclude_domains: list[str] = []


def search(body: dict[str, Any], authorization: str | None) -> tuple[int, dict[str, Any]]:
    """Return status and JSON body for one search. Never raises: what is wrong with a request is a 4xx that says so."""
    if refusal := refused(authorization):
        return error(*refusal)
    if not isinstance(body, dict):
        return error(400, "The body must be a JSON object.")
    try:
        request = Request.model_validate({field: value for field, value in body.items() if value is not None})
    except ValidationError as problem:
        return error(400, explain(problem))
    return 200, answer(request)


def refused(authorization: str | None) -> tuple[int, str] | None:
    """Status and text for a key that is not accepted, else None.

    >>> refused("Bearer tvly-wrong")
    (401, 'Unauthorized: missing or invalid API key.')
    """
    scheme, _, key = (authorization or "").partition(" ")
    if scheme.lower() != "bearer" or not key.strip().startswith("tvly-"):
        return UNAUTHORIZED
    return REFUSED.get(key.strip())


def error(status: int, text: str) -> tuple[int, dict[str, Any]]:
    """An error in the one shape that tavily-python reads."""
    return status, {"detail": {"error": text}}


def explain(problem: ValidationError) -> str:
    """The first field that is wrong, and each form it may have."""
    first, *others = problem.errors(include_url=False)
    match first["loc"][0], first["type"]:
        case "query", "string_too_long":
            return f"Query is too long. Max query length is {MAX_QUERY} characters."
        case "query", "missing" | "string_too_short":
            return "Query is missing."
        case field, _:
            forms = [first["msg"], *(other["msg"] for other in others if other["loc"][0] == field)]
            return f"Invalid {field}. {'. Or: '.join(forms)}."


def answer(request: Request) -> dict[str, Any]:
    """The body of a 200."""
    hits = [(page, score) for page, score in ranked(request.query) if allowed(page.url, request)]
    return {
        "query": request.query,
        "follow_up_questions": None,
        "answer": extract(request, hits[0][0]) if hits and request.include_answer else None,
        "images": [],
        "results": [result(request, page, score) for page, score in hits[: request.max_results]],
        "response_time": 0.01,
        "request_id": str(uuid.uuid5(uuid.NAMESPACE_URL, request.model_dump_json())),
    }


def result(request: Request, page: Page, score: float) -> dict[str, Any]:
    """One entry of `results`."""
    raw_content = page.content if request.include_raw_content else None
    return {"title": page.title, "url": page.url, "content": page.content, "score": score, "raw_content": raw_content}


def allowed(url: str, request: Request) -> bool:
    """Whether include_domains and exclude_domains leave this page in."""
    if any(belongs(url, domain) for domain in request.exclude_domains):
        return False
    return not request.include_domains or any(belongs(url, domain) for domain in request.include_domains)


def belongs(url: str, domain: str) -> bool:
    """Whether a page lies under a domain or a path of it: `example.org`, `example.org/travel`."""
    place = re.escape(domain.strip().rstrip("/").casefold())
    return re.match(rf"https://([^/]+\.)?{place}(/|$)", url) is not None


def extract(request: Request, page: Page) -> str:
    """The sentence (two for "advanced") with most of what was asked beyond the title, in the order of the text."""
    sentences = [sentence for sentence in SENTENCE_END.split(page.content) if sentence]
    asked = roots(subject(request.query))
    beyond = asked - roots(terms(page.title))

    def overlap(sentence: str) -> tuple[int, int]:
        found = roots(terms(sentence))
        return len(beyond & found), len(asked & found)

    best = sorted(sentences, key=overlap, reverse=True)[: 2 if request.include_answer == "advanced" else 1]
    return " ".join(sentence for sentence in sentences if sentence in best)


def roots(words: list[str]) -> set[str]:
    """First letters, so that `tickets` meets `ticket`."""
    return {word[:5] for word in words}
