"""Decoding of text in any encoding."""

from __future__ import annotations

import codecs
import re
from collections import Counter

BYTE_ORDER_MARKS = (
    (codecs.BOM_UTF8, "utf-8-sig"),
    (codecs.BOM_UTF32_LE, "utf-32"),
    (codecs.BOM_UTF32_BE, "utf-32"),
    (codecs.BOM_UTF16_LE, "utf-16"),
    (codecs.BOM_UTF16_BE, "utf-16"),
)
SAMPLE_BYTES = 200_000
CYRILLIC = ("cp1251", "koi8_r", "cp866", "iso8859_5", "mac_cyrillic")
EAST_ASIAN = ("shift_jis", "euc_jp", "gb18030", "big5", "euc_kr")
"""Multi-byte encodings: bytes of another encoding are hardly ever valid in them."""
MIN_HAN_SHARE = 0.3
"""Share of Chinese characters in a text; accented letters before others are valid in their encodings too."""
LATIN = ("cp1252", "cp1250", "cp437", "mac_roman")
FREQUENT_CYRILLIC = Counter(
    {
        letter: weight
        for weight, letters in enumerate(("фэщцъ", "юхшжч", "йгбзы", "яукмдпл", "ьсвр", "оеаинт"), 1)
        for letter in letters
    }
)
"""Letters of Russian, weighted by frequency."""
FREQUENT_LATIN = frozenset("äöüßéèêëàâáãåæçíìîïñóòôõøœúùûýžščřěůłńśźżőűÄÖÜÉÈÀÁÅÆÇÍÑÓØÚŽŠČŁŚŻ“”‘’–—…•·°§©®«»")
"""Letters and signs beyond ASCII that are usual in Latin text."""
PHONETIC = (("\u3040", "\u30ff"), ("\u3000", "\u303f"), ("\uac00", "\ud7a3"), ("\uff01", "\uff5e"))
"""Kana, punctuation of East Asia, Hangul, full-width forms."""
DECLARED = re.compile(rb"""(?:charset|encoding)\s*=\s*["']?\s*([A-Za-z0-9_.:-]{2,40})""")
ISO_2022 = re.compile(rb"\x1b\$[@B]")


def decode(data: bytes, declared: str = "") -> str:
    """The text of bytes: by byte order mark, as UTF-8, by the declared encoding, else by the letters that appear."""
    for mark, encoding in BYTE_ORDER_MARKS:
        if data.startswith(mark):
            return data.decode(encoding, "replace")
    if ISO_2022.search(data[:SAMPLE_BYTES]):
        return data.decode("iso2022_jp", "replace")
    try:
        return data.decode("utf-8")
    except UnicodeDecodeError as error:
        if error.start > SAMPLE_BYTES or _is_nearly_utf8(data):
            return data.decode("utf-8", "replace")
    if (wide := _wide_encoding(data)) or (wide := _known(declared)):
        return data.decode(wide, "replace")
    return data.decode(_guessed(data[:SAMPLE_BYTES]), "replace")


def declared_encoding(data: bytes) -> str:
    """The encoding that the beginning of an HTML or XML file declares, or ""."""
    found = DECLARED.search(data[:4096])
    return found[1].decode("ascii") if found else ""


def _known(name: str) -> str:
    try:
        codec = codecs.lookup(name.strip()).name if name else ""
    except LookupError:
        return ""
    return "cp1252" if codec in ("iso8859-1", "ascii") else codec


def _is_nearly_utf8(data: bytes) -> bool:
    """True if a few damaged characters stand among many of UTF-8."""
    text = data[:SAMPLE_BYTES].decode("utf-8", "replace")
    bad = text.count("\ufffd")
    return bad < 0.1 * sum(1 for one in text if ord(one) > 127)


def _wide_encoding(data: bytes) -> str:
    """UTF-16 or UTF-32 without a byte order mark: every second byte of ASCII text is zero."""
    sample = data[:4000]
    even, odd = sample[::2].count(0), sample[1::2].count(0)
    if max(even, odd) < 0.3 * len(sample) / 2:
        return ""
    return "utf-16-le" if odd > even else "utf-16-be"


def _guessed(sample: bytes) -> str:
    """The encoding in which the bytes beyond ASCII are the most usual letters."""
    high = bytes(one for one in sample if one > 127)
    if not high:
        return "cp1252"
    for encoding in EAST_ASIAN:
        if _is_east_asian(sample, encoding):
            return encoding
    if len(high) > 0.3 * sum(1 for one in sample if chr(one).isalpha() or one > 127):
        return max(CYRILLIC, key=lambda encoding: _cyrillic_score(high, encoding))
    return max(LATIN, key=lambda encoding: _latin_score(sample, encoding))


def _is_east_asian(sample: bytes, encoding: str) -> bool:
    """True if the bytes are valid, and mostly characters of East Asia."""
    try:
        text = sample[: len(sample) & ~1].decode(encoding)
    except UnicodeDecodeError as error:
        if error.start < len(sample) - 4:
            return False
        text = sample[: error.start].decode(encoding)
    beyond = [one for one in text if ord(one) > 127]
    kana_or_common = sum(any(low <= one <= high for low, high in PHONETIC) for one in beyond)
    han = sum("\u4e00" <= one <= "\u9fff" for one in beyond)
    least = 0.3 if encoding in ("shift_jis", "euc_jp", "euc_kr") else 0.0
    if encoding in ("gb18030", "big5") and len(beyond) < MIN_HAN_SHARE * len(text):
        return False
    return len(beyond) > 4 and kana_or_common >= least * len(beyond) and kana_or_common + han > 0.85 * len(beyond)


def _cyrillic_score(high: bytes, encoding: str) -> float:
    text = high.decode(encoding, "replace")
    lower = sum(FREQUENT_CYRILLIC[one] for one in text)
    return lower + 0.5 * sum(FREQUENT_CYRILLIC[one.lower()] for one in text if one.isupper()) - 5 * text.count("\ufffd")


def _latin_score(sample: bytes, encoding: str) -> float:
    text = sample.decode(encoding, "replace")
    beyond = [one for one in text if ord(one) > 127]
    usual = sum(one in FREQUENT_LATIN for one in beyond)
    return usual - 2 * text.count("\ufffd") - sum(not (one.isalpha() or one in FREQUENT_LATIN) for one in beyond)
