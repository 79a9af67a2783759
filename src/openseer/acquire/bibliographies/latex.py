"""LaTeX in bibliographies to plain Unicode. All passes are linear, since the text may be hostile."""

from __future__ import annotations

import re
import unicodedata

ACCENTS = {
    "`": "\u0300",
    "'": "\u0301",
    "^": "\u0302",
    "~": "\u0303",
    "=": "\u0304",
    "u": "\u0306",
    ".": "\u0307",
    '"': "\u0308",
    "r": "\u030a",
    "H": "\u030b",
    "v": "\u030c",
    "d": "\u0323",
    "c": "\u0327",
    "k": "\u0328",
    "b": "\u0331",
    "t": "\u0361",
}
LETTERS = {
    "ss": "ß",
    "ae": "æ",
    "AE": "Æ",
    "oe": "œ",
    "OE": "Œ",
    "o": "ø",
    "O": "Ø",
    "l": "ł",
    "L": "Ł",
    "aa": "å",
    "AA": "Å",
    "i": "ı",
    "j": "ȷ",
    "dh": "ð",
    "DH": "Ð",
    "dj": "đ",
    "DJ": "Đ",
    "th": "þ",
    "TH": "Þ",
    "ng": "ŋ",
    "SS": "SS",
    "S": "§",
    "P": "¶",
    "copyright": "©",
    "pounds": "£",
    "euro": "€",
    "dots": "…",
    "ldots": "…",
    "cdots": "⋯",
    "textendash": "–",
    "textemdash": "—",
    "textquoteright": "’",
    "textquoteleft": "‘",
    "textquotedblleft": "“",
    "textquotedblright": "”",
    "textasciitilde": "~",
    "textasciicircum": "^",
    "textbackslash": "\\",
    "textunderscore": "_",
    "textbraceleft": "{",
    "textbraceright": "}",
    "lbrace": "{",
    "rbrace": "}",
    "textdegree": "°",
    "texttimes": "×",
    "times": "×",
    "cdot": "·",
    "pm": "±",
    "leq": "≤",
    "le": "≤",
    "geq": "≥",
    "ge": "≥",
    "neq": "≠",
    "approx": "≈",
    "sim": "∼",
    "infty": "∞",
    "to": "→",
    "rightarrow": "→",
    "leftarrow": "←",
    "in": "∈",
    "sum": "∑",
    "prod": "∏",
    "int": "∫",
    "partial": "∂",
    "nabla": "∇",
    "ell": "ℓ",
    "sqrt": "√",
    "circ": "∘",
    "star": "⋆",
    "log": "log",
    "ln": "ln",
    "exp": "exp",
    "min": "min",
    "max": "max",
    "sin": "sin",
    "cos": "cos",
    "TeX": "TeX",
    "LaTeX": "LaTeX",
    "BibTeX": "BibTeX",
}
_GREEK = """
alpha beta gamma delta epsilon zeta eta theta iota kappa lambda mu nu xi omicron pi rho _ sigma tau upsilon phi chi psi
omega
"""
for _at, _name in enumerate(_GREEK.split()):
    if _name != "_":
        LETTERS[_name] = chr(0x3B1 + _at)
        LETTERS[_name.capitalize()] = chr(0x391 + _at)
LETTERS |= {"varepsilon": "ε", "vartheta": "ϑ", "varphi": "φ", "varrho": "ϱ", "varsigma": "ς"}

DROPPED_ARGUMENT = {"href", "textcolor", "color", "hspace", "vspace", "cite", "label", "ref", "footnote", "hskip"}
"""Commands whose first argument is not text."""

TOKEN = re.compile(r"\\([A-Za-z]+)\*? ?|\\(.)|(---?|``|''|[{}$~^_])|([^\\{}$~^_`'-]+|.)", re.DOTALL)
ACCENT = re.compile(
    r"\\(?:([`'^~=.\"])[ ]*|([uvHcdbkrt])(?:[ ]+|(?=[{\\])))"
    r"(?:\{ ?(?:\\([ij])(?![A-Za-z]) ?|([^\W\d_]|))([^\W\d_]?) ?\}"
    r"|\\([ij])(?![A-Za-z])(?:\{\}|[ ](?=\S))?|([^\W\d_]))"
)
SYMBOLS = {"---": "—", "--": "–", "``": "“", "''": "”", "~": " ", "{": "", "}": "", "$": "", "^": "", "_": ""}
ESCAPED = {
    "\\": " ",
    ",": " ",
    ";": " ",
    ":": " ",
    "!": "",
    "/": "",
    "-": "",
    "(": "",
    ")": "",
    "[": "",
    "]": "",
    " ": " ",
    "\n": " ",
}


def latex_to_text(text: str) -> str:
    r"""Text without LaTeX markup.

    >>> latex_to_text(r"{\"U}ber das {TeX}-Problem von Erd\H{o}s --- $\alpha$ \& \emph{mehr}")
    'Über das TeX-Problem von Erdős — α & mehr'
    """
    if not any(mark in text for mark in "\\{$~-`'"):
        return text
    parts: list[str] = []
    in_math = False
    at, text = 0, ACCENT.sub(_compose_accent, re.sub(r"\s+", " ", text))  # no runs of blanks, which cause backtracking
    while at < len(text):
        token = TOKEN.match(text, at)
        assert token is not None  # the last branch takes any character
        at = token.end()
        command, escaped, symbol, words = token.groups()
        if command:
            parts.append(LETTERS.get(command, ""))
            if command in DROPPED_ARGUMENT:
                at = _skip_argument(text, at)
        elif escaped:
            parts.append(ESCAPED.get(escaped, escaped))
        elif symbol:
            in_math ^= symbol == "$"
            parts.append(symbol if symbol in "^_" and not in_math else SYMBOLS[symbol])
        else:
            parts.append(words)
    return unicodedata.normalize("NFC", "".join(parts))


def _compose_accent(found: re.Match[str]) -> str:
    accent = ACCENTS[found[1] or found[2]]
    letter = found[3] or found[6] or found[4] or found[7] or ""
    letter = letter.strip()
    if not letter:
        return found[1] if found[1] in ("^", "~") else ""
    return unicodedata.normalize("NFC", letter + accent) + (found[5] or "")


def _skip_argument(text: str, at: int) -> int:
    """Offset after a braced argument without inner braces."""
    if text[at : at + 1] != "{":
        return at
    end = text.find("}", at, at + 2000)
    return end + 1 if end >= 0 else at


def latex_to_url(text: str) -> str:
    r"""A DOI or URL without escapes and braces; "~" and "_" are kept.

    >>> latex_to_url(r"\url{http://a.edu/\~{}b\_c}")
    'http://a.edu/~b_c'
    """
    without_commands = re.sub(r"\\(?:url|path|href|nolinkurl)\b", "", text)
    without_commands = without_commands.replace("{\\textasciitilde}", "~").replace("\\textasciitilde", "~")
    return re.sub(r"\\([^A-Za-z0-9\s])", r"\1", without_commands).translate({ord("{"): None, ord("}"): None}).strip()
