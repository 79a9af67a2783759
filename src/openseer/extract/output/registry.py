"""The forms in which `openseer extract` writes what it read: one line each. They are made in the reading process."""

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


class Format(NamedTuple):
    """One form of an extraction."""

    suffix: str
    """What stands behind the stem of the file that is written."""
    write: Callable[[Extraction, Path], bytes]
    """From the extraction and the file it was read from."""


FORMATS = {
    "text": Format("txt", lambda found, path: found.text.encode()),
    "xml": Format("xml", plain_xml),
    "tei": Format("tei.xml", tei),
    "jats": Format("jats.xml", jats),
    "bibtex": Format("bib", bibtex),
    "html": Format("html", html),
    "proof": Format("proof.html", annotated_pages),
}
"""All but JSON, which always comes with them and tells what went wrong."""
