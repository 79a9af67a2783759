"""Registry of the output formats of `openseer extract`; they are written in the extraction worker."""

from __future__ import annotations

from collections.abc import Callable
from pathlib import Path
from typing import NamedTuple

from openseer.core.model.extraction import Extraction
from openseer.extract.output.annotated_pages import annotated_pages
from openseer.extract.output.bibtex import bibtex
from openseer.extract.output.html import html
from openseer.extract.output.jats import jats
from openseer.extract.output.plain_xml import plain_xml
from openseer.extract.output.tei import tei

JSON = "json"


class OutputFormat(NamedTuple):
    """An output format."""

    suffix: str
    """Suffix of the output file."""
    write: Callable[[Extraction, Path], bytes]
    """From the extraction and the path of its file."""


FORMATS = {
    "text": OutputFormat("txt", lambda found, path: found.text.encode()),
    "xml": OutputFormat("xml", plain_xml),
    "tei": OutputFormat("tei.xml", tei),
    "jats": OutputFormat("jats.xml", jats),
    "bibtex": OutputFormat("bib", bibtex),
    "html": OutputFormat("html", html),
    "proof": OutputFormat("proof.html", annotated_pages),
}
"""All but JSON, which is always written and reports errors."""
