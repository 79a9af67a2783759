"""The list of names at the start of a bibliography entry: where it ends, and who is in it."""

from __future__ import annotations

import re

from openseer.extract.names import NOT_NAMES, is_name, split_name
from openseer.records.extraction import Name

UP = r"[^\W\d_a-zа-яёα-ω]"
LETTER = r"[^\W\d_]"
PARTICLE = r"(?:(?:van|von|de|der|den|di|da|del|della|la|le|du|dos|das|do|el|al|bin|ten|ter|te|zu|af|av|Van|Von|De|Der|Di|Da|Del|La|Le|Du|El|Al|Ten|Ter|St\.)[ -]|d['’] ?)"
FAMILY = rf"(?:{PARTICLE}{{0,3}}{UP}(?:{LETTER}|['’‘`´-])+(?:[- ]{UP}(?:{LETTER}|['’‘-])+){{0,2}})"
INITIAL = rf"(?:{UP}[a-zа-я]?\.(?:[ -]?(?={UP}))?|{UP}\b\.?[ -]?(?={UP}\b))"
INITIALS = rf"(?:(?:{UP}[hy]?\.(?: ?[-‐–] ?| ?(?={UP}\.)|(?={UP}))?)*{UP}[hy]?\.)(?: (?:van|von|de|der|den|la|da)\b)*"
BARE = rf"(?:{UP}{{1,5}}\b|{UP}-{UP}\b|{UP} {UP}\b)(?!\.{UP})"
GIVEN = rf"(?:{UP}(?:{LETTER}|['’-])+\.?|{UP}\.?)(?: (?:{UP}(?:{LETTER}|['’-])+|{UP}\.?)(?=[ ,;.&:(]|$)){{0,2}}"
SUFFIX = r"(?:,? (?:Jr|Sr|II|III|IV)\b\.?)?"

FORMS = {
    "inverted": re.compile(rf"({FAMILY}), ?({INITIALS}|{BARE}(?=[,;.:&( ]|$)\.?){SUFFIX}"),
    "vancouver": re.compile(
        rf"({FAMILY}) ((?:{UP}[hy]?\.[ -]?-?){{0,3}}{UP}[hy]?\.(?=[,;:(&\s]|$)|{BARE}(?=[,;.:(&]| and | & | et |$)|{BARE}(?= et al| \()){SUFFIX}"
    ),
    "initials": re.compile(
        rf"((?:{UP}{LETTER}?\.[ -]?(?:[-‐] ?)?){{1,4}}) ?((?:[a-z]{{2,4}} ){{0,2}}{FAMILY}){SUFFIX}"
    ),
    "full": re.compile(
        rf"((?:{UP}(?:{LETTER}|['’-])+|(?:{UP}{LETTER}?\.-?){{1,3}})(?: (?:{UP}(?:{LETTER}|['’-])+|(?:{UP}{LETTER}?\.-?){{1,3}}|van|von|de|der|den|di|da|del|la|le|du|dos|el|al|bin|ten|ter|zu))"
        rf"{{0,3}} {FAMILY}){SUFFIX}(?=[,;.:(&]| and | & | et | und | e | y | и | και |$)"
    ),
    "inverted full": re.compile(
        rf"({FAMILY}), ({GIVEN}(?: (?:van|von|de|der|den|la|da))*){SUFFIX}(?=[,.:(&/]|\s?;| and | & | et | und | \(|$)"
    ),
}
SEPARATOR = re.compile(
    r"(?:\s*[,;]\s*(?:and|&|und|et|y|и|και|e|…|\. \. \.)?\s*|\s*(?:\band\b|&|\bund\b|\by\b|\bet\b(?! al)|/|·|…)\s*|\s*,?\s*\. ?\. ?\.,?\s*(?:&|and)?\s*)(?=\S)"
)
ET_AL = re.compile(r"[,;]?\s*(?:&|and)?\s*\b(?:et\.? ?al\b\.?|u\.? ?a\.|and others|и др\.?)[,.]?", re.I)
EDITORS = re.compile(
    r"\s*,?\s*[(\[]?\b(?:eds?|hrsg|hg|editors?|editor\(s\)|herausgeber|orgs?|dirs?|coords?)\b\.?[)\]]?[,.:]?", re.I
)
ORDER = ("inverted", "vancouver", "initials", "inverted full", "full")


def take_people(text: str) -> tuple[tuple[Name, ...], int]:
    """The names at the start of the text and where they end.

    >>> take_people("Smith, J. and A. B. Jones (1999) On things")[1]
    23
    """
    names: list[Name] = []
    at, last = 0, ""
    while len(names) < 400:
        found = _next_name(text, at, last)
        if not found:
            break
        name, at, last = found
        names.append(name)
        more = SEPARATOR.match(text, at)
        if not more or not _next_name(text, more.end(), last):
            break
        at = more.end()
    others = ET_AL.match(text, at)
    return tuple(names), others.end() if others and names else at


def _next_name(text: str, at: int, last: str) -> tuple[Name, int, str] | None:
    """A name at this place, in the form of the one before it if possible."""
    first = (last, *(form for form in ORDER if form != last)) if last else ORDER
    for form in first:
        match = FORMS[form].match(text, at)
        if match and _plausible(form, match, text, last):
            return _as_name(form, match), match.end(), form
    return None


def _plausible(form: str, match: re.Match[str], text: str, last: str) -> bool:
    family = match.group(1) if form != "initials" else match.group(2)
    if not last and form in ("inverted", "vancouver") and _is_rather_full(match, text):
        return False
    if form in ("full", "inverted full") and any(
        word.lower().strip(".,") in NOT_NAMES for word in match.group(0).split()
    ):
        return False
    if form == "full":
        if text[match.end() : match.end() + 1] == ":" and last not in ("", "full"):
            return False
        return is_name(match.group(1)) and last in ("", "full", "inverted full", "initials")
    if form == "inverted full":
        return last in ("", "inverted full") and len(match.group(0).split()) <= 5
    if form == "vancouver" and last == "" and family.lower() in NOT_NAMES:
        return False
    return len(family) > 1


def _is_rather_full(match: re.Match[str], text: str) -> bool:
    """ "Ivan P. Fellegi and" and "Gerard Salton, A. Wong" begin with given names, though "Ivan P." might be a family name."""
    full = FORMS["full"].match(text, match.start())
    if not full or not is_name(full.group(1)):
        return False
    if full.end() > match.end():
        return True
    return " " in match.group(1) and bool(re.match(rf"[ ]{FAMILY}(?:,| and | et | und )", text[match.end() :]))


def _as_name(form: str, match: re.Match[str]) -> Name:
    if form == "full":
        return split_name(match.group(1))
    if form == "initials":
        given, family = match.group(1).strip(), match.group(2).strip()
    else:
        family, given = match.group(1).strip(), match.group(2).strip()
    if form.startswith("inverted"):
        return split_name(f"{family}, {given}")
    return Name(f"{given} {family}", given, family)
