"""Citation contexts of synthetic pages and of our own papers."""

import pytest

from openseer.evaluation.samples import gold, make, names
from openseer.extract.body import body
from openseer.extract.citations import contexts
from openseer.extract.context import PaperContext
from openseer.extract.layout.lines import lines_of
from openseer.extract.pdf.page_model import Page, PageModel, Word
from openseer.extract.reader import read, run_extractors
from openseer.extract.references import segment
from tests.extract.made_pages import BOLD, PLAIN, PROSE, Set, page_of

FILLER = "So t" + PROSE[1:] + "."
NUMBERED = [
    "[1] A. Adams, First title of a paper. Journal of Tests, 1 (1999) 1-10.",
    "[2] B. Baker, Second title of a paper. Journal of Tests, 2 (2000) 1-10.",
    "[3] C. Clark, Third title of a paper. Journal of Tests, 3 (2001) 1-10.",
    "[4] D. Davis, Fourth title of a paper. Journal of Tests, 4 (2002) 1-10.",
]
NAMED = [
    "Adams, A. (1999). First title of a paper. Journal of Tests, 1, 1-10.",
    "Baker, B., & Clark, C. (2000). Second title of a paper. Journal of Tests, 2, 1-10.",
    "Davis, D. (2002). Fourth title of a paper. Journal of Tests, 4, 1-10.",
]


def paper(lines, entries, more=()):
    """What is read in a page of text with a bibliography on the next."""
    text = [Set(line, 100.0 + 12 * at) if isinstance(line, str) else line for at, line in enumerate(lines)]
    filler = [Set(FILLER, 100.0 + 12 * (len(lines) + at)) for at in range(20)]
    listed = [Set(entry, 130.0 + 14 * at, 9.0) for at, entry in enumerate(entries)]
    pages = (page_of([*text, *filler, *more]), page_of([Set("References", 100.0, 12.0, font=BOLD), *listed], 2))
    return of(pages)


def of(pages):
    context = PaperContext(PageModel(tuple(pages), len(pages), {}), lines_of(pages))
    return run_extractors((segment, body, contexts), context)


def texts(found):
    return [[context.text for context in entry.contexts] for entry in found.references]


def test_a_context_has_all_that_was_agreed():
    found = paper(
        [Set("1 Introduction", 88.0, 12.0, font=BOLD), "It rained. Then it snowed [2]. The sun", "shone after that."],
        NUMBERED,
    )
    (context,) = found.references[1].contexts
    assert (context.before, context.text, context.after) == (
        "It rained.",
        "Then it snowed [2].",
        "The sun shone after that.",
    )
    assert (context.printed, context.text[slice(*context.at)], context.page) == ("[2]", "[2]", 1)
    assert context.section == "1 Introduction"
    x0, y0, x1, y1 = context.box
    assert 72 < x0 < x1 < 300
    assert y0 < 112 < y1


def test_a_range_cites_each_of_its_entries_also_over_a_line_end():
    found = paper(["All of them are known [1,", "3-4] since long. Others are not."], NUMBERED)
    sentence = "All of them are known [1, 3-4] since long."
    assert texts(found) == [[sentence], [], [sentence], [sentence]]
    assert found.references[2].contexts[0].printed == "[1, 3-4]"


def test_mentions_in_the_bibliography_and_intervals_do_not_count():
    entries = [*NUMBERED[:3], "[4] D. Davis, A reply to [1] and [2]. Journal of Tests, 4 (2002) 1-10."]
    found = paper(["For x in [0, 1] see [3]. It is so [4]."], entries)
    assert texts(found) == [[], [], ["For x in [0, 1] see [3]."], ["It is so [4]."]]


def test_only_the_citation_style_of_the_document_counts():
    found = paper(
        ["As Adams (1999) said (see item [2] of the list).", "So did Baker and Clark (2000); Davis (2002)."], NAMED
    )
    assert [[context.printed for context in entry.contexts] for entry in found.references] == [
        ["Adams (1999)"],
        ["Baker and Clark (2000)"],
        ["Davis (2002)"],
    ]


def test_raised_numbers_and_a_footnote_in_smaller_type():
    base, small = (
        Word("Unquestionable.", 72, 90, 100.0, 10.0, PLAIN),
        Word("1,3-4", 90, 100, 96.0, 6.0, PLAIN, glued=True),
    )
    rest = page_of([Set(FILLER, 112.0 + 12 * at) for at in range(20)])
    note = page_of([Set("A note on it,2 as it were, that goes on for a while", 700.0, 8.0)])
    words = (*note.words[:3], note.words[3]._replace(text="it,"), *note.words[4:])
    mark = Word("2", words[3].x1, words[3].x1 + 3, 697.0, 5.0, PLAIN, glued=True)
    page = Page(1, 595.0, 842.0, (base, small, *rest.words, *words[:4], mark, *words[4:]))
    listed = page_of(
        [
            Set("References", 100.0, 12.0, font=BOLD),
            *(Set(entry.replace("[", "").replace("]", "."), 130.0 + 14 * at, 9.0) for at, entry in enumerate(NUMBERED)),
        ],
        2,
    )
    found = of((page, listed))
    assert [[context.printed for context in entry.contexts] for entry in found.references] == [
        ["1,3-4"],
        ["2"],
        ["1,3-4"],
        ["1,3-4"],
    ]


def test_a_row_of_a_table_is_quoted_alone():
    row = [Set("Oak", 600.0, 8.0), Set("12.5", 600.0, 8.0, 160.0), Set("[2]", 600.0, 8.0, 240.0)]
    above = [Set("Elm", 588.0, 8.0), Set("11.0", 588.0, 8.0, 160.0), Set("[1]", 588.0, 8.0, 240.0)]
    found = paper(["The trees are old [3], and tall [4]."], NUMBERED, [*above, *row])
    assert texts(found)[:2] == [["Elm 11.0 [1]"], ["Oak 12.5 [2]"]]


def test_nothing_is_cited_where_nothing_is_listed():
    assert (
        contexts.extract(
            PaperContext(PageModel((page_of([]),), 1, {}), []),
            run_extractors((), PaperContext(PageModel((), 0, {}), [])),
        )
        == {}
    )


@pytest.fixture(scope="module")
def samples(tmp_path_factory):
    into = tmp_path_factory.mktemp("samples")
    make(into)
    chosen = [name for name in names() if gold(name)["academic"] and gold(name)["kind"] != "scan"]
    return {name: read(into / f"{name}.pdf") for name in chosen[::3]}


def test_nearly_every_entry_of_our_papers_is_cited_somewhere(samples):
    entries = [entry for found in samples.values() for entry in found.references]
    assert sum(bool(entry.contexts) for entry in entries) >= 0.95 * len(entries)


def test_every_context_contains_its_marker(samples):
    found = [context for one in samples.values() for entry in one.references for context in entry.contexts]
    assert len(found) > 150
    for context in found:
        assert context.text[slice(*context.at)] == context.printed
        assert len(context.text) < 1000
        assert context.page > 0
