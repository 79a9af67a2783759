"""Signs let through whatever the first look would, and little else."""

from __future__ import annotations

from hypothesis import given
from hypothesis import strategies as st

from openseer.core.model.description import MatchFields
from openseer.match.pairwise import passes_prefilter, sketch_may_match
from openseer.match.sketch import MOST, read_sketch, sketch_of

SPOKEN = "harbour pebble ledger tidal sorting copies of the networks größe 近似重复 a in deep 1999 moored fog"
WORDS = SPOKEN.split()
TITLES = st.one_of(
    st.lists(st.sampled_from(WORDS), max_size=9).map(" ".join),
    st.text(max_size=30),
    st.lists(st.sampled_from(WORDS), min_size=40, max_size=120).map(" ".join),
)
DESCRIBED = st.builds(
    MatchFields,
    title=TITLES,
    pages=st.sampled_from(["", "12-19", "12", "pp. 300-302"]),
    doi=st.sampled_from(["", "10.1000/x.1", "https://doi.org/10.1000/X.1.", "10.1000/y"]),
    arxiv=st.sampled_from(["", "2403.01234v2", "arXiv:2403.01234"]),
    page_one=st.sampled_from(["", "Page one."]),
)


@given(DESCRIBED, DESCRIBED)
def test_what_is_worth_asking_is_never_kept_back(one, other):
    mine, theirs = read_sketch(sketch_of(one)), read_sketch(sketch_of(other))
    assert sketch_may_match(mine, theirs) or not passes_prefilter(one, other)
    assert sketch_may_match(mine, theirs) == sketch_may_match(theirs, mine)


def test_titles_of_other_words_are_told_apart_without_reading_them():
    signs = [
        read_sketch(sketch_of(MatchFields(title=title)))
        for title in (
            "Checkpointing harbour databases with pebbles",
            "Syntactic clustering of the web",
            "A theory of tides in northern estuaries",
        )
    ]
    assert not any(sketch_may_match(one, other) for one in signs for other in signs if one is not other)


def test_a_page_of_text_for_a_title_is_read():
    glued = MatchFields(title=" ".join(f"{word}{number}" for number in range(40) for word in WORDS))
    assert read_sketch(sketch_of(glued)).size == MOST
    assert sketch_may_match(read_sketch(sketch_of(glued)), read_sketch(sketch_of(MatchFields(title="Fog"))))
