"""The deep gold of the samples: complete, and printed as it says."""

from __future__ import annotations

import pytest

from openseer.evaluation.samples import full_text_gold, gold, headings, names
from openseer.evaluation.samples.sources import metadata_of
from tests.evaluation.samples.test_samples import bare, text_of

PAPERS = [name for name in names() if gold(name)["academic"] and gold(name)["kind"] != "scan"]


@pytest.mark.parametrize("name", PAPERS)
def test_what_is_said_to_stand_inside_is_printed(name, sample_papers):
    text, deep = bare(text_of(sample_papers / f"{name}.pdf")), full_text_gold(name)
    assert [one["heading"] for one in headings(name) if bare(one["heading"]) not in text] == []
    assert bare(deep["acknowledgments"] or "") in text
    marks = [(one["text"], one["at"]) for one in deep["mentions"] if not one.get("optional")]
    printed = [bare(said[max(0, start - 30) : end]) in text for said, (start, end) in marks]
    assert sum(printed) >= 0.6 * len(printed), "of ranges and two authors the print says a little more"


@pytest.mark.parametrize("name", PAPERS)
def test_every_reference_is_mentioned_and_every_level_has_the_one_above_it(name):
    deep = full_text_gold(name)
    assert {one["ref"] for one in deep["mentions"]} == set(range(len(deep["references"])))
    levels = [one["level"] for one in headings(name)]
    assert levels
    assert all(two <= one + 1 for one, two in zip([0, *levels], levels, strict=False))


def test_marks_are_written_by_the_style_of_the_paper():
    by_style = {
        metadata_of(name)["style"]: full_text_gold(name)["mentions"] for name in ("coupling-maps", "near-duplicates")
    }
    first = by_style["numbered"][0]
    assert first["text"][slice(*first["at"])] == "[1, 2]"
    assert first["text"].startswith("Autonomous citation indexes [1, 2] must")
    named = next(one for one in by_style["author-year"] if "called two papers coupled" in one["text"])
    assert named["text"][slice(*named["at"])] == "Kessler (1963)"


def test_what_is_in_a_table_or_only_stands_out_is_optional():
    assert sum(bool(one.get("optional")) for one in full_text_gold("query-log")["mentions"]) == 2
    optional = {one["heading"] for one in full_text_gold("is-it-a-paper")["sections"] if one.get("optional")}
    assert {"Size.", "Literatur", "Remerciements"} <= optional


def test_an_address_that_the_layout_does_not_print_is_not_known():
    table = metadata_of("small-parsers")
    assert (table["layout"], sum("email" in one for one in table["authors"])) == ("bulletin", 2)
    assert sum(one["email"] is not None for one in full_text_gold("small-parsers")["authors"]) == 1
