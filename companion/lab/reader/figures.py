"""Questions that ask for a figure, and figures of each kind in a text: how tall, how often, when, how much."""

import re

from companion.lab.reader.dates import MONTHS

DAYS = r"\b(?:mon|tues|wednes|thurs|fri|satur|sun)days?\b|周|星期"
SEASONS = rf"\b(?:{'|'.join(MONTHS)}|spring|summer|autumn|winter)\b|[\d一二三四五六七八九十]月|[春夏秋冬]"
SPAN = r"\b(?:minutes?|hours?|days?|weeks?|months?|years?)\b|分钟|小时|天|年|个月"
CLOCK = r"\d[:：]\d\d|\d ?(?:am|pm)\b|[\d一二三四五六七八九十]+ ?[点时]|\b(?:noon|midnight)\b"
LENGTH = r"\b(?:metres?|meters?|feet|m|km|kilomet\w+|miles?)\b|米|公里|里"
DID = r"(?:\w+ed|wrote|built|made|drew|won)\b"
# What is asked -> what the answer's sentence must speak of, beside a figure.
MEASURED = {
    rf"\bwho {DID}|谁(?:写|创|设计|发明|建)": rf"\bby\b|architect|founder|(?-i:[A-Z])[\w.'-]+ {DID}|由|是.{{2,}}的"
    "|[师人者]|(?:写|创建|创立|设计|发明|建造?)了",
    r"how tall|how high|多高": rf"\b(?:tall|high|height)\b|高|{LENGTH}",
    r"how long|多长|多久(?!一)": rf"\b(?:long|length|takes?|lasts?)\b|长|{LENGTH}|{SPAN}",
    r"(?:which|what) day|哪天|哪一天|星期几|周几": rf"{DAYS}|\d",
    r"how deep|多深": r"\b(?:deep|depth)\b|深",
    r"how wide|多宽": r"\b(?:wide|width)\b|宽",
    r"how heavy|多重": r"\b(?:weigh\w*|heavy|kg|kilo\w*|tons?|tonnes?)\b|重|吨|斤",
    r"how old|多大年|when (?:was|were|did)|(?:what|which) year|哪一?年": r"\b(?:years?|since|built|\d{4})\b|岁|年|"
    + SEASONS,
    r"how (?:big|large)|多大": r"\b(?:area|square|hectares?|acres?|size|large)\b|公顷|平方|面积",
    r"how fast|多快": r"\b(?:speed|km/h|mph|fast)\b|速度|时速",
    r"how often|多久一": r"\b(?:every|daily|weekly|hourly|twice|once|per)\b|每",
    r"how far|多远": rf"\b(?:away)\b|{LENGTH}",
    r"^\W*(?:and |since |until )?when\b|什么时候|何时": rf"{CLOCK}|\d{{4}}|\b(?:before|after|until)\b|{SEASONS}|{DAYS}"
    "|[年月日前后早晚午]",
    r"how much (?:is|does|do|are)|price|cost|多少钱|价|费": r"[$€£¥]|\b(?:costs?|price|admission|fares?|fees?|free"
    r"|dollars?|euros?|usd|eur|pounds?|kroner|crowns?)\b|[元角费价]",
    r"几点|what time": CLOCK,
    r"^\W*where\b|哪[里儿]|在哪": r"\b(?:in|at|on|near|next|behind|under|by|to|from|of|here)\b|[在住位到往从]",
}


def measured(question: str) -> tuple[str, re.Pattern[str] | None]:
    """The words that ask for a kind of figure, and what a text with one looks like; "" and None for other questions."""
    for asks, answers in MEASURED.items():
        if match := re.search(asks, question, re.I):
            return match[0], re.compile(answers, re.I)
    return "", None
