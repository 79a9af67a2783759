"""Input of the extractors, and their interface."""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from dataclasses import dataclass, field
from functools import cached_property
from typing import Any, Protocol

from openseer.core.model.extraction import Extraction
from openseer.extract.layout.lines import Line
from openseer.extract.layout.reference_sections import reference_sections
from openseer.extract.pdf.page_model import PageModel, PageSize


@dataclass(frozen=True)
class PaperContext:
    """Page model and line table of a document, with the parts that several extractors need."""

    page_model: PageModel
    lines: Sequence[Line]
    stated: Mapping[str, Any] = field(default_factory=dict)
    """Fields of the extraction that the file itself states; they precede those that extractors find."""

    @cached_property
    def bibliography(self) -> list[list[Line]]:
        """The lines of each bibliography."""
        return reference_sections(self.lines)

    @property
    def page_size(self) -> PageSize:
        """Size of the first page."""
        return PageSize(self.page_model.pages[0].width, self.page_model.pages[0].height)


class Extractor(Protocol):
    """A module that extracts some fields. One file, and one entry in `reader.EXTRACTORS`."""

    @property
    def name(self) -> str: ...

    @property
    def version(self) -> int:
        """Increased when the result for the same file changes; stored documents can then be extracted again."""

    @property
    def needs(self) -> tuple[str, ...]:
        """Names of the extractors whose fields it reads."""

    def extract(self, context: PaperContext, found: Extraction) -> dict[str, Any]:
        """Fields of the extraction; `evidence` is merged with that of the other extractors."""
