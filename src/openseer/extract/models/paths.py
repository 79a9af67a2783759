"""Location of the trained models."""

from __future__ import annotations

from pathlib import Path

folder: Path = Path(__file__).parent
"""Changed by training scripts before the first paper is read, since each model is loaded once."""


def model_file(name: str) -> Path:
    """Path of a model file."""
    return folder / name
