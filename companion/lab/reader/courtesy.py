"""Greetings, thanks and other words that ask for nothing."""

import re

from companion.lab.reader.words import meaning, scan, stem

WORDS = (
    "hi", "hello", "hey", "ok", "okay", "great", "good", "perfect", "cool", "nice", "fine", "super", "awesome", "wow",
    "wonderful", "lovely", "alright", "right", "thanks", "thank you", "thank", "that's all", "bye", "goodbye", "yes",
    "please", "sorry", "excuse me", "good morning", "good afternoon", "good evening", "good night", "there", "so",
    "well", "hm+", "lol", "(?:ha)+", "helpful", "welcome", "cheers", "你好", "您好", "嗨", "好的", "好", "谢谢你?",
    "多谢", "感谢", "请问", "麻烦", "早上好", "太好了", "太棒了", "不错", "再见", "拜拜", "嗯+", "哇", "辛苦了",
)  # fmt: skip
COURTESY = "|".join(sorted(WORDS, key=len, reverse=True))
OPENING = re.compile(rf"^\W*(?:(?:{COURTESY})(?![A-Za-z])[\s,.!，。！、]+)+", re.IGNORECASE)
POLITE = re.compile(rf"(?:{COURTESY})(?![A-Za-z])", re.IGNORECASE)


def polite(text: str) -> str:
    """The request without the greeting or thanks it opens with."""
    return OPENING.sub("", text) or text


def idle(text: str) -> bool:
    """Does a message ask for nothing: "Thanks, that helps!"?"""
    words = scan(POLITE.sub(" ", text))
    return not re.search(r"\d", text) and not any(word.keys and meaning(stem(word.text))[0] for word in words)
