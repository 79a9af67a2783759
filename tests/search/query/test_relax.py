"""Query relaxation: which words may be missing."""

from __future__ import annotations

import pytest

from openseer.core.model.query import And, SoftOr, Word
from openseer.search.query.parser import parse
from openseer.search.query.relax import bare_words, relax


def test_words_may_be_missing_and_other_conditions_stay():
    assert relax(parse("teach speaking")) == SoftOr((Word("teach"), Word("speaking")))
    assert relax(parse("teach speaking year:1999")) == And(
        (SoftOr((Word("teach"), Word("speaking"))), parse("year:1999"))
    )


@pytest.mark.parametrize("text", ["", "speaking", "speaking author:ng", '"free speech"', "teach OR speaking"])
def test_a_query_with_fewer_than_two_words_stays_as_it_is(text):
    assert relax(parse(text)) is None


def test_words_of_a_field_are_no_bare_words():
    assert bare_words(parse("title:teach speaking -german loudly")) == [Word("speaking"), Word("loudly")]
