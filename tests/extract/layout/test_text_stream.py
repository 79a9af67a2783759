"""Running text, and page and box of its spans."""

from openseer.core.model.extraction import Section
from openseer.extract.layout.lines import Line
from openseer.extract.layout.text_stream import TextStream, text_streams
from openseer.extract.pdf.page_model import HYPHEN, Font, Word

PLAIN, BOLD = Font("Serif"), Font("Serif-Bold", bold=True)


def line(text, base, size=10.0, page=1, font=PLAIN):
    words, x = [], 50.0
    for word in text.replace(HYPHEN, "").split():
        words.append(Word(word, x, x + 5 * len(word), base, size, font))
        x += 5 * len(word) + 3
    return Line(text, page, 50.0, x - 3, base, size, font, tuple(words), 0)


def test_lines_are_joined_over_line_ends_columns_and_pages():
    lines = [
        line(f"a divi{HYPHEN}", 100),
        line("ded word and", 112),
        line("another column", 100)._replace(column=1),
        line("and page [3", 100, page=2),
    ]
    (found,) = text_streams(lines, ())
    assert found.text == "a divided word and another column and page [3"


def test_a_range_divided_at_its_dash_keeps_it():
    (found,) = text_streams([line(f"as in [5{HYPHEN}", 100), line("7] it is", 112)], ())
    assert "[5-7]" in found.text


def test_a_note_does_not_cut_the_sentence_of_the_body():
    lines = [
        line("The body goes on", 700),
        line("1 A note in small type.", 760, 8.0),
        line("over the page, and on, and on.", 100, page=2),
    ]
    body, notes = text_streams(lines, ())
    assert body.text == "The body goes on over the page, and on, and on."
    assert notes.text == "1 A note in small type."


def test_in_a_scan_sizes_tell_nothing():
    lines = [line("words of a scan", 100 + 12 * at, 9.0 + 0.9 * at) for at in range(6)]
    assert len(text_streams(lines, ())) == 1


def test_a_heading_breaks_the_text_and_labels_the_following_lines():
    lines = [line("End of it", 100), line("2 Methods", 130, font=BOLD), line("We did it. And more.", 145)]
    (found,) = text_streams(lines, [Section("2 Methods", page=1)])
    assert found.text == "End of it\n2 Methods\nWe did it. And more."
    assert found.headings == ["", "2 Methods", "2 Methods"]


def test_an_unlisted_heading_breaks_the_text_too():
    lines = [line("And so it ends here.", 100), line("Of oaks", 130, font=BOLD), line("They are trees of a kind.", 142)]
    (found,) = text_streams(lines, ())
    assert found.text.split("\n") == ["And so it ends here.", "Of oaks", "They are trees of a kind."]


def test_page_and_box_of_a_piece():
    (found,) = text_streams([line("one two", 100), line("three [4] five", 112, page=2)], ())
    start = found.text.index("[4]")
    page, box = found.locate(start, start + 3)
    assert page == 2
    assert box == (78.0, 104.0, 93.0, 114.0)


def test_the_box_of_a_span_over_two_lines_is_that_of_its_first_part():
    (found,) = text_streams([line("as in [3,", 100), line("4] and so on", 112)], ())
    start = found.text.index("[3")
    _, (x0, _, x1, y1) = found.locate(start, start + 6)
    assert (x0, x1, y1) == (76.0, 91.0, 102.0)


def test_raised_spans():
    one = TextStream(10.0)
    words = (
        Word("long", 50, 70, 100.0, 10.0, PLAIN),
        Word("2", 70, 73, 96.0, 6.0, PLAIN, glued=True),
        Word("ago", 76, 90, 100.0, 10.0, PLAIN),
        Word("i", 90, 92, 102.0, 6.0, PLAIN, glued=True),
    )
    one.add(Line("long2 agoi", 1, 50.0, 92.0, 100.0, 10.0, PLAIN, words), "")
    one.close()
    assert [one.text[low:high] for low, high in one.raised_spans()] == ["2"]
