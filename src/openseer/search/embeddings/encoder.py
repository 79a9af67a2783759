"""Meaning beside words: a text as a vector of 384 small numbers, by MiniLM where it was installed (`make meaning`)."""

from __future__ import annotations

import importlib
import sys
from collections.abc import Sequence
from functools import cache
from pathlib import Path
from typing import Any, Protocol

import numpy as np
from numpy.typing import NDArray

from openseer.search.embeddings.convert_minilm import GRAPH, VOCABULARY, WIDTH
from openseer.search.embeddings.wordpiece import WordPieces

MODEL_FOLDER = Path(sys.prefix) / "share" / "openseer" / "meaning"
"""Where set-up puts the model: inside the virtual environment."""
MOST = 256
"""Word pieces of a text that are read; it was taught with so many."""

Vectors = NDArray[np.int8]


class Encoder(Protocol):
    """Whatever turns texts into vectors."""

    def query(self, text: str) -> Vectors:
        """The vector of one question."""

    def texts(self, texts: Sequence[str]) -> Vectors:
        """One row a text."""


class OnnxEncoder:
    """The graph, ready to run on one thread."""

    def __init__(self, folder: Path, runtime: Any) -> None:
        options = runtime.SessionOptions()
        options.intra_op_num_threads = options.inter_op_num_threads = 1
        options.log_severity_level = 3
        self._session = runtime.InferenceSession(str(folder / GRAPH), options, providers=["CPUExecutionProvider"])
        self._pieces = WordPieces.of(folder / VOCABULARY)

    def query(self, text: str) -> Vectors:
        """The vector of one question."""
        found: Vectors = self.texts([text])[0]
        return found

    def texts(self, texts: Sequence[str]) -> Vectors:
        """One row a text, each as large as eight bits allow: only directions count.

        One text after the other: together they would only wait for the longest, and leave the processor's cache."""
        found = np.zeros((len(texts), WIDTH), dtype=np.float32)
        for row, text in enumerate(texts):
            numbers = np.array([self._pieces.numbers(text, MOST)], dtype=np.int64)
            found[row] = self._session.run(None, {"numbers": numbers})[0][0]
        return small(found)


def small(vectors: NDArray[np.float32]) -> Vectors:
    """Real vectors as eight-bit ones of the same direction."""
    largest = np.maximum(np.abs(vectors).max(axis=-1, keepdims=True), 1e-12)
    found: Vectors = np.rint(vectors * (127 / largest)).astype(np.int8)
    return found


def text_of(title: str, abstract: str) -> str:
    """What of a work is turned into its vector."""
    return f"{title}. {abstract}" if abstract else title


def load_encoder(place: Path | None = None) -> OnnxEncoder | None:
    """The model, or None where it or what runs it was not installed: words alone answer then."""
    return _loaded(place or MODEL_FOLDER)


@cache
def _loaded(folder: Path) -> OnnxEncoder | None:
    if not (folder / GRAPH).exists():
        return None
    try:
        return OnnxEncoder(folder, importlib.import_module("onnxruntime"))  # an optional dependency
    except ImportError:
        return None
