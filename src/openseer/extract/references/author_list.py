"""Grammar of the author list at the start of a reference."""

from __future__ import annotations

import re

from openseer.core.model.extraction import Name
from openseer.core.text.person_names import NOT_NAMES, is_name, split_name

UPPER = r"[^\W\d_a-zа-яёα-ω]"
LETTER = r"[^\W\d_]"
PARTICLE = (
    r"(?:(?:van|von|de|der|den|di|da|del|della|la|le|du|dos|das|do|el|al|bin|ten|ter|te|zu|af|av|Van|Von|De|"
    r"Der|Di|Da|Del|La|Le|Du|El|Al|Ten|Ter|St\.)[ -]|d['’] ?)"
)
FAMILY = rf"(?:{PARTICLE}{{0,3}}{UPPER}(?:{LETTER}|['’‘`´-]){{1,60}}+(?: {UPPER}(?:{LETTER}|['’‘-]){{1,60}}+){{0,2}})"
"""Possessive, so that a long word with hyphens is tried in one way only."""
INITIALS = (
    rf"(?:(?:{UPPER}[hy]?\.(?: ?[-‐–] ?| ?(?={UPPER}\.)|(?={UPPER}))?)*{UPPER}[hy]?\.)"
    r"(?: (?:van|von|de|der|den|la|da)\b)*"
)
PARTICLES_AFTER = r"(?: (?:da|de|do|dos|das|van|von|van der|van den|der|den|di|del))?"
BARE_INITIALS = rf"(?:{UPPER}{{1,5}}{PARTICLES_AFTER}\b|{UPPER}-{UPPER}\b|{UPPER} {UPPER}\b)(?!\.{UPPER})"
GIVEN_NAMES = (
    rf"(?:{UPPER}(?:{LETTER}|['’-])+\.?|{UPPER}\.?)(?: (?:{UPPER}(?:{LETTER}|['’-])+|{UPPER}\.?)(?=[ ,;.&:(]|$)){{0,2}}"
)
SUFFIX = r"(?:,? (?:Jr|Sr|II|III|IV)\b\.?)?"

FAMILY_SUFFIX = re.compile(r" (?:Jr|Sr|II|III|IV)\.?$")

NAME_FORMS = {
    "inverted": re.compile(rf"({FAMILY}), ?({INITIALS}|{BARE_INITIALS}(?=[,;.:&( ]|$)\.?){SUFFIX}"),
    "vancouver": re.compile(
        rf"({FAMILY}) (?:(?P<dotted>(?:{UPPER}\. ?){{0,3}}{UPPER}\.){SUFFIX}(?=[,;:(& ]|$)"
        rf"|(?P<bare>{BARE_INITIALS}){SUFFIX}(?=[,;.:(&]| and | & | et al| \(|$))"
    ),
    "initials": re.compile(
        rf"((?:{UPPER}{LETTER}?\.[ -]?(?:[-‐] ?)?){{1,4}}) ?((?:[a-z]{{2,4}} ){{0,2}}{FAMILY}){SUFFIX}"
    ),
    "full": re.compile(
        rf"({UPPER}(?:{LETTER}|['’.-])*(?: (?:{UPPER}{LETTER}?\.|{UPPER}(?:{LETTER}|['’-])*|"
        rf"van|von|de|der|den|di|da|del|la|le|du|dos|el|al|bin|ten|ter|zu)){{0,3}} {FAMILY}){SUFFIX}"
        rf"(?=[,;.:(&/]| \(| [Aa]nd | & | et | und | [aeyu]\.? (?={UPPER})| [–—-] |$)"
    ),
    "inverted full": re.compile(
        rf"({FAMILY}), ({GIVEN_NAMES}(?: (?:van|von|de|der|den|la|da))*){SUFFIX}"
        r"(?=[,;.:(&/]| ;| and | & | et al| und | \(|$)"
    ),
}
SEPARATOR = re.compile(
    r"(?:\s*[,;]\s*(?:and|&|und|et|y|и|e|with|…|\. \. \.)?\s*|"
    r"\s*(?:\b[Aa]nd\b|&|\bund\b|\bu\.|\by\b|\bи\b|\bet\b(?! al)|\s[ae]\s|\s[–—-]\s|/|·|…)\s*|"
    r"\s*,?\s*\. ?\. ?\.,?\s*(?:&|and)?\s*)(?=\S)"
)
MISSING_SEPARATOR = re.compile(rf"\s+(?={FAMILY}, ?{INITIALS})")
GIVEN_FIRST = re.compile(rf"\.? (?:{FAMILY}(?:,|$| \(| and | & | et | und | [ae] (?={UPPER}))|{UPPER}{LETTER}+\. )")
"""Text after "Ada K." that shows two given names instead of a family name with an initial."""
ET_AL = re.compile(r"[,;]?\s*(?:&|and)?\s*\b(?:et\.? ?al\b\.?|u\.? ?a\.|and others|и др\.?)[,.]?", re.I)
EDITORS = re.compile(
    r"\s*,?\s*[(\[]?\b(?:eds?|hrsg|hg|editors?|editor\(s\)|herausgeber|orgs?|dirs?|coords?)\b\.?[)\]]?[,.:]?", re.I
)
FORM_ORDER = ("inverted", "vancouver", "initials", "inverted full", "full")


def leading_names(text: str) -> tuple[tuple[Name, ...], int]:
    """The names at the start of the text, and the offset after them.

    >>> leading_names("Smith, J. and A. B. Jones (1999) On things")[1]
    25
    """
    names: list[Name] = []
    at, last = 0, ""
    while len(names) < 400:
        found = _next_name(text, at, last)
        if not found:
            break
        name, at, last = found
        names.append(name)
        separator = SEPARATOR.match(text, at) or (last == "inverted" and MISSING_SEPARATOR.match(text, at)) or None
        if not separator or not _next_name(text, separator.end(), last):
            break
        at = separator.end()
    et_al = ET_AL.match(text, at)
    return tuple(names), et_al.end() if et_al and names else at


def _next_name(text: str, at: int, previous_form: str) -> tuple[Name, int, str] | None:
    """A name at this offset, preferably in the form of the previous one."""
    forms = (previous_form, *(form for form in FORM_ORDER if form != previous_form)) if previous_form else FORM_ORDER
    for form in forms:
        match = NAME_FORMS[form].match(text, at)
        if match and _is_plausible(form, match, text, previous_form):
            return _as_name(form, match), match.end(), form
    return None


def _is_plausible(form: str, match: re.Match[str], text: str, previous_form: str) -> bool:
    family = match.group(1) if form != "initials" else match.group(2)
    if form in ("full", "inverted full") and any(
        word.lower().strip(".,") in NOT_NAMES for word in match.group(0).split()
    ):
        return False
    if form == "full":
        return is_name(match.group(1)) and (
            previous_form in ("", "full", "inverted full") or _is_confirmed(match, text)
        )
    if form == "inverted full":
        two_people = is_name(family) and is_name(_given_names(match))
        return previous_form in ("", "inverted full") and len(match.group(0).split()) <= 5 and not two_people
    if form in ("vancouver", "inverted") and previous_form != form and _is_natural_order(form, match, text):
        return False
    if form == "vancouver" and previous_form == "" and family.lower() in NOT_NAMES:
        return False
    return len(family) > 1


def _is_natural_order(form: str, match: re.Match[str], text: str) -> bool:
    """True if "Ada K." or "Ada King, A." begins names in natural order, as the following text shows."""
    follows = GIVEN_FIRST.match(text, match.end())
    if form == "inverted":
        return bool(follows and is_name(match.group(1))) or bool(
            re.match(rf" {UPPER}{LETTER}+ ?[;:]", text[match.end() :])
        )
    return bool(follows) and len(_given_names(match)) < 3


def _is_confirmed(match: re.Match[str], text: str) -> bool:
    """True if a full name after a short one has an initial, or "and" beside it."""
    before, after = text[: match.start()].rstrip(), text[match.end() : match.end() + 6]
    return (
        bool(re.search(rf"\b{UPPER}\.", match.group()))
        or before.endswith((" and", "&"))
        or after.startswith((", and", " and", " &"))
    )


def _given_names(match: re.Match[str]) -> str:
    """Given names or initials of a form with the family name first."""
    return next(group for group in match.groups()[1:] if group).strip()


def _as_name(form: str, match: re.Match[str]) -> Name:
    if form == "full":
        given, _, family = match.group(1).rpartition(" ")
        if len(family) > 2 and family.isupper() and not given.isupper():  # "Ada K. KING": a family name in capitals
            return Name(match.group(1), given, family)
        return split_name(match.group(1))
    if form == "initials":
        given, family = match.group(1).strip(), match.group(2).strip()
    else:
        family, given = match.group(1).strip(), _given_names(match)
    family = FAMILY_SUFFIX.sub("", family)
    if form.startswith("inverted"):
        return split_name(f"{family}, {given}")
    return Name(f"{given} {family}", given, family)
