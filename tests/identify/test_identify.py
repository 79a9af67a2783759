"""Keys, verdicts, partition and votes."""

from __future__ import annotations

import pytest
from hypothesis import given
from hypothesis import strategies as st

from openseer.identify.describe import describe
from openseer.identify.fingerprint import distance, simhash
from openseer.identify.keys import keys_of
from openseer.identify.match import judge
from openseer.identify.normal import plain_arxiv, plain_doi, squeezed, words_of
from openseer.identify.partition import partition
from openseer.identify.vote import vote
from openseer.records.description import Constraint, MatchFields, Verdict, reference_id, work_id_of
from openseer.records.extraction import Author, Extraction, Name, Reference
from openseer.records.work import Seen


@pytest.mark.parametrize(
    ("printed", "words"),
    [
        ("Größe, 2. Teil", ("grosse", "2", "teil")),
        ("C´edric's naïve É", ("c", "edric", "s", "naive", "e")),
        ("Поиск цитат", ("поиск", "цитат")),
        ("近似重复", ("近似重复",)),
        ("", ()),
        ("--!", ()),
    ],
)
def test_words_are_compared_without_case_accents_and_punctuation(printed, words):
    assert words_of(printed) == words


@given(st.text(max_size=60))
def test_normalising_twice_is_normalising_once(text):
    assert squeezed(squeezed(text)) == squeezed(text)


@pytest.mark.parametrize(
    ("printed", "doi"),
    [
        ("https://doi.org/10.1145/276675.276685.", "10.1145/276675.276685"),
        ("DOI: 10.1000/ABC", "10.1000/abc"),
        ("no doi", ""),
        ("", ""),
    ],
)
def test_a_doi_is_compared_bare(printed, doi):
    assert plain_doi(printed) == doi


@pytest.mark.parametrize(
    ("printed", "arxiv"), [("arXiv:2403.01234v2", "2403.01234"), ("cs/9901001", "cs/9901001"), ("", "")]
)
def test_an_arxiv_id_is_compared_without_its_version(printed, arxiv):
    assert plain_arxiv(printed) == arxiv


def fields(title="Syntactic clustering", author="Broder", **more):
    return MatchFields(title=title, authors=((author, "A."),) if author else (), **more)


@pytest.mark.parametrize(
    ("described", "keys"),
    [
        (fields(), ["title:syntacticclustering|broder"]),
        (fields(doi="10.1/X"), ["doi:10.1/x", "title:syntacticclustering|broder"]),
        (fields(author=""), ["title:syntacticclustering|"]),
        (fields(title="Поиск"), ["title:поиск|broder"]),
        (fields(title="", author=""), []),
    ],
)
def test_keys(described, keys):
    assert keys_of(described) == keys


@pytest.mark.parametrize(
    ("one", "other", "same"),
    [
        (fields(), fields("Syntactic Clustering!"), True),
        (fields("Near-duplicate pages"), fields("near duplicate pages"), True),
        (fields(), fields(author="Brin"), False),
        (fields("Foundations, part I"), fields("Foundations, part II"), False),
        (fields(author=""), fields(author=""), False),
        (fields("Preface"), fields("Preface"), False),
        (fields(), fields(author="BRÖDER"), True),
    ],
)
def test_the_exact_verdict(one, other, same):
    verdict = judge(("r2", one), ("r1", other))
    assert (verdict is not None) == same
    if verdict:
        assert (verdict.low, verdict.high, verdict.score) == ("r1", "r2", 1.0)


def link(one, other, score=1.0):
    return Verdict.of(one, other, score, "", 1)


@given(st.permutations([("a", "b"), ("b", "c"), ("d", "e")]))
def test_the_partition_does_not_depend_on_order(pairs):
    described = {name: fields() for name in "abcdef"}
    assert partition(described, [link(*pair) for pair in pairs], []) == [["a", "b", "c"], ["d", "e"], ["f"]]


def test_a_cannot_link_breaks_the_weaker_join():
    described = {name: fields() for name in "abc"}
    verdicts = [link("a", "b", 0.9), link("b", "c", 0.8)]
    assert partition(described, verdicts, [Constraint("a", "c", must=False)]) == [["a", "b"], ["c"]]


def test_a_must_link_needs_no_verdict():
    described = {name: fields() for name in "abc"}
    assert partition(described, [], [Constraint("a", "c", must=True)]) == [["a", "c"], ["b"]]


@pytest.mark.parametrize(
    ("one", "other", "groups"),
    [
        ("10.1145/1", "10.1145/2", 2),
        ("10.1145/1", "10.1145/1", 1),
        ("10.48550/arxiv.1", "10.1145/2", 1),
        ("", "10.1145/2", 1),
    ],
)
def test_two_publishers_dois_in_headers_are_a_conflict(one, other, groups):
    described = {"d1": fields(doi=one), "d2": fields(doi=other)}
    assert len(partition(described, [link("d1", "d2")], [])) == groups


def test_dois_of_references_are_no_conflict():
    described = {"r1": fields(doi="10.1145/1"), "r2": fields(doi="10.1145/2")}
    assert len(partition(described, [link("r1", "r2")], [])) == 1


def seen(kind, times=1, **more):
    return Seen("x", fields(**more), kind, times)


def test_the_paper_itself_outweighs_those_that_cite_it():
    voted = vote([seen("reference", 30, title="Syntactic clusterng"), seen("header", title="Syntactic Clustering")])
    assert voted.title == "Syntactic Clustering"


def test_what_the_paper_does_not_say_its_citers_do():
    voted = vote([seen("header"), seen("reference", 3, venue="WWW 6", year=1997), seen("reference", 1, year=1998)])
    assert (voted.venue, voted.year) == ("WWW 6", 1997)


def test_spellings_of_one_value_add_up():
    voted = vote(
        [
            seen("reference", 1, title="Web search"),
            seen("reference", 1, title="WEB SEARCH"),
            seen("reference", 1, title="Other"),
        ]
    )
    assert voted.title in ("Web search", "WEB SEARCH")


@given(
    st.permutations([seen("reference", 1, year=1999), seen("reference", 1, year=2001), seen("reference", 1, year=2000)])
)
def test_equal_votes_are_decided_the_same_way_in_any_order(ballots):
    assert vote(ballots).year == 1999


def test_a_persons_correction_outweighs_everything():
    assert (
        vote([seen("header"), seen("reference", 1000), seen("correction", title="As it should be")]).title
        == "As it should be"
    )


def test_nearly_the_same_text_has_nearly_the_same_fingerprint():
    text = " ".join(f"word{chr(97 + n % 26)}{chr(97 + n // 26)}" for n in range(400))
    assert distance(simhash(text), simhash(text + " and one more sentence")) <= 6
    assert distance(simhash(text), simhash("entirely different words about other things altogether")) > 12
    assert simhash("") == 0
    assert -(2**63) <= simhash(text) < 2**63


def test_a_long_text_is_hashed_like_a_short_one():
    words = "alpha beta gamma delta " * 5000
    assert simhash(words) == simhash("alpha beta gamma delta")


def test_equal_references_share_a_description_and_found_the_same_work():
    one, other = fields("Syntactic  Clustering"), fields("syntactic clustering")
    assert reference_id(one) == reference_id(other)
    assert reference_id(one) != reference_id(fields(year=1997))
    assert work_id_of("rabc") == work_id_of("rabc") != work_id_of("rabd")
    assert len(work_id_of("rabc")) == 13
    assert not set(work_id_of("rabc")[1:]) & set("ilou")


def test_a_document_describes_itself_and_what_it_cites():
    extraction = Extraction(
        title="A title",
        authors=(Author("Ada Byron", "Ada", "Byron"),),
        text="Page one",
        references=(
            Reference("[1] Broder", title="Clustering", authors=(Name("A. Broder", "A.", "Broder"),)),
            Reference("[2] something unreadable"),
            Reference("[3] Broder again", title="clustering", authors=(Name("A. Broder", "A.", "Broder"),)),
        ),
    )
    descriptions, observations = describe("0" * 40, extraction)
    assert [one.id[0] for one in descriptions] == ["d", "r"]
    assert [(one.kind, one.place) for one in observations] == [("header", 0), ("reference", 0), ("reference", 2)]
    assert descriptions[0].fields.authors == (("Byron", "Ada"),)
    assert MatchFields.of_text(descriptions[0].fields.as_text()) == descriptions[0].fields
