"""The words of a printed reference, each with the label that a trained model puts on it."""

from __future__ import annotations

from functools import cache
from pathlib import Path

from openseer.extract.models import paths
from openseer.extract.references.sequence_model import LinearChainModel
from openseer.extract.references.token_features import Token, keys_of, tokens_of

MODEL = "references.npz"
BETWEEN = "-"
"""What labels of words begin with that belong to no field; the field that they follow stands behind it."""


@cache
def _chain(file: Path) -> LinearChainModel:
    return LinearChainModel.read(file.read_bytes())


def tag(text: str) -> list[tuple[Token, str]]:
    """Every token of a reference with its label."""
    tokens = tokens_of(text)
    if not tokens:
        return []
    return list(zip(tokens, _chain(paths.model_file(MODEL)).tag(keys_of(text, tokens)), strict=True))
