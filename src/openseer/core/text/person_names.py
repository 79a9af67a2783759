"""Names of people: is this one, and which part of it is the family name?"""

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
TIGHT = re.compile(r"(?:[^\W\d_a-zа-яα-ω]\.?[-‐]?){1,4}")
TITLES = re.compile(
    r"^(?:(?:prof|dr|mr|mrs|ms|dipl|ing|phil|med|rer|nat|habil|pd|priv|doz|h\.?c)\.?(?:-ing\.?)?[ ,]+)+(?=\S)", re.I
)
BARE_INITIALS = re.compile(r"[A-Z]{2} [A-Z][a-z]\S+")
"""Two capitals before one name, as references have them: those of "MS Kim" are no title."""
DEGREES = re.compile(
    r"[ ,]+(?:Ph\.? ?D|M\.? ?D|M\.? ?Sc|B\.? ?Sc|M\. ?A|B\. ?A|M\. ?S|D\.? ?Phil|MPH|BDS|MDS|MBBS|MB ?Ch?B|PHD|"
    r"MSC|BSC|MA|BA|BS|MS|RN|DDS|DVM|Pharm\.? ?D|MBA|FACS|FRCS|Dr\.? ?PH|ScD|DSc|MSN|MEd|EdD)\.?(?=[ ,;]|$)"
)
"""In their usual letters: Ma and Ba are family names."""
_BODIES = """
team consortium university institute foundation committee association organization organisation collaboration agency
ministry department commission corporation federation administration inc ltd llc gmbh corp
universität hochschule institut bundesamt bundestag bundesrat bundesregierung bundesministerium bundesverband
bundesvereinigung bundesanstalt bundesagentur ministerium landesamt landesregierung gesellschaft stiftung verband
arbeitsgemeinschaft
université ministère fédération fondation comité société
universidad instituto ministerio fundación comisión asociación sociedad federación
universidade ministério fundação comissão associação sociedade università istituto ministero
"""
BODIES = frozenset(_BODIES.split())
"""Words that name a body and no family."""
_GROUPS = """
group community project society council board network alliance study initiative union research centre center office
bureau service services program programme nations
"""
GROUPS = frozenset(_GROUPS.split())
"""Words that name a body where they end a name of three words or more."""
LEGAL = frozenset({"inc", "ltd", "llc", "gmbh", "corp"})


def split_name(text: str) -> Name:
    """A printed name as given and family name.

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
    if names_body(text):
        return _body(text)
    if "," in text:
        return _inverted(text)
    words = text.split()
    if len(words) > 1 and SUFFIX.fullmatch(words[-1]):
        words.pop()
    if len(words) < 2:
        return Name(text, "", text)
    if TIGHT.fullmatch(words[-1]) and not TIGHT.fullmatch(words[0]):
        return _family_first(words)
    cut = len(words) - 1
    while cut > 1 and words[cut - 1].lower() in PARTICLES:
        cut -= 1
    if words[0].lower() in PARTICLES and words[0].islower():
        cut = 0
    return Name(" ".join(words), " ".join(words[:cut]), " ".join(words[cut:]))


def names_body(text: str) -> bool:
    """Whether a name is that of a body, which has no given name.

    >>> names_body("R Core Team"), names_body("Executable Books Community"), names_body("Young Community")
    (True, True, False)
    """
    words = [word.strip(".,;()").lower() for word in text.split()]
    if len(words) < 2:
        return False
    full = [word for word in words if len(word) > 2]
    return not BODIES.isdisjoint(words) or (len(full) > 2 and words[-1] in GROUPS)


def _body(text: str) -> Name:
    """ "R Core Team", also where it was taken for a person: "Team, R Core", "Inc Wolfram Research"."""
    first, _, rest = (part.strip() for part in text.partition(","))
    if first.lower() in BODIES and rest.strip(".").lower() not in LEGAL:
        text = f"{rest} {first}"
    words = text.replace(",", " ").split()
    if words[0].strip(".").lower() in LEGAL:
        words = [*words[1:], words[0]]
    whole = " ".join(words)
    return Name(whole, "", whole)


def _inverted(text: str) -> Name:
    """ "Family, Given", with a suffix on either side."""
    parts = [part.strip() for part in text.split(",") if part.strip()]
    parts = [part for part in parts if not SUFFIX.fullmatch(part)] or parts
    family = parts[0]
    given = parts[1] if len(parts) > 1 else ""
    lead = given.split()
    while len(lead) > 1 and lead[-1].islower() and lead[-1] in PARTICLES:
        family = f"{lead.pop()} {family}"
    given = " ".join(lead)
    return Name(f"{given} {family}".strip(), given, family)


def _family_first(words: list[str]) -> Name:
    """ "Bray FJ": all words before trailing initials are the family name."""
    cut = len(words) - 1
    while cut > 1 and TIGHT.fullmatch(words[cut - 1]):
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
"""Words that no person bears and that stand near names: institutions, places, the furniture of a journal."""
_INSTITUTIONS = """
universi institut department departement faculty fakultät college laborator hospital academy hochschule faculdade facult
escola polytech politec bibliothek ινστιτούτο πανεπιστήμιο σχολή институт университет академия кафедра gmbh ministry
division clinic klinik google microsoft facebook @ http: https: www.
"""
INSTITUTIONS = tuple(_INSTITUTIONS.split())
WHOLE = re.compile(
    r"\b(?:\w*(?:dept|school|sciences|centre|center|research|street|avenue)|labs?|library|parc|inc|ltd|cnrs|inria|ibm|usa|"
    r"germany|france|united (?:kingdom|states))\b|\b(?:archive|museum|corp)"
)
"""Such words count only where they end, or stand alone; asked of small letters."""
_HINTS = """
dept school sciences centre center research street avenue lab library parc inc ltd cnrs inria ibm usa germany france
united archive museum corp
"""
HINTS = tuple(_HINTS.split())
"""Without one of these the pattern cannot match, and to look for them is cheaper."""


def names_institution(text: str) -> bool:
    """Whether a text names an institution, or an address that goes with one.

    >>> names_institution("Max Planck Institute"), names_institution("since the usage")
    (True, False)
    """
    small = text.lower()
    if any([stem in small for stem in INSTITUTIONS]):
        return True
    return any([hint in small for hint in HINTS]) and bool(WHOLE.search(small))


NAME_WORD = re.compile(
    r"(?:[^\W\d_a-zа-яα-ω](?:[^\W\d_]|['’‘ʼ`´-])*\.?|(?:[^\W\d_]\.-?){1,3}|d['’][\w-]+|[^\W\d_]['’][^\W\d_]+)"
)


def is_name(text: str) -> bool:
    """Whether a short piece of text has the shape of one person's name.

    >>> is_name("María de la Cruz-Pérez"), is_name("Department of Physics")
    (True, False)
    """
    words = text.replace(".-", ". ").split()
    if not 2 <= len(words) <= 6 or len(text) > 60:
        return False
    if any(word.lower().strip(".") in NOT_NAMES for word in words) or names_institution(text):
        return False
    strong = [word for word in words if NAME_WORD.fullmatch(word)]
    weak = [word for word in words if word.lower().rstrip(".") in PARTICLES or SUFFIX.fullmatch(word)]
    if len(strong) < 2 or any(word not in strong and word not in weak for word in words):
        return False
    return any(len(word.strip(".")) > 1 for word in strong)
