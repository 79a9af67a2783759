"""Mentions by name and year: "(Lawrence & Giles, 1999; 2001a)", "Lawrence and Giles (1999)", "vgl. Müller 1999: 12"."""

from __future__ import annotations

import re
import unicodedata
from collections.abc import Iterator, Sequence
from dataclasses import dataclass, field
from functools import lru_cache
from typing import NamedTuple

from openseer.core.model.extraction import Reference
from openseer.extract.citations.numeric_markers import Mark
from openseer.extract.layout.text_stream import TextStream
from openseer.extract.references.parse_reference import LABEL

NUMBER = (
    r"(?P<year>(?:1[5-9]|20)(?<![\d.,/-]\d\d)\d\d)(?:[–/-](?:\d\d){1,2})? ?(?P<letter>[a-z]?)(?![\w@])"
    r"(?P<more>(?: ?[,&/+] ?[a-z](?![\w.]))*)"
)
YEAR = re.compile(NUMBER)
PHRASE = (
    r"(?P<undated>n\. ?d\.|o\. ?J\.|s\. ?d\.)|"
    r"(?:[Ii]n press|[Ff]orthcoming|[Tt]o appear|im Druck|im Erscheinen|[Ii]n preparation|[Ss]ubmitted)(?!\w)"
)
YEAR_OR_PHRASE = re.compile(f"{NUMBER}|{PHRASE}")
UNDATED = re.compile(rf"\b(?:{PHRASE})")
SHORT_YEAR = re.compile(r"(?<=[\w.,)][ ,'’])[‘'’]?(?P<short>\d\d)(?P<letter>[a-z]?)(?=[\]),;])")
"""As some wrote in the last century: [Levin, 93]."""
PRINTED_YEAR = re.compile(r"(?<!\d)((?:1[5-9]|20)\d\d) ?([a-z]?)(?![\w])")
TOKEN = re.compile(r"[^\W\d_]+(?:['’`‐‑-][^\W\d_]+)*|[&;()\[\]/\n]|[^\s\w.,]")
WORD = re.compile(r"[^\W\d_]+(?:['’`‐‑-][^\W\d_]+)*")
CARRY = re.compile(r"\s?(?::\s?\d+[\d–, -]*|, ?(?:pp?|S)\. ?\d+[\d–-]*f{0,2}\.?)?\s?(?:[,;&/–-]|and|und|et|y|e|or)?\s?")
PAGES = re.compile(
    r"(?:[:,] ?(?:(?:pp?|S|Kap|chap|ch|Sec|Fig)\. ?)?(?!(?:1[5-9]|20)\d\d)\d+(?:[–-]\d+)?(?: ?f{1,2}\b\.?)?)?[)\]]?"
)
DOUBLE = re.compile(r"(.)\1")
UMLAUT = re.compile("([aou])e(?=.)")
GIVEN_FIRST = re.compile(r"[^\W\d_]+ (?:[^\W\d_]\. ?)+([^\W\d_][\w'’‐-]+)")
"""A name with its initials in the middle, whose family name is last."""
OPENED = re.compile(r"[(\[]")
PARTICLE_WORDS = "van von der den de del della di da dos do du la le los las ten ter zu af av bin ibn el"
PARTICLES = frozenset(PARTICLE_WORDS.split()) | {"of", "for", "the", "and"}
LEADING = re.compile(rf"(?<!\w)(?:(?:{PARTICLE_WORDS.replace(' ', '|')}) )+$", re.I)
HEAD = re.compile(r"([.,:(\d])")
BARE = re.compile(
    r"(?<=[(;])(?:(?<=;) )?([^\W\d_a-z][\w'’‐-]+)(?: (?:and|&|und) ([^\W\d_a-z][\w'’‐-]+)|( et al\.?))?(?=[;)])"
)
JOINING_WORDS = (
    "and und et y e i en og och al alii others colleagues coworkers ua a u eds ed hrsg hg jr sr s & / - – ’ ' “ ” \""
)
JOINING = frozenset(JOINING_WORDS.split())
"""What stands between names, or between them and the year."""
WITHIN = PARTICLES | {"to", "on", "in", "für", "des", "zur", "zum"}
"""What stands inside a name."""
MOST = 60
"""Entries of one name that are looked at."""
FAR = 170
"""How many characters before a year its names may begin."""


@lru_cache(maxsize=20_000)
def plain(word: str) -> str:
    """Letters alone, in lower case, without accents and doubles: Müller, Mueller and Muler are one name."""
    bare = word.lower() if word.isascii() else unicodedata.normalize("NFKD", word).lower().replace("ß", "s")
    letters = "".join(filter(str.isalpha, bare.removesuffix("'s").removesuffix("’s")))
    return DOUBLE.sub(r"\1", UMLAUT.sub(r"\1", letters))


@dataclass(slots=True)
class _Named:
    """One entry as a mention may name it."""

    first: frozenset[str]
    others: frozenset[str]
    years: dict[str, str] = field(default_factory=dict)
    """Year -> its letter; the year it was published is first."""
    count: int = 0
    head: str = ""
    """How it begins, in lower case."""


def _named(entry: Reference) -> _Named:
    families = [_words(person.family) for person in entry.authors or entry.editors]
    head = LABEL.sub("", entry.raw)[:120]
    lead, mark, _ = HEAD.split(head, maxsplit=1) if HEAD.search(head) else (head, "", "")
    start = _words(lead)
    first = set(families[0]) if families else set()
    if mark == "," and len(start) < 3:  # "Truman Harry, ...": the family name first, whatever the names were read as
        first |= set(start[:1])
    if swapped := GIVEN_FIRST.match(head):
        first.add(plain(swapped.group(1)))
    if not families or not first & set(start):
        first |= set(start[:8] or _words(head)[:1])
        capitals = "".join(word[0] for word in WORD.findall(head.split(".")[0]) if word[0].isupper())
        if len(capitals) > 2:
            first.add(capitals.lower())
        first |= {plain(short) for short in re.findall(r"[(\[]([A-Z]{2,8})[)\]]", head)}
    years: dict[str, str] = {str(entry.year): ""} if entry.year else {}
    for year, letter in PRINTED_YEAR.findall(entry.raw):
        years[year] = years.get(year) or letter
    for phrase in UNDATED.finditer(entry.raw):
        years["undated" if phrase.group("undated") else "unprinted"] = ""
    others = frozenset(word for family in families[1:] for word in family)
    return _Named(frozenset(first), others, years, len(families), head.lower())


def _words(name: str) -> list[str]:
    return [bare for word in WORD.findall(name) if len(bare := plain(word)) > 1 and word.lower() not in PARTICLES]


class _Candidate(NamedTuple):
    """An entry that a mention may lead to, the best first."""

    misfit: float
    entry: int
    at: int
    """Where the name of its first author stands."""


class AuthorYearMarkers:
    """The entries of a bibliography by the names and years that lead to them."""

    def __init__(self, references: Sequence[Reference]) -> None:
        self._entries = [_named(entry) for entry in references]
        self._undated = any("undated" in entry.years or "unprinted" in entry.years for entry in self._entries)
        self._by_name: dict[str, list[int]] = {}
        self._by_year: dict[tuple[str, str], list[int]] = {}
        for at, entry in enumerate(self._entries):
            for name in entry.first:
                self._by_name.setdefault(name, []).append(at)
                for year in entry.years:
                    self._by_year.setdefault((name, year), []).append(at)

    def mentions(self, texts: Sequence[TextStream], years: re.Pattern[str] | None = None) -> Iterator[Mark]:
        """Every year that names stand before, or that follows such a year."""
        years = years or (YEAR_OR_PHRASE if self._undated else YEAR)
        for stream, running in enumerate(texts):
            yield from self._in_text(stream, running.text, years)
            yield from self._bare(stream, running.text)

    def _bare(self, stream: int, text: str) -> Iterator[Mark]:
        """Names alone in parentheses: "(Fengler et al.; Ratcliff)", as where the year of an entry is not known."""
        for found in BARE.finditer(text):
            first, second, et_al = plain(found.group(1)), plain(found.group(2) or ""), bool(found.group(3))
            for at in self._by_name.get(first, [])[:MOST]:
                one = self._entries[at]
                alone = one.count == 1 and not (second or et_al)
                if one.count and (alone or (one.count == 2 and second in one.others) or (et_al and one.count > 2)):
                    yield Mark(stream, found.start(1), found.end(), (at,))
                    break

    def _in_text(self, stream: int, text: str, years: re.Pattern[str]) -> Iterator[Mark]:
        last_end, others = 0, False  # of the mention before
        names: list[tuple[int, str]] = []
        for found in years.finditer(text):
            start = found.start()
            chain, begin, et_al = self._chain(text, max(last_end, start - FAR), start)
            if not chain and names and CARRY.fullmatch(text, last_end, start):
                chain, begin, et_al = [(start, name) for _, name in names], start, others
            if not chain:
                continue
            year, letters = _year(found)
            entries, begin = self._entries_of(chain, year, letters, et_al)
            if entries:
                begin = self._with_particles(text, max(last_end, begin - 16), begin, entries[0])
                tail = PAGES.match(text, found.end()) if years is not SHORT_YEAR else None
                end = tail.end() if tail else found.end()
                if text[end - 1] in ")]" and not OPENED.search(text, begin, end):
                    end -= 1
                yield Mark(stream, begin, end, entries)
            names, others, last_end = chain, et_al, found.end()

    def _with_particles(self, text: str, low: int, begin: int, entry: int) -> int:
        """Where the name begins with its "van der"; in German "von" may as well say by whom."""
        leading = LEADING.search(text, low, begin)
        same = leading and text[leading.start() : begin + 3].lower() in self._entries[entry].head
        return leading.start() if leading and same else begin

    def _chain(self, text: str, low: int, high: int) -> tuple[list[tuple[int, str]], int, bool]:
        """The known names before a year, the nearest last; nothing but names and what joins them stands between."""
        tokens = [(found.start() + low, found.group()) for found in TOKEN.finditer(text[low:high])]
        chain: list[tuple[int, str]] = []
        named = et_al = False
        for at, token in reversed(tokens):
            if token in "([:":
                if named:
                    break
            elif token[0].isupper():
                named = True
                chain.append((at, plain(token)))
            elif token in ("al", "alii", "others", "colleagues", "a"):
                et_al = named = True
            elif plain(token) in self._by_name and (named or text[at + len(token)] == ","):
                named = True  # the name of a group or a program may be in lower case
                chain.append((at, plain(token)))
            elif token not in JOINING and not (named and token in WITHIN):
                break
        chain.reverse()
        known = next((number for number, (_, name) in enumerate(chain) if name in self._by_name), None)
        return (chain[known:], chain[known][0], et_al) if known is not None else ([], 0, False)

    def _entries_of(
        self, chain: list[tuple[int, str]], year: str, letters: list[str], et_al: bool
    ) -> tuple[tuple[int, ...], int]:
        """The entries that fit names and year best, one for each letter, and where the first name stands."""
        names = {name for _, name in chain}
        best: list[_Candidate] = []
        for place, (at, name) in enumerate(chain):
            for entry in self._by_year.get((name, year), [])[:MOST]:
                best.append(_Candidate(0.4 * place - self._fit(entry, names, year, et_al), entry, at))
        best.sort()
        found = [chosen for letter in letters if (chosen := self._choose(best, year, letter)) is not None]
        begin = next((one.at for one in best if found and one.entry == found[0]), 0)
        return tuple(dict.fromkeys(found)), begin

    def _choose(self, best: Sequence[_Candidate], year: str, letter: str) -> int | None:
        """Of those that fit about as well as the best one with this letter; else any with it, or with none."""
        letters = {one.entry: self._entries[one.entry].years[year] for one in best}
        near = [one.entry for one in best if one.misfit < best[0].misfit + 1.0 and letters[one.entry] == letter]
        same = [entry for entry in letters if letter and letters[entry] == letter]
        return next(iter(near + same + [entry for entry in letters if not letter or not letters[entry]]), None)

    def _fit(self, entry: int, names: set[str], year: str, et_al: bool) -> float:
        """How well the authors agree."""
        one = self._entries[entry]
        fit = 1.0 if next(iter(one.years)) == year else 0.0
        others = names - one.first
        fit += sum(0.8 if name in one.others else -0.5 for name in others)
        fit += 0.3 * len(names & one.first)
        if one.count:
            told = 3 if et_al else 1 + len(others)
            fit += 0.7 if min(one.count, 3) == min(told, 3) else 0.3 if et_al and one.count > 1 else -0.3
        return fit


def _year(found: re.Match[str]) -> tuple[str, list[str]]:
    """The year and its letters, "1999a, b" has two."""
    parts = found.groupdict()
    if short := parts.get("short"):
        return ("19" if short > "30" else "20") + short, [parts["letter"]]
    if not parts["year"]:
        return "undated" if parts["undated"] else "unprinted", [""]
    return parts["year"], [parts["letter"], *re.findall("[a-z]", parts["more"])] if parts["letter"] else [""]
