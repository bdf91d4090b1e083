"""The prompt, byte for byte as vLLM rendered it; and the ways to get it back over HTTP."""

import pytest
from lab_client import ADD, CHAT, captured, lab, named

from companion.lab.prompt import render

PROMPTS = captured("prompts")["cases"]
THINKING = captured("prompts-thinking")["cases"]
TOOLS = captured("tools-block")["cases"]
# Over HTTP the lab sorts results by the calls they name; `render`, like vLLM, does not look at ids.
SORTED_OVER_HTTP = {"parallel_results_swapped_order"}


@pytest.mark.parametrize("case", named([case for case in PROMPTS if "prompt" in case], "id"))
def test_prompt_is_the_captured_text(case: dict) -> None:
    assert render(case["messages"], case["tools"], case["add_generation_prompt"]) == case["prompt"]


@pytest.mark.parametrize("case", named([case for case in PROMPTS if "error" in case], "id"))
def test_what_vllm_refuses_is_refused(case: dict) -> None:
    with pytest.raises(ValueError, match="function"):
        render(case["messages"], case["tools"])
    response = lab().post(CHAT, json={"messages": case["messages"], "tools": case["tools"]})
    assert (response.status_code, response.json()) == (case["error"]["status"], {"error": case["error"]["error"]})


@pytest.mark.parametrize("case", named(THINKING, "id"))
def test_thinking_is_rendered_as_captured(case: dict) -> None:
    request = case["request"]
    thinking = request.get("chat_template_kwargs", {}).get("enable_thinking")
    prompt = render(
        request["messages"], request.get("tools"), request.get("add_generation_prompt", True), enable_thinking=thinking
    )
    assert prompt == case["prompt"]


@pytest.mark.parametrize("case", named(TOOLS, "id"))
def test_tools_block_is_the_captured_one(case: dict) -> None:
    prompt = render([{"role": "user", "content": "x"}], case["tools"])
    assert prompt.partition("<tools>\n")[2].partition("\n</tools>")[0] == case["tools_block_in_prompt"]


@pytest.mark.parametrize("case", named([c for c in PROMPTS if "prompt" in c and c["id"] not in SORTED_OVER_HTTP], "id"))
def test_every_way_back_to_the_prompt_gives_the_same(case: dict) -> None:
    body = {key: case[key] for key in ("messages", "tools", "add_generation_prompt")}
    client = lab()
    answer = client.post(CHAT, json=body | {"return_prompt_text": True, "return_token_ids": True}).json()
    tokens = client.post("/tokenize", json=body).json()
    rendered = client.post(f"{CHAT}/render", json=body).json()
    assert answer["prompt_text"] == case["prompt"]
    assert answer["prompt_token_ids"] == tokens["tokens"] == rendered["token_ids"]
    assert client.post("/detokenize", json={"tokens": tokens["tokens"]}).json() == {"prompt": case["prompt"]}
    assert answer["usage"]["prompt_tokens"] == tokens["count"] == len(tokens["tokens"])


@pytest.mark.parametrize("case", named(THINKING, "id"))
def test_thinking_switch_reaches_the_prompt_over_http(case: dict) -> None:
    answer = lab().post(CHAT, json=case["request"] | {"return_prompt_text": True}).json()
    assert answer["prompt_text"] == case["prompt"]


def test_last_message_can_be_continued() -> None:
    messages = [{"role": "user", "content": "Say: hello world"}, {"role": "assistant", "content": "hello"}]
    options = {"add_generation_prompt": False, "continue_final_message": True, "return_prompt_text": True}
    answer = lab().post(CHAT, json={"messages": messages, **options}).json()
    assert answer["prompt_text"].endswith("\n\nhello")


def test_text_of_a_user_can_become_control_tokens() -> None:
    case = captured("endpoints")["special_tokens_in_user_text"]
    ids = lab().post("/tokenize", json={"messages": case["messages"]}).json()["tokens"]
    # One start and one end fewer than captured: Qwen3's template has no system turn of its own.
    assert ids.count(151644) == case["n_im_start"] - 1
    assert ids.count(151645) == case["n_im_end"] - 1


def test_tools_are_in_the_prompt_whatever_the_choice() -> None:
    for choice in ("auto", "none", "required", {"type": "function", "function": {"name": "add"}}):
        body = {"messages": [{"role": "user", "content": "1+1"}], "tools": [ADD], "tool_choice": choice}
        assert '"name": "add"' in lab().post(CHAT, json=body | {"return_prompt_text": True}).json()["prompt_text"]
