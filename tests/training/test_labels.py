"""The labels of several sources brought into one convention, and the invented strings."""

import pytest
from training.invented import strings
from training.labels import labels_of


def _record(source, *parts):
    raw, spans = "", []
    for text, label in parts:
        if label:
            spans.append([len(raw), len(raw) + len(text), label])
        raw += text
    return {"raw": raw, "spans": spans, "source": source, "doc": "d", "id": "x1"}


def _found(record):
    tokens, labels = labels_of(record)
    return {label: " ".join(t.text for t, own in zip(tokens, labels, strict=True) if own == label) for label in labels}


@pytest.mark.parametrize(
    ("printed", "volume", "issue"),
    [
        ("71(1),", "71", "1"),
        ("37:20:", "37", "20"),
        ("54.1", "54", "1"),
        ("Vol. XIII,", "XIII", None),
        ("111B,", "111 B", None),
    ],
)
def test_numbers_in_one_span_are_taken_apart(printed, volume, issue):
    record = _record(
        "anystyle-good", ("Ada K.", "author"), (" ", ""), (printed, "volume"), (" ", ""), ("3-20.", "pages")
    )
    found = _found(record)
    assert (found["volume"], found.get("issue"), found["pages"]) == (volume, issue, "3 - 20")


def test_a_book_of_its_own_is_a_title_whatever_its_source_calls_it():
    book = _record("grobid", ("Ada K.", "author"), (", ", ""), ("On things", "booktitle"), (", ", ""), ("1999", "date"))
    article = _record(
        "grobid", ("Ada K.", "author"), (", ", ""), ("J. Things", "journal"), (", ", ""), ("1999", "date")
    )
    assert (_found(book)["title"], _found(article)["journal"]) == ("On things", "J . Things")


def test_a_body_at_the_head_is_an_author_unless_it_edits():
    body = _record("excite-de", ("OECD", "editor"), (" (", ""), ("1999", "date"), ("): ", ""), ("On things", "title"))
    edits = _record(
        "excite-de", ("OECD", "editor"), (" (Hrsg.) (", ""), ("1999", "date"), ("): ", ""), ("On things", "title")
    )
    assert (_found(body).get("author"), _found(edits).get("editor")) == ("OECD", "OECD")


def test_what_is_between_fields_remembers_the_one_before():
    record = _record(
        "grobid", ("Ada K.", "author"), (" (", ""), ("1999", "date"), (") ", ""), ("On things", "title"), (". ", "")
    )
    assert labels_of(record)[1] == ["author"] * 3 + ["-author", "date", "-", "title", "title", "-title"]


def test_invented_strings_are_the_same_every_time_and_well_labelled():
    first, again = strings(30), strings(30)
    assert first == again
    assert len({record["raw"] for record in first}) > 110
    for record in first:
        fields = {label: record["raw"][start:end] for start, end, label in record["spans"]}
        assert fields["title"]
        assert fields["date"].isdigit()
