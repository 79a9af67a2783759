"""Citing sentences by visibility."""

from __future__ import annotations

from openseer.core.model.document import Viewer, Visibility
from openseer.core.model.extraction import Context, Extraction, Reference
from openseer.storage.codecs.document_summary import encode
from openseer.storage.open import open_library
from openseer.web.pages.work.citing import citing_page
from tests.builders import Paper, ingest_papers

CITED = Paper("Syntactic clustering of the web", "Broder")
CITING = Paper("Finding near-duplicate web pages", "Henzinger", cites=((CITED.title, CITED.author),))
SENTENCE = "This was first done by Broder [1]."


def test_sentences_of_a_document_are_shown_to_those_who_may_see_it(tmp_path):
    with open_library(tmp_path / "data", create=True) as library:
        ingest_papers(library.records, [CITED, CITING])
        reading = encode(Extraction(references=(Reference("[1] Broder", contexts=(Context(SENTENCE),)),)))
        with library.records.writing() as writer:
            writer.put_summary(CITING.sha1, 1, reading)
        work = library.records.outgoing_citations(CITING.sha1)[0][2]

        def sentences(viewer):
            page = citing_page(library, library.open_index(), work, 1, viewer)
            assert page.total == 1, "that it cites is no secret"
            return tuple(said.text for said in page.works[0].sentences)

        assert sentences(Viewer.PUBLIC) == (SENTENCE,)
        with library.records.writing() as writer:
            writer.retract(CITING.sha1, "a test", Visibility.RESTRICTED)
        assert sentences(Viewer.PUBLIC) == ()
        assert sentences(Viewer.OPERATOR) == (SENTENCE,)
