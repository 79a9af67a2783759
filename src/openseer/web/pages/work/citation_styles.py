"""Citation styles: APA, MLA and Chicago (author-date)."""

from __future__ import annotations

import re
from collections.abc import Callable, Sequence

from markupsafe import Markup

from openseer.catalog.export.publication_types import author_names, page_range, publication_type
from openseer.core.model.work import IndexedWork

Person = tuple[str, str]
MAX_APA, MAX_MLA, MAX_CHICAGO = 20, 3, 10
"""Numbers of authors above which (MLA: from which) a style omits some."""


def apa(work: IndexedWork) -> Markup:
    """Broder, A. Z. (1997). On resemblance. *Sequences*, *4*, 21-29. https://doi.org/..."""
    people = [f"{family}, {_initials(given)}".rstrip(", ") for family, given in author_names(work)]
    if len(people) > MAX_APA:
        people = [*people[: MAX_APA - 1], f"... {people[-1]}"]
        authors = ", ".join(people)
    else:
        authors = _join_names(people, ", & ", ", & ")
    title = _with_full_stop(work.title or "(no title)")
    styled_title = Markup("<i>{}</i>").format(title) if _is_title_italic(work) else Markup.escape(title)
    source = _join_parts(
        [_venue(work), Markup("<i>{}</i>").format(work.volume) if work.volume else "", _with_dashes(work.pages)]
    )
    return _join_sentences(
        [_with_full_stop(authors), f"({work.year or 'n.d.'}).", styled_title, _with_full_stop(source), _link(work)]
    )


def mla(work: IndexedWork) -> Markup:
    """Broder, Andrei. "On Resemblance." *Sequences*, vol. 4, 1997, pp. 21-29."""
    people = author_names(work)
    if len(people) >= MAX_MLA:
        authors = f"{_family_first(people[0])}, et al."
    else:
        names = [_given_first(one) if number else _family_first(one) for number, one in enumerate(people)]
        authors = _join_names(names, ", and ")
    source = _join_parts(
        [
            _venue(work),
            f"vol. {work.volume}" if work.volume else "",
            str(work.year or ""),
            f"{'pp' if len(list(filter(None, page_range(work)))) > 1 else 'p'}. {_with_dashes(work.pages)}"
            if work.pages
            else "",
            _link(work),
        ]
    )
    return _join_sentences([_with_full_stop(authors), _quoted_title(work), _with_full_stop(source)])


def chicago(work: IndexedWork) -> Markup:
    """Broder, Andrei. 1997. "On Resemblance." *Sequences* 4: 21-29. https://doi.org/..."""
    people = author_names(work)
    names = [_given_first(one) if number else _family_first(one) for number, one in enumerate(people[:MAX_CHICAGO])]
    authors = f"{', '.join(names[:7])}, et al." if len(people) > MAX_CHICAGO else _join_names(names, ", and ")
    source = Markup(" ").join(part for part in (_venue(work), work.volume) if part)
    if work.pages:
        source = (
            Markup("{}: {}").format(source, _with_dashes(work.pages))
            if work.volume
            else _join_parts([source, _with_dashes(work.pages)])
        )
    return _join_sentences(
        [_with_full_stop(authors), f"{work.year or 'n.d.'}.", _quoted_title(work), _with_full_stop(source), _link(work)]
    )


STYLES: dict[str, Callable[[IndexedWork], Markup]] = {"APA": apa, "MLA": mla, "Chicago": chicago}


def _is_title_italic(work: IndexedWork) -> bool:
    return not work.venue or publication_type(work) in ("book", "thesis", "report")


def _quoted_title(work: IndexedWork) -> Markup:
    title = _with_full_stop(work.title or "(no title)")
    return (
        Markup("<i>{}</i>").format(title)
        if publication_type(work) == "book"
        else Markup("\u201c{}\u201d").format(title)
    )


def _venue(work: IndexedWork) -> Markup:
    return Markup("<i>{}</i>").format(work.venue) if work.venue else Markup("")


def _link(work: IndexedWork) -> str:
    return f"https://doi.org/{work.doi}" if work.doi else f"arXiv:{work.arxiv}" if work.arxiv else ""


def _initials(given: str) -> str:
    """ "Andrei Z." -> "A. Z."; "Jean-Luc" -> "J.-L."."""
    words = (word for word in re.split(r"[\s.]+", given) if word)
    return " ".join("-".join(f"{part[0]}." for part in word.split("-") if part) for word in words)


def _family_first(person: Person) -> str:
    return f"{person[0]}, {person[1]}" if person[1] else person[0]


def _given_first(person: Person) -> str:
    return f"{person[1]} {person[0]}".strip()


def _join_names(people: Sequence[str], last: str, pair: str = "") -> str:
    if len(people) < 2:
        return "".join(people)
    return ", ".join(people[:-1]) + (pair if len(people) == 2 and pair else last) + people[-1]


def _join_parts(parts: Sequence[str | Markup]) -> Markup:
    return Markup(", ").join(part for part in parts if part)


def _with_dashes(text: str) -> str:
    return re.sub(r"\s*-+\s*", "\u2013", text)


def _with_full_stop(text: str | Markup) -> str | Markup:
    """The text with a full stop, unless it ends with a punctuation mark."""
    plain = re.sub(r"</\w+>$", "", str(text))
    return text if not plain or plain[-1] in ".?!" else text + "."


def _join_sentences(parts: Sequence[str | Markup]) -> Markup:
    return Markup(" ").join(part for part in parts if part)
