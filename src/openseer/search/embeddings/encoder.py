"""Text encoder: 384-dimensional int8 embeddings by MiniLM, if it is installed (`make meaning`)."""

from __future__ import annotations

import importlib
import importlib.util
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
"""Folder of the installed model, inside the virtual environment."""
MAX_PIECES = 256
"""Word pieces of a text that are encoded; MiniLM was trained with so many."""

Vectors = NDArray[np.int8]


class Encoder(Protocol):
    """Interface of text encoders."""

    def query(self, text: str) -> Vectors:
        """Embedding of one query."""

    def texts(self, texts: Sequence[str]) -> Vectors:
        """Embeddings of texts, one per row."""


class OnnxEncoder:
    """MiniLM in the ONNX runtime, on one thread."""

    def __init__(self, folder: Path, runtime: Any) -> None:
        options = runtime.SessionOptions()
        options.intra_op_num_threads = options.inter_op_num_threads = 1
        options.log_severity_level = 3
        self._session = runtime.InferenceSession(str(folder / GRAPH), options, providers=["CPUExecutionProvider"])
        self._pieces = WordPieces.of(folder / VOCABULARY)

    def query(self, text: str) -> Vectors:
        """Embedding of one query."""
        found: Vectors = self.texts([text])[0]
        return found

    def texts(self, texts: Sequence[str]) -> Vectors:
        """Embeddings of texts, one per row, scaled to the int8 range: only directions count.

        Texts are encoded one by one: a batch would be padded to the longest and leave the processor's cache."""
        found = np.zeros((len(texts), WIDTH), dtype=np.float32)
        for row, text in enumerate(texts):
            numbers = np.array([self._pieces.numbers(text, MAX_PIECES)], dtype=np.int64)
            found[row] = self._session.run(None, {"numbers": numbers})[0][0]
        return quantised(found)


def quantised(vectors: NDArray[np.float32]) -> Vectors:
    """Float vectors as int8 vectors of the same direction."""
    largest = np.maximum(np.abs(vectors).max(axis=-1, keepdims=True), 1e-12)
    found: Vectors = np.rint(vectors * (127 / largest)).astype(np.int8)
    return found


def embedded_text(title: str, abstract: str) -> str:
    """Text of a work that is embedded."""
    return f"{title}. {abstract}" if abstract else title


def is_installed(folder: Path = MODEL_FOLDER) -> bool:
    """True if model and runtime are installed; loads neither."""
    return (folder / GRAPH).exists() and importlib.util.find_spec("onnxruntime") is not None


def load_encoder(folder: Path | None = None) -> OnnxEncoder | None:
    """The installed encoder; None if the model or the runtime is missing (ranking by words alone)."""
    return _loaded(folder or MODEL_FOLDER)


@cache
def _loaded(folder: Path) -> OnnxEncoder | None:
    if not (folder / GRAPH).exists():
        return None
    try:
        return OnnxEncoder(folder, importlib.import_module("onnxruntime"))  # an optional dependency
    except ImportError:
        return None
