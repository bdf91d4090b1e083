"""Wrong answers people give to lesson 3's exercises, and a word of the symptom that the check must name."""

WRONG = {
    "3.1": [
        (
            "one user turn",
            """
def results_turn(results):
    return "".join(f"<|im_start|>user\\n<tool_response>\\n{r}\\n</tool_response><|im_end|>\\n" for r in results)
""",
        ),
        (
            "newlines",
            """
def results_turn(results):
    return "<|im_start|>user\\n" + "".join(f"<tool_response>{r}</tool_response>\\n" for r in results) + "<|im_end|>\\n"
""",
        ),
        (
            "not print it",
            """
def results_turn(results):
    print("<|im_start|>user", results, "<|im_end|>")
""",
        ),
    ],
    "3.2": [
        (
            "frame",
            """
def price(tools):
    return sum(len(tokens.encode(json.dumps(tool))) for tool in tools)
""",
        ),
        (
            "frame",
            """
def price(tools):
    return 158 - 9
""",
        ),
        (
            "no tools",
            """
def price(tools):
    return len(tokens.encode(prompt.render([{"role": "user", "content": "1+1"}], tools)))
""",
        ),
    ],
    "3.3": [
        (
            "key name",
            """
def missed_call(content, names):
    return next((name for name in names if name in content), None)
""",
        ),
        (
            "key name",
            """
def missed_call(content, names):
    found = re.search(r'"name": "([^"]+)"', content)
    return found[1] if found else None
""",
        ),
        (
            "JSONDecodeError",
            """
def missed_call(content, names):
    name = json.loads(content.strip("`json"))["name"]
    return name if name in names else None
""",
        ),
    ],
    "3.4": [
        (
            "removal puts together",
            """
def safe(text):
    return text.replace("<|im_start|>", "").replace("<|im_end|>", "")
""",
        ),
        (
            "all 26 tokens",
            """
def safe(text):
    return text.replace("<|im_start|>", "< |im_start|>").replace("<|im_end|>", "< |im_end|>")
""",
        ),
        (
            "ordinary text",
            """
def safe(text):
    return text.replace("<", "")
""",
        ),
        (
            "removal puts together",
            """
def safe(text):
    for token in tokens.CONTROL_TOKENS:
        text = text.replace(token, "")
    return text
""",
        ),
        (
            "ordinary text",
            """
def safe(text):
    import html
    return html.escape(text)
""",
        ),
    ],
}
