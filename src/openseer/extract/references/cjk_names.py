"""Names in Chinese, Japanese and Korean script: the family name comes first, and often no space shows its end."""

from __future__ import annotations

import re

from openseer.core.model.extraction import Name

CJK = re.compile(r"[\u3040-\u30ff\u3400-\u9fff\uf900-\ufaff\uac00-\ud7af々]")
KANA = re.compile(r"[\u3040-\u30ff々]")
HANGUL = re.compile(r"[\uac00-\ud7af]")
BETWEEN = re.compile(r"\s*(?:[,;，；、/／&＆·・‧]|\.(?=\S)|．|\band\b|および|及び|ならびに)\s*")
OTHERS = re.compile(r"[\s,，、]*(?:(?:等|外|外に|他|ほか|외)\s*\d*\s*(?:人|名|인|명)?)[.．]?$")
ROLE = re.compile(r"[\s,，]*[(（]?(?:著|编著|編著|主编|主編|编|編|译|譯|訳|校注|선집|저|편|역|지음|옮김)[)）]?$")
GLOSS = re.compile(r"[(（\[][^()（）\]]*[)）\]]")
_DOUBLE = "欧阳 歐陽 司马 司馬 诸葛 諸葛 上官 皇甫 尉迟 慕容 令狐 남궁 황보 선우 제갈 독고 사공"
DOUBLE = frozenset(_DOUBLE.split())


def is_cjk(text: str) -> bool:
    """Whether the names are printed in one of these scripts."""
    return bool(CJK.search(text))


def cjk_people(text: str, japanese: bool = False) -> list[Name]:
    """The names of a list; `japanese` when the entry shows it (it has kana).

    >>> [(name.family, name.given) for name in eastern_people("王小明, 欧阳修, 等")]
    [('王', '小明'), ('欧阳', '修')]
    """
    bare = ROLE.sub("", OTHERS.sub("", GLOSS.sub("", text).strip(" ,.，、。．:：")))
    names: list[Name] = []
    for chunk in BETWEEN.split(bare):
        words = [word for word in OTHERS.sub("", chunk).split() if any(c.isalpha() for c in word)]
        if len(words) > 1 and all(len(word) > 2 and CJK.match(word) for word in words):
            names += [_one(word, japanese) for word in words]  # whole names, a space between them
        elif len(words) == 2 and CJK.match(words[0]):
            names.append(Name("".join(words), words[1], words[0]))
        elif words:
            names.append(_one("".join(words) if CJK.match(words[0]) else " ".join(words), japanese))
    return names


def _one(word: str, japanese: bool) -> Name:
    """A name without a space: where the family name ends is known of most."""
    if not CJK.match(word) or len(word) > 5 or len(word) < 2:
        return Name(word, "", word)
    if HANGUL.match(word) or not (japanese or KANA.search(word)):
        cut = 2 if word[:2] in DOUBLE and len(word) > 2 else 1
    else:
        cut = 2 if len(word) > 2 else 1
    return Name(word, word[cut:], word[:cut])
