"""Reader of PPT: slides with titles, text of shapes, groups and tables, speaker notes and comments."""

from __future__ import annotations

from collections.abc import Callable, Iterable, Iterator
from dataclasses import dataclass, field
from pathlib import Path

from openseer.core.errors import Corrupt, UnsupportedType
from openseer.core.model.file_head import FileHead
from openseer.extract.office.slides import Slide, SlideText, structure_of_slides
from openseer.extract.ole.container import START, opened
from openseer.extract.ole.ppt_old import slides_of
from openseer.extract.ole.ppt_records import (
    COMMENT,
    NOTES,
    NOTES_ATOM,
    RUNNING_HEADS,
    SLIDE,
    SLIDE_LIST,
    SLIDE_PLACE,
    STRING,
    TEXT_KIND,
    TEXT_NARROW,
    TEXT_REFERENCE,
    TEXT_WIDE,
    Presentation,
    Record,
)
from openseer.extract.structured.document import StructuredText

name, version = "ppt", 1
mime, suffix = "application/vnd.ms-powerpoint", "ppt"
MARK, OLD_MARK = "PowerPoint Document".encode("utf-16-le"), "PP40".encode("utf-16-le")
marks: tuple[bytes, ...] = (MARK, OLD_MARK)
TITLES = frozenset({0, 6})
"""Kinds of text: title, centred title."""
BODIES = frozenset({1, 5, 7, 8})
SAVE_HINT = "Save it in a newer format: PPTX or PDF."
MASTER_SLIDES, SLIDES, NOTE_SLIDES = 1, 0, 2
PLACEHOLDERS = frozenset({"*", "‹#›", ""})
"""Fields for dates and numbers of slides."""


def recognises(head: FileHead) -> bool:
    """True for an OLE file with a stream of PowerPoint."""
    return head.start.startswith(START) and bool({MARK, OLD_MARK} & head.marks)


def read(path: Path, select_pages: Callable[[int], Iterable[int]] = range) -> StructuredText:
    """The slides of a presentation."""
    with opened(path) as container:
        if "PowerPoint Document" in container or "PP40" not in container:
            return structure_of_slides(_Slides(Presentation(container)).slides(), container.properties())
        slides = tuple(slides_of(container.stream("PP40")))
        if slides:
            return structure_of_slides(slides, container.properties())
    raise UnsupportedType(mime, "Presentations of PowerPoint 95 for Windows are not read.", SAVE_HINT)


@dataclass(slots=True)
class _Place:
    """A slide in the list of the document, with the texts of its outline."""

    number: int
    slide_id: int
    texts: list[SlideText] = field(default_factory=list)


class _Slides:
    """Slides in order, with their notes."""

    def __init__(self, presentation: Presentation) -> None:
        self._file = presentation

    def slides(self) -> Iterator[Slide]:
        """All slides; hidden ones too."""
        document = self._file.document
        if document is None:
            raise Corrupt("The presentation has no document.")
        lists = [one for one in self._file.below(document.start, document.end) if one.kind == SLIDE_LIST]
        notes = dict(self._notes(lists))
        heads = tuple(dict.fromkeys(self._running_heads(document)))
        places = [place for one in lists if one.instance == SLIDES for place in self._places(one)]
        for place in places:
            slide = self._file.object(place.number)
            texts, comments = self._texts(slide, place.texts) if slide is not None and slide.kind == SLIDE else ([], [])
            used = [one.text for one in texts]
            texts += [one for one in place.texts if one.text not in used]
            yield Slide(tuple(texts), (*notes.get(place.slide_id, ()), *comments))
        if heads:
            yield Slide((), heads)

    def _places(self, slide_list: Record) -> Iterator[_Place]:
        """Slides of a list; the texts after each of them are its outline."""
        place, kind = None, 4
        for one in self._file.below(slide_list.start, slide_list.end):
            if one.kind == SLIDE_PLACE:
                if place is not None:
                    yield place
                place = _Place(self._file.number(one), self._file.number(one, 12))
            elif one.kind == TEXT_KIND:
                kind = self._file.number(one)
            elif one.kind in (TEXT_WIDE, TEXT_NARROW) and place is not None:
                place.texts.append(_slide_text(self._file.text(one), kind))
        if place is not None:
            yield place

    def _notes(self, lists: list[Record]) -> Iterator[tuple[int, tuple[str, ...]]]:
        """Speaker notes by the id of their slide."""
        for one in lists:
            for place in self._places(one) if one.instance == NOTE_SLIDES else ():
                notes = self._file.object(place.number)
                if notes is None or notes.kind != NOTES:
                    continue
                atom = next(
                    (part for part in self._file.below(notes.start, notes.end) if part.kind == NOTES_ATOM), None
                )
                texts, _ = self._texts(notes, place.texts)
                kept = (text.text for text in (*texts, *place.texts) if text.text.strip() not in PLACEHOLDERS)
                yield (self._file.number(atom) if atom else -1), tuple(dict.fromkeys(kept))

    def _texts(self, slide: Record, outline: list[SlideText]) -> tuple[list[SlideText], list[str]]:
        """Texts of the shapes of a slide in order, and its comments."""
        texts: list[SlideText] = []
        comments: list[str] = []
        kind, comment_end = 4, 0
        for one in self._file.all_below(slide):
            if one.kind == TEXT_KIND:
                kind = self._file.number(one)
            elif one.kind in (TEXT_WIDE, TEXT_NARROW):
                texts.append(_slide_text(self._file.text(one), kind))
                kind = 4
            elif one.kind == TEXT_REFERENCE:
                number = self._file.number(one)
                texts += outline[number : number + 1] if number >= 0 else []
            elif one.kind == COMMENT:
                comment_end = one.end
            elif one.kind == STRING and one.start < comment_end:
                comments.append(self._file.text(one))
        return [one for one in texts if one.text.strip() not in PLACEHOLDERS], comments

    def _running_heads(self, document: Record) -> Iterator[str]:
        """Header and footer of all slides."""
        for one in self._file.below(document.start, document.end):
            if one.kind == RUNNING_HEADS:
                strings = (part for part in self._file.below(one.start, one.end) if part.kind == STRING)
                yield from (text for text in map(self._file.text, strings) if text.strip() not in PLACEHOLDERS)


def _slide_text(text: str, kind: int) -> SlideText:
    return SlideText(text.replace("\x0b", " "), is_title=kind in TITLES, is_list=kind in BODIES)
