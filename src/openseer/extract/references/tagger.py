"""Tagger: the words of a reference with the labels of the sequence model."""

from __future__ import annotations

from functools import cache
from pathlib import Path

from openseer.extract.models import paths
from openseer.extract.references.sequence_model import LinearChainModel
from openseer.extract.references.token_features import Token, keys_of, tokens_of

MODEL = "references.npz"
GAP_LABEL_PREFIX = "-"
"""Prefix of labels for words between fields; the label of the preceding field follows."""


@cache
def _load_model(file: Path) -> LinearChainModel:
    return LinearChainModel.read(file.read_bytes())


def tag(text: str) -> list[tuple[Token, str]]:
    """Each token of a reference with its label."""
    tokens = tokens_of(text)
    if not tokens:
        return []
    return list(zip(tokens, _load_model(paths.model_file(MODEL)).tag(keys_of(text, tokens)), strict=True))
