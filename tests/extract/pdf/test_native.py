"""Python and C queries give the same results, for files and for a fake pdfium."""

from __future__ import annotations

import ctypes
import importlib.util
import re
from collections.abc import Callable
from dataclasses import dataclass
from pathlib import Path
from types import SimpleNamespace
from typing import Any, TypeVar

import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

from openseer.core.errors import OpenseerError
from openseer.extract.pdf import glyph_queries, native
from openseer.extract.pdf.glyph_queries import MAX_FONT_NAME_BYTES, WORD_PATTERN, PageTransform, WordRuns
from openseer.extract.pdf.page_reader import read_pages

A4 = PageTransform((0.0, 0.0, 595.0, 842.0), 0)
NUMBER, ADDRESS, DOUBLE = ctypes.c_int, ctypes.c_void_p, ctypes.c_double


@pytest.fixture(scope="module")
def compiled():
    if native.library is None:
        pytest.skip("the compiled reader is not built: install a C compiler, then `pip install -e .`")
    return native.library


@pytest.fixture
def by_both_ways(compiled, monkeypatch):
    """A function that reads a file by C and by Python; what is wrong with it counts as an answer."""

    def read(path):
        answers: list[Any] = []
        for library in (compiled, None):
            monkeypatch.setattr(native, "library", library)
            try:
                answers.append(read_pages(path))
            except OpenseerError as error:
                answers.append(repr(error))
        return answers

    return read


def test_samples_are_the_same_by_both_ways(by_both_ways, sample_papers):
    for file in sorted(sample_papers.glob("*.pdf")):
        by_c, by_python = by_both_ways(file)
        assert by_c == by_python, file.name


def test_real_papers_are_the_same_by_both_ways(by_both_ways, corpus):
    for file in sorted((corpus / "papers").glob("*.pdf"))[::10]:
        by_c, by_python = by_both_ways(file)
        assert by_c == by_python, file.name


def test_hard_files_are_the_same_by_both_ways(by_both_ways, corpus):
    for file in sorted((corpus / "hard-pdfs").glob("*.pdf")):
        by_c, by_python = by_both_ways(file)
        assert by_c == by_python, file.name


@pytest.mark.proof
def test_the_whole_corpus_is_the_same_by_both_ways(by_both_ways, corpus):
    for file in sorted(corpus.rglob("*.pdf")):
        by_c, by_python = by_both_ways(file)
        assert by_c == by_python, file.name


@dataclass
class Letter:
    """What a fake pdfium says of one character."""

    thing: int = 1
    x: float = 100.0
    y: float = 700.0
    box: tuple[float, float, float, float] = (100.0, 105.0, 698.0, 710.0)


@dataclass
class Thing:
    """What a fake pdfium says of one text object."""

    font: int = 1
    size: float = 10.0
    matrix: tuple[float, float, float, float] = (1.0, 0.0, 0.0, 1.0)


class Fake:
    """A pdfium that says what it is told, with the functions of FUNCTIONS as attributes."""

    def __init__(self, letters: list[Letter], things: list[Thing], fonts: list[bytes]) -> None:
        self.letters, self.things, self.fonts = letters, things, fonts
        made: dict[str, Any] = {
            "FPDFText_GetTextObject": (self._object, ADDRESS, ADDRESS, NUMBER),
            "FPDFText_GetCharOrigin": (self._origin, NUMBER, ADDRESS, NUMBER, ADDRESS, ADDRESS),
            "FPDFText_GetCharBox": (self._box, NUMBER, ADDRESS, NUMBER, *[ADDRESS] * 4),
            "FPDFText_GetMatrix": (self._matrix, NUMBER, ADDRESS, NUMBER, ADDRESS),
            "FPDFText_GetFontSize": (self._size, DOUBLE, ADDRESS, NUMBER),
            "FPDFTextObj_GetFont": (self._font, ADDRESS, ADDRESS),
            "FPDFFont_GetBaseFontName": (self._name, ctypes.c_size_t, ADDRESS, ADDRESS, ctypes.c_size_t),
            "FPDFText_GetUnicode": (self._unicode, ctypes.c_uint, ADDRESS, NUMBER),
        }
        self.functions = {name: ctypes.PYFUNCTYPE(*kinds)(function) for name, (function, *kinds) in made.items()}

    def _letter(self, index: int) -> Letter:
        return self.letters[index % len(self.letters)]

    def _object(self, page, index):
        return self._letter(index).thing * 16

    def _origin(self, page, index, x, y):
        DOUBLE.from_address(x).value, DOUBLE.from_address(y).value = self._letter(index).x, self._letter(index).y
        return 1

    def _box(self, page, index, *sides):
        for side, value in zip(sides, self._letter(index).box, strict=True):
            DOUBLE.from_address(side).value = value
        return 1

    def _matrix(self, page, index, matrix):
        thing = self._letter(index).thing
        if not thing:
            return 0
        for place, value in enumerate(self.things[thing - 1].matrix):
            ctypes.c_float.from_address(matrix + 4 * place).value = value
        return 1

    def _size(self, page, index):
        thing = self._letter(index).thing
        return self.things[thing - 1].size if thing else 1.0

    def _font(self, thing):
        return self.things[thing // 16 - 1].font * 32

    def _name(self, font, buffer, room):
        name = self.fonts[font // 32 - 1] + b"\0"
        if len(name) <= room:
            ctypes.memmove(buffer, name, len(name))
        return len(name)

    def _unicode(self, page, index):
        return (0x41, 0xD800, 0x110000, 0xFFFFFFFF, 0, 0x1F600)[index % 6]


Answer = TypeVar("Answer")
ATTRIBUTES = ("_object", "_origin", "_box", "_matrix", "_size", "_font", "_name", "_unicode")


def ask_both(fake: Fake, ask: Callable[[Any], Answer]) -> tuple[Answer, Answer]:
    """The answers of C and of Python when pdfium is a fake."""
    spec = importlib.util.find_spec("openseer.extract.pdf._runs")
    assert spec is not None
    assert spec.origin is not None
    with pytest.MonkeyPatch.context() as patch:
        patch.setattr(native, "raw", SimpleNamespace(**fake.functions))
        for attribute, name in zip(ATTRIBUTES, native.FUNCTIONS, strict=True):
            patch.setattr(glyph_queries, attribute, fake.functions[name])
        return ask(native.NativeLibrary(Path(spec.origin))), ask(glyph_queries)


def plainly(runs: WordRuns) -> list[str]:
    """A form in which not a number is itself, nothing has no sign, and styles are what they mean."""
    looks = [(runs.fonts[look.font], *look[1:]) for look in runs.style_table]
    rows = zip(runs.starts, runs.ends, runs.styles, runs.glued, runs.x0, runs.x1, runs.base, strict=True)
    told = (repr((start, end, looks[style], *rest)) for start, end, style, *rest in rows)
    return [re.sub(r"-0\.0\b", "0.0", row) for row in told]


def check(fake: Fake, text: str, careful: bytes = b"", turn: PageTransform = A4) -> list[str]:
    by_c, by_python = ask_both(fake, lambda reader: plainly(reader.runs(0, text, careful, turn)))
    assert by_c == by_python
    return by_c


FLOATS = st.floats(width=32) | st.sampled_from([0.0, 1.0, 10.0, 99.5, 100.5, 1e30, float("nan"), float("inf")])
PLACES = st.floats(0, 800, width=32) | FLOATS
LETTERS = st.builds(Letter, st.integers(0, 3), PLACES, PLACES, st.tuples(PLACES, PLACES, PLACES, PLACES))
THINGS = st.builds(Thing, st.integers(0, 4), FLOATS, st.tuples(FLOATS, FLOATS, FLOATS, FLOATS))
NAMES = st.sampled_from([b"ABCDEF+CMR10", b"XYZABC+CMR10", b"", b"?", b"\xff\xfe", b"A+B+C", b"n" * 255, b"n" * 256])


@settings(deadline=None, max_examples=300)
@given(
    letters=st.lists(LETTERS, min_size=1, max_size=12),
    things=st.lists(THINGS, min_size=3, max_size=3),
    fonts=st.lists(NAMES, min_size=4, max_size=4),
    data=st.data(),
)
def test_both_implementations_give_the_same_results(compiled, letters, things, fonts, data):
    text = data.draw(st.text("ab1,é \x02\x00\ufffd\u3000", max_size=40))
    count = len(WORD_PATTERN.findall(text))
    careful = data.draw(st.just(b"") | st.lists(st.integers(0, 1), min_size=count, max_size=count).map(bytes))
    quarter = data.draw(st.integers(0, 3))
    check(Fake(letters, things, fonts), text, careful, PageTransform((-3.5, 2.0, 595.0, 842.0), quarter))


def test_a_page_with_too_many_styles_is_read_by_python(compiled):
    count = native.MAX_STYLES + 50
    letters = [Letter(thing=number) for number in range(1, count + 1)]
    things = [Thing(size=number / 5) for number in range(1, count + 1)]
    assert len(check(Fake(letters, things, [b"CMR10"]), "a" * count)) == count


def test_a_page_with_too_many_fonts_is_read_by_python(compiled):
    count = native.MAX_FONTS + 5
    letters = [Letter(thing=number) for number in range(1, count + 1)]
    things = [Thing(font=number) for number in range(1, count + 1)]
    assert len(check(Fake(letters, things, [b"F%d" % number for number in range(count)]), "a" * count)) == count


def test_both_cut_at_the_same_characters(compiled):
    text = "".join(chr(code) for code in range(0x110000) if not 0xD800 <= code < 0xE000)
    assert len(check(Fake([Letter()], [Thing()], [b"CMR10"]), text)) == len(WORD_PATTERN.findall(text)) == 13


def test_pieces_that_are_not_those_of_python_are_read_by_python(compiled):
    fake = Fake([Letter()], [Thing()], [b"CMR10"])
    with pytest.raises(ValueError, match="zip"):
        check(fake, "one two three", b"\1")


def test_letters_are_the_same_by_both_ways(compiled):
    by_c, by_python = ask_both(Fake([Letter()], [Thing()], [b""]), lambda reader: reader.letters(0, 12))
    assert by_c == by_python == "A\ufffd\ufffd\ufffd\x00\U0001f600" * 2


def test_a_name_too_long_is_no_name(compiled):
    for length, name in ((MAX_FONT_NAME_BYTES - 1, b"n" * (MAX_FONT_NAME_BYTES - 1)), (MAX_FONT_NAME_BYTES, b"?")):
        (run,) = check(Fake([Letter()], [Thing()], [b"n" * length]), "word")
        assert repr(name) in run


def test_a_library_of_another_version_is_not_used(compiled, monkeypatch):
    monkeypatch.setattr(native, "VERSION", native.VERSION + 1)
    assert native._load() is None


def test_a_file_that_is_no_library_is_not_used(tmp_path, monkeypatch):
    file = tmp_path / "_runs.abi3.so"
    file.write_bytes(b"no library")
    monkeypatch.setattr(importlib.util, "find_spec", lambda _: SimpleNamespace(origin=str(file)))
    assert native._load() is None
