"""Tables that the reader of arguments works with: currencies, languages, units, and turns of phrase."""

# ruff: noqa: E501 (a pattern or a table row is read as one line)

# fmt: off
import re

EMAIL = re.compile(r"[\w.+-]+@[\w-]+(?:\.[\w-]+)+")
PATH = re.compile(r"(?<![\w/.])(?:~|\.{1,2})?/?[\w-]+(?:/[\w.-]+)*\.[A-Za-z]\w{0,4}\b|(?<![\w/])(?:~?/[\w.-]+)+")
URL = re.compile(r"https?://[^\s，。、<>\"'）)]+")
STREET = re.compile(
    r"\b\d+[A-Za-z]?\s+(?:[A-Z][\w'.]*\s+){1,3}(?:Street|St|Road|Rd|Avenue|Ave|Lane|Drive|Square|Way|Boulevard|Blvd|Court|Place|Row)\b\.?|\b[A-Z]\w+(?:strasse|straße|gatan|weg)\s+\d+"
    r"|(?:[\u4e00-\u9fff]{2,4}[市区])?(?:(?![\u4e00-\u9fff]?[到至送])[\u4e00-\u9fff]){2,4}?(?:路|街|大道|巷)\d+号(?:[\u4e00-\u9fff\d]*[室楼栋])?"
)
PHONE = re.compile(r"\+?\d[\d\s()-]{5,}\d")
CURRENCIES = {
    "USD": r"\bUSD\b|US dollars?|\bdollars?\b|\$|美元|美金", "EUR": r"\bEUR\b|\beuros?\b|€|欧元", "GBP": r"\bGBP\b|pounds?(?: sterling)?|£|英镑",
    "JPY": r"\bJPY\b|\byens?\b|日元|日圆", "CNY": r"\bCNY\b|\bRMB\b|\byuan\b|人民币|¥", "CHF": r"\bCHF\b|swiss francs?|瑞士法郎|瑞郎", "KRW": r"\bKRW\b|\bwon\b|韩元|韩币",
    "INR": r"\bINR\b|rupees?|卢比", "AUD": r"\bAUD\b|australian dollars?|澳元", "CAD": r"\bCAD\b|canadian dollars?|加元", "HKD": r"\bHKD\b|hong kong dollars?|港币|港元",
    "THB": r"\bTHB\b|\bbaht\b|泰铢", "SEK": r"\bSEK\b|swedish kron(?:a|or)", "NOK": r"\bNOK\b|norwegian kroner?", "RUB": r"\bRUB\b|rou?bles?|卢布", "SGD": r"\bSGD\b|singapore dollars?|新加坡元|新币",
    "MXN": r"\bMXN\b|pesos?|比索", "BRL": r"\bBRL\b|\breais\b|\breal\b", "DKK": r"\bDKK\b|danish kroner?", "PLN": r"\bPLN\b|zloty", "TRY": r"\bTRY\b|lira", "NZD": r"\bNZD\b|new zealand dollars?", "TWD": r"\bTWD\b|taiwan(?:ese)? dollars?|台币",
}
LANGUAGES = {
    "English": ("en", "英语|英文"), "Chinese": ("zh", "中文|汉语|mandarin"), "French": ("fr", "法语|法文"), "German": ("de", "德语|德文"), "Spanish": ("es", "西班牙语|西语"),
    "Japanese": ("ja", "日语|日文"), "Korean": ("ko", "韩语|韩文"), "Italian": ("it", "意大利语"), "Portuguese": ("pt", "葡萄牙语"), "Russian": ("ru", "俄语|俄文"),
    "Arabic": ("ar", "阿拉伯语"), "Dutch": ("nl", "荷兰语"), "Swedish": ("sv", "瑞典语"), "Thai": ("th", "泰语"), "Greek": ("el", "希腊语"), "Polish": ("pl", "波兰语"), "Turkish": ("tr", "土耳其语"), "Hindi": ("hi", "印地语"), "Vietnamese": ("vi", "越南语"), "Finnish": ("fi", "芬兰语"),
}
UNITS = {
    "km": r"kilomet(?:er|re)s?|km|公里|千米", "mi": r"miles?|英里", "m": r"(?<!kilo)(?<!centi)met(?:er|re)s?|米", "cm": r"centimet(?:er|re)s?|cm|厘米", "ft": r"feet|foot|ft|英尺", "in": r"inch(?:es)?|英寸",
    "kg": r"kilograms?|kilos?|kg|公斤|千克", "g": r"(?<!kilo)grams?|克", "lb": r"pounds?|lbs?|磅", "oz": r"ounces?|oz|盎司", "l": r"lit(?:er|re)s?|升", "gal": r"gallons?|加仑",
    "celsius": r"celsius|centigrade|°c|摄氏度?", "fahrenheit": r"fahrenheit|°f|华氏度?", "yd": r"yards?|码", "mm": r"millimet(?:er|re)s?|mm|毫米", "ml": r"millilit(?:er|re)s?|ml|毫升", "kmh": r"km/h|kph", "mph": r"mph",
}
UNIT_NAMES = {"km": ("kilometers", "kilometer", "kilometre"), "mi": ("miles", "mile"), "m": ("meters", "meter", "metre"), "cm": ("centimeters", "centimeter"), "ft": ("feet", "foot"), "in": ("inches", "inch"), "kg": ("kilograms", "kilogram"), "g": ("grams", "gram"), "lb": ("pounds", "lbs", "pound"), "oz": ("ounces", "ounce"), "l": ("liters", "liter", "litre"), "gal": ("gallons", "gallon"), "celsius": ("C",), "fahrenheit": ("F",)}
OFF = re.compile(
    r"\b(?:off|disable[sd]?|deactivate|false|close[sd]?|unlock(?:ed)?|mute|inactive)\b|关|停用|禁用|解锁|关闭|别开",
    re.IGNORECASE,
)
ON = re.compile(
    r"\b(?:on|enable[sd]?|activate|true|open|lock(?:ed)?|unmute|active)\b|打开|开启|启用|锁|开(?!会|始)", re.IGNORECASE
)
SWITCHES = {"active", "enable", "enabled", "is_on", "is_open", "lock", "locked", "off", "on", "on_off", "open", "power", "state", "status", "switch", "turn_on", "turned_on"}
NEGATED = re.compile(
    r"(?:\b(?:no|without|not|don't|doesn't|excluding|except|non|never|isn't)\b[\w\s-]{0,14}|[不无没别免勿][\u4e00-\u9fff]{0,3})$",
    re.IGNORECASE,
)
MESSAGE = (
   
    r"(?:saying|that says|which says|(?:with|and)\s+(?:the\s+)?(?:text|message|body|content|note)|says?|reads?|to say)\s*(?:that\s+)?[:：]?\s*(?P<v>.+)",
    r"[:：](?!\d|//)\s*(?P<v>[^\n]+)",
    r"\b(?:remind|tell|ask|notify|inform|text|message|e-?mail|let)\s+(?:me|us|him|her|them|\w+)\s+(?:know\s+)?(?:to|about|that)\s+(?P<v>.+)",
    r"\b(?:note|reminder|task|todo|memo|message)\s+(?:that|to|about|for)\s+(?P<v>.+)",
    r"(?:说|内容是|内容为|写着|正文是|告诉(?:他|她|他们)|留言)[:：]?\s*(?P<v>[^。！？\n]+)", r"提醒我?(?:一下)?(?:要|去)?(?P<v>[^。！？\n]+)",
    r"(?:记一下|记下|记录|备忘|记住)[:：，]?\s*(?P<v>[^。！？\n]+)",
    r"\b(?:add|put|write|note)\s+(?:down\s+)?(?P<v>.+?)\s+(?:to|on|in|into)\s+(?:my|the)\b",
    r"(?:请|麻烦你?|帮我|帮忙|你)*(?:把|将)?\s*[“\"]?(?P<v>[^，。]+?)[”\"]?(?:翻译成|译成|翻成|翻译为|加到|加入|添加到|用\w*怎么说)",
    r"\btranslate\s+(?P<v>.+?)\s+(?:into|to|from|in)\b", r"\bhow\s+do\s+(?:you|i)\s+say\s+(?P<v>.+?)\s+in\b",
)  # fmt: skip
POINTER = re.compile(
    r"(?i)(?:this|that|it|them|these|those|something|the following|the text|this text|这|它|这个|这段|这句话|这段话|这个句子|下面)\s*(?:text|sentence|message|word|phrase)?"
)
CALLED = re.compile(r"\b(?:called|named|titled|entitled|labell?ed|with the title|title)\s*[:：]?\s+(?P<v>[^,.;?!]+?)(?=\s+(?:on|at|for|by|to|in|with)\b|[,.;?!]|$)|(?:名为|叫做?|标题是|标题为|题为|名字叫)[:：]?(?P<z>[^，。！？]+)", re.IGNORECASE)
COUNTS = {"amount", "copies", "count", "k", "limit", "max", "n", "num", "number", "qty", "quantity", "results", "size", "top", "total"}
PREFER = {
    "place": ("in", "for", "of", "to", "from", "on"), "origin": ("from",), "destination": ("to",), "person": ("to", "for", "with", "by", "of"), "address": ("to",),
    "query": ("about", "for", "on", "of"), "message": ("",), "title": ("", "of"), "item": ("", "of", "for", "in"), "code": ("", "for", "of"),
}
EMPTY = {"add", "add_op", "all", "has", "includ", "is", "need", "today", "tru", "want", "with"}
MEASURES = (
    (r"price|amount|budget|cost|money|fee|payment|salary|income|金额|价格|预算", r"[$€£¥]\s*$", r"^(?:dollar|euro|usd|eur|yuan|pound|yen|元|块|美元|欧元|英镑|人民币|gbp|jpy|cny|日元)"),
    (r"temp|degree|温度|thermostat", r"(?:to|at|到|成|为)\s*$", r"^(?:°|degree|度|c\b|f\b|celsius|摄氏|华氏)"),
    (r"percent|volume|brightness|level|亮度|音量|百分|rate|discount|tip", r"(?:to|at|到|成|为)\s*$", r"^(?:%|percent|per cent)"),
    (r"people|guest|party|seat|person|adult|passenger|attendee|ticket|人数|几人|人|位|张", r"(?:table for|for|party of)\s*$", r"^(?:people|person|guest|adult|seat|ticket|passenger|of us|人|位|个人|名|张)"),
    (r"night|day|晚|天数|天", r"$^", r"^(?:night|day|晚|天)"),
    (r"quantity|count|copies|qty|数量|份数|几", r"(?:buy|order|add|买|要|订|点|加)\s*$", r"^(?:x\b|个|件|份|本|杯|只|台|支|瓶|张|盒|双|条)"),
    (r"limit|max|top|results|n\b|条数|num", r"(?:top|first|last|latest|前|最近|最新)\s*$", r"^(?:result|item|book|hit|entr|article|headline|条|个|篇|本)"),
    (r"weight|kg|体重", r"$^", r"^(?:kg|kilo|公斤|千克|lb|pound)"), (r"height|cm|身高", r"$^", r"^(?:cm|centim|厘米|m\b|metre|meter|米)"),
    (r"age|年龄", r"(?:age|aged)\s*$", r"^(?:year|岁)"), (r"rating|star|score|评分|分数", r"$^", r"^(?:star|point|星|分|out)"), (r"dice|sides", r"d\s*$", r"^(?:-?sided|面|dice)"),
)
ROUTE = (
    re.compile(r"\bfrom\s+(?P<a>.+?)\s+(?:to|for|into)\s+(?P<b>.+?)(?=\s+(?:on|at|by|for|in|with|via|please|tomorrow|today|next|this|and|cost|take|leaving|departing|arriv\w+)\b|\s+\d|[,.;?!]|$)", re.IGNORECASE),
    re.compile(r"\bto\s+(?P<b>.+?)\s+from\s+(?P<a>.+?)(?=\s+(?:on|at|by|for|in|with|via|please|tomorrow|today|next)\b|\s+\d|[,.;?!]|$)", re.IGNORECASE),
    re.compile(r"\bbetween\s+(?P<a>.+?)\s+and\s+(?P<b>.+?)(?=\s+(?:on|at|by|for|in|with)\b|[,.;?!]|$)", re.IGNORECASE),
    re.compile(r"(?:从|由)?(?P<a>[\u4e00-\u9fff]{2,8}?)(?:飞往|飞到|开往|前往|去往|到|至|去|飞)(?P<b>[\u4e00-\u9fff]{2,8}?)(?=的|要|需要|多|有|怎|坐|打|开|票|航班|机票|高铁|火车|最|距离|呢|吗|吧|[，。？！\d]|$)"),
)
