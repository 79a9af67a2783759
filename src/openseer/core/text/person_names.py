"""Names of people and organisations: detection, and split into given and family name."""

from __future__ import annotations

import re

from openseer.core.model.extraction import Name

_PARTICLES = """
van von de der den di da del della degli dei la le du des dos das do el al bin ibn ben ten ter te zu zur zum vom af av
d' st. saint y
"""
PARTICLES = frozenset(_PARTICLES.split())
SUFFIX = re.compile(r"(?:jr|sr|ii|iii|iv)\.?", re.I)
INITIALS = re.compile(r"(?:[^\W\d_a-zа-яα-ω]\.?[-‐ ]?){1,4}")
CLOSE_INITIALS = re.compile(r"(?:[^\W\d_a-zа-яα-ω]\.?[-‐]?){1,4}")
TITLES = re.compile(
    r"^(?:(?:prof|dr|mr|mrs|ms|dipl|ing|phil|med|rer|nat|habil|pd|priv|doz|h\.?c)\.?(?:-ing\.?)?[ ,]+)+(?=\S)", re.I
)
BARE_INITIALS = re.compile(r"[A-Z]{2} [A-Z][a-z]\S+")
"""Two initials before a family name, as in references: "MS" in "MS Kim" is no title."""
DEGREES = re.compile(
    r"(?<![ ,])[ ,]++(?:Ph\.? ?D|M\.? ?D|M\.? ?Sc|B\.? ?Sc|M\. ?A|B\. ?A|M\. ?S|D\.? ?Phil|MPH|BDS|MDS|MBBS|MB ?Ch?B|"
    r"PHD|MSC|BSC|MA|BA|BS|MS|RN|DDS|DVM|Pharm\.? ?D|MBA|FACS|FRCS|Dr\.? ?PH|ScD|DSc|MSN|MEd|EdD)\.?(?=[ ,;]|$)"
)
"""Case-sensitive: Ma and Ba are family names."""
_ORGANISATION_WORDS = """
team consortium university institute foundation committee association organization organisation collaboration agency
ministry department commission corporation federation administration inc ltd llc gmbh corp
universität hochschule institut bundesamt bundestag bundesrat bundesregierung bundesministerium bundesverband
bundesvereinigung bundesanstalt bundesagentur ministerium landesamt landesregierung gesellschaft stiftung verband
arbeitsgemeinschaft
université ministère fédération fondation comité société
universidad instituto ministerio fundación comisión asociación sociedad federación
universidade ministério fundação comissão associação sociedade università istituto ministero
"""
ORGANISATION_WORDS = frozenset(_ORGANISATION_WORDS.split())
"""Words of organisation names."""
_GROUP_WORDS = """
group community project society council board network alliance study initiative union research centre center office
bureau service services program programme nations
"""
GROUP_WORDS = frozenset(_GROUP_WORDS.split())
"""Words that mark an organisation at the end of a name of three words or more."""
LEGAL_FORMS = frozenset({"inc", "ltd", "llc", "gmbh", "corp"})


def split_name(text: str) -> Name:
    """Split a printed name into given and family name.

    >>> split_name("Ludwig van Beethoven").family
    'van Beethoven'
    >>> split_name("R Core Team").family
    'R Core Team'
    >>> split_name("Bray FJ").given, split_name("MS Kim").given, split_name("Dr Ada Lovelace").given
    ('FJ', 'MS', 'Ada')
    """
    text = re.sub(r"\s+", " ", text).strip(" ,;")
    if not BARE_INITIALS.fullmatch(text):
        text = TITLES.sub("", text)
    if names_organisation(text):
        return _organisation(text)
    if "," in text:
        return _inverted(text)
    words = text.split()
    if len(words) > 1 and SUFFIX.fullmatch(words[-1]):
        words.pop()
    if len(words) < 2:
        return Name(text, "", text)
    if CLOSE_INITIALS.fullmatch(words[-1]) and not CLOSE_INITIALS.fullmatch(words[0]):
        return _family_first(words)
    cut = len(words) - 1
    while cut > 1 and words[cut - 1].lower() in PARTICLES:
        cut -= 1
    if words[0].lower() in PARTICLES and words[0].islower():
        cut = 0
    return Name(" ".join(words), " ".join(words[:cut]), " ".join(words[cut:]))


def names_organisation(text: str) -> bool:
    """True if a name is that of an organisation, which has no given name.

    >>> names_organisation("R Core Team"), names_organisation("Executable Books Community")
    (True, True)
    >>> names_organisation("Young Community")
    False
    """
    words = [word.strip(".,;()").lower() for word in text.split()]
    if len(words) < 2:
        return False
    full_words = [word for word in words if len(word) > 2]
    return not ORGANISATION_WORDS.isdisjoint(words) or (len(full_words) > 2 and words[-1] in GROUP_WORDS)


def _organisation(text: str) -> Name:
    """Name of an organisation, also if it was inverted: "Team, R Core", "Inc Wolfram Research"."""
    first, _, rest = (part.strip() for part in text.partition(","))
    if first.lower() in ORGANISATION_WORDS and rest.strip(".").lower() not in LEGAL_FORMS:
        text = f"{rest} {first}"
    words = text.replace(",", " ").split()
    if words[0].strip(".").lower() in LEGAL_FORMS:
        words = [*words[1:], words[0]]
    name = " ".join(words)
    return Name(name, "", name)


def _inverted(text: str) -> Name:
    """Split "Family, Given", with a suffix on either side."""
    parts = [part.strip() for part in text.split(",") if part.strip()]
    parts = [part for part in parts if not SUFFIX.fullmatch(part)] or parts
    family = parts[0]
    given = parts[1] if len(parts) > 1 else ""
    given_words = given.split()
    while len(given_words) > 1 and given_words[-1].islower() and given_words[-1] in PARTICLES:
        family = f"{given_words.pop()} {family}"
    given = " ".join(given_words)
    return Name(f"{given} {family}".strip(), given, family)


def _family_first(words: list[str]) -> Name:
    """Split "Bray FJ": all words before trailing initials are the family name."""
    cut = len(words) - 1
    while cut > 1 and CLOSE_INITIALS.fullmatch(words[cut - 1]):
        cut -= 1
    family, given = " ".join(words[:cut]), " ".join(words[cut:])
    return Name(f"{given} {family}", given, family)


def strip_titles(text: str) -> str:
    """A name without degrees and titles."""
    return DEGREES.sub("", TITLES.sub("", text)).strip(" ,;")


_NOT_NAMES = """
abstract introduction university universität université universidad universidade institute institut department dept
school faculty college laboratory lab centre center hospital academy research science sciences technology
engineering journal proceedings conference workshop volume article editor edited received accepted published revised
keywords street road avenue usa uk germany france china japan italy spain canada india brazil russia netherlands
switzerland australia sweden austria belgium denmark norway finland poland israel korea iran turkey mexico portugal
greece national international inc ltd corp corporation gmbh company group division section program programme project
open access copyright license creative commons email e-mail tel fax the of and for in on with from by to at an new
york london paris berlin beijing tokyo author authors corresponding correspondence contact review original computer
mathematics physics chemistry biology medicine medical clinical health nursing psychology education library society
association foundation ministry council board committee press publications report paper january february march april
june july august september october november december
"""
NOT_NAMES = frozenset(_NOT_NAMES.split())
"""Words that occur near names but not in them: institutions, places, words of journal pages."""
_INSTITUTION_STEMS = """
universi institut department departement faculty fakultät college laborator hospital academy hochschule faculdade facult
escola polytech politec bibliothek ινστιτούτο πανεπιστήμιο σχολή институт университет академия кафедра gmbh ministry
division clinic klinik google microsoft facebook @ http: https: www.
"""
INSTITUTION_STEMS = tuple(_INSTITUTION_STEMS.split())
INSTITUTION_WORD = re.compile(
    r"\b(?:\w*(?:dept|school|sciences|centre|center|research|street|avenue)|labs?|library|parc|inc|ltd|cnrs|inria|ibm|usa|"
    r"germany|france|united (?:kingdom|states))\b|\b(?:archive|museum|corp)"
)
"""Words that count only at a word end, or as a whole word; for lower-case text."""
_INSTITUTION_HINTS = """
dept school sciences centre center research street avenue lab library parc inc ltd cnrs inria ibm usa germany france
united archive museum corp
"""
INSTITUTION_HINTS = tuple(_INSTITUTION_HINTS.split())
"""Fast prefilter: without one of these the pattern cannot match."""


def names_institution(text: str) -> bool:
    """True if a text names an institution or its address.

    >>> names_institution("Max Planck Institute"), names_institution("since the usage")
    (True, False)
    """
    lower = text.lower()
    if any([stem in lower for stem in INSTITUTION_STEMS]):
        return True
    return any([hint in lower for hint in INSTITUTION_HINTS]) and bool(INSTITUTION_WORD.search(lower))


NAME_WORD = re.compile(
    r"(?:[^\W\d_a-zа-яα-ω](?:[^\W\d_]|['’‘ʼ`´-])*\.?|(?:[^\W\d_]\.-?){1,3}|d['’][\w-]+|[^\W\d_]['’][^\W\d_]+)"
)


def is_name(text: str) -> bool:
    """True if a short text has the form of one person's name.

    >>> is_name("María de la Cruz-Pérez"), is_name("Department of Physics")
    (True, False)
    """
    words = text.replace(".-", ". ").split()
    if not 2 <= len(words) <= 6 or len(text) > 60:
        return False
    if any(word.lower().strip(".") in NOT_NAMES for word in words) or names_institution(text):
        return False
    name_words = [word for word in words if NAME_WORD.fullmatch(word)]
    particles = [word for word in words if word.lower().rstrip(".") in PARTICLES or SUFFIX.fullmatch(word)]
    if len(name_words) < 2 or any(word not in name_words and word not in particles for word in words):
        return False
    return any(len(word.strip(".")) > 1 for word in name_words)
