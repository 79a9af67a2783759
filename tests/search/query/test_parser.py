"""The query language: what is read how, and that nothing is an error."""

from __future__ import annotations

import pytest
from hypothesis import given
from hypothesis import strategies as st

from openseer.core.model.query import And, Everything, ExactField, Not, Or, Phrase, Range, Related, SoftOr, Word
from openseer.search.query.explain import explain, words_in
from openseer.search.query.parser import parse


@pytest.mark.parametrize(
    ("text", "tree"),
    [
        ("", Everything()),
        ("   ", Everything()),
        ("crawler", Word("crawler")),
        ("web crawler", And((Word("web"), Word("crawler")))),
        ("web AND crawler", And((Word("web"), Word("crawler")))),
        ('"focused crawler"', Phrase("focused crawler")),
        ('"unclosed quote', Phrase("unclosed quote")),
        ("author:broder", Word("broder", "author")),
        ('Title:"the web"', Phrase("the web", "title")),
        ("citat*", Word("citat", prefix=True)),
        ("-survey", Not(Word("survey"))),
        ("NOT survey", Not(Word("survey"))),
        ("web -survey", And((Word("web"), Not(Word("survey"))))),
        ("pagerank OR hits", Or((Word("pagerank"), Word("hits")))),
        ("x (b OR c)", And((Word("x"), Or((Word("b"), Word("c")))))),
        ("x b OR c", Or((And((Word("x"), Word("b"))), Word("c")))),
        ("year:1999", Range("year", 1999, 1999)),
        ("year:1999-2004", Range("year", 1999, 2004)),
        ("year:1999-", Range("year", 1999, None)),
        ("year:-2004", Range("year", None, 2004)),
        ("cited:>50", Range("cited", 51, None)),
        ("ncites:<=3", Range("cited", None, 3)),
        ("near-duplicate", Word("near-duplicate")),
        ("Images: x", And((Word("Images:"), Word("x")))),
        ("re:search", Word("re:search")),
        ("N/A", Word("N/A")),
        ("year:soon", Word("year:soon")),
        (")(", Everything()),
        ("x) b", And((Word("x"), Word("b")))),
        ("- ( ) OR", Everything()),
        ("a" * 40, Word("a" * 40, "sha1")),
        ("doi:10.1145/276675.276685", Word("10.1145/276675.276685", "doi")),
        ("https://doi.org/10.1145/276675.276685", Word("10.1145/276675.276685", "doi")),
        ("w0123456789ab", Word("w0123456789ab", "id")),
        ("arXiv:2403.01234v2", Word("2403.01234", "arxiv")),
        ("https://arxiv.org/abs/cs/0112017", Word("cs/0112017", "arxiv")),
        ("the web of science", And((Word("web"), Word("science")))),
        ("the of", And((Word("the"), Word("of")))),
        ('"the web"', Phrase("the web")),
        ("abs:crawling", Word("crawling", "abstract")),
        ("^broder", Word("broder", "first")),
        ('author:"^van den Berg"', Phrase("van den Berg", "first")),
        ('title:="focused crawling"', ExactField("focused crawling", "title")),
        ('=author:"a. broder"', ExactField("a. broder", "author")),
        ("year:[1999 TO 2004]", Range("year", 1999, 2004)),
        ("ncites:[50 TO *]", Range("cited", 50, None)),
        ("citations(author:broder)", Related("citations", Word("broder", "author"))),
        ("web similar(doi:10.1/x", And((Word("web"), Related("similar", Word("10.1/x", "doi"))))),
        ("citations()", Everything()),
        ("citations", Word("citations")),
        ("citations(10.1109/MCSE.2007.55)", Related("citations", Word("10.1109/mcse.2007.55", "doi"))),
        ("similar(w0123456789ab)", Related("similar", Word("w0123456789ab", "id"))),
        ("references(1412.6980)", Related("references", Word("1412.6980", "arxiv"))),
        ("10.1016/0378-8741(84)90073-4 x", And((Word("10.1016/0378-8741(84)90073-4", "doi"), Word("x")))),
        ("(doi:10.1016/0378-8741(84)90073-4)", Word("10.1016/0378-8741(84)90073-4", "doi")),
        ("title:(web OR plant)", Or((Word("web", "title"), Word("plant", "title")))),
        ('author:("a. broder" -li)', And((Phrase("a. broder", "author"), Not(Word("li", "author"))))),
        ("year:(1999 OR 2001)", Or((Range("year", 1999, 1999), Range("year", 2001, 2001)))),
        ("images:(x OR y)", And((Word("images"), Or((Word("x"), Word("y")))))),
        ("author: broder web", And((Word("broder", "author"), Word("web")))),
        ("\u201cthe web\u201d", Phrase("the web")),
        ("soft\u00adware", Word("software")),
        ("C. Manning parsing", And((Word("Manning"), Word("parsing")))),
        ("J.K. Rowling", Word("Rowling")),
        ("e.g.", Word("e.g.")),
        ("tag:web", Word("web", "keyword")),
        ("cited:<0", Range("cited", 1, 0)),
        ("+web +crawler", And((Word("web"), Word("crawler")))),
    ],
)
def test_a_query_is_read(text, tree):
    assert parse(text) == tree


def test_many_words_are_a_description():
    tree = parse("how do people parse reference strings in papers year:2000-")
    assert isinstance(tree, And)
    assert isinstance(tree.nodes[0], SoftOr)
    assert tree.nodes[1] == Range("year", 2000, None)


def test_an_identifier_in_a_citation_may_be_wrong():
    tree = parse("Broder A Glassman S Syntactic clustering of the web doi:10.1016/s0169-7552(97)00031-7")
    assert isinstance(tree, SoftOr)
    assert Word("10.1016/s0169-7552(97)00031-7", "doi") in tree.nodes


@given(st.text(max_size=300))
def test_nothing_is_an_error(text):
    tree = parse(text)
    assert isinstance(explain(tree), str)
    assert all(isinstance(word, str) for word in words_in(tree))


@given(
    st.lists(
        st.sampled_from(['"', "(", ")", "-", "OR", "AND", "NOT", "a", "title:", "year:", "*", ":", "||"]), max_size=60
    )
)
def test_no_heap_of_operators_is_an_error(parts):
    assert isinstance(explain(parse(" ".join(parts))), str)


@pytest.mark.parametrize(
    "text", ["(" * 5000 + "a", "-" * 5000 + "a", "a " * 5000, "NOT " * 3000 + "a", "\0\x1b\ud800 a"]
)
def test_a_hostile_query_costs_little(text):
    assert len(explain(parse(text))) < 2000


def test_words_to_mark_leave_out_what_is_excluded_or_an_identifier():
    assert list(words_in(parse('web "focused crawler" -survey doi:10.1/x author:li'))) == [
        "web",
        "focused",
        "crawler",
        "li",
    ]


def test_what_was_understood_reads_like_the_query():
    assert explain(parse("web (a OR b) -c year:1999-2004 title:x*")) == (
        "web AND (a OR b) AND -c AND year:1999-2004 AND title:x*"
    )
