"""Character sets of RTF and of old Word files: Windows numbers to encodings of Python."""

from __future__ import annotations

import codecs

CHARSETS = {
    0: "cp1252", 2: "symbol", 77: "mac-roman", 78: "shift_jis", 79: "cp949", 80: "gb2312", 81: "big5", 83: "mac-greek",
    85: "mac-turkish", 88: "mac-latin2", 89: "mac-cyrillic", 128: "cp932", 129: "cp949", 130: "johab", 134: "cp936",
    136: "cp950",
    161: "cp1253", 162: "cp1254", 163: "cp1258", 177: "cp1255", 178: "cp1256", 186: "cp1257", 204: "cp1251",
    222: "cp874", 238: "cp1250", 254: "cp437", 255: "cp850",
}  # fmt: skip
"""Numbers of character sets of fonts."""
CODE_PAGES = {708: "iso8859-6", 10000: "mac-roman", 10006: "mac-greek", 10007: "mac-cyrillic", 10029: "mac-latin2",
              10081: "mac-turkish", 936: "gb18030", 65001: "utf-8", 20866: "koi8-r", 28591: "latin-1"}  # fmt: skip
SYMBOLS = {
    **dict(zip(b"ABGDEZHQIKLMNXOPRSTUFCYW", "ΑΒΓΔΕΖΗΘΙΚΛΜΝΞΟΠΡΣΤΥΦΧΨΩ", strict=True)),
    **dict(zip(b"abgdezhqiklmnxoprstufcywjJV", "αβγδεζηθικλμνξοπρστυφχψωϕϑς", strict=True)),
    **dict(zip(b"\xa3\xa5\xae\xac\xad\xaf\xb0\xb1\xb2\xb3\xb4\xb5\xb6", "≤∞→←↑↓°±″≥×∝∂", strict=True)),
    **dict(zip(b"\xb7\xb8\xb9\xba\xbb\xbc", "•÷≠≡≈…", strict=True)),
    **dict(zip(b"\xc5\xc7\xc8\xcc\xcd\xce\xcf\xd0\xd1\xd5\xd6\xd7", "⊕∩∪⊂⊆∈∉∠∇∏√⋅", strict=True)),
    **dict(zip(b"\xe5\xf2\xab\xdb\xde", "∑∫↔⇔⇒", strict=True)),
    ord("@"): "≅", ord('"'): "∀", ord("$"): "∃", ord("'"): "∋", ord("^"): "⊥", 0x2D: "−",
}  # fmt: skip
"""Characters of the font Symbol."""


def encoding_of_charset(number: int, default: str) -> str:
    """Encoding of a font."""
    return CHARSETS.get(number, default) if number != 1 else default


def encoding_of_code_page(number: int) -> str:
    """Encoding of a code page; Windows-1252 for unknown ones."""
    name = CODE_PAGES.get(number, f"cp{number}")
    try:
        codecs.lookup(name)
    except (LookupError, ValueError):
        return "cp1252"
    return name


def decode(data: bytes, encoding: str) -> str:
    """Text of bytes; no byte is an error."""
    if encoding == "symbol":
        return "".join(SYMBOLS.get(one, chr(one)) for one in data)
    return data.decode(encoding, "replace")


def symbol_text(text: str) -> str:
    """Characters of a symbol font, which may stand in the private area of Unicode."""
    codes = (ord(one) - 0xF000 if 0xF000 <= ord(one) < 0xF100 else ord(one) for one in text)
    return "".join(SYMBOLS.get(code, chr(code)) for code in codes)
