"""The words of a printed reference, each with the label that a trained model puts on it."""

from __future__ import annotations

from functools import cache
from importlib import resources
from pathlib import Path

from openseer.extract.chain import Chain
from openseer.extract.clues import Token, keys_of, tokens_of

MODEL = "references.npz"
BETWEEN = "-"
"""What labels of words begin with that belong to no field; the field that they follow stands behind it."""


@cache
def _shipped() -> Chain:
    return Chain.read((resources.files("openseer.extract") / "models" / MODEL).read_bytes())


_instead: list[Chain] = []


def use(file: Path) -> None:
    """Read with another model from now on, in this process: for measuring one that is not shipped."""
    _instead[:] = [Chain.read(file.read_bytes())]


def tag(text: str) -> list[tuple[Token, str]]:
    """Every token of a reference with its label."""
    tokens = tokens_of(text)
    if not tokens:
        return []
    model = _instead[0] if _instead else _shipped()
    return list(zip(tokens, model.tag(keys_of(text, tokens)), strict=True))
