"""Copies of papers: another title, other authors and references; everything else as it was."""

from __future__ import annotations

import hashlib

import pytest

import openseer
from openseer.evaluation.corpora.pdf_text import Font, font_of, page_text
from openseer.evaluation.corpora.pdf_variants import Substitution, VariantSource, make_variant
from openseer.match.pair_features import grams_of, title_similarity


def title_likeness(one: str, other: str) -> float:
    return title_similarity(grams_of(one), grams_of(other))[0]


@pytest.fixture(params=["near-duplicates", "paper-rank"])
def paper(request, sample_papers):
    return sample_papers / f"{request.param}.pdf"


def read(data: bytes, folder, name="copy.pdf"):
    (folder / name).write_bytes(data)
    return openseer.extract(folder / name)


def test_a_copy_is_another_work_with_as_many_references(paper, tmp_path):
    before = openseer.extract(paper)
    after = read(VariantSource(paper.read_bytes()).copy(1), tmp_path)
    assert title_likeness(before.title, after.title) < 0.6
    assert not {one.name for one in before.authors} & {one.name for one in after.authors}
    assert len(after.references) == len(before.references)
    assert abs(after.words - before.words) <= 0.02 * before.words
    alike = [
        title_likeness(one.title, other.title)
        for one, other in zip(before.references, after.references, strict=True)
        if one.title
    ]
    assert sum(one < 0.6 for one in alike) >= 0.8 * len(alike)


def test_the_same_seed_gives_the_same_bytes_and_another_seed_another_work(paper, tmp_path):
    original = VariantSource(paper.read_bytes())
    one, other = original.copy(1), original.copy(2)
    assert one == make_variant(paper, 1)
    assert title_likeness(read(one, tmp_path).title, read(other, tmp_path).title) < 0.6


def test_versions_of_one_seed_are_files_of_one_work(paper, tmp_path):
    original = VariantSource(paper.read_bytes())
    files = [original.copy(5, version) for version in range(3)]
    assert len({hashlib.sha1(one).hexdigest() for one in files}) == 3
    found = [read(one, tmp_path) for one in files]
    assert len({one.title for one in found}) == 1
    assert len({one.authors for one in found}) == 1


def test_what_cannot_be_changed_is_left_out(tmp_path):
    (tmp_path / "broken.pdf").write_bytes(b"%PDF-1.4 and then nothing of the kind")
    assert make_variant(tmp_path / "broken.pdf", 1) is None


def test_a_title_is_changed_where_it_stands_and_where_it_is_cited():
    rule = Substitution(3)
    title = "Syntactic Clustering of the Web"
    cited = f"A. Broder. {title}. In Proceedings of the Sixth International Conference, 1997."

    def under(text: str) -> str:
        signs = dict(rule.changes(text, 0, len(text)))
        return "".join(signs.get(at, sign) for at, sign in enumerate(text))

    assert under(title) in under(cited)
    assert under(title) != title
    assert "In Proceedings of the" in under(cited)
    assert "International Conference, 1997." in under(cited)


@pytest.mark.parametrize(
    ("text", "kept"),
    [("doi 10.1145/12.34 ", "doi 10.1145/"), ("arXiv 1706.03762 ", "arXiv 1706."), ("in 1999", "in 1999")],
)
def test_identifiers_become_others_and_years_stay(text, kept):
    signs = dict(Substitution(1).changes(text, 0, len(text)))
    changed = "".join(signs.get(at, sign) for at, sign in enumerate(text))
    assert changed.startswith(kept)
    assert (changed == text) == (text == kept)


STREAM = rb"BT /F1 9 Tf 0 0 Td [(Fe)-20(w\040w)-300<6f7264>]TJ T* (a \(b\) \\ c) Tj /F2 9 Tf <00410042> Tj ET"


def fonts():
    wide = Font(2, {0x41: "x", 0x42: "y"})
    return {"F1": Font(1, {code: chr(code) for code in range(33, 127)}), "F2": wide}


def test_strings_are_found_in_literals_and_hex_of_one_and_two_bytes():
    found = page_text(STREAM, fonts())
    assert "".join(found.text.split()) == "Feww" + "ord" + "a(b)\\c" + "xy"
    assert found.text.startswith(" Few w ord"), "a wide gap parts words, kerning does not"


def test_only_signs_that_the_font_was_seen_to_have_are_set():
    found = page_text(STREAM, fonts())
    at, wide = found.text.index("F"), found.text.index("x")
    assert found.replaced({at: "w", wide: "y"}) == STREAM.replace(b"(Fe)", b"<7765>").replace(
        b"<00410042>", b"<00420042>"
    )
    assert found.replaced({at: "Z"}) == STREAM
    assert found.replaced({}) == STREAM, "a change does not stay"


def test_what_a_font_means_is_told_by_its_table_or_its_encoding():
    class Table:
        def get_object(self):
            return self

        def get_data(self):
            return (
                b"1 beginbfchar <03> <0020> endbfchar 2 beginbfrange <10> <12> <0061>"
                b" <20> <21> [<0078> <0079>] endbfrange"
            )

    named = font_of({"/Subtype": "/Type0", "/ToUnicode": Table()})
    assert named is not None
    assert (named.width, named.characters) == (2, {3: " ", 0x10: "a", 0x11: "b", 0x12: "c", 0x20: "x", 0x21: "y"})
    assert font_of({"/Subtype": "/Type0"}) is None
    plain = font_of({"/Subtype": "/Type1"})
    assert plain is not None
    assert plain.characters[ord("q")] == "q"
