"""Keys, verdicts, partition and votes."""

from __future__ import annotations

import pytest
from hypothesis import given
from hypothesis import strategies as st

from openseer.core.model.description import LinkConstraint, MatchFields, MatchLink, reference_id, work_id_of
from openseer.core.model.extraction import Author, Extraction, Name, Reference
from openseer.core.model.work import DescriptionCount
from openseer.core.text.normalize import plain_arxiv, plain_doi, squeezed, words_of
from openseer.match.blocking_keys import keys_of
from openseer.match.clustering import average_linkage, cluster
from openseer.match.descriptions import describe
from openseer.match.field_voting import vote
from openseer.match.pairwise import log_odds_between, match_pairs
from openseer.match.simhash import distance, simhash
from openseer.match.title_qualifiers import Qualifiers, qualifiers_of


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
        (
            fields(),
            ["title:syntacticcluster|brod", "start:syntacticclustering", "words:clust synta"],
        ),
        (fields(title="Index", doi="10.1/X"), ["doi:10.1/x", "title:index|brod"]),
        (fields(title="Preface to it", author=""), ["start:prefacetoit"]),
        (fields(title="Поиск"), ["title:поиск|brod"]),
        (fields(title="近似重复文档检测方法", author=""), ["start:近似重复文档检测方法"]),
        (fields(title="", volume="12(3)", pages="pp. 45-67"), ["place:12:45|brod"]),
        (fields(title="", author="", venue="J. of Cell Sci.", volume="12", pages="45"), ["place:12:45|jocs"]),
        (fields(title="", pages="45-67", year=1999), ["place:y1999:45|brod"]),
        (fields(title="", author=""), []),
        (
            MatchFields(title="Web", authors=(("Manasse", "M."), ("Broder", "A."), ("Zweig", "G."))),
            ["title:web|mana", "names:brod|mana|web"],
        ),
    ],
)
def test_keys(described, keys):
    assert keys_of(described) == keys


@pytest.mark.parametrize(
    ("one", "other"),
    [
        ("Syntactic clustering of the Web", "Syntactic Clustering of the Web!"),
        ("Finding near-duplicate pages fast", "Finding near duplicate pages fast"),
        ("Syntactic clustering of the Web", "Syntatic clusterng of the Web"),
        ("Syntactic clustering of the Web: a study of copies", "Syntactic clustering of the Web"),
        ("Größe und Zahl alter Bücher", "Grosse und Zahl alter Bucher"),
    ],
)
def test_a_misspelled_or_cut_title_still_shares_a_key(one, other):
    assert set(keys_of(fields(one))) & set(keys_of(fields(other)))


def test_authors_in_another_order_still_share_a_key_when_the_title_is_misspelled():
    one = MatchFields(title="Checkpointing in Oracle", authors=(("Loaiza", "J."), ("Joshi", "A.")))
    other = MatchFields(title="Cheeckpointing in Orracle", authors=(("Joshi", "A."), ("Loaiza", "J.")))
    assert set(keys_of(one)) & set(keys_of(other))


LONG = "Syntactic clustering of the web and what it costs"


@pytest.mark.parametrize(
    ("one", "other", "same"),
    [
        (fields(LONG), fields(LONG.upper() + "!"), True),
        (fields(LONG, year=1997, venue="WWW", page_one="x"), fields(LONG, year=1996, venue="arXiv preprint"), True),
        (fields(LONG), fields("Syntatic clusterng of the web and what it costs"), True),
        (fields(LONG, "Bröder"), fields(LONG, "Broder"), True),
        (fields(LONG), fields(LONG, author=""), True),
        (fields(LONG), fields("A theory of harbours in the north"), False),
        (fields(LONG, year=1990), fields(f"Reply to: {LONG}", "Moore", year=1991), False),
        (fields(LONG, year=1990), fields(f"{LONG}, Part II", year=1991), False),
        (fields(f"{LONG} 2004", year=2004), fields(f"{LONG} 2005", year=2005), False),
        (fields("Preface", "Haas", year=1980, venue="Bees"), fields("Preface", "Ito", year=2003, venue="Ships"), False),
        (fields("", doi="10.1000/1"), fields(LONG, doi="10.1000/1"), True),
        (fields("", volume="12", pages="45-67", year=1999), fields("", volume="12", pages="45", year=1999), True),
    ],
)
def test_verdicts(one, other, same):
    verdicts = match_pairs([(("r2", one), ("r1", other))])
    assert bool(verdicts) == same
    for verdict in verdicts:
        assert (verdict.low, verdict.high) == ("r1", "r2")
        assert 0.5 <= verdict.score <= 1
        assert verdict.reason


@given(
    st.lists(
        st.sampled_from([LONG, LONG.lower(), "Syntatic clusterng of the web", "Ships", ""]), min_size=2, max_size=2
    )
)
def test_a_verdict_is_the_same_in_both_directions(titles):
    one, other = (fields(title, year=1999) for title in titles)
    assert log_odds_between([(one, other)]) == pytest.approx(log_odds_between([(other, one)]))


@pytest.mark.parametrize(
    ("title", "said"),
    [
        ("Foundations of search, part I", Qualifiers(part=1)),
        ("Foundations of search II", Qualifiers(part=2)),
        ("Teil 3: Die Suche", Qualifiers(part=3)),
        ("Erratum: On bees", Qualifiers(notice="erratum")),
        ("Comments on “On bees”", Qualifiers(notice="reply")),
        ("A review on bees", Qualifiers()),
        ("Book review of Bees and ships", Qualifiers(notice="review")),
        ("Bees, 2nd edition", Qualifiers(edition="2")),
        ("World War II and the bees", Qualifiers()),
        ("", Qualifiers()),
    ],
)
def test_what_sets_a_title_apart(title, said):
    assert qualifiers_of(title) == said


def link(one, other, score=1.0):
    return MatchLink.of(one, other, score, "", 1)


@given(st.permutations([("a", "b"), ("b", "c"), ("d", "e")]))
def test_the_partition_does_not_depend_on_order(pairs):
    described = {name: fields() for name in "abcdef"}
    assert cluster(described, [link(*pair) for pair in pairs], []) == [["a", "b", "c"], ["d", "e"], ["f"]]


def test_a_cannot_link_breaks_the_weaker_join():
    described = {name: fields() for name in "abc"}
    verdicts = [link("a", "b", 0.9), link("b", "c", 0.8)]
    assert cluster(described, verdicts, [LinkConstraint("a", "c", must=False)]) == [["a", "b"], ["c"]]


def test_groups_are_joined_by_the_mean_of_what_speaks_for_it():
    odds = {("a", "b"): 4.0, ("b", "c"): 1.0, ("a", "c"): -3.0, ("c", "d"): 2.0, ("b", "d"): -1.0, ("a", "d"): -4.0}
    assert sorted(map(sorted, average_linkage("abcd", odds))) == [["a", "b"], ["c", "d"]]
    kinder = {**odds, ("a", "c"): 0.0, ("b", "d"): 0.0, ("a", "d"): 0.0}
    assert sorted(map(sorted, average_linkage("abcd", kinder))) == [["a", "b", "c", "d"]]
    assert ["a", "d"] in [sorted(group)[::3] for group in average_linkage("abcd", kinder, must=[("a", "d")])]


def test_a_part_and_a_notice_never_join_what_they_belong_to():
    described = {
        "r1": fields(f"{LONG}, Part I"),
        "r2": fields(f"{LONG}, Part II"),
        "r3": fields(f"Erratum: {LONG}, Part I"),
    }
    verdicts = [link("r1", "r2"), link("r2", "r3"), link("r1", "r3")]
    assert cluster(described, verdicts, []) == [["r1"], ["r2"], ["r3"]]


def test_versions_by_their_text_come_together_though_all_who_cite_one_know_its_other_title():
    page = " ".join(f"word{number}" for number in range(200))
    cites = tuple(f"r{number}" for number in range(10))
    new, old = (
        "The same paper twice: near-duplicate detection in a library",
        "Finding copies: near-duplicates in a library",
    )
    people = (("Sorensen", "B."), ("Ortega", "M."), ("Chen", "W."))
    papers = {
        "d1": MatchFields(title=new, authors=people, year=2008, venue="Proc. OLC", page_one=page, cites=cites),
        "d2": MatchFields(title=old, authors=people, year=2007, page_one=f"{page} draft", cites=cites),
    }
    citing = {
        f"r{number}": MatchFields(title=new, authors=people, year=2008, venue="Proc. OLC", pages=f"112-{number}")
        for number in range(115, 121)
    }
    links = [MatchLink.of("d1", "d2", 0.9, "", 1), *(MatchLink.of("d1", name, 0.9, "", 1) for name in citing)]
    assert len(cluster({**papers, **citing}, links, [])) == 1
    parts = {**papers, "d2": MatchFields(title=f"{old}, Part II", authors=people, page_one=page, cites=cites)}
    parts["d1"] = MatchFields(title=f"{new}, Part I", authors=people, page_one=page, cites=cites)
    assert len(cluster(parts, links[:1], [])) == 2


def test_a_must_link_needs_no_verdict():
    described = {name: fields() for name in "abc"}
    assert cluster(described, [], [LinkConstraint("a", "c", must=True)]) == [["a", "c"], ["b"]]


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
    assert len(cluster(described, [link("d1", "d2")], [])) == groups


def test_dois_of_references_are_no_conflict():
    described = {"r1": fields(LONG, doi="10.1145/1"), "r2": fields(LONG, doi="10.1145/2")}
    assert len(cluster(described, [link("r1", "r2")], [])) == 1


def seen(kind, times=1, **more):
    return DescriptionCount("x", fields(**more), kind, times)


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


def test_a_journals_volume_is_not_that_of_proceedings():
    meeting = "Proceedings of the Third Conference on Digital Libraries"
    cited = [seen("reference", 5, venue=meeting, pages="89-98"), seen("reference", venue="IEEE Computer", volume="32")]
    assert (vote(cited).venue, vote(cited).volume) == (meeting, "")
    spelled = [seen("reference", 5, venue="Journal of Tides"), seen("reference", venue="J. Tides", volume="7")]
    assert vote(spelled).volume == "7"


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
    words = "alpha beta gamma delta "
    assert simhash(words * 5000) == simhash(words * 2), "each run of words counts once"


def test_texts_of_one_field_are_far_from_each_other():
    common = "the model and the data are used for the training of the network with the results shown below"
    one = " ".join(f"{word} alpha{chr(97 + n)}" for n, word in enumerate(common.split()))
    other = " ".join(f"{word} omega{chr(97 + n)}" for n, word in enumerate(reversed(common.split())))
    assert distance(simhash(one), simhash(other)) > 15


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
    assert [(one.kind, one.position) for one in observations] == [("header", 0), ("reference", 0), ("reference", 2)]
    assert descriptions[0].fields.authors == (("Byron", "Ada"),)
    assert MatchFields.of_text(descriptions[0].fields.as_text()) == descriptions[0].fields
