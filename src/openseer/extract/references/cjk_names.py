"""Names in Chinese, Japanese and Korean script, with the family name first and often without a space."""

from __future__ import annotations

import re

from openseer.core.model.extraction import Name

CJK = re.compile(r"[\u3040-\u30ff\u3400-\u9fff\uf900-\ufaff\uac00-\ud7af々]")
KANA = re.compile(r"[\u3040-\u30ff々]")
HANGUL = re.compile(r"[\uac00-\ud7af]")
NAME_SEPARATOR = re.compile(r"\s*(?:[,;，；、/／&＆·・‧]|\.(?=\S)|．|\band\b|および|及び|ならびに)\s*")
ET_AL = re.compile(r"[\s,，、]*(?:(?:等|外|外に|他|ほか|외)\s*\d*\s*(?:人|名|인|명)?)[.．]?$")
ROLE = re.compile(r"[\s,，]*[(（]?(?:著|编著|編著|主编|主編|编|編|译|譯|訳|校注|선집|저|편|역|지음|옮김)[)）]?$")
BRACKETED_NOTE = re.compile(r"[(（\[][^()（）\]]*[)）\]]")
_DOUBLE_FAMILY_NAME_LIST = "欧阳 歐陽 司马 司馬 诸葛 諸葛 上官 皇甫 尉迟 慕容 令狐 남궁 황보 선우 제갈 독고 사공"
DOUBLE_FAMILY_NAMES = frozenset(_DOUBLE_FAMILY_NAME_LIST.split())


def is_cjk(text: str) -> bool:
    """True if the text contains characters of these scripts."""
    return bool(CJK.search(text))


def cjk_names(text: str, japanese: bool = False) -> list[Name]:
    """The names of a list; `japanese` is True if the reference contains kana.

    >>> [(name.family, name.given) for name in cjk_names("王小明, 欧阳修, 等")]
    [('王', '小明'), ('欧阳', '修')]
    """
    cleaned = ROLE.sub("", ET_AL.sub("", BRACKETED_NOTE.sub("", text).strip(" ,.，、。．:：")))
    names: list[Name] = []
    for chunk in NAME_SEPARATOR.split(cleaned):
        words = [word for word in ET_AL.sub("", chunk).split() if any(c.isalpha() for c in word)]
        if len(words) > 1 and all(len(word) > 2 and CJK.match(word) for word in words):
            names += [_split_name(word, japanese) for word in words]  # full names separated by spaces
        elif len(words) == 2 and CJK.match(words[0]):
            names.append(Name("".join(words), words[1], words[0]))
        elif words:
            names.append(_split_name("".join(words) if CJK.match(words[0]) else " ".join(words), japanese))
    return names


def _split_name(word: str, japanese: bool) -> Name:
    """A name without a space, split after the usual length of the family name."""
    if not CJK.match(word) or len(word) > 5 or len(word) < 2:
        return Name(word, "", word)
    if HANGUL.match(word) or not (japanese or KANA.search(word)):
        cut = 2 if word[:2] in DOUBLE_FAMILY_NAMES and len(word) > 2 else 1
    else:
        cut = 2 if len(word) > 2 else 1
    return Name(word, word[cut:], word[:cut])
