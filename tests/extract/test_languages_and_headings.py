"""Small words tell the language; known headings tell what begins."""

import pytest

from openseer.extract.headings import ABSTRACT, ACKNOWLEDGMENTS, INTRODUCTION, REFERENCES, is_heading, section_type
from openseer.extract.language import is_language, language_of
from openseer.extract.words import clean, font_of

SENTENCES = {
    "en": "The horse that we saw in the field is not the one which was sold to the farmer from the hills.",
    "de": "Das Pferd, das wir auf dem Feld sahen, ist nicht das, welches an den Bauern aus den Bergen verkauft wurde.",
    "fr": "Le cheval que nous avons vu dans le champ n'est pas celui qui a été vendu par les gens de la ville.",
    "es": "El caballo que vimos en el campo no es el que se vendió a los hombres de la sierra por un precio.",
    "pt": "O cavalo que vimos no campo não é o que foi vendido para os homens da serra por um preço mais alto.",
    "ru": "Лошадь, которую мы видели в поле, это не та, что была продана по цене, о которой он не знал, но и не для нас.",
}


@pytest.mark.parametrize("code", SENTENCES)
def test_a_language_is_told_by_its_small_words(code):
    assert language_of(SENTENCES[code]) == code


@pytest.mark.parametrize("text", ["", "a b c", "qwx zrt plk mnb vcx dfg hjk"])
def test_no_language_is_guessed_from_nothing(text):
    assert language_of(text) == ""


@pytest.mark.parametrize(
    ("text", "is_one"), [("Hello", True), ("", False), ("347\f348", False), ("\x01\x02 +~ =%$ /&( a", False)]
)
def test_signs_and_numbers_are_no_language(text, is_one):
    assert is_language(text) is is_one


@pytest.mark.parametrize(
    ("text", "pattern"),
    [
        ("References", REFERENCES),
        ("7. REFERENCES", REFERENCES),
        ("Literaturverzeichnis", REFERENCES),
        ("Список литературы", REFERENCES),
        ("Abstract", ABSTRACT),
        ("Zusammenfassung:", ABSTRACT),
        ("1 Introduction", INTRODUCTION),
        ("I. Einleitung", INTRODUCTION),
        ("Acknowledgements", ACKNOWLEDGMENTS),
    ],
)
def test_a_heading_is_recognised(text, pattern):
    assert is_heading(pattern, text)


@pytest.mark.parametrize("text", ["References to earlier work are few.", "The references", "Abstract algebra", ""])
def test_a_sentence_is_no_heading(text):
    assert not is_heading(REFERENCES, text)
    assert not is_heading(ABSTRACT, text)


@pytest.mark.parametrize(
    ("text", "kind"), [("4. Results and Discussion", "results"), ("Fazit", "conclusion"), ("Widgets", "")]
)
def test_a_section_has_a_type(text, kind):
    assert section_type(text) == kind


@pytest.mark.parametrize(
    ("raw", "shown"), [("C´edric", "Cédric"), ("fu¨r", "für"), ("ﬁnal oﬃce", "final office"), ("plain", "plain")]
)
def test_characters_are_cleaned(raw, shown):
    assert clean(raw) == shown


@pytest.mark.parametrize(
    ("name", "bold", "italic"),
    [
        ("ABCDEF+CMBX12", True, False),
        ("NimbusRomNo9L-ReguItal", False, True),
        ("Times-BoldItalic", True, True),
        ("CMR10", False, False),
    ],
)
def test_a_font_is_judged_by_its_name(name, bold, italic):
    font = font_of(name)
    assert (font.bold, font.italic) == (bold, italic)
