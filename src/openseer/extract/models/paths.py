"""Where the trained models lie: with the program, unless training reads papers by others."""

from __future__ import annotations

from pathlib import Path

folder: Path = Path(__file__).parent
"""Set before the first paper is read; each model is loaded once."""


def model_file(name: str) -> Path:
    """The file of a model."""
    return folder / name
