"""Tables that the reader of arguments works with: what values look like, and turns of phrase around them."""

import re

EMAIL = re.compile(r"[\w.+-]+@[\w-]+(?:\.[\w-]+)+")
PATH = re.compile(r"(?<![\w/.])(?:~|\.{1,2})?/?[\w-]+(?:/[\w.-]+)*\.[A-Za-z]\w{0,4}\b|(?<![\w/])(?:~?/[\w.-]+)+")
URL = re.compile(r"https?://[^\s，。、<>\"'）)\]]+")
STREET = re.compile(
    r"\b\d+[A-Za-z]?\s+(?:[A-Z][\w'.]*\s+){1,3}(?:Street|St|Road|Rd|Avenue|Ave|Lane|Drive|Square|Way|Boulevard|Blvd|Court"
    r"|Place|Row)\b\.?|\b[A-Z]\w+(?:strasse|straße|gatan|weg)\s+\d+"
    r"|(?:[\u4e00-\u9fff]{2,4}[市区])?(?:(?![\u4e00-\u9fff]?[到至送])[\u4e00-\u9fff]){2,4}?(?:路|街|大道|巷)\d+号"
    r"(?:[\u4e00-\u9fff\d]*[室楼栋])?"
)
POSTCODE = re.compile(r"(?<![\w-])(?:[A-Z]{1,2}\d[A-Z\d]? \d[A-Z]{2}|\d{4} ?[A-Z]{2}|\d{5}(?:-\d{4})?|\d{6})(?![\w-])")
PHONE = re.compile(r"(?<![\d-])(?!\d{4}-\d\d?-\d\d?(?!\d))\+?\d[\d\s()-]{5,}\d")
OFF = re.compile(
    r"\b(?:off|disable[sd]?|deactivate|false|close[sd]?|unlock(?:ed)?|mute|inactive)\b"
    r"|关|停用|禁用|解锁|别开",
    re.I,
)
ON = re.compile(
    r"\b(?:on|enable[sd]?|activate|true|open|lock(?:ed)?|unmute|active)\b|打开|开启|启用|锁|开(?!会|始)", re.I
)
SWITCHES = {
    "active", "enable", "enabled", "is_on", "is_open", "lock", "locked", "off", "on", "on_off", "open", "power",
    "state", "status", "switch", "turn_on", "turned_on",
}  # fmt: skip
NEGATED = re.compile(
    r"(?:\b(?:no|without|not|don't|doesn't|excluding|except|non|never|isn't)\b[\w\s-]{0,14}"
    r"|[不无没别免勿][\u4e00-\u9fff]{0,3})$",
    re.I,
)
MESSAGE = (
    r"(?:saying|(?:that|which) says|(?:with|and)\s+(?:the\s+)?(?:text|message|body|content|note)|says?|reads?|to say)"
    r"\s*(?:that\s+)?[:：]?\s*(?P<v>.+)",
    r"[:：](?!\d|//)\s*(?P<v>[^\n]+)",
    r"\b(?:remind|tell|ask|notify|inform|text|message|e-?mail|let)\s+(?:me|us|him|her|them|\w+)\s+(?:know\s+)?"
    r"(?:(?:in|at|on|by|tomorrow|tonight)\b[^,.?!]{0,30}?\s)?(?:(?:to|about|that)\s+|(?=(?:I|I'm|we|the|my|it)\b))(?P<v>.+)",
    r"\b(?:note|reminder|task|todo|memo|message|report|complain)\s+(?:that|to|about|for)\s+(?P<v>.+)",
    r"(?:说|内容[是为]|写着|正文是|告诉[他她]们?|留言)[:：]?\s*(?P<v>[^。！？\n]+)",
    r"提醒我?(?:一下)?[要去]?(?P<v>[^。！？\n]+)",
    r"\b(?:add|put|write|note)\s+(?:down\s+)?(?P<v>.+?)\s+(?:to|on|in|into)\s+(?:my|the)\b",
    r"(?:请|麻烦你?|帮我|帮忙|你)*[把将]?\s*[“\"]?(?P<v>[^，。]+?)[”\"]?(?:翻?译成|翻成|翻译为|加[到入]|添加到"
    r"|用\w*怎么说)",
    r"\btranslate\s+(?P<v>.+?)\s+(?:into|to|from|in)\b",
)
POINTER = re.compile(
    r"(?:this|that|it|them|these|those|something|the following|(?:the|this) text|[这它]|这个|这[段句]话?|这个句子|下面)"
    r"\s*(?:text|sentence|message|word|phrase)?",
    re.I,
)
CALLED = re.compile(
    r"\b(?:called|named|titled|entitled|labell?ed|(?:with the )?title)\s*[:：]?\s+(?P<v>[^,.;?!]+?)"
    r"(?=\s+(?:on|at|for|by|to|in|with)\b|[,.;?!]|$)|(?:名为|叫做?|(?:标|主)题[是为]|题为|名字叫)[:：]?(?P<z>[^，。！？]+)",
    re.I,
)
COUNTS = {
    "amount", "copies", "count", "k", "limit", "max", "n", "num", "number", "qty", "quantity", "results", "size", "top",
    "total",
}  # fmt: skip
PREFER = {
    "place": ("in", "for", "of", "to", "from", "on"), "origin": ("from",), "destination": ("to",), "address": ("to",),
    "person": ("to", "for", "with", "by", "of"), "query": ("about", "for", "on", "of"), "message": ("",),
    "title": ("", "of"), "item": ("", "of", "for", "in"), "code": ("", "for", "of"),
}  # fmt: skip
EMPTY = {"add", "add_op", "all", "has", "includ", "is", "need", "today", "tru", "want", "with"}
# Names of a number, what stands before it, what stands after it.
MEASURES = (
    (r"price|amount|budget|cost|money|fee|payment|salary|income|金额|价格|预算", r"[$€£¥]\s*$",
     r"^(?:dollar|euro|usd|eur|yuan|pound|yen|元|块|美元|欧元|英镑|人民币|gbp|jpy|cny|日元)"),
    (r"temp|degree|温度|thermostat", r"(?:to|at|到|成|为)\s*$", r"^(?:°|degree|度|c\b|f\b|celsius|摄氏|华氏)"),
    (r"percent|volume|brightness|level|亮度|音量|百分|rate|discount|tip", r"(?:to|at|到|成|为)\s*$",
     r"^(?:%|per ?cent)"),
    (r"people|guest|party|seat|person|adult|passenger|attendee|ticket|人|位|张", r"(?:table for|for|party of)\s*$",
     r"^(?:people|person|guest|adult|seat|ticket|passenger|of us|人|位|个人|名|张)"),
    (r"limit|max|top|results|n\b|条数|num", r"(?:top|first|last|latest|前|最近|最新)\s*$",
     r"^(?:result|item|book|hit|entr|article|headline|[条个篇本])"),
    (r"age|年龄", r"(?:age|aged)\s*$", r"^(?:year|岁)"),
    (r"rating|star|score|评分|分数", r"$^", r"^(?:star|point|星|分|out)"),
)  # fmt: skip
ENDS = (
    r"(?=\s+(?:on|at|by|for|in|with|via|please|tomorrow|today|next|this|and|(?:cost|tak|leav|depart|arriv|land|run|start)\w*)\b"
    r"|\s+\d|[,.;?!]|$)"
)
ROUTE = (
    re.compile(rf"\bfrom\s+(?P<a>.+?)\s+(?:to|for|into)\s+(?P<b>.+?){ENDS}", re.I),
    re.compile(rf"\bto\s+(?P<b>.+?)\s+from\s+(?P<a>.+?){ENDS}", re.I),
    re.compile(rf"\bbetween\s+(?P<a>.+?)\s+and\s+(?P<b>.+?){ENDS}", re.I),
    re.compile(
        r"[从由]?(?P<a>[\u4e00-\u9fff]{2,8}?)(?:飞往|飞到|开往|前往|去往|到|至|去|飞)(?P<b>[\u4e00-\u9fff]{2,8}?)"
        r"(?=[的要多有怎坐打开票最呢吗吧，。？！\d]|需要|航班|机票|高铁|火车|距离|$)"
    ),
)
