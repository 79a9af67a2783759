"""The list of names at the start of a bibliography entry: where it ends, and who is in it."""

from __future__ import annotations

import re

from openseer.core.model.extraction import Name
from openseer.core.text.person_names import NOT_NAMES, is_name, split_name

UP = r"[^\W\d_a-zа-яёα-ω]"
LETTER = r"[^\W\d_]"
PARTICLE = (
    r"(?:(?:van|von|de|der|den|di|da|del|della|la|le|du|dos|das|do|el|al|bin|ten|ter|te|zu|af|av|Van|Von|De|"
    r"Der|Di|Da|Del|La|Le|Du|El|Al|Ten|Ter|St\.)[ -]|d['’] ?)"
)
FAMILY = rf"(?:{PARTICLE}{{0,3}}{UP}(?:{LETTER}|['’‘`´-])+(?:[- ]{UP}(?:{LETTER}|['’‘-])+){{0,2}})"
INITIALS = rf"(?:(?:{UP}[hy]?\.(?: ?[-‐–] ?| ?(?={UP}\.)|(?={UP}))?)*{UP}[hy]?\.)(?: (?:van|von|de|der|den|la|da)\b)*"
BEHIND = r"(?: (?:da|de|do|dos|das|van|von|van der|van den|der|den|di|del))?"
BARE = rf"(?:{UP}{{1,5}}{BEHIND}\b|{UP}-{UP}\b|{UP} {UP}\b)(?!\.{UP})"
GIVEN = rf"(?:{UP}(?:{LETTER}|['’-])+\.?|{UP}\.?)(?: (?:{UP}(?:{LETTER}|['’-])+|{UP}\.?)(?=[ ,;.&:(]|$)){{0,2}}"
SUFFIX = r"(?:,? (?:Jr|Sr|II|III|IV)\b\.?)?"

FAMILY_SUFFIX = re.compile(r" (?:Jr|Sr|II|III|IV)\.?$")

FORMS = {
    "inverted": re.compile(rf"({FAMILY}), ?({INITIALS}|{BARE}(?=[,;.:&( ]|$)\.?){SUFFIX}"),
    "vancouver": re.compile(
        rf"({FAMILY}) (?:(?P<dotted>(?:{UP}\. ?){{0,3}}{UP}\.){SUFFIX}(?=[,;:(& ]|$)"
        rf"|(?P<bare>{BARE}){SUFFIX}(?=[,;.:(&]| and | & | et al| \(|$))"
    ),
    "initials": re.compile(
        rf"((?:{UP}{LETTER}?\.[ -]?(?:[-‐] ?)?){{1,4}}) ?((?:[a-z]{{2,4}} ){{0,2}}{FAMILY}){SUFFIX}"
    ),
    "full": re.compile(
        rf"({UP}(?:{LETTER}|['’.-])*(?: (?:{UP}{LETTER}?\.|{UP}(?:{LETTER}|['’-])*|"
        rf"van|von|de|der|den|di|da|del|la|le|du|dos|el|al|bin|ten|ter|zu)){{0,3}} {FAMILY}){SUFFIX}"
        rf"(?=[,;.:(&/]| \(| [Aa]nd | & | et | und | [aeyu]\.? (?={UP})| [–—-] |$)"
    ),
    "inverted full": re.compile(
        rf"({FAMILY}), ({GIVEN}(?: (?:van|von|de|der|den|la|da))*){SUFFIX}(?=[,;.:(&/]| ;| and | & | et al| und | \(|$)"
    ),
}
SEPARATOR = re.compile(
    r"(?:\s*[,;]\s*(?:and|&|und|et|y|и|e|with|…|\. \. \.)?\s*|"
    r"\s*(?:\b[Aa]nd\b|&|\bund\b|\bu\.|\by\b|\bи\b|\bet\b(?! al)|\s[ae]\s|\s[–—-]\s|/|·|…)\s*|"
    r"\s*,?\s*\. ?\. ?\.,?\s*(?:&|and)?\s*)(?=\S)"
)
RUN_ON = re.compile(rf"\s+(?={FAMILY}, ?{INITIALS})")
GIVEN_FIRST = re.compile(rf"\.? (?:{FAMILY}(?:,|$| \(| and | & | et | und | [ae] (?={UP}))|{UP}{LETTER}+\. )")
"""What follows "Ada K." when that was no family name with an initial but two given names."""
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
        more = SEPARATOR.match(text, at) or (last == "inverted" and RUN_ON.match(text, at)) or None
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
    if form in ("full", "inverted full") and any(
        word.lower().strip(".,") in NOT_NAMES for word in match.group(0).split()
    ):
        return False
    if form == "full":
        return is_name(match.group(1)) and (last in ("", "full", "inverted full") or _in_list(match, text))
    if form == "inverted full":
        two_people = is_name(family) and is_name(_given(match))
        return last in ("", "inverted full") and len(match.group(0).split()) <= 5 and not two_people
    if form in ("vancouver", "inverted") and last != form and _given_first(form, match, text):
        return False
    if form == "vancouver" and last == "" and family.lower() in NOT_NAMES:
        return False
    return len(family) > 1


def _given_first(form: str, match: re.Match[str], text: str) -> bool:
    """Whether "Ada K." or "Ada King, A." was the start of names in natural order, as what follows shows."""
    follows = GIVEN_FIRST.match(text, match.end())
    if form == "inverted":
        return bool(follows and is_name(match.group(1))) or bool(
            re.match(rf" {UP}{LETTER}+ ?[;:]", text[match.end() :])
        )
    return bool(follows) and len(_given(match)) < 3


def _in_list(match: re.Match[str], text: str) -> bool:
    """Whether a full name after a short one is surely a name: it has an initial, or "and" stands beside it."""
    before, after = text[: match.start()].rstrip(), text[match.end() : match.end() + 6]
    return (
        bool(re.search(rf"\b{UP}\.", match.group()))
        or before.endswith((" and", "&"))
        or after.startswith((", and", " and", " &"))
    )


def _given(match: re.Match[str]) -> str:
    """The given name or initials of a form that puts the family name first."""
    return next(group for group in match.groups()[1:] if group).strip()


def _as_name(form: str, match: re.Match[str]) -> Name:
    if form == "full":
        given, _, family = match.group(1).rpartition(" ")
        if len(family) > 2 and family.isupper() and not given.isupper():  # "Ada K. KING": no initials, a loud name
            return Name(match.group(1), given, family)
        return split_name(match.group(1))
    if form == "initials":
        given, family = match.group(1).strip(), match.group(2).strip()
    else:
        family, given = match.group(1).strip(), _given(match)
    family = FAMILY_SUFFIX.sub("", family)
    if form.startswith("inverted"):
        return split_name(f"{family}, {given}")
    return Name(f"{given} {family}", given, family)
