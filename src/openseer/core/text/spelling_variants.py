"""Spelling variants: British and American spelling of an English word."""

from __future__ import annotations

import re
from collections.abc import Iterable
from functools import lru_cache

_STEM_PAIRS = """
paediatr/pediatr orthopaed/orthoped oestrogen/estrogen oedema/edema oesophag/esophag foetus/fetus foetal/fetal
gynaecol/gynecol anaesthe/anesthe archaeo/archeo palaeo/paleo diarrhoea/diarrhea sulph/sulf aluminium/aluminum
artefact/artifact sceptic/skeptic manoeuvre/maneuver judgement/judgment defence/defense offence/offense
licence/license plough/plow greyscale/grayscale
"""
STEM_PAIRS = tuple((old, new) for old, _, new in (pair.partition("/") for pair in _STEM_PAIRS.split()))
"""Word stems in British and American spelling."""
_OUR = "behavi|col|endeav|fav|ferv|flav|harb|hon|hum|lab|neighb|od|rig|rum|tum|vap|vig|arm"
_OR_ENDS = r"(?=(?:s|ed|ing|al|ally|able|ably|hood|hoods|ful|ist|ists|er|ers|ite|ites|less|)$)"
_VERB = r"(e|es|ed|ing|er|ers|able|ation|ations|ational)$"
_NO_VERB = r"(?<![acouvw])(?<!pr)(?<!prom|prem|pert|anch|desp)(?<!dvert|chand|pract|treat)"
"""No verb ending if this precedes "ise": precise, noise, revise, disguise, otherwise; surprise, promise, premise,
expertise, advertise, ..."""
_DOUBLED = "cancel|channel|counsel|fuel|label|level|model|signal|travel|tunnel"
RULES = tuple(
    (re.compile(british), american, re.compile(back), before)
    for british, american, back, before in (
        (rf"({_OUR})our", r"\1or", rf"({_OUR})or{_OR_ENDS}", r"\1our"),
        (rf"(?<=[a-z]{{4}}){_NO_VERB}is{_VERB}", r"iz\1", rf"(?<=[a-z]{{4}})iz{_VERB}", r"is\1"),
        (r"(?<=[ao]l)ys(e|es|ed|ing|er|ers)$", r"yz\1", r"(?<=[ao]l)yz(e|es|ed|ing|er|ers)$", r"ys\1"),
        (r"centre(s?)$", r"center\1", r"center(s?)$", r"centre\1"),
        (r"centred$", "centered", r"centered$", "centred"),
        (r"(fib|theat|calib|(?:^|[iou])lit)re(s?)$", r"\1er\2", r"(fib|theat|calib|^lit)er(s?)$", r"\1re\2"),
        (r"(ana|cata|dia|homo)logue(s?)$", r"\1log\2", r"(ana|cata|dia|homo)log(s?)$", r"\1logue\2"),
        (r"^programme(s?)$", r"program\1", r"^program(s?)$", r"programme\1"),
        (r"^ageing$", "aging", r"^aging$", "ageing"),
        (r"^haem(?=o|a)", "hem", r"^hem(?=o|ato)", "haem"),
        (r"aemi(a|as|c)$", r"emi\1", r"(an|leuk|isch|glyc|ur|lipid)emi(a|as|c)$", r"\1aemi\2"),
        (r"metre(s?)$", r"meter\1", r"(^|kilo|milli|centi|micro|nano)meter(s?)$", r"\1metre\2"),
        (rf"({_DOUBLED})l(ed|ing|er|ers)$", r"\1\2", rf"({_DOUBLED})(ed|ing|er|ers)$", r"\1l\2"),
    )
)
"""British pattern, American replacement, and the reverse."""
MIN_LENGTH = 5


def american(word: str) -> str:
    """American spelling of a lower-case word.

    >>> american("neighbouring"), american("linearised"), american("promised"), american("contour")
    ('neighboring', 'linearized', 'promised', 'contour')
    """
    return _respelled(word, ((rule, new) for rule, new, _, _ in RULES), STEM_PAIRS)


def british(word: str) -> str:
    """British spelling of a lower-case word; it may be a non-word, which then matches nothing.

    >>> british("modeling"), british("color"), british("elaborate")
    ('modelling', 'colour', 'elaborate')
    """
    return _respelled(word, ((rule, new) for _, _, rule, new in RULES), ((new, old) for old, new in STEM_PAIRS))


@lru_cache(maxsize=10_000)
def spellings(word: str) -> tuple[str, ...]:
    """A lower-case word, and its other spelling if there is one."""
    other = american(word)
    return tuple(dict.fromkeys((word, other if other != word else british(word))))


def _respelled(word: str, rules: Iterable[tuple[re.Pattern[str], str]], stem_pairs: Iterable[tuple[str, str]]) -> str:
    if len(word) < MIN_LENGTH or not word.isascii():
        return word
    for old, new in stem_pairs:
        if old in word:
            return word.replace(old, new)
    for rule, new in rules:
        respelled, count = rule.subn(new, word, count=1)
        if count:
            return respelled
    return word
