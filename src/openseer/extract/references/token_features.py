"""Features of the tokens of a reference: the token, its neighbours, its segment and position.

Each `Template` maps a key shared by many words to features, so that a model can cache the weight sum of a key."""

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
MAX_TOKENS = 800
"""Tokens of an entry; a longer text is no single reference."""

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
KIND_OF_WORD = {word: kind for kind, words in LEXICON.items() for word in words.split()}
KIND_OF_WORD |= dict.fromkeys(MONTHS.split(), "month")
GERMAN = re.compile(r"[äöüß]|\b(?:und|der|die|das|für|im|Hrsg|Hg|Verlag)\b")
QUOTES = re.compile(r"[“„«\"»「『《]")
OPENERS, CLOSERS = frozenset("([{（［【〔"), frozenset(")]}）］】〕")
QUOTE_ON, QUOTE_OFF = frozenset("“„«「『《〈"), frozenset("”»」』》〉")
SEGMENT_BREAKS = frozenset('.,;:?!()[]“”„"«»/、。，．：；？！（）［］【】「」『』《》〈〉·')
SHAPE_CLASSES = dict.fromkeys(("Xx", "X", "XX", "XxX"), "U") | {"xx": "l"}
"""Of shapes: upper case, lower case, number."""
SHAPE_CLASSES |= dict.fromkeys(("d1", "d2", "d3", "d4", "d5", "year"), "n")
"""Of shapes: upper case, lower case, number."""
CENTURIES = ("15", "16", "17", "18", "19", "20")


class Token(NamedTuple):
    """A token with its offsets."""

    text: str
    start: int
    end: int


def tokens_of(text: str) -> list[Token]:
    """The tokens of a reference."""
    return [Token(found[0], *found.span()) for found in TOKEN.finditer(text)][:MAX_TOKENS]


@lru_cache(maxsize=50_000)
def shape_of(word: str) -> str:
    """ "Smith" -> "Xx", "USA" -> "XX", "J" -> "X", "1997" -> "year", "12" -> "d2"."""
    first = word[0]
    if word.isdigit():
        return "year" if len(word) == 4 and word[:2] in CENTURIES else f"d{min(len(word), 5)}"
    if not first.isalpha():
        return word
    if first >= "\u3040":
        return _cjk_shape(first, len(word))
    if len(word) == 1:
        return "X" if word.isupper() else "x"
    if first.isupper():
        return "XX" if word.isupper() else "Xx" if word[1:].islower() else "XxX"
    return "xx" if word.islower() else "cc"


def _cjk_shape(first: str, length: int) -> str:
    if first <= "\u30ff":
        return "kana"
    return f"ko{min(length, 5)}" if "\uac00" <= first <= "\ud7af" else "han"


def word_features(word: str) -> list[str]:
    """Features of a word itself; features that also apply to its neighbours come first."""
    lower = word.lower()
    features = [f"w={lower}", f"s={shape_of(word)}"]
    if lower in KIND_OF_WORD:
        features.append(f"k={KIND_OF_WORD[lower]}")
    if word[0].isalpha():
        features += [f"e={lower[-3:]}", f"p={lower[:3]}", f"P={lower[:4]}", f"E={lower[-2:]}", f"n={min(len(word), 8)}"]
    return features


NEIGHBOUR_PREFIXES = ("w=", "s=", "k=", "e=")
"""Prefixes of features that apply to neighbours."""
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


def _state_features(flow_state: tuple[tuple[Any, ...], str]) -> list[str]:
    """State at the word: quotes, brackets, a year, "In", full stops, a gap before the word."""
    (gap, quoted, depth, year, in_book, stop_count), shape = flow_state
    return [
        f"gap={gap}|{shape}",
        f"q={quoted}",
        f"d={depth}|{shape}",
        f"y={year}|{shape}",
        f"i={in_book}",
        f"i={in_book}|y={year}",
        f"stops={stop_count}",
        f"stops={stop_count}|y={year}|q={quoted}",
    ]


def _style_features(state: tuple[str, str, str]) -> list[str]:
    """Print style of the whole entry, with the shape of the word and the previous one."""
    style, before, shape = state
    return [f"g={style}|{shape}", f"g-={style}|{before}|{shape}"]


def _position_features(state: tuple[int, int, str]) -> list[str]:
    """Position in the entry."""
    tenth, first, style = state
    return [f"at={tenth}", f"at={tenth}|{style}", f"first={first}"]


def _key_template(name: str) -> Callable[[tuple[Any, ...]], list[str]]:
    """A template with a single feature made of the key."""
    return lambda key: [f"{name}={'|'.join(map(str, key))}"]


def _context_features(state: tuple[tuple[str, ...], tuple[str, ...], str]) -> list[str]:
    """Kinds of words in the following and the preceding segments."""
    following, preceding, side = state
    return [
        *(f"l={kind}|{side}" for kind in following),
        *(f"h={kind}|{side}" for kind in preceding),
        f"l*={'.'.join(following)}",
    ]


Template = Callable[[Any], list[str]]
WORD_TEMPLATES: tuple[Template, ...] = (
    _pair,
    _before,
    _round,
    _after,
    _state_features,
    _style_features,
    _position_features,
)
"""Templates of single words, in the order of `FeatureKeys.single`."""
SEGMENT_TEMPLATES: tuple[Template, ...] = (
    *map(_key_template, ("S", "Sk", "So", "Sc", "Sf", "Sn", "Sm", "Sb", "Sp", "Sq", "Sw", "Sx", "Sy")),
    _context_features,
)
"""Templates of segments, in the order of `FeatureKeys.segments`."""


class FeatureKeys(NamedTuple):
    """Keys of the templates for a text."""

    words: list[str]
    """The words, with two padding marks on each side."""
    single: list[Iterable[Any]]
    """For each word template, one key for every word."""
    lengths: list[int]
    """Number of words in each segment."""
    segments: list[tuple[Any, ...]]
    """For every segment, one key for each segment template."""


def feature_names(keys: FeatureKeys) -> list[list[str]]:
    """All features of every word, the input of training."""
    words = [word_features(word) for word in keys.words]
    segment_features = [
        [feature for template, key in zip(SEGMENT_TEMPLATES, segment, strict=True) for feature in template(key)]
        for segment, length in zip(keys.segments, keys.lengths, strict=True)
        for _ in range(length)
    ]
    rows = []
    for at, (single, segment) in enumerate(zip(zip(*keys.single, strict=True), segment_features, strict=True)):
        row = [
            f"{offset}:{feature}"
            for offset in WINDOW
            for feature in words[at + 2 + offset]
            if not offset or feature.startswith(NEIGHBOUR_PREFIXES)
        ]
        row += [feature for template, key in zip(WORD_TEMPLATES, single, strict=True) for feature in template(key)]
        rows.append(row + segment)
    return rows


def keys_of(text: str, tokens: Sequence[Token]) -> FeatureKeys:
    """The keys of a text."""
    words = ["<", "<", *(token.text for token in tokens), ">", ">"]
    shapes = [*map(shape_of, words)]
    style = _style_of(text, shapes)
    current, before, after = shapes[2:-2], shapes[1:-3], shapes[3:-1]
    single: list[Iterable[Any]] = [
        pairwise(words[1:-2]),
        zip(shapes[:-4], before, current, strict=True),
        zip(before, current, after, strict=True),
        zip(current, after, shapes[4:], strict=True),
        zip(_flow_states(tokens, shapes), current, strict=True),
        zip(repeat(style), before, current, strict=False),
        _positions(len(tokens), style),
    ]
    return FeatureKeys(words, single, *_segment_keys(tokens, shapes))


@lru_cache(maxsize=2_000)
def _positions(count: int, style: str) -> list[tuple[int, int, str]]:
    return [(10 * at // count, min(at, 3), style) for at in range(count)]


def _style_of(text: str, shapes: Sequence[str]) -> str:
    """Print style of the entry: the year early, late or missing; a quoted title; German, or a script without spaces."""
    year = shapes.index("year") / len(shapes) if "year" in shapes else 1.0
    early = "-" if year == 1.0 else "e" if year < 0.4 else "l"
    script = "c" if "han" in shapes or "kana" in shapes else "d" if GERMAN.search(text) else "-"
    return early + ("q" if QUOTES.search(text) else "-") + script


def _flow_states(tokens: Sequence[Token], shapes: Sequence[str]) -> Iterator[tuple[Any, ...]]:
    quoted, depth, year, in_book, stop_count, end = 0, 0, 0, 0, 0, 0
    for (word, start, token_end), shape in zip(tokens, shapes[2:], strict=False):
        yield start > end, quoted, min(depth, 2), year, in_book, min(stop_count, 4)
        if word == shape:  # punctuation
            if word == '"':
                quoted = 1 - quoted
            elif word in QUOTE_ON or word in QUOTE_OFF:
                quoted = int(word in QUOTE_ON and not quoted)
            elif word in OPENERS or word in CLOSERS:
                depth = max(0, depth + (1 if word in OPENERS else -1))
            elif word in ".。．" and start == end:
                stop_count += 1
        elif shape == "year":
            year = 1
        elif stop_count and word in ("In", "in", "dans"):
            in_book = 1
        end = token_end


class _Segment(NamedTuple):
    """Tokens between two punctuation marks."""

    first: int
    last: int
    kind: str
    word_count: int
    caps: str


def _split_segments(tokens: Sequence[Token], shapes: Sequence[str]) -> list[_Segment]:
    """The entry split at punctuation; a stop after an initial, or inside a number or word, does not split."""
    found, start, count = list[_Segment](), 0, len(tokens)
    classes = "".join(map(SHAPE_CLASSES.get, shapes[2:-2], repeat(".")))
    ranks = [_rank_of(token[0]) for token in tokens]
    for at, (word, _, end) in enumerate(tokens):
        if word in SEGMENT_BREAKS and (
            word != "." or at + 1 == count or _is_break(end, tokens[at + 1], shapes[at + 1])
        ):
            if at > start:
                found.append(_segment(classes, ranks, start, at))
            start = at + 1
    if start < count:
        found.append(_segment(classes, ranks, start, count))
    return found or [_Segment(0, count, "", 0, "-")]  # only punctuation


def _is_break(end: int, after: Token, before: str) -> bool:
    """True if a full stop ends a segment: not after an initial, and followed by a gap or punctuation."""
    return before != "X" and (after.start > end or after.text in SEGMENT_BREAKS)


KIND_ORDER = ("", *reversed(LEXICON), "month")
"""Kinds of words by increasing priority."""


@lru_cache(maxsize=50_000)
def _rank_of(word: str) -> int:
    return KIND_ORDER.index(KIND_OF_WORD.get(word.lower(), ""))


def _segment(classes: str, ranks: Sequence[int], first: int, last: int) -> _Segment:
    upper, lower = classes.count("U", first, last), classes.count("l", first, last)
    caps = "-" if not upper + lower else "C" if not lower else "c" if upper > lower else "1" if upper else "0"
    if classes.find("n", first, last) >= 0:
        caps += "#"
    return _Segment(first, last, KIND_ORDER[max(ranks[first:last])], upper + lower or last - first, caps)


SIDE_OF_LONGEST = {-2: "<2", -1: "<1", 0: "=", 1: ">1", 2: ">2", 3: ">3"}
"""Position relative to the longest segment, mostly the title."""
SIZE_CLASSES = (0, 1, 2, 3, 4, *(5,) * 3, *(8,) * 6, 14)


def _segment_keys(tokens: Sequence[Token], shapes: Sequence[str]) -> tuple[list[int], list[tuple[Any, ...]]]:
    """Length and template keys of each segment, with the punctuation before it."""
    keys, lengths, end = list[tuple[Any, ...]](), list[int](), 0
    if not tokens:
        return lengths, keys
    parts = _split_segments(tokens, shapes)
    sizes = [part.word_count for part in parts]
    longest = sizes.index(max(sizes))
    kinds = [part.kind for part in parts]
    empty: tuple[str, ...] = ()
    preceding = list(accumulate(kinds, _with_kind, initial=empty))
    following = list(accumulate(reversed(kinds), _with_kind, initial=empty))[::-1]
    for at, part in enumerate(parts):
        side = SIDE_OF_LONGEST[max(-2, min(at - longest, 3))]
        after = parts[at + 1] if at + 1 < len(parts) else None
        size = SIZE_CLASSES[min(part.word_count, 14)]
        kind, opens = part.kind, tokens[part.first - 1].text if part.first else "^"
        closes = tokens[part.last].text if part.last < len(tokens) else "$"
        follows, next_kind = (shapes[after.first + 2], after.kind + after.caps) if after else ("$", "$")
        before = kinds[at - 1] if at else "^"
        first = tokens[part.first].text.lower()
        second = tokens[after.first].text.lower() if after else "$"
        keys.append(
            (
                (size, part.caps, side),
                (kind, side),
                (opens, kind),
                (closes, follows, side),
                (follows, kind, size),
                (next_kind, kind),
                (next_kind, side),
                (before, kind),
                (before, opens),
                (opens, size, side, closes),
                (first, side),
                (second, kind),
                (part.caps, after.caps if after else "$", side),
                (following[at + 1], preceding[at], side),
            )
        )
        segment_end = part.last if after else len(tokens)
        lengths.append(segment_end - end)
        end = segment_end
    return lengths, keys


def _with_kind(kinds: tuple[str, ...], kind: str) -> tuple[str, ...]:
    """The sorted set of kinds with one more."""
    return kinds if not kind or kind in kinds else tuple(sorted((*kinds, kind)))
