"""References as three well-known styles write them: APA, MLA and Chicago (author and date)."""

from __future__ import annotations

import re
from collections.abc import Callable, Sequence

from markupsafe import Markup

from openseer.catalog.export.publication_types import author_names, page_range, publication_type
from openseer.core.model.work import IndexedWork

Person = tuple[str, str]
MANY_APA, MANY_MLA, MANY_CHICAGO = 20, 3, 10
"""Authors from which on a style leaves some out."""


def apa(work: IndexedWork) -> Markup:
    """Broder, A. Z. (1997). On resemblance. *Sequences*, *4*, 21-29. https://doi.org/..."""
    people = [f"{family}, {_initials(given)}".rstrip(", ") for family, given in author_names(work)]
    if len(people) > MANY_APA:
        people = [*people[: MANY_APA - 1], f"... {people[-1]}"]
        by = ", ".join(people)
    else:
        by = _listed(people, ", & ", ", & ")
    title = _ended(work.title or "(no title)")
    shown = Markup("<i>{}</i>").format(title) if _stands_alone(work) else Markup.escape(title)
    place = _joined([_venue(work), Markup("<i>{}</i>").format(work.volume) if work.volume else "", _dashed(work.pages)])
    return _sentences([_ended(by), f"({work.year or 'n.d.'}).", shown, _ended(place), _link(work)])


def mla(work: IndexedWork) -> Markup:
    """Broder, Andrei. "On Resemblance." *Sequences*, vol. 4, 1997, pp. 21-29."""
    people = author_names(work)
    if len(people) >= MANY_MLA:
        by = f"{_inverted(people[0])}, et al."
    else:
        by = _listed([_inverted(one) if not place else _straight(one) for place, one in enumerate(people)], ", and ")
    place = _joined(
        [
            _venue(work),
            f"vol. {work.volume}" if work.volume else "",
            str(work.year or ""),
            f"{'pp' if len(list(filter(None, page_range(work)))) > 1 else 'p'}. {_dashed(work.pages)}"
            if work.pages
            else "",
            _link(work),
        ]
    )
    return _sentences([_ended(by), _titled(work), _ended(place)])


def chicago(work: IndexedWork) -> Markup:
    """Broder, Andrei. 1997. "On Resemblance." *Sequences* 4: 21-29. https://doi.org/..."""
    people = author_names(work)
    shown = [_inverted(one) if not place else _straight(one) for place, one in enumerate(people[:MANY_CHICAGO])]
    by = f"{', '.join(shown[:7])}, et al." if len(people) > MANY_CHICAGO else _listed(shown, ", and ")
    place = Markup(" ").join(part for part in (_venue(work), work.volume) if part)
    if work.pages:
        place = (
            Markup("{}: {}").format(place, _dashed(work.pages))
            if work.volume
            else _joined([place, _dashed(work.pages)])
        )
    return _sentences([_ended(by), f"{work.year or 'n.d.'}.", _titled(work), _ended(place), _link(work)])


STYLES: dict[str, Callable[[IndexedWork], Markup]] = {"APA": apa, "MLA": mla, "Chicago": chicago}


def _stands_alone(work: IndexedWork) -> bool:
    return not work.venue or publication_type(work) in ("book", "thesis", "report")


def _titled(work: IndexedWork) -> Markup:
    title = _ended(work.title or "(no title)")
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


def _inverted(person: Person) -> str:
    return f"{person[0]}, {person[1]}" if person[1] else person[0]


def _straight(person: Person) -> str:
    return f"{person[1]} {person[0]}".strip()


def _listed(people: Sequence[str], last: str, pair: str = "") -> str:
    if len(people) < 2:
        return "".join(people)
    return ", ".join(people[:-1]) + (pair if len(people) == 2 and pair else last) + people[-1]


def _joined(parts: Sequence[str | Markup]) -> Markup:
    return Markup(", ").join(part for part in parts if part)


def _dashed(text: str) -> str:
    return re.sub(r"\s*-+\s*", "\u2013", text)


def _ended(text: str | Markup) -> str | Markup:
    """With a full stop, unless it ends already."""
    plain = re.sub(r"</\w+>$", "", str(text))
    return text if not plain or plain[-1] in ".?!" else text + "."


def _sentences(parts: Sequence[str | Markup]) -> Markup:
    return Markup(" ").join(part for part in parts if part)
