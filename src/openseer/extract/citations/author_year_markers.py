"""Author-year citation markers: "(Lawrence & Giles, 1999; 2001a)", "Lawrence and Giles (1999)"."""

from __future__ import annotations

import re
import unicodedata
from collections.abc import Iterator, Sequence
from dataclasses import dataclass, field
from functools import lru_cache
from typing import NamedTuple

from openseer.core.model.extraction import Reference
from openseer.extract.citations.numeric_markers import CitationMarker
from openseer.extract.layout.text_stream import TextStream
from openseer.extract.references.parse_reference import LABEL

YEAR_PATTERN = (
    r"(?P<year>(?:1[5-9]|20)(?<![\d.,/-]\d\d)\d\d)(?:[–/-](?:\d\d){1,2})? ?(?P<letter>[a-z]?)(?![\w@])"
    r"(?P<more>(?: ?[,&/+] ?[a-z](?![\w.]))*)"
)
YEAR = re.compile(YEAR_PATTERN)
UNDATED_PHRASE = (
    r"(?P<undated>n\. ?d\.|o\. ?J\.|s\. ?d\.)|"
    r"(?:[Ii]n press|[Ff]orthcoming|[Tt]o appear|im Druck|im Erscheinen|[Ii]n preparation|[Ss]ubmitted)(?!\w)"
)
YEAR_OR_PHRASE = re.compile(f"{YEAR_PATTERN}|{UNDATED_PHRASE}")
UNDATED = re.compile(rf"\b(?:{UNDATED_PHRASE})")
SHORT_YEAR = re.compile(r"(?<=[\w.,)][ ,'’])[‘'’]?(?P<short>\d\d)(?P<letter>[a-z]?)(?=[\]),;])")
"""Two-digit years, as in [Levin, 93]."""
PRINTED_YEAR = re.compile(r"(?<!\d)((?:1[5-9]|20)\d\d) ?([a-z]?)(?![\w])")
TOKEN = re.compile(r"[^\W\d_]+(?:['’`‐‑-][^\W\d_]+)*|[&;()\[\]/\n]|[^\s\w.,]")
WORD = re.compile(r"[^\W\d_]+(?:['’`‐‑-][^\W\d_]+)*")
BETWEEN_YEARS = re.compile(
    r"\s?(?::\s?\d+[\d–, -]*|, ?(?:pp?|S)\. ?\d+[\d–-]*f{0,2}\.?)?\s?(?:[,;&/–-]|and|und|et|y|e|or)?\s?"
)
PAGES = re.compile(
    r"(?:[:,] ?(?:(?:pp?|S|Kap|chap|ch|Sec|Fig)\. ?)?(?!(?:1[5-9]|20)\d\d)\d+(?:[–-]\d+)?(?: ?f{1,2}\b\.?)?)?[)\]]?"
)
DOUBLE = re.compile(r"(.)\1")
UMLAUT = re.compile("([aou])e(?=.)")
GIVEN_FIRST = re.compile(r"[^\W\d_]+ (?:[^\W\d_]\. ?)+([^\W\d_][\w'’‐-]+)")
"""A name with initials in the middle, whose last word is the family name."""
OPENING_BRACKET = re.compile(r"[(\[]")
PARTICLE_WORDS = "van von der den de del della di da dos do du la le los las ten ter zu af av bin ibn el"
PARTICLES = frozenset(PARTICLE_WORDS.split()) | {"of", "for", "the", "and"}
LEADING_PARTICLES = re.compile(rf"(?<!\w)(?:(?:{PARTICLE_WORDS.replace(' ', '|')}) )+$", re.I)
FIRST_MARK = re.compile(r"([.,:(\d])")
NAMES_IN_PARENTHESES = re.compile(
    r"(?<=[(;])(?:(?<=;) )?([^\W\d_a-z][\w'’‐-]+)(?: (?:and|&|und) ([^\W\d_a-z][\w'’‐-]+)|( et al\.?))?(?=[;)])"
)
CONNECTOR_WORDS = (
    "and und et y e i en og och al alii others colleagues coworkers ua a u eds ed hrsg hg jr sr s & / - – ’ ' “ ” \""
)
CONNECTORS = frozenset(CONNECTOR_WORDS.split())
"""Tokens between names, or between the names and the year."""
INNER_WORDS = PARTICLES | {"to", "on", "in", "für", "des", "zur", "zum"}
"""Lower-case words inside a name."""
MAX_ENTRIES_PER_NAME = 60
MAX_NAME_DISTANCE = 170
"""Characters between the start of the names and the year."""


@lru_cache(maxsize=20_000)
def normalise_name(word: str) -> str:
    """Lower-case letters without accents and doubled letters: Müller, Mueller and Muler are equal."""
    folded = word.lower() if word.isascii() else unicodedata.normalize("NFKD", word).lower().replace("ß", "s")
    letters = "".join(filter(str.isalpha, folded.removesuffix("'s").removesuffix("’s")))
    return DOUBLE.sub(r"\1", UMLAUT.sub(r"\1", letters))


@dataclass(slots=True)
class _EntryNames:
    """Names and years by which an entry may be cited."""

    first_author: frozenset[str]
    coauthors: frozenset[str]
    years: dict[str, str] = field(default_factory=dict)
    """Year -> its letter; the publication year comes first."""
    author_count: int = 0
    start: str = ""
    """Its first characters in lower case."""


def _entry_names(entry: Reference) -> _EntryNames:
    """The names and years of a reference."""
    families = [_name_words(person.family) for person in entry.authors or entry.editors]
    printed_start = LABEL.sub("", entry.raw)[:120]
    leading_text, delimiter, _ = (
        FIRST_MARK.split(printed_start, maxsplit=1) if FIRST_MARK.search(printed_start) else (printed_start, "", "")
    )
    leading_words = _name_words(leading_text)
    first_author = set(families[0]) if families else set()
    if delimiter == "," and len(leading_words) < 3:  # "Truman Harry, ...": the family name comes first
        first_author |= set(leading_words[:1])
    if swapped := GIVEN_FIRST.match(printed_start):
        first_author.add(normalise_name(swapped.group(1)))
    if not families or not first_author & set(leading_words):
        first_author |= set(leading_words[:8] or _name_words(printed_start)[:1])
        capitals = "".join(word[0] for word in WORD.findall(printed_start.split(".")[0]) if word[0].isupper())
        if len(capitals) > 2:
            first_author.add(capitals.lower())
        first_author |= {normalise_name(short) for short in re.findall(r"[(\[]([A-Z]{2,8})[)\]]", printed_start)}
    years: dict[str, str] = {str(entry.year): ""} if entry.year else {}
    for year, letter in PRINTED_YEAR.findall(entry.raw):
        years[year] = years.get(year) or letter
    for phrase in UNDATED.finditer(entry.raw):
        years["undated" if phrase.group("undated") else "unprinted"] = ""
    others = frozenset(word for family in families[1:] for word in family)
    return _EntryNames(frozenset(first_author), others, years, len(families), printed_start.lower())


def _name_words(name: str) -> list[str]:
    return [
        normalised
        for word in WORD.findall(name)
        if len(normalised := normalise_name(word)) > 1 and word.lower() not in PARTICLES
    ]


class _EntryCandidate(NamedTuple):
    """An entry that a marker may cite, sorted by misfit."""

    misfit: float
    entry: int
    offset: int
    """Offset of the name of its first author."""


class AuthorYearMarkers:
    """Entries of a bibliography by first author and year."""

    def __init__(self, references: Sequence[Reference]) -> None:
        self._entries = [_entry_names(entry) for entry in references]
        self._undated = any("undated" in entry.years or "unprinted" in entry.years for entry in self._entries)
        self._by_name: dict[str, list[int]] = {}
        self._by_year: dict[tuple[str, str], list[int]] = {}
        for at, entry in enumerate(self._entries):
            for name in entry.first_author:
                self._by_name.setdefault(name, []).append(at)
                for year in entry.years:
                    self._by_year.setdefault((name, year), []).append(at)

    def markers(self, texts: Sequence[TextStream], years: re.Pattern[str] | None = None) -> Iterator[CitationMarker]:
        """Markers at every year that follows names or another cited year."""
        years = years or (YEAR_OR_PHRASE if self._undated else YEAR)
        for stream, text_stream in enumerate(texts):
            yield from self._in_text(stream, text_stream.text, years)
            yield from self._names_alone(stream, text_stream.text)

    def _names_alone(self, stream: int, text: str) -> Iterator[CitationMarker]:
        """Markers of names alone in parentheses: "(Fengler et al.; Ratcliff)", for entries of unknown year."""
        for found in NAMES_IN_PARENTHESES.finditer(text):
            first, second, et_al = (
                normalise_name(found.group(1)),
                normalise_name(found.group(2) or ""),
                bool(found.group(3)),
            )
            for at in self._by_name.get(first, [])[:MAX_ENTRIES_PER_NAME]:
                names = self._entries[at]
                alone = names.author_count == 1 and not (second or et_al)
                if names.author_count and (
                    alone
                    or (names.author_count == 2 and second in names.coauthors)
                    or (et_al and names.author_count > 2)
                ):
                    yield CitationMarker(stream, found.start(1), found.end(), (at,))
                    break

    def _in_text(self, stream: int, text: str, years: re.Pattern[str]) -> Iterator[CitationMarker]:
        previous_end, previous_et_al = 0, False  # of the previous marker
        previous_names: list[tuple[int, str]] = []
        for found in years.finditer(text):
            start = found.start()
            chain, begin, et_al = self._names_before(text, max(previous_end, start - MAX_NAME_DISTANCE), start)
            if not chain and previous_names and BETWEEN_YEARS.fullmatch(text, previous_end, start):
                chain, begin, et_al = [(start, name) for _, name in previous_names], start, previous_et_al
            if not chain:
                continue
            year, letters = _year(found)
            entries, begin = self._entries_of(chain, year, letters, et_al)
            if entries:
                begin = self._with_particles(text, max(previous_end, begin - 16), begin, entries[0])
                pages = PAGES.match(text, found.end()) if years is not SHORT_YEAR else None
                end = pages.end() if pages else found.end()
                if text[end - 1] in ")]" and not OPENING_BRACKET.search(text, begin, end):
                    end -= 1
                yield CitationMarker(stream, begin, end, entries)
            previous_names, previous_et_al, previous_end = chain, et_al, found.end()

    def _with_particles(self, text: str, min_offset: int, begin: int, entry: int) -> int:
        """Start of the name with its "van der"; a German "von" may also mean "by"."""
        leading = LEADING_PARTICLES.search(text, min_offset, begin)
        matches = leading and text[leading.start() : begin + 3].lower() in self._entries[entry].start
        return leading.start() if leading and matches else begin

    def _names_before(self, text: str, min_offset: int, year_offset: int) -> tuple[list[tuple[int, str]], int, bool]:
        """The known names before a year, the nearest last, with only names and connectors in between."""
        tokens = [(found.start() + min_offset, found.group()) for found in TOKEN.finditer(text[min_offset:year_offset])]
        chain: list[tuple[int, str]] = []
        name_seen = et_al = False
        for at, token in reversed(tokens):
            if token in "([:":
                if name_seen:
                    break
            elif token[0].isupper():
                name_seen = True
                chain.append((at, normalise_name(token)))
            elif token in ("al", "alii", "others", "colleagues", "a"):
                et_al = name_seen = True
            elif normalise_name(token) in self._by_name and (name_seen or text[at + len(token)] == ","):
                name_seen = True  # names of groups and programs may be in lower case
                chain.append((at, normalise_name(token)))
            elif token not in CONNECTORS and not (name_seen and token in INNER_WORDS):
                break
        chain.reverse()
        first_known = next((number for number, (_, name) in enumerate(chain) if name in self._by_name), None)
        return (chain[first_known:], chain[first_known][0], et_al) if first_known is not None else ([], 0, False)

    def _entries_of(
        self, chain: list[tuple[int, str]], year: str, letters: list[str], et_al: bool
    ) -> tuple[tuple[int, ...], int]:
        """The best entries for names and year, one for each letter, and the offset of the first name."""
        names = {name for _, name in chain}
        ranked: list[_EntryCandidate] = []
        for position, (at, name) in enumerate(chain):
            for entry in self._by_year.get((name, year), [])[:MAX_ENTRIES_PER_NAME]:
                ranked.append(_EntryCandidate(0.4 * position - self._fit(entry, names, year, et_al), entry, at))
        ranked.sort()
        selected = [
            entry_chosen for letter in letters if (entry_chosen := self._choose(ranked, year, letter)) is not None
        ]
        begin = next((candidate.offset for candidate in ranked if selected and candidate.entry == selected[0]), 0)
        return tuple(dict.fromkeys(selected)), begin

    def _choose(self, ranked: Sequence[_EntryCandidate], year: str, letter: str) -> int | None:
        """The entry with this letter among the best; else any with the letter, or without one."""
        letters = {candidate.entry: self._entries[candidate.entry].years[year] for candidate in ranked}
        with_letter = [
            candidate.entry
            for candidate in ranked
            if candidate.misfit < ranked[0].misfit + 1.0 and letters[candidate.entry] == letter
        ]
        any_with_letter = [entry for entry in letters if letter and letters[entry] == letter]
        return next(
            iter(with_letter + any_with_letter + [entry for entry in letters if not letter or not letters[entry]]), None
        )

    def _fit(self, entry: int, names: set[str], year: str, et_al: bool) -> float:
        """Agreement of the cited names with the authors of an entry."""
        names_of_entry = self._entries[entry]
        fit = 1.0 if next(iter(names_of_entry.years)) == year else 0.0
        coauthors = names - names_of_entry.first_author
        fit += sum(0.8 if name in names_of_entry.coauthors else -0.5 for name in coauthors)
        fit += 0.3 * len(names & names_of_entry.first_author)
        if names_of_entry.author_count:
            cited_count = 3 if et_al else 1 + len(coauthors)
            fit += (
                0.7
                if min(names_of_entry.author_count, 3) == min(cited_count, 3)
                else 0.3
                if et_al and names_of_entry.author_count > 1
                else -0.3
            )
        return fit


def _year(found: re.Match[str]) -> tuple[str, list[str]]:
    """Year and letters; "1999a, b" has two."""
    parts = found.groupdict()
    if short := parts.get("short"):
        return ("19" if short > "30" else "20") + short, [parts["letter"]]
    if not parts["year"]:
        return "undated" if parts["undated"] else "unprinted", [""]
    return parts["year"], [parts["letter"], *re.findall("[a-z]", parts["more"])] if parts["letter"] else [""]
