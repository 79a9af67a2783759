"""Standard headings."""

import pytest

from openseer.extract.layout.headings import (
    ABSTRACT,
    AFTER_REFERENCES,
    INTRODUCTION,
    KEYWORDS,
    REFERENCES,
    is_heading,
    section_type,
)


@pytest.mark.parametrize(
    "text",
    [
        *("References", "REFERENCES", "7. References", "VII. REFERENCES", "References:", "Bibliography", "Works Cited"),
        *("Literaturverzeichnis", "8 Literatur", "Références bibliographiques", "Список литературы", "Referencias"),
    ],
)
def test_the_bibliography_has_many_names(text):
    assert is_heading(REFERENCES, text)


@pytest.mark.parametrize(
    "text", ["References to other work are given", "see the bibliography", "Reference implementation"]
)
def test_a_sentence_is_no_heading(text):
    assert not is_heading(REFERENCES, text)


@pytest.mark.parametrize(
    ("pattern", "text"),
    [
        (ABSTRACT, "Zusammenfassung"),
        (INTRODUCTION, "1. Introduction"),
        (KEYWORDS, "Keywords:"),
        (AFTER_REFERENCES, "Appendix A Proofs"),
    ],
)
def test_other_headings(pattern, text):
    assert is_heading(pattern, text)


@pytest.mark.parametrize(
    ("text", "kind"),
    [
        ("2 Related Work", "related work"),
        ("Materials and Methods", "methods"),
        ("6. Conclusions", "conclusion"),
        ("A Walk in the Park", ""),
    ],
)
def test_section_types(text, kind):
    assert section_type(text) == kind
