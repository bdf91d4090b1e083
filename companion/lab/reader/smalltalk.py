"""Replies that need no tool and no source: greetings and thanks, who is speaking, and what the user just said."""

import re

from companion.lab.reader.turns import Conversation
from companion.lab.reader.words import chinese, keys

CHAT = re.compile(
    r"^[^\w\"“「『《]*(?:hi|hello|hey|good (?:morning|afternoon|evening|night)|thanks?|thank you|bye|goodbye|ok(?:ay)?"
    r"|great|nice|cool|how are you|what's up|(?:who|what) are you|what can you do|nice to meet you|never ?mind|sorry"
    r"|你好|您好|早上好|下午好|晚上好|晚安|嗨|谢谢|多谢|再见|拜拜|你是谁|你叫什么|你能做什么|你会什么|不客气|没事了|辛苦了|好的|太好了)",
    re.IGNORECASE,
)
WHO = (
    "I am the offline stand-in of this course: rules that read the prompt, not a language model.",
    "我是课程里的离线替身：按规则读提示词，不是语言模型。",
)
JOKE = ("Why did the loop go to school? It wanted to end well.", "程序员最怕什么？怕的是昨天还能跑的代码。")
HELLO = r"^\W*(?:hi|hello|hey|good (?:morning|afternoon|evening)|how are you|nice to meet)|[你您]好|上好|嗨"
INTRODUCED = (
    r"^\W*(?:my name is|i am|i'm|call me|i live|i like|i prefer|i work|remember)\b(?!.*\?)"
    r"|^\W*(?:我叫|我是|我住|我喜欢|记住|我在)(?!.*[？?吗])"
)
# What is said, whether it is only chat when the message is short and opens as chat does, the replies.
REPLIES = (
    (r"thank|谢", True, "You are welcome.", "不客气！"),
    (r"who are you|what are you|what can you do|你是谁|你叫什么|你能做什么|你会什么", False, *WHO),
    (HELLO, True, "Hello{name}! What can I do for you?", "你好{name}！有什么可以帮你？"),
    (r"\bbye\b|goodbye|再见|拜拜|晚安|good night", True, "Goodbye!", "再见！"),
    (r"\bjoke\b|笑话", False, *JOKE),
    (INTRODUCED, False, "All right, noted.", "好的，我记下了。"),
)
NAMED = re.compile(r"(?:\bI'm|\bI am|\b[Mm]y name is)\s+([A-Z]\w+)|我叫([\u4e00-\u9fff]{2,4})")
REPEAT = re.compile(
    r"\bwhat (?:did|have) i (?:just )?(?:say|ask|said|asked|tell)|\bmy (?:last|previous|first) (?:question|message)"
    r"|我(?:刚才|刚刚|之前|上一个)?(?:说|问)(?:了|过|的)?(?:什么|啥)|上一个问题",
    re.I,
)
TURNED = {
    "i": "you", "i'm": "you are", "i've": "you have", "i'd": "you would", "am": "are", "was": "were", "my": "your",
    "mine": "yours", "me": "you", "myself": "yourself", "我": "你",
}  # fmt: skip
FIRST = re.compile(rf"\b(?:{'|'.join(sorted(TURNED, key=len, reverse=True))})\b(?!')|我", re.I)
CLAUSE = re.compile(r"(?:\s*[,;]\s*|\s+)(?:and\s+|but\s+)?(?=(?:I|I'm|my)\s)|[，,；]\s*(?=我|也?住|今年|喜欢)", re.I)
ASIDE = re.compile(r"^\W*(?:please |also )?(?:remember|note|by the way|btw|hi|hello|hey)\b[\s,!:]*(?:that )?", re.I)


def small_talk(text: str, zh: bool) -> str:
    """A reply to what asks for nothing; "" for anything else."""
    chat = len(text) < 60 and CHAT.match(text)
    for said, short, *replies in REPLIES:
        if (chat or not short) and re.search(said, text, re.I):
            name = next((n for m in NAMED.findall(text) for n in m if n), "")
            return replies[zh].format(name=("，" if zh else ", ") + name if name else "")
    return ""


def repeated(talk: Conversation, question: str, zh: bool) -> str:
    """What did I just say / ask?"""
    if not REPEAT.search(question):
        return ""
    earlier = [turn.text for turn in talk.turns[: talk.asked] if turn.role == "user"]
    if not earlier:
        return "你还没有说过别的话。" if zh else "You have not said anything before this."
    said = earlier[0] if re.search(r"\bfirst\b|第一", question, re.I) else earlier[-1]
    return f"你说的是：{said}" if zh else f"You said: {said}"


def said_back(question: str, statement: str) -> str:
    """The part of the user's own statement that answers, from me to you; "" when it says nothing about the user.

    >>> said_back("Where do I live?", "My name is Ann and I live in Graz.")
    'You live in Graz.'
    """
    statement = ASIDE.sub("", statement)
    asked = keys(question)
    chosen = max(filter(None, CLAUSE.split(statement)), key=lambda part: len(asked & keys(part)), default="")
    zh = chinese(chosen)
    if not FIRST.search(statement if zh else chosen):
        return ""
    turned = FIRST.sub(lambda me: TURNED[me[0].lower()], chosen.replace("’", "'")).rstrip(" .!。！")
    turned = f"你{turned}" if zh and turned[0] != "你" else turned
    return turned[:1].upper() + turned[1:] + ("。" if zh else ".")
