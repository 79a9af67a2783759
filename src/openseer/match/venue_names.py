"""Venue names normalised for comparison: kind of venue and common short names."""

from __future__ import annotations

from functools import lru_cache
from typing import NamedTuple

from openseer.core.text.normalize import words_of

_JOURNAL = """
journal j jnl trans transactions letters lett lettres review rev magazine mag record rec bulletin bull annals ann
archives arch quarterly communications commun comm acta zeitschrift revue revista rivista newsletter cacm jacm tods
tois toplas tkde jmlr pami tpami jair pnas nejm jama bmj lancet nature
"""
_MEETING = """
proc proceedings conference conf conferences symposium symp symposia workshop workshops wkshp congress kongress tagung
meeting konferenz colloquium vldb sigmod pods icde edbt icdt kdd cikm sigir nips neurips icml ecml colt uai aaai ijcai
ecai acl naacl eacl emnlp coling lrec cvpr iccv eccv chi uist www focs stoc soda icalp stacs popl pldi oopsla ecoop
icse cav sosp osdi usenix sigcomm infocom sigmetrics siggraph crypto eurocrypt icassp icra iros gecco wsdm recsys iclr
"""
_REPORT = """
technical tech techn report tr memo memorandum thesis dissertation diss phd habilitation university univ universitat
universite universidad institute department dept college laboratory laboratories lab labs preprint preprints arxiv
corr working biorxiv medrxiv ssrn manuscript unpublished submitted
"""
JOURNAL, MEETING, REPORT = 1, 2, 3
KINDS = {
    **dict.fromkeys(_REPORT.split(), REPORT),
    **dict.fromkeys(_MEETING.split(), MEETING),
    **dict.fromkeys(_JOURNAL.split(), JOURNAL),
}
"""Word of a venue -> kind; a journal word overrides a meeting word, which overrides a report word."""
SHORT_NAMES = {
    "very large data": "vldb",
    "very large databases": "vldb",
    "management of data": "sigmod",
    "principles of database": "pods",
    "data engineering": "icde",
    "extending database": "edbt",
    "database theory": "icdt",
    "knowledge discovery and data": "kdd",
    "knowledge discovery in data": "kdd",
    "information and knowledge management": "cikm",
    "development in information retrieval": "sigir",
    "transactions on database": "tods",
    "trans database": "tods",
    "trans on database": "tods",
    "transactions on information systems": "tois",
    "programming languages and systems": "toplas",
    "knowledge and data": "tkde",
    "communications of the acm": "cacm",
    "commun acm": "cacm",
    "comm acm": "cacm",
    "journal of the acm": "jacm",
    "j acm": "jacm",
    "neural information processing": "nips",
    "neurips": "nips",
    "conference on machine learning": "icml",
    "european conference on machine learning": "ecml",
    "computational learning theory": "colt",
    "uncertainty in artificial": "uai",
    "national conference on artificial": "aaai",
    "joint conference on artificial": "ijcai",
    "european conference on artificial": "ecai",
    "machine learning research": "jmlr",
    "mach learn res": "jmlr",
    "artificial intelligence research": "jair",
    "pattern analysis and machine": "pami",
    "pattern anal mach": "pami",
    "tpami": "pami",
    "computer vision and pattern": "cvpr",
    "international conference on computer vision": "iccv",
    "european conference on computer vision": "eccv",
    "association for computational linguistics": "acl",
    "empirical methods in natural": "emnlp",
    "international conference on computational linguistics": "coling",
    "language resources and evaluation": "lrec",
    "human factors in computing": "chi",
    "world wide web": "www",
    "foundations of computer science": "focs",
    "theory of computing": "stoc",
    "discrete algorithms": "soda",
    "principles of programming languages": "popl",
    "programming language design": "pldi",
    "software engineering": "icse",
    "operating systems principles": "sosp",
    "operating systems design": "osdi",
    "computer aided verification": "cav",
    "national academy of sciences": "pnas",
    "proc natl acad sci": "pnas",
    "new england journal": "nejm",
    "n engl j": "nejm",
    "british medical journal": "bmj",
    "lecture notes in computer": "lncs",
}
"""Part of a long venue name -> short name."""
KNOWN_SHORT_NAMES = frozenset(SHORT_NAMES.values())
_LONG_NAMES = tuple((f" {long}", name) for long, name in SHORT_NAMES.items())


class Venue(NamedTuple):
    """A normalised venue."""

    squeezed: str
    words: tuple[str, ...]
    kind: int
    """JOURNAL, MEETING, REPORT, or 0 if unknown."""
    short: frozenset[str]


@lru_cache(20_000)
def venue_of(printed: str) -> Venue:
    """
    >>> venue_of("Proc. Int. Conf. on Very Large Data Bases").short, venue_of("VLDB J.").kind == JOURNAL
    (frozenset({'vldb'}), True)
    """
    words = words_of(printed)
    joined = f" {' '.join(words)}"
    short = {name for long, name in _LONG_NAMES if long in joined} | (KNOWN_SHORT_NAMES & set(words))
    kinds = {KINDS[word] for word in words if word in KINDS} or {KINDS[name] for name in short if name in KINDS}
    return Venue("".join(words), words, min(kinds, default=0), frozenset(short))
