"""Typesetting: every word is on a page, in order, in the style of its role."""

from __future__ import annotations

import pytest
from hypothesis import given
from hypothesis import strategies as some

from openseer.core.errors import Corrupt
from openseer.extract.layout.lines import lines_of
from openseer.extract.structured.document import Block, Role, StatedFields, StructuredText
from openseer.extract.structured.page_layout import typeset
from openseer.extract.structured.stated_fields import stated_fields

WORDS = some.lists(some.text("abcdefghij", min_size=1, max_size=12), min_size=1, max_size=400)
SINGLE = [one for one in Role if one not in (Role.TABLE, Role.LINES)]


def words_of(pages):
    return [word.text for page in pages.pages for word in page.words]


@given(WORDS, some.sampled_from(SINGLE))
def test_no_word_is_lost_or_moved(words, role):
    assert words_of(typeset(StructuredText((Block(role, " ".join(words)),)))) == words


def test_lines_of_the_pages_are_the_text():
    text = "The tides of the sea rise and fall twice a day, as every harbour knows. " * 300
    pages = typeset(StructuredText((Block(Role.PARAGRAPH, text),)))
    assert len(pages.pages) > 3
    assert " ".join(line.text for line in lines_of(pages.pages)).split() == text.split()
    assert all(word.x1 < page.width and word.base < page.height for page in pages.pages for word in page.words)


def test_titles_and_headings_stand_out():
    pages = typeset(
        StructuredText(
            (Block(Role.TITLE, "On tides"), Block(Role.HEADING, "Methods"), Block(Role.PARAGRAPH, "We measure."))
        )
    )
    title, heading, text = lines_of(pages.pages)
    assert title.size > heading.size > text.size
    assert title.font.bold
    assert heading.font.bold
    assert not text.font.bold


def test_tables_preformatted_lines_and_long_words_are_kept():
    table = Block(Role.TABLE, rows=(("Port", "Height"), ("Kiel", "0.3")))
    code = Block(Role.LINES, "for x in y:\n        print(x)\n\n" + "z" * 300)
    pages = typeset(StructuredText((table, code)))
    assert words_of(pages)[:4] == ["Port", "Height", "Kiel", "0.3"]
    assert "".join(words_of(pages)).endswith("z" * 300)
    assert "z" * 300 in "".join(line.text.replace(" ", "") for line in lines_of(pages.pages))


def test_page_breaks_and_stated_pages_count():
    document = StructuredText((Block(Role.PARAGRAPH, "one"), Block(Role.PARAGRAPH, "two")), page_breaks=(1,))
    assert typeset(document).count == 2
    with pytest.raises(Corrupt):
        typeset(StructuredText(()))


def test_stated_fields_leave_out_what_is_empty():
    document = StructuredText((Block(Role.REFERENCE, "Newton, I. (1687). The sea and the moon. Tides 1, 1-9."),),
                              StatedFields(title=" On  tides "))  # fmt: skip
    fields = stated_fields(document)
    assert set(fields) == {"title", "references"}
    assert fields["title"] == "On tides"
    assert fields["references"][0].year == 1687
