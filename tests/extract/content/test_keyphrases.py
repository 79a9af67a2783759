"""Keyphrases and key sentences occur verbatim in the paper."""

import openseer
from openseer.core.model.extraction import Extraction, Paragraph, Section
from openseer.evaluation import samples
from openseer.extract.content.key_sentences import key_sentences
from openseer.extract.content.keyphrases import document_frequencies, keyphrases, phrases


def paper(text: str, **fields) -> Extraction:
    section = Section("1 Introduction", 1, "introduction", 2, text, (Paragraph((0, len(text)), 2, "en"),))
    return Extraction(sections=(section,), **fields)


def spelled(found):
    return [one["text"] for one in keyphrases(found)]


def test_frequent_terms_of_the_title_come_first():
    text = (
        "Persistent crawlers revisit pages. A persistent crawler keeps a frontier queue. The frontier queue is small. "
        * 3
    )
    found = spelled(paper(text, title="The persistent crawler", abstract="A frontier queue is kept."))
    assert found[0].lower().rstrip("s") == "persistent crawler"
    assert "frontier queue" in found


def test_no_phrase_is_invented_and_scores_fall(sample_papers):
    found = openseer.extract(sample_papers / "warc-shelf.pdf")
    everything = " ".join([found.title, found.abstract, *(f"{one.heading} {one.text}" for one in found.sections)])
    assert len(found.keyphrases) >= 5
    assert all(one["text"] in everything for one in found.keyphrases)
    scores = [one["score"] for one in found.keyphrases]
    assert scores == sorted(scores, reverse=True)
    assert scores[0] == 1.0
    assert scores[-1] > 0


def test_a_part_of_a_longer_term_is_not_a_phrase_of_its_own():
    found = spelled(paper("Here latent semantic analysis was used. " * 5))
    assert [one.lower() for one in found] == ["latent semantic analysis"]


def test_common_words_neither_open_nor_end_a_phrase():
    assert document_frequencies()["however"] > 45 > document_frequencies().get("crawler", 0)
    assert ("however",) not in phrases("However crawlers")
    assert phrases("") == []


def test_an_empty_paper_has_no_keyphrases():
    assert spelled(Extraction()) == []
    assert list(key_sentences(Extraction())) == []


def test_key_sentences_give_contribution_and_result():
    text = (
        "Archives grow every year and few read them. In this paper we propose a shelf that orders archives by use. "
        "As Smith et al. (2001) show, shelves age. Our results show that a shelf halves the time to find one there. "
        "The rest of this paper is organized as follows."
    )
    does, finds = key_sentences(paper(text))
    assert does["text"].startswith("In this paper we propose")
    assert does["page"] == 2
    assert finds["text"].startswith("Our results show")


def test_sentences_about_other_work_are_not_key():
    assert (
        list(key_sentences(paper("In this paper we present what Jones et al. (1999) have shown in Section 3 before.")))
        == []
    )


def test_samples_have_key_sentences_of_their_own(sample_papers):
    for name in [name for name in samples.names() if samples.gold(name)["academic"]][:6]:
        found = openseer.extract(sample_papers / f"{name}.pdf") if (sample_papers / f"{name}.pdf").exists() else None
        if found is None or not found.abstract:
            continue
        everything = " ".join([found.abstract, *(one.text for one in found.sections)])
        assert 1 <= len(found.key_sentences) <= 2
        assert all(one["text"] in everything and 1 <= one["page"] <= found.pages for one in found.key_sentences)
