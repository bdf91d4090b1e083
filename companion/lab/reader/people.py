"""Names of people in a text."""

import re

from companion.lab.reader.text import Text
from companion.lab.reader.turns import Parameter
from companion.lab.reader.words import scan, spaced

PERSON = re.compile(
    r"(?:(?:full|first|customer|user) )?name|customer|person|author|sender|patient|guest|passenger", re.I
)
LINKED = r"(?:\s+(?:de|del|la|da|van|von|der|di|bin|al)\b)*"
SAID = re.compile(
    rf"(?i:\b(?:name is|name:|i am|i'm|this is|called|mr|mrs|ms|dr)\b\.?)\s+((?:[A-Z][\w'-]*{LINKED}\s?){{1,4}})"
    r"|(?:名?叫|姓名[:：是]?|我是)([\u4e00-\u9fff]{2,3}?)(?=[，。,.、；\s今的（(\d]|$)"
)
SURNAMES = (
    "赵钱孙李周吴郑王冯陈卫蒋沈韩杨朱秦许何吕张孔曹严金魏陶姜谢邹苏潘葛范彭鲁马方任袁柳史唐薛雷贺罗毕郝安常于傅齐康余顾孟黄"
    "穆萧尹姚邵汪毛米宋庞熊项祝董梁杜阮蓝闵季贾江童郭梅林钟徐邱骆高夏蔡田胡凌霍万卢莫房丁邓石崔龚程邢陆翁段侯武刘龙叶白赖乔温"
    "庄阎易廖曾游肖欧小老阿"
)
BEFORE = "请|联系人?|通知|告诉|叫|找|给|客户|用户|同事|让|我是|收件人|姓名|患者|学生|老师|乘客|作者"
CHINESE = re.compile(
    rf"(?:(?<![\u4e00-\u9fff])|(?<=[和与跟给找由请向]))(?:(?:{BEFORE})[是为:：]?)*([{SURNAMES}][\u4e00-\u9fff]{{1,2}}?)"
    r"(?=[，,。、；;：:（(\s的今是在要想和与开见吃去来一]|先生|女士|电话|$|\d)"
)
CAPITALS = re.compile(r"(?<![\w-])((?:[A-Z][a-z'’]+(?:-[A-Z][a-z]+)?)(?:\s+[A-Z][a-z'’]+){0,2})")


def is_person(parameter: Parameter) -> bool:
    """Is the property the name of a person?"""
    named = PERSON.fullmatch(spaced(parameter.name)) or "姓名" in parameter.description
    return parameter.schema.get("type") == "string" and bool(named)


def person(text: Text) -> str:
    """The first name of a person in the text, taken; "" when there is none."""
    for pattern in (SAID, CHINESE, CAPITALS):
        for match in pattern.finditer(text.text):
            group = match.lastindex or 0
            opening = pattern is CAPITALS and all(word.known for word in scan(match[group])[:1])
            if text.free(*match.span(group)) and not opening:
                text.use(*match.span(group))
                return re.sub(r"['’]s$", "", match[group].strip())
    return ""
