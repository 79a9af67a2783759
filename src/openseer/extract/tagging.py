"""The words of a printed reference, the clues that each gives, and the label a trained model puts on it."""

from __future__ import annotations

import gzip
import re
from collections.abc import Sequence
from functools import cache, lru_cache
from importlib import resources
from typing import NamedTuple

import pycrfsuite

TOKEN = re.compile(r"[\u3040-\u30ff\u3400-\u9fff]|[^\W\d_\u3040-\u30ff\u3400-\u9fff]+|\d+|[^\w\s]|_")
"""Runs of letters, runs of digits, single signs, and single characters of scripts without spaces."""
MODEL = "references.crf.gz"
MOST = 800
"""Tokens of an entry that are looked at; a longer one is no single reference."""

MONTHS = (
    "january february march april may june july august september october november december jan feb mar apr jun jul aug"
    " sep sept oct nov dec januar februar märz mai juni juli oktober dezember janvier février mars avril juin juillet"
    " août septembre octobre novembre décembre января февраля марта апреля мая июня июля"
)
LEXICON = {
    "journal": "journal j zeitschrift revue rivista review reviews letters annals transactions bulletin magazine archiv"
    " quarterly jahrbuch acta журнал вестник известия quaderni annales cahiers advances research science studies"
    " forschung physics biology chemistry medicine nature",
    "proceedings": "proceedings proc conference workshop symposium congress meeting tagung kongress lncs lecture notes"
    " actes atti труды конференции sympos conf",
    "publisher": "press verlag springer wiley elsevier publishers publishing books university editions éditions"
    " edizioni kluwer routledge sage suhrkamp campus nomos birkhäuser addison mcgraw blackwell macmillan издательство"
    " pearson academic association inc gmbh ltd",
    "place": "new york london cambridge oxford berlin münchen frankfurt opladen wiesbaden hamburg köln stuttgart"
    " leipzig paris amsterdam boston chicago москва roma milano wien zürich tübingen bonn heidelberg york dordrecht"
    " philadelphia washington princeton basel toronto tokyo beijing 北京 上海",
    "editor": "ed eds hrsg hg editor editors herausgeber edited édité ред curatore",
    "thesis": "thesis dissertation diss phd master masters diplomarbeit habilitation thèse tesi",
    "report": "report tech technical rapport bericht working paper preprint arxiv memo standard",
    "volume": "vol volume bd band jg jahrgang т том tome v",
    "issue": "no nr number issue heft h n № num nos suppl",
    "pages": "pp p pages page s seiten seite с стр pag págs",
    "in": "in in: dans im",
    "and": "and und et y e & и with",
    "access": "accessed retrieved available abgerufen zugriff url http https www doi online verfügbar",
    "etal": "al others u.a др",
}
KINDS = {word: f"k={kind}" for kind, words in LEXICON.items() for word in words.split()}
KINDS |= dict.fromkeys(MONTHS.split(), "k=month")
GERMAN = re.compile(r"[äöüß]|\b(?:und|der|die|das|für|im|Hrsg|Hg|Verlag)\b")


class Token(NamedTuple):
    """A word of the entry and where it stands."""

    text: str
    start: int
    end: int


def tokens_of(text: str) -> list[Token]:
    """The tokens of a reference."""
    return [Token(found[0], found.start(), found.end()) for found in TOKEN.finditer(text)][:MOST]


@lru_cache(maxsize=100_000)
def _own(word: str) -> tuple[str, ...]:
    """The clues of a word by itself."""
    lower = word.lower()
    clues = [f"w={lower}", f"s={_shape(word)}"]
    if word[0].isalpha():
        clues += [f"p={lower[:3]}", f"e={lower[-3:]}", f"e2={lower[-2:]}", f"n={min(len(word), 8)}"]
    if lower in KINDS:
        clues.append(KINDS[lower])
    return tuple(clues)


@lru_cache(maxsize=100_000)
def _shape(word: str) -> str:
    """ "Smith" -> "Xx", "USA" -> "XX", "J" -> "X", "1997" -> "year", "12" -> "d2"."""
    if word.isdigit():
        return (
            "year" if len(word) == 4 and word[:2] in ("15", "16", "17", "18", "19", "20") else f"d{min(len(word), 5)}"
        )
    if not word[0].isalpha():
        return word
    if len(word) == 1:
        return "X" if word.isupper() else "x"
    if word.isupper():
        return "XX"
    if word[0].isupper():
        return "Xx" if word[1:].islower() else "XxX"
    return "xx" if word.islower() else "cc"


@lru_cache(maxsize=100_000)
def _near(word: str, offset: str) -> tuple[str, ...]:
    """What a neighbour tells."""
    clues = [f"{offset}w={word.lower()}", f"{offset}s={_shape(word)}"]
    kind = KINDS.get(word.lower())
    return (*clues, f"{offset}{kind}") if kind else tuple(clues)


def clues_of(text: str, tokens: Sequence[Token]) -> list[list[str]]:
    """For every token the clues that the model weighs: its own, its neighbours', and where it stands."""
    words = ["<", "<", *(token.text for token in tokens), ">", ">"]
    shapes = [_shape(word) for word in words]
    count, manner = len(tokens), _manner(text, shapes)
    rows = []
    for at, flow in enumerate(_flow(text, tokens)):
        here = at + 2
        rows.append(
            [
                *_own(words[here]),
                *_near(words[here - 1], "-1"),
                *_near(words[here + 1], "+1"),
                *_near(words[here - 2], "-2"),
                *_near(words[here + 2], "+2"),
                f"b-={shapes[here - 1]}|{shapes[here]}",
                f"b+={shapes[here]}|{shapes[here + 1]}",
                f"t={shapes[here - 1]}|{shapes[here]}|{shapes[here + 1]}",
                f"t+={shapes[here]}|{shapes[here + 1]}|{shapes[here + 2]}",
                f"w-={words[here - 1].lower()}|{words[here].lower()}",
                f"g={manner}|{shapes[here]}",
                f"g-={manner}|{shapes[here - 1]}|{shapes[here]}",
                f"at={10 * at // count}",
                "start" if at == 0 else "later",
                *flow,
            ]
        )
    return rows


def _manner(text: str, shapes: Sequence[str]) -> str:
    """How the whole entry is printed: the year early, late or missing; a quoted title; German or not."""
    year = shapes.index("year") / len(shapes) if "year" in shapes else 1.0
    early = "-" if year == 1.0 else "e" if year < 0.4 else "l"
    return early + ("q" if re.search(r"[“„«\"]", text) else "-") + ("d" if GERMAN.search(text) else "-")


def _flow(text: str, tokens: Sequence[Token]) -> list[tuple[str, ...]]:
    """What was passed on the way: quotes, brackets, a year, "In", full stops, a gap before the word."""
    rows: list[tuple[str, ...]] = []
    quoted, depth, year, inside, stops, end = False, 0, "y0", "i0", 0, 0
    for token in tokens:
        word = token.text
        rows.append(
            (
                "gap" if token.start > end else "tight",
                f"q={int(quoted)}",
                f"d={min(depth, 2)}",
                year,
                inside,
                f"stops={min(stops, 4)}",
            )
        )
        if word in '"“”„':
            quoted = not quoted if word == '"' else word in "“„" and not quoted
        depth = max(0, depth + (word in "([") - (word in ")]"))
        if _shape(word) == "year":
            year = "y1"
        if word in ("In", "in", "In:", "dans") and stops:
            inside = "i1"
        stops += word == "." and token.start == end
        end = token.end
    return rows


@cache
def _tagger() -> tuple[pycrfsuite.Tagger, bytes]:
    """The model, and its bytes, which must outlive it: crfsuite reads them where they lie."""
    data = gzip.decompress((resources.files("openseer.extract") / "models" / MODEL).read_bytes())
    tagger = pycrfsuite.Tagger()
    tagger.open_inmemory(data)
    return tagger, data


def tag(text: str, tagger: pycrfsuite.Tagger | None = None) -> list[tuple[Token, str]]:
    """Every token of a reference with its label."""
    tokens = tokens_of(text)
    if not tokens:
        return []
    labels = (tagger or _tagger()[0]).tag(pycrfsuite.ItemSequence(clues_of(text, tokens)))
    return list(zip(tokens, labels, strict=True))
