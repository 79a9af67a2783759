"""Bibliography readers on generated input: records survive, and no text makes a reader fail."""

from __future__ import annotations

import csv
import io
import json

import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

from openseer.acquire.bibliographies.decode_text import decode_text
from openseer.acquire.bibliographies.latex import latex_to_text
from openseer.acquire.bibliographies.registry import BY_NAME
from openseer.core.errors import OpenseerError
from openseer.core.model.bibliography_record import BibliographyRecord, RejectedRecord

WORD = st.text(st.sampled_from("abcdefghijklmnopqrstuvwxyzäöüéßłñç"), min_size=3, max_size=9)
TITLE = st.lists(WORD, min_size=3, max_size=8).map(lambda words: " ".join(words).capitalize())
FAMILY = WORD.map(str.capitalize)
RECORD = st.fixed_dictionaries(
    {
        "title": TITLE,
        "authors": st.lists(st.tuples(FAMILY, FAMILY), min_size=1, max_size=4, unique=True),
        "year": st.integers(1500, 2024),
        "venue": TITLE,
        "volume": st.integers(1, 999).map(str),
    }
)
RECORDS = st.lists(RECORD, min_size=1, max_size=6)
PRINTED = {"bibtex": '@{}",=%\\\n#$&', "ris": "TYERAU  -\n/", "csl": '{}[]",:\n0', "table": ",;\"\n\t'"}
"""Characters that mean something in each format."""


def bibtex(records):
    entries = []
    for number, one in enumerate(records):
        people = " and ".join(f"{family}, {given}" for given, family in one["authors"])
        fields = {"title": one["title"], "author": people, "year": one["year"], "journal": one["venue"]}
        fields["volume"] = one["volume"]
        shown = ", ".join(f"{name} = {{{value}}}" for name, value in fields.items())
        entries.append(f"@article{{key{number}, {shown}}}")
    return "\n".join(entries)


def ris(records):
    lines = []
    for one in records:
        lines += ["TY  - JOUR", f"TI  - {one['title']}"]
        lines += [f"AU  - {family}, {given}" for given, family in one["authors"]]
        lines += [f"PY  - {one['year']}", f"JO  - {one['venue']}", f"VL  - {one['volume']}", "ER  - ", ""]
    return "\n".join(lines)


def csl(records):
    return json.dumps(
        [
            {
                "type": "article-journal",
                "title": one["title"],
                "author": [{"family": family, "given": given} for given, family in one["authors"]],
                "issued": {"date-parts": [[one["year"]]]},
                "container-title": one["venue"],
                "volume": one["volume"],
            }
            for one in records
        ]
    )


def table(records):
    out = io.StringIO()
    rows = csv.writer(out)
    rows.writerow(["title", "authors", "year", "venue", "volume"])
    for one in records:
        people = "; ".join(f"{family}, {given}" for given, family in one["authors"])
        rows.writerow([one["title"], people, one["year"], one["venue"], one["volume"]])
    return out.getvalue()


WRITERS = {"bibtex": bibtex, "ris": ris, "csl": csl, "table": table}


def test_every_format_has_a_writer_here():
    assert set(WRITERS) == set(BY_NAME) == set(PRINTED)


@pytest.mark.parametrize("name", WRITERS)
@settings(max_examples=60, deadline=None, derandomize=True)
@given(records=RECORDS)
def test_what_is_written_is_read(name, records):
    found = list(BY_NAME[name].read(decode_text(WRITERS[name](records).encode())))
    assert not [one for one in found if isinstance(one, RejectedRecord)]
    taken = [one for one in found if isinstance(one, BibliographyRecord)]
    shown = [(one.title, list(one.authors), one.year, one.venue, one.volume) for one in taken]
    assert shown == [
        (one["title"], [(family, given) for given, family in one["authors"]], one["year"], one["venue"], one["volume"])
        for one in records
    ]


@pytest.mark.parametrize("name", WRITERS)
@settings(max_examples=150, deadline=None, derandomize=True)
@given(data=st.data())
def test_damaged_input_gives_records_or_reasons(name, data):
    """A valid file with stretches cut out and characters of the format put in."""
    text = WRITERS[name](data.draw(RECORDS))
    for _ in range(data.draw(st.integers(1, 6))):
        at = data.draw(st.integers(0, len(text)))
        cut = data.draw(st.integers(0, 20))
        text = text[:at] + data.draw(st.text(st.sampled_from(PRINTED[name]), max_size=5)) + text[at + cut :]
    try:
        found = list(BY_NAME[name].read(decode_text(text.encode())))
    except OpenseerError:
        return  # a file that cannot be read at all says why
    for one in found:
        assert isinstance(one, BibliographyRecord | RejectedRecord)
        assert one.why if isinstance(one, RejectedRecord) else one.title


@settings(max_examples=300, deadline=None, derandomize=True)
@given(st.text(st.sampled_from("\\{}$^~_\"'`=.uvHcdbrktao iAE%&#-"), max_size=60))
def test_latex_becomes_text_of_bounded_length(source):
    assert len(latex_to_text(source)) <= 4 * len(source) + 4


@settings(max_examples=100, deadline=None, derandomize=True)
@given(TITLE)
def test_text_without_commands_stays_as_it_is(title):
    assert latex_to_text(title) == title
