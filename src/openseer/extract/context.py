"""A document as every extractor gets it, and what an extractor is."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass
from functools import cached_property
from typing import Any, Protocol

from openseer.core.model.extraction import Extraction
from openseer.extract.layout.lines import Line
from openseer.extract.layout.reference_sections import reference_sections
from openseer.extract.pdf.page_model import PageModel, PageSize


@dataclass(frozen=True)
class PaperContext:
    """The pages, and what is built once for all: the table of lines, and where the bibliography stands in it."""

    sheets: PageModel
    lines: Sequence[Line]

    @cached_property
    def bibliography(self) -> list[list[Line]]:
        """The lines of each bibliography."""
        return reference_sections(self.lines)

    @property
    def shape(self) -> PageSize:
        """Of the first page."""
        return PageSize(self.sheets.pages[0].width, self.sheets.pages[0].height)


class Extractor(Protocol):
    """A module that finds some fields of an extraction. One file, and one line in `reading.EXTRACTORS`."""

    @property
    def name(self) -> str: ...

    @property
    def version(self) -> int:
        """Grows when the same file would be read differently; documents can be read again then."""

    @property
    def needs(self) -> tuple[str, ...]:
        """The names of the extractors whose fields it reads."""

    def extract(self, opened: PaperContext, found: Extraction) -> dict[str, Any]:
        """Fields of the extraction; `evidence` is added to what the others tell."""
