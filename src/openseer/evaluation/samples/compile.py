"""Compile samples to PDF: the same bytes on every machine, and only when a source has changed."""

import json
from collections.abc import Iterable
from importlib.metadata import version
from pathlib import Path

from openseer.evaluation.samples.sources import ROOT, digest, samples

STAMPS = ".samples.json"
"""Beside the PDFs: the digest of the sources of each."""


def make(into: Path, names: Iterable[str] | None = None) -> list[Path]:
    """Compile the named samples (or all) to `into/<name>.pdf`, and say where they are.

    A file whose sources have not changed since it was made is left alone.
    """
    into.mkdir(parents=True, exist_ok=True)
    wanted = sorted(samples()) if names is None else list(names)
    stamps = _stamps(into)
    for name in wanted:
        now = digest(name, version("typst"))
        if stamps.get(name) == now and (into / f"{name}.pdf").exists():
            continue
        _replace(into / f"{name}.pdf", compiled(name))
        stamps[name] = now
        _replace(into / STAMPS, json.dumps(stamps, indent=1, sort_keys=True).encode())
    return [into / f"{name}.pdf" for name in wanted]


def compiled(name: str) -> bytes:
    """The PDF of one sample."""
    import typst  # an optional dependency: only who makes samples needs it

    pdf: bytes = typst.compile(samples()[name], root=ROOT, ignore_system_fonts=True, format="pdf")
    return pdf


def _stamps(into: Path) -> dict[str, str]:
    try:
        stamps: dict[str, str] = json.loads((into / STAMPS).read_text())
    except (FileNotFoundError, json.JSONDecodeError):
        return {}
    return stamps


def _replace(file: Path, content: bytes) -> None:
    """Write under another name first: a killed run leaves no half file."""
    draft = file.with_name(f".{file.name}.part")
    draft.write_bytes(content)
    draft.replace(file)
