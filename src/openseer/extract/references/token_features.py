"""What the words of a printed reference tell about their labels: by themselves, with their neighbours, by their place.

Every kind of clue is a `Slot`: a key that many words share, and the clues that follow from it. So a model adds up the
weights of a key once and finds them again the next time."""

from __future__ import annotations

import re
from collections.abc import Callable, Iterable, Iterator, Sequence
from functools import lru_cache
from itertools import accumulate, pairwise, repeat
from typing import Any, NamedTuple

TOKEN = re.compile(
    r"[\u3040-\u30ff\u3400-\u9fff\uf900-\ufaff々〇]|[^\W\d_\u3040-\u30ff\u3400-\u9fff\uf900-\ufaff々〇]+|\d+|[^\w\s]|_"
)
"""Runs of letters, runs of digits, single signs, and single characters of scripts without spaces."""
MOST = 800
"""Tokens of an entry that are looked at; a longer one is no single reference."""

MONTHS = (
    "january february march april may june july august september october november december jan feb mar apr jun jul aug"
    " sep sept oct nov dec januar februar märz mai juni juli oktober dezember janvier février mars avril juin juillet"
    " août septembre octobre novembre décembre января февраля марта апреля мая июня июля августа сентября октября"
    " ноября декабря enero febrero marzo abril mayo junio julio agosto octubre noviembre diciembre"
)
LEXICON = {
    "journal": "journal j zeitschrift revue rivista review reviews letters annals transactions bulletin magazine archiv"
    " quarterly jahrbuch acta журнал вестник известия quaderni annales cahiers advances research science studies"
    " forschung physics biology chemistry medicine nature 学 報 誌 志 刊 论 論 집 학보 学报 jurnal revista boletín"
    " anales časopis 논총 논문집 학회지 연구",
    "proceedings": "proceedings proc conference workshop symposium congress meeting tagung kongress lncs lecture notes"
    " actes atti труды конференции sympos conf материалы сборник",
    "publisher": "press verlag springer wiley elsevier publishers publishing books university editions éditions"
    " edizioni kluwer routledge sage suhrkamp campus nomos birkhäuser addison mcgraw blackwell macmillan издательство"
    " pearson academic association inc gmbh ltd изд издат наука 社 出版社 출판사",
    "place": "new york london cambridge oxford berlin münchen frankfurt opladen wiesbaden hamburg köln stuttgart"
    " leipzig paris amsterdam boston chicago москва roma milano wien zürich tübingen bonn heidelberg york dordrecht"
    " philadelphia washington princeton basel toronto tokyo beijing спб м л київ киев минск 서울",
    "editor": "ed eds hrsg hg editor editors herausgeber edited édité ред curatore hrg редакцией 편",
    "thesis": "thesis dissertation diss phd master masters diplomarbeit habilitation thèse tesi дис автореф 박사 석사",
    "report": "report tech technical rapport bericht working paper preprint arxiv memo standard discussion papers"
    " arbeitspapier",
    "volume": "vol volume bd band jg jahrgang т том tome v 卷 巻 권 volumen",
    "issue": "no nr number issue heft h n № num nos suppl вып 期 号 號 호",
    "pages": "pp p pages page s seiten seite с стр pag págs 頁 页 쪽",
    "in": "in dans im",
    "and": "and und et y e & и with u",
    "access": "accessed retrieved available abgerufen zugriff url http https www doi online verfügbar дата обращения",
    "etal": "al others u.a др 等 外 외 他",
}
KINDS = {word: kind for kind, words in LEXICON.items() for word in words.split()}
KINDS |= dict.fromkeys(MONTHS.split(), "month")
GERMAN = re.compile(r"[äöüß]|\b(?:und|der|die|das|für|im|Hrsg|Hg|Verlag)\b")
QUOTES = re.compile(r"[“„«\"»「『《]")
OPENERS, CLOSERS = frozenset("([{（［【〔"), frozenset(")]}）］】〕")
QUOTE_ON, QUOTE_OFF = frozenset("“„«「『《〈"), frozenset("”»」』》〉")
BREAKS = frozenset('.,;:?!()[]“”„"«»/、。，．：；？！（）［］【】「」『』《》〈〉·')
CLASSES = dict.fromkeys(("Xx", "X", "XX", "XxX"), "U") | {"xx": "l"}
CLASSES |= dict.fromkeys(("d1", "d2", "d3", "d4", "d5", "year"), "n")
"""Of shapes: upper case, lower case, number."""
CENTURIES = ("15", "16", "17", "18", "19", "20")


class Token(NamedTuple):
    """A word of the entry and where it stands."""

    text: str
    start: int
    end: int


def tokens_of(text: str) -> list[Token]:
    """The tokens of a reference."""
    return [Token(found[0], *found.span()) for found in TOKEN.finditer(text)][:MOST]


@lru_cache(maxsize=50_000)
def shape_of(word: str) -> str:
    """ "Smith" -> "Xx", "USA" -> "XX", "J" -> "X", "1997" -> "year", "12" -> "d2"."""
    first = word[0]
    if word.isdigit():
        return "year" if len(word) == 4 and word[:2] in CENTURIES else f"d{min(len(word), 5)}"
    if not first.isalpha():
        return word
    if first >= "\u3040":
        return _eastern(first, len(word))
    if len(word) == 1:
        return "X" if word.isupper() else "x"
    if first.isupper():
        return "XX" if word.isupper() else "Xx" if word[1:].islower() else "XxX"
    return "xx" if word.islower() else "cc"


def _eastern(first: str, length: int) -> str:
    if first <= "\u30ff":
        return "kana"
    return f"ko{min(length, 5)}" if "\uac00" <= first <= "\ud7af" else "han"


def word_features(word: str) -> list[str]:
    """The clues of a word by itself: those that also count beside it come first."""
    lower = word.lower()
    clues = [f"w={lower}", f"s={shape_of(word)}"]
    if lower in KINDS:
        clues.append(f"k={KINDS[lower]}")
    if word[0].isalpha():
        clues += [f"e={lower[-3:]}", f"p={lower[:3]}", f"P={lower[:4]}", f"E={lower[-2:]}", f"n={min(len(word), 8)}"]
    return clues


FAR = ("w=", "s=", "k=", "e=")
"""What counts of a neighbour."""
WINDOW = (-2, -1, 0, 1, 2)


def _pair(words: tuple[str, str]) -> list[str]:
    return [f"w-={words[0].lower()}|{words[1].lower()}"]


def _before(shapes: tuple[str, str, str]) -> list[str]:
    a, b, c = shapes
    return [f"b-={b}|{c}", f"t-={a}|{b}|{c}"]


def _round(shapes: tuple[str, str, str]) -> list[str]:
    a, b, c = shapes
    return [f"t={a}|{b}|{c}"]


def _after(shapes: tuple[str, str, str]) -> list[str]:
    a, b, c = shapes
    return [f"b+={a}|{b}", f"t+={a}|{b}|{c}"]


def _flow(state: tuple[tuple[Any, ...], str]) -> list[str]:
    """What was passed on the way: quotes, brackets, a year, "In", full stops, a gap before the word."""
    (gap, quoted, depth, year, inside, stops), shape = state
    return [
        f"gap={gap}|{shape}",
        f"q={quoted}",
        f"d={depth}|{shape}",
        f"y={year}|{shape}",
        f"i={inside}",
        f"i={inside}|y={year}",
        f"stops={stops}",
        f"stops={stops}|y={year}|q={quoted}",
    ]


def _manner(state: tuple[str, str, str]) -> list[str]:
    """How the whole entry is printed, with the shape of the word and the one before."""
    manner, before, shape = state
    return [f"g={manner}|{shape}", f"g-={manner}|{before}|{shape}"]


def _place(state: tuple[int, int, str]) -> list[str]:
    """How far the reader has come."""
    tenth, first, manner = state
    return [f"at={tenth}", f"at={tenth}|{manner}", f"first={first}"]


def _named(name: str) -> Callable[[tuple[Any, ...]], list[str]]:
    """A clue that is its key, spelled out."""
    return lambda key: [f"{name}={'|'.join(map(str, key))}"]


def _later(state: tuple[tuple[str, ...], tuple[str, ...], str]) -> list[str]:
    """What kinds of words are still to come, and what has been passed."""
    ahead, passed, side = state
    return [*(f"l={kind}|{side}" for kind in ahead), *(f"h={kind}|{side}" for kind in passed), f"l*={'.'.join(ahead)}"]


Slot = Callable[[Any], list[str]]
SLOTS: tuple[Slot, ...] = (_pair, _before, _round, _after, _flow, _manner, _place)
"""How the keys of single words become clues, in the order of `Keys.single`."""
STRETCHES: tuple[Slot, ...] = (
    *map(_named, ("S", "Sk", "So", "Sc", "Sf", "Sn", "Sm", "Sb", "Sp", "Sq", "Sw", "Sx", "Sy")),
    _later,
)
"""How the keys of stretches become clues, in the order of `Keys.stretches`."""


class Keys(NamedTuple):
    """What the clues of a text follow from."""

    words: list[str]
    """The words, with two marks before and behind them."""
    single: list[Iterable[Any]]
    """For each slot one key for every word."""
    lengths: list[int]
    """How many words each stretch has."""
    stretches: list[tuple[Any, ...]]
    """For every stretch one key for each slot."""


def feature_names(keys: Keys) -> list[list[str]]:
    """For every word all its clues, spelled out: what a model is trained on."""
    words = [word_features(word) for word in keys.words]
    inside = [
        [clue for slot, key in zip(STRETCHES, stretch, strict=True) for clue in slot(key)]
        for stretch, length in zip(keys.stretches, keys.lengths, strict=True)
        for _ in range(length)
    ]
    rows = []
    for at, (single, stretch) in enumerate(zip(zip(*keys.single, strict=True), inside, strict=True)):
        row = [
            f"{offset}:{clue}"
            for offset in WINDOW
            for clue in words[at + 2 + offset]
            if not offset or clue.startswith(FAR)
        ]
        row += [clue for slot, key in zip(SLOTS, single, strict=True) for clue in slot(key)]
        rows.append(row + stretch)
    return rows


def keys_of(text: str, tokens: Sequence[Token]) -> Keys:
    """The keys of a text."""
    words = ["<", "<", *(token.text for token in tokens), ">", ">"]
    shapes = [*map(shape_of, words)]
    manner = _manner_of(text, shapes)
    here, before, after = shapes[2:-2], shapes[1:-3], shapes[3:-1]
    single: list[Iterable[Any]] = [
        pairwise(words[1:-2]),
        zip(shapes[:-4], before, here, strict=True),
        zip(before, here, after, strict=True),
        zip(here, after, shapes[4:], strict=True),
        zip(_flows(tokens, shapes), here, strict=True),
        zip(repeat(manner), before, here, strict=False),
        _places(len(tokens), manner),
    ]
    return Keys(words, single, *_segments(tokens, shapes))


@lru_cache(maxsize=2_000)
def _places(count: int, manner: str) -> list[tuple[int, int, str]]:
    return [(10 * at // count, min(at, 3), manner) for at in range(count)]


def _manner_of(text: str, shapes: Sequence[str]) -> str:
    """How the whole entry is printed: the year early, late or missing; a quoted title; German, or without spaces."""
    year = shapes.index("year") / len(shapes) if "year" in shapes else 1.0
    early = "-" if year == 1.0 else "e" if year < 0.4 else "l"
    script = "c" if "han" in shapes or "kana" in shapes else "d" if GERMAN.search(text) else "-"
    return early + ("q" if QUOTES.search(text) else "-") + script


def _flows(tokens: Sequence[Token], shapes: Sequence[str]) -> Iterator[tuple[Any, ...]]:
    quoted, depth, year, inside, stops, end = 0, 0, 0, 0, 0, 0
    for (word, start, until), shape in zip(tokens, shapes[2:], strict=False):
        yield start > end, quoted, min(depth, 2), year, inside, min(stops, 4)
        if word == shape:  # a sign
            if word == '"':
                quoted = 1 - quoted
            elif word in QUOTE_ON or word in QUOTE_OFF:
                quoted = int(word in QUOTE_ON and not quoted)
            elif word in OPENERS or word in CLOSERS:
                depth = max(0, depth + (1 if word in OPENERS else -1))
            elif word in ".。．" and start == end:
                stops += 1
        elif shape == "year":
            year = 1
        elif stops and word in ("In", "in", "dans"):
            inside = 1
        end = until


class _Stretch(NamedTuple):
    """Tokens between two marks."""

    first: int
    last: int
    kind: str
    words: int
    caps: str


def _stretches(tokens: Sequence[Token], shapes: Sequence[str]) -> list[_Stretch]:
    """The entry cut at its marks; a stop after an initial, or inside a number or word, does not cut."""
    found, start, count = list[_Stretch](), 0, len(tokens)
    classes = "".join(map(CLASSES.get, shapes[2:-2], repeat(".")))
    ranks = [_rank_of(token[0]) for token in tokens]
    for at, (word, _, end) in enumerate(tokens):
        if word in BREAKS and (word != "." or at + 1 == count or _cuts(end, tokens[at + 1], shapes[at + 1])):
            if at > start:
                found.append(_stretch(classes, ranks, start, at))
            start = at + 1
    if start < count:
        found.append(_stretch(classes, ranks, start, count))
    return found or [_Stretch(0, count, "", 0, "-")]  # nothing but marks


def _cuts(end: int, after: Token, before: str) -> bool:
    """Whether a stop does: not after an initial, and a gap or another mark must follow."""
    return before != "X" and (after.start > end or after.text in BREAKS)


ORDER = ("", *reversed(LEXICON), "month")
"""The kinds of words, the most telling last."""


@lru_cache(maxsize=50_000)
def _rank_of(word: str) -> int:
    return ORDER.index(KINDS.get(word.lower(), ""))


def _stretch(classes: str, ranks: Sequence[int], first: int, last: int) -> _Stretch:
    upper, lower = classes.count("U", first, last), classes.count("l", first, last)
    caps = "-" if not upper + lower else "C" if not lower else "c" if upper > lower else "1" if upper else "0"
    if classes.find("n", first, last) >= 0:
        caps += "#"
    return _Stretch(first, last, ORDER[max(ranks[first:last])], upper + lower or last - first, caps)


SIDES = {-2: "<2", -1: "<1", 0: "=", 1: ">1", 2: ">2", 3: ">3"}
"""How far before or behind the longest stretch, mostly the title."""
SIZES = (0, 1, 2, 3, 4, *(5,) * 3, *(8,) * 6, 14)


def _segments(tokens: Sequence[Token], shapes: Sequence[str]) -> tuple[list[int], list[tuple[Any, ...]]]:
    """The stretches, each with the marks before it: how long, how printed, what about, and what lies on either side."""
    found, lengths, end = list[tuple[Any, ...]](), list[int](), 0
    if not tokens:
        return lengths, found
    parts = _stretches(tokens, shapes)
    sizes = [part.words for part in parts]
    longest = sizes.index(max(sizes))
    kinds = [part.kind for part in parts]
    none: tuple[str, ...] = ()
    passed = list(accumulate(kinds, _joined, initial=none))
    ahead = list(accumulate(reversed(kinds), _joined, initial=none))[::-1]
    for at, part in enumerate(parts):
        side = SIDES[max(-2, min(at - longest, 3))]
        after = parts[at + 1] if at + 1 < len(parts) else None
        size = SIZES[min(part.words, 14)]
        kind, opens = part.kind, tokens[part.first - 1].text if part.first else "^"
        closes = tokens[part.last].text if part.last < len(tokens) else "$"
        follows, other = (shapes[after.first + 2], after.kind + after.caps) if after else ("$", "$")
        before = kinds[at - 1] if at else "^"
        first = tokens[part.first].text.lower()
        second = tokens[after.first].text.lower() if after else "$"
        found.append(
            (
                (size, part.caps, side),
                (kind, side),
                (opens, kind),
                (closes, follows, side),
                (follows, kind, size),
                (other, kind),
                (other, side),
                (before, kind),
                (before, opens),
                (opens, size, side, closes),
                (first, side),
                (second, kind),
                (part.caps, after.caps if after else "$", side),
                (ahead[at + 1], passed[at], side),
            )
        )
        until = part.last if after else len(tokens)
        lengths.append(until - end)
        end = until
    return lengths, found


def _joined(kinds: tuple[str, ...], kind: str) -> tuple[str, ...]:
    """The set of kinds with one more, in one order."""
    return kinds if not kind or kind in kinds else tuple(sorted((*kinds, kind)))
