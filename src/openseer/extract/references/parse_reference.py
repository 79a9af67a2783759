"""Parser of one reference: a sequence model labels the words, rules assemble and repair the fields."""

from __future__ import annotations

import re
from collections.abc import Iterator
from dataclasses import dataclass
from itertools import groupby, pairwise, takewhile, zip_longest

from openseer.core.model.extraction import Name, Reference
from openseer.core.text.person_names import names_organisation, split_name
from openseer.extract.references.author_list import EDITORS, leading_names
from openseer.extract.references.cjk_names import KANA, cjk_names, is_cjk
from openseer.extract.references.tagger import GAP_LABEL_PREFIX, tag

DOI = re.compile(
    r"(?:doi:?\s*|https?://(?:dx\.)?doi\.org/\s*)*\b(10\.\d{4,9}/(?: ?(?=\w))(?:[^\s\"<>“”{}]|\{[^\s\"<>“”{}]*\})+)",
    re.I,
)
"""Braces only in pairs."""
DOI_CONTINUATION = re.compile(r"(?<=[._/-]) (?!(?:1[89]|20)\d\d\W*$)(\w[^\s\"<>“”]*)$")
"""The rest of a DOI divided after a punctuation mark at the end of a reference; a year does not count."""
URL = re.compile(r"((?:https?|ftp)://[^\s<>\"]+|www\.[^\s<>\"]+)", re.I)
ARXIV = re.compile(
    r"arxiv(?:\.org/(?:abs|pdf)/|\s*(?:preprint|e-prints?)?,?\s*(?:arxiv)?\s*:?\s*(?:abs/)?)\s*(\d{4}\.\d{4,5}|"
    r"[a-z-]+(?:\.[A-Z]{2})?/\d{7})(?:v\d+)?",
    re.I,
)
LABEL = re.compile(
    r"^\s*(?:\[[^\]\n]{1,24}\]|\(\d{1,3}\)|\d{1,3}\s*[.)\]](?!\d)|\d{1,3}(?=\s*[^\W\d_a-z])|[•●▪*–-](?=\s))\s*"
)
SEE_PREFIX = re.compile(r"^(?:vgl\.|siehe(?: auch)?|see(?: also)?|cf\.|s\. auch)\s+(?=[^\W\d_a-z])", re.I)
SHORT_ENTRY = re.compile(
    r"(?P<who>[^()]{3,200}?)\s*\((?:\d{4}[a-z]?|n\.\s?d\.)\)[.:,]?\s*(?P<what>(?!https?:|www|doi|;)[^.]{0,150}?)"
    r"\.?\s*(?:\[[^\]]{1,30}\]\.?\s*)?(?P<where>(?:https?:|www|doi).*)?"
)
IN_PREFIX = re.compile(r"^(?:(?:in|dans|//)[:\s]+(?=\S)|(?-i:in)(?=[A-Z][a-z]))", re.I)
TITLE_IN = re.compile(r"[.?!][”’\"]?\s+In:?\s+(?=[^\W\d_a-z])")
TAGS = re.compile(r"</?(?:italic|bold|i|b|em|sup|sub)>", re.I)
YEAR = re.compile(r"(?<!\d)(1[5-9]\d\d|20\d\d)(?!\d)")
MIN_LIKELY_YEAR = 1850
"""Of several numbers after a title, an earlier one is rarely the year."""
UNLABELLED_NUMBERS = re.compile(r"(?<![\d.])\d{4}\.\d{4,5}(?!\d)|\bpp?\.\s?\d+\s?[-–—−‐]+\s?\d+")
"""An arXiv id without "arXiv", or labelled pages."""
PAGES = re.compile(r"\d+(?:\s?[-–—−‐]+\s?\d+)?")
ACCESSED = re.compile(r"(?:accessed|retrieved|visited|abgerufen|zugriff|viewed|consult|stand)\W", re.I)
DASH = re.compile(r"\s?[-–—−‐]+\s?")
EDGES = " \t.,;:()[]\"“”„«»'‘’`*/，．。、：；（）［］【】「」『』《》〈〉"
AND = re.compile(r"\s*(?:[;、；]|,?\s(?:[Aa]nd|und|et|y|e|и|u\.|with|&)\s|\s&\s?)\s*")
LOOSE_PUNCTUATION = re.compile(r" +(?=[.,;])|(?<=[^\W\d_]{2}[,;])(?=[^\W\d_])")
"""A space before punctuation, or none after it."""
LEADING_CONJUNCTION = re.compile(r"^(?:and|und|et|y|e|и|eds?|hrsg|hg|with|u)\b\.?\s*", re.I)
HONOUR = re.compile(r"\b(?:Dr|Prof|Mr|Mrs|Ms)\.\s+(?=[A-Z])")
ROLE = re.compile(r"\((?:[^()]*\b(?:directors?|producers?|writers?|eds?|hrsg|hg)\b[^()]*)\)\.?", re.I)
OTHERS = re.compile(r"[,;]?\s*\b(?:et\.? ?al|u\. ?a|and others|и др|等)\.?$", re.I)
NOT_A_NAME = re.compile(r"(?:(?:a|e|et|eds|and|und|&)\.? )?(?:[Oo]thers|OTHERS|al)\.?|u\. ?a\.?")
"""Remains of "and others" after the names are split."""

TYPES = (
    (
        "thesis",
        re.compile(
            r"thesis|dissertation|habilitation|diplomarbeit|\bdiss\b|автореф|\bдис\. |\[D\]|学位论文|學位論文|博士論文|"
            r"修士論文|학위논문",
            re.I,
        ),
    ),
    ("report", re.compile(r"\b(?:technical|tech\.?) rep|working paper|\breport\b|discussion paper|whitepaper", re.I)),
    ("inproceedings", re.compile(r"\bproc\b|proceedings|conference|symposium|workshop|\btagung\b|конференци", re.I)),
)


@dataclass(frozen=True, slots=True)
class LabelledSpan:
    """Consecutive words with one label."""

    label: str
    text: str
    start: int


def parse_reference(text: str) -> Reference:
    """Parsed fields of one printed reference."""
    line = " ".join(text.split())
    if "<" in line:
        line = TAGS.sub("", line)
    line = SEE_PREFIX.sub("", LABEL.sub("", line))
    spans = _split_title(_first_entry(_merge_name_lists(list(_labelled_spans(line)), line)), line)
    doi, arxiv, url = _identifiers(line)
    japanese = bool(KANA.search(line))
    title, venue = _title_and_venue(spans)
    authors = _names_of(spans, "author", japanese)
    if not title and not venue and (short_entry := _split_short_entry(line)):
        title, authors = short_entry[1], authors if short_entry[0] else ()
    return Reference(
        raw=text.strip(),
        type=_type(line, spans, bool(arxiv), bool(url)),
        title=title,
        authors=authors or _corporate_authors(spans),
        editors=_names_of(spans, "editor", japanese),
        venue=venue,
        year=_year(line, spans, arxiv),
        volume=_first_text(spans, "volume"),
        issue=_first_text(spans, "issue"),
        pages=_pages(spans),
        publisher=_first_text(spans, "publisher"),
        institution=_first_text(spans, "institution"),
        location=_first_text(spans, "location"),
        note=_first_text(spans, "note"),
        doi=doi,
        url=url,
        arxiv=arxiv,
    )


def _merge_name_lists(spans: list[LabelledSpan], text: str) -> list[LabelledSpan]:
    """Leading names labelled alternately as author and editor, merged into one list."""
    leading = list(takewhile(lambda span: span.label in ("author", "editor"), spans))
    if len({span.label for span in leading}) < 2:
        return spans
    end = leading[-1].start + len(leading[-1].text)
    label = "editor" if EDITORS.search(text, leading[0].start, end + 12) else "author"
    return [LabelledSpan(label, text[leading[0].start : end], leading[0].start), *spans[len(leading) :]]


def _first_entry(spans: list[LabelledSpan]) -> list[LabelledSpan]:
    """Spans before the point where names and a title begin again: two entries in one text."""
    has_title = has_author = False
    for at, span in enumerate(spans):
        if span.label == "author" and has_title and has_author and any(more.label == "title" for more in spans[at:]):
            return spans[:at]
        has_title, has_author = has_title or span.label == "title", has_author or span.label == "author"
    return spans


def _labelled_spans(text: str) -> Iterator[LabelledSpan]:
    """Spans of one label; a span continues over punctuation."""
    tagged = [(token, label) for token, label in tag(text) if not label.startswith(GAP_LABEL_PREFIX)]
    for label, group in groupby(tagged, key=lambda one: one[1]):
        tokens = [token for token, _ in group]
        gaps = ((at, text[one[2] : two[1]]) for at, (one, two) in enumerate(pairwise(tokens), 1))
        starts = [at for at, gap in gaps if gap not in ("", " ") and not _is_inside_span(gap, label)]
        for first, last in zip([0, *starts], [*starts, len(tokens)], strict=True):
            start, end = tokens[first].start, tokens[last - 1].end
            yield LabelledSpan(label, text[start:end], start)


def _is_inside_span(gap: str, label: str) -> bool:
    """True for a gap of punctuation inside a span."""
    if label in ("author", "editor"):
        return len(gap) < 12
    return len(gap.strip(" .,:;-–—\"“”'‘’()")) == 0 and (label in ("title", "journal", "book") or len(gap) < 3)


def _first_text(spans: list[LabelledSpan], label: str) -> str:
    """Text of the first span with a label; a very short title is skipped."""
    found = [_trim(span.text) for span in spans if span.label == label]
    if label == "title" and len(found) > 1 and len(found[0]) < 6:
        return found[1]
    return next((text for text in found if text), "")


def _trim(text: str) -> str:
    """Text without punctuation at its ends; a closing bracket stays with its opening one."""
    stripped = text.strip(EDGES)
    if stripped.count("(") > stripped.count(")"):
        stripped += ")" if text[text.find(stripped) + len(stripped) :].startswith(")") else ""
    return stripped


def _title_and_venue(spans: list[LabelledSpan]) -> tuple[str, str]:
    """Title and venue; for a book without a separate title, its name is the title."""
    title, journal, book = (_first_text(spans, label) for label in ("title", "journal", "book"))
    venue = IN_PREFIX.sub("", journal or book)
    return (title, venue) if title or journal else (venue, "")


def _split_short_entry(text: str) -> tuple[str, str] | None:
    """Author and title of a short entry like "Body. (2018). Name. https://..."; a single name is the title."""
    found = SHORT_ENTRY.fullmatch(text)
    if not found or not (found["what"] or found["where"]):
        return None
    author, title = found["who"].strip(EDGES), found["what"].strip(EDGES)
    return (author, title) if title else ("", author)


def _split_title(spans: list[LabelledSpan], text: str) -> list[LabelledSpan]:
    """A title that continues with "In Some Book", split there if other spans belong to a book."""
    at = next((at for at, span in enumerate(spans) if span.label == "title"), None)
    in_match = TITLE_IN.search(spans[at].text) if at is not None else None
    if at is None or not in_match or in_match.start() < 12:
        return spans
    title, rest = spans[at], spans[at + 1 :]
    if not {span.label for span in rest} & {"book", "editor", "publisher"}:
        return spans
    end = title.start + len(title.text)
    if rest and rest[0].label in ("book", "journal") and not text[end : rest[0].start].strip(EDGES):
        end = rest[0].start + len(rest[0].text)
        rest = rest[1:]
    start = title.start + in_match.end()
    return [
        *spans[:at],
        LabelledSpan("title", title.text[: in_match.start() + 1], title.start),
        LabelledSpan("book", text[start:end], start),
        *rest,
    ]


def _names_of(spans: list[LabelledSpan], label: str, japanese: bool) -> tuple[Name, ...]:
    """The names of the first list; names after the title or the book are ignored."""
    found: list[Name] = []
    for span in spans:
        if span.label == label:
            cjk = is_cjk(span.text)
            found += cjk_names(span.text, japanese) if cjk else parse_people(span.text)
        elif found and span.label in ("title", "journal", "book"):
            break
    return tuple(found)


def _corporate_authors(spans: list[LabelledSpan]) -> tuple[Name, ...]:
    """A collaboration, or an institution at the start of a reference without editors."""
    names = [span.text for span in spans if span.label == "collaboration"]
    if not names and spans and spans[0].label in ("institution", "publisher") and spans[0].start < 3:
        names = [spans[0].text] if all(span.label != "editor" for span in spans) else []
    return tuple(Name(name, "", name) for text in names if (name := _trim(text)))


def parse_people(text: str) -> list[Name]:
    """The names in an author list; text that fits no name form counts as an institution.

    >>> [name.family for name in parse_people("Smith, J., A. B. Jones and World Health Organization")]
    ['Smith', 'Jones', 'World Health Organization']
    """
    text = HONOUR.sub("", ROLE.sub("", text) if "(" in text else text)
    rest, names = OTHERS.sub("", _fix_punctuation(text.strip(" ,;:"))), list[Name]()
    while rest and len(names) < 400:
        found, at = leading_names(rest)
        names += found
        rest = rest[at:].strip(" ,;:.&/()-–")
        rest = LEADING_CONJUNCTION.sub("", rest)
        if not found and rest:
            one, *others = AND.split(rest, maxsplit=1)
            if one.strip(EDGES):
                names.append(_unmatched_name(one.strip(" ,;:")))
            rest = others[0] if others else ""
    return [
        Name(name.name, "", name.name) if name.given and names_organisation(name.name) else name
        for name in names
        if any(c.isalpha() for c in name.family) and not NOT_A_NAME.fullmatch(name.name)
    ]


def _fix_punctuation(text: str) -> str:
    """Text with spaces around punctuation corrected."""
    return LOOSE_PUNCTUATION.sub(lambda gap: "" if gap[0] else " ", text)


def _unmatched_name(text: str) -> Name:
    """A name that fits no form: "Family, Given", or an institution."""
    if text.count(",") == 1 and len(text.split()) <= 4:
        return split_name(text)
    return Name(text, "", text)


def _identifiers(text: str) -> tuple[str, str, str]:
    """DOI, arXiv id and URL."""
    doi = DOI.search(text) if "10." in text else None
    arxiv = ARXIV.search(text) if "xiv" in text.lower() else None
    url = URL.search(text) if "://" in text or "www" in text else None
    return (
        _full_doi(doi, text).rstrip(".,;)]}").replace(" ", "").lower() if doi else "",
        arxiv[1] if arxiv else "",
        url[1].rstrip(".,;)") if url and "doi.org/" not in url[1] else "",
    )


def _full_doi(doi: re.Match[str], text: str) -> str:
    rest = DOI_CONTINUATION.match(text, doi.end())
    return doi[1] + (rest[1] if rest else "")


def _year(text: str, spans: list[LabelledSpan], arxiv: str) -> int | None:
    """Year of the dates, else the last year outside of URLs and access dates.

    "[1922] 1980" is a new edition: a year in square brackets counts only if there is no other. Years before the title,
    in round brackets or beside volume and pages are preferred."""
    without_numbers = _without_numbers(text, spans)
    ranked_years, has_title = [], False
    for span, after in zip_longest(spans, spans[1:]):
        before = text[max(0, span.start - 14) : span.start]
        span_text = without_numbers[span.start : span.start + len(span.text)]
        if span.label == "date" and not ACCESSED.search(before) and (found := YEAR.findall(span_text)):
            year = int(found[-1])
            is_likely = not has_title or before.endswith("(") or (after and after.label in ("volume", "issue", "pages"))
            is_unlikely = has_title and year < MIN_LIKELY_YEAR
            ranked_years.append((3 if is_unlikely else 2 if before.endswith("[") else 0 if is_likely else 1, year))
        has_title = has_title or span.label == "title"
    if ranked_years:
        return min(ranked_years, key=lambda date: date[0])[1]
    return _year_without_date(without_numbers, spans, arxiv) or _year_of_doi(text)


def _without_numbers(text: str, spans: list[LabelledSpan]) -> str:
    """The text with identifiers, URLs and pages blanked, whose digits may look like years."""
    for pattern in (ARXIV, DOI, URL, UNLABELLED_NUMBERS):
        text = pattern.sub(lambda found: " " * len(found[0]), text)
    for span in spans:
        if span.label == "pages":
            found = PAGES.search(text, span.start, span.start + len(span.text))
            text = text[: found.start()] + " " * len(found[0]) + text[found.end() :] if found else text
    return text


def _year_without_date(text: str, spans: list[LabelledSpan], arxiv: str) -> int | None:
    """The year of a reference without a date: the last outside of titles, that of its arXiv id, or any."""
    outside_titles = text
    for span in spans:
        if span.label in ("title", "journal", "book"):
            outside_titles = outside_titles.replace(span.text, " ")
    before_access, anywhere, outside = (
        YEAR.findall(one) for one in (ACCESSED.split(outside_titles)[0], ACCESSED.split(text)[0], outside_titles)
    )
    years = before_access or _year_of_arxiv_id(arxiv) or anywhere or outside
    return int(years[-1]) if years else None


def _year_of_doi(text: str) -> int | None:
    """The year inside a DOI, as in "10.1016/j.aop.2016.12.030".

    >>> _year_of_doi("doi:10.1016/j.aop.2016.12.030"), _year_of_doi("doi:10.1103/1784.99")
    (2016, None)
    """
    doi = DOI.search(text)
    years = [int(year) for year in YEAR.findall(doi[0])] if doi else []
    return years[-1] if years and years[-1] >= MIN_LIKELY_YEAR else None


def _year_of_arxiv_id(arxiv: str) -> list[str]:
    """The year at the start of an arXiv id.

    >>> _year_of_arxiv_id("1601.03882"), _year_of_arxiv_id("hep-th/9711200"), _year_of_arxiv_id("")
    (['2016'], ['1997'], [])
    """
    year = arxiv.rpartition("/")[2][:2]
    return [f"{'19' if year > '90' else '20'}{year}"] if year else []


def _pages(spans: list[LabelledSpan]) -> str:
    return DASH.sub("-", _first_text(spans, "pages"))


def _type(text: str, spans: list[LabelledSpan], arxiv: bool, url: bool) -> str:
    labels = {span.label for span in spans}
    outside = text
    for span in spans:
        if span.label in ("title", "author", "editor"):
            outside = outside.replace(span.text, " ", 1)
    for kind, pattern in TYPES:
        if pattern.search(outside):
            return kind
    if arxiv or re.search(r"\barxiv\b|preprint", outside, re.I):
        return "preprint"
    if labels & {"journal", "book"} and "title" in labels:
        if "editor" in labels or re.search(r"[.,;?]\s+in:\s", text, re.I):
            return "chapter"
        return "chapter" if "publisher" in labels and not {"volume", "issue"} & labels else "article"
    if "publisher" in labels or "location" in labels:
        return "book"
    return "web" if url else "other"
