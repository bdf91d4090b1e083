"""What /v1/chat/completions/render shows of a request: tokens, sampling, and the grammar of forced calls."""

import json

import pytest
from lab_client import CHAT, captured, lab, named

RENDER = f"{CHAT}/render"
ENDPOINTS = captured("endpoints")["vllm_serve"]


@pytest.mark.parametrize("case", named(captured("structural-tags")["cases"], "id"))
def test_grammar_is_the_captured_one(case: dict) -> None:
    params = lab().post(RENDER, json=case["request"]).json()["sampling_params"]
    outputs = params.get("structured_outputs", {})
    tag = outputs.get("structural_tag")
    assert (json.loads(tag) if tag else None) == case["structural_tag"]
    assert params.get("skip_special_tokens") == case["skip_special_tokens"]
    assert outputs.get("json") == case["structured_outputs"].get("json")


@pytest.mark.parametrize("case", named(c for c in ENDPOINTS if c["path"] == RENDER))
def test_render_has_the_captured_keys_and_sampling(case: dict) -> None:
    response = lab().post(RENDER, json=case["request"]).json()
    assert list(response) == list(case["response"])
    assert response["sampling_params"] == case["response"]["sampling_params"]
    assert list(response["sampling_params"]) == list(case["response"]["sampling_params"])


def test_tokens_are_those_of_qwen3() -> None:
    case = captured("endpoints")["vllm_launch_render_qwen3_no_weights"][1]
    assert case["path"] == RENDER
    response = lab().post(RENDER, json=case["request"] | {"model": "qwen3-stand-in"}).json()
    ours, theirs = (answer | {"request_id": "", "model": ""} for answer in (response, case["response"]))
    assert ours == theirs


def test_offsets_cut_the_prompt_into_its_tokens() -> None:
    body = {"messages": [{"role": "user", "content": "The weather of Oslo?"}]}
    response = lab().post(RENDER, json=body | {"return_token_offsets": True}).json()
    prompt = lab().post("/detokenize", json={"tokens": response["token_ids"]}).json()["prompt"]
    assert [prompt[a:b] for a, b in response["token_offsets"]][:3] == ["<|im_start|>", "user", "\n"]
    assert "".join(prompt[a:b] for a, b in response["token_offsets"]) == prompt
