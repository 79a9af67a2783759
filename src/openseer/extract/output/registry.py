"""The forms in which `openseer extract` writes what it read: one line each. They are made in the reading process."""

from __future__ import annotations

from collections.abc import Callable
from pathlib import Path
from typing import NamedTuple

from openseer.core.model.extraction import Extraction
from openseer.extract.output.annotated_pages import proof
from openseer.extract.output.bibtex import bibtex
from openseer.extract.output.html import view
from openseer.extract.output.jats import jats
from openseer.extract.output.plain_xml import plainxml
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
    "xml": Format("xml", plainxml),
    "tei": Format("tei.xml", tei),
    "jats": Format("jats.xml", jats),
    "bibtex": Format("bib", bibtex),
    "html": Format("html", view),
    "proof": Format("proof.html", proof),
}
"""All but JSON, which always comes with them and tells what went wrong."""
