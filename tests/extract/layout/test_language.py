"""Language detection."""

import pytest

from openseer.extract.layout.language import is_language, language_of


@pytest.mark.parametrize(
    ("text", "code"),
    [
        ("This is the text of a paper that was written in English and which is not long.", "en"),
        ("Dies ist der Text einer Arbeit, die in deutscher Sprache und nicht auf Englisch ist.", "de"),
        ("Ceci est le texte d'un article qui est dans la langue des philosophes et pour les autres.", "fr"),
        ("Este es el texto de un artículo que se lee en la lengua de los poetas y no en otra, pero con todo.", "es"),
        ("Este é o texto de um artigo que não se lê em outra língua, mas na língua dos poetas e das ruas.", "pt"),
        ("Questo è il testo di un articolo che non si legge in una altra lingua, ma nella lingua della musica.", "it"),
        ("Dit is de tekst van een artikel dat niet in het Engels is geschreven, maar ook voor het volk.", "nl"),
        ("Это текст статьи, которая не на английском, и все так же может быть для него.", "ru"),
        ("Αυτό είναι το κείμενο που δεν είναι στην αγγλική και θα είναι για την τέχνη.", "el"),
        ("zzz qqq xxx yyy vvv www", ""),
        ("", ""),
    ],
)
def test_language(text, code):
    assert language_of(text) == code


def test_symbols_are_no_language():
    assert is_language("five words are quite enough here")
    assert not is_language("$%& 12 34 ## @@ !! 99 ((( a b c")
