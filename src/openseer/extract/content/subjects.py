"""Extractor of subjects: one or two fields of study by a linear model over the words of paper and references."""

from __future__ import annotations

import io
import re
import unicodedata
from collections import Counter
from collections.abc import Iterable, Mapping, Sequence
from copy import copy
from functools import cache
from typing import Any, NamedTuple, Self

import numpy as np
from numpy.typing import NDArray

from openseer.core.model.extraction import Extraction
from openseer.extract.context import PaperContext
from openseer.extract.models import paths

name, version = "subjects", 1
needs = ("header", "references")
MODEL = "subjects.npz"
FIELDS = (
    "Agriculture and food", "Arts and literature", "Biology", "Business", "Chemistry", "Computer science",
    "Earth science", "Economics", "Education", "Engineering", "Environmental science", "Geography", "History",
    "Information science", "Law", "Linguistics", "Materials science", "Mathematics", "Medicine",
    "Philosophy and religion", "Physics and astronomy", "Political science", "Psychology", "Sociology",
)  # fmt: skip
"""All fields of study."""
WORD = re.compile(r"[^\W\d_]{3,}")
STEM_LETTERS = 8
"""Letters of a word; enough to join its inflections, and cognates across languages."""
MAX_TEXT_LETTERS = 12_000
"""Characters of the text; more does not improve the result."""
MAX_REFERENCES = 100

Floats = NDArray[np.float32]


class Calibration(NamedTuple):
    """Weights of the three views of a paper, the map from log odds to confidence, and the threshold."""

    head: float = 1.0
    text: float = 1.0
    cited: float = 1.0
    slope: float = 1.0
    """Of the logistic function."""
    bias: float = 0.0
    min_confidence: float = 0.5
    """Fields below are not named."""


class SubjectModel:
    """A trained model: IDF and field weights of each stem."""

    def __init__(self, stems: Sequence[str], idf: Floats, weights: Floats, bias: Floats, calibration: Calibration):
        self._at = {stem: row for row, stem in enumerate(stems)}
        self._idf, self._weights, self._bias = idf, weights, bias
        self.calibration = calibration

    def with_calibration(self, calibration: Calibration) -> SubjectModel:
        """The same model with another calibration."""
        other = copy(self)
        other.calibration = calibration
        return other

    @classmethod
    def read(cls, data: bytes) -> Self:
        """Load a model written by `model_bytes`."""
        with np.load(io.BytesIO(data)) as file:
            stems = file["stems"].tobytes().decode().split("\n")
            weights = file["weights"].astype(np.float32) * file["scale"]
            return cls(stems, file["rarity"].astype(np.float32), weights, file["bias"], Calibration(*file["judgement"]))

    def subjects(self, found: Extraction) -> tuple[dict[str, Any], ...]:
        """The fields of a paper, the most confident first; empty if none is above the threshold."""
        confidences = self.confidence(found)
        best = sorted(range(len(FIELDS)), key=lambda at: -confidences[at])[:2]
        return tuple(
            {"name": FIELDS[at], "confidence": round(float(confidences[at]), 3)}
            for at in best
            if confidences[at] >= self.calibration.min_confidence
        )

    def confidence(self, found: Extraction) -> Floats:
        """Probability of each field."""
        views = self.views(found)
        if all(view is None for view in views):
            return np.zeros(len(FIELDS), np.float32)
        confidences: Floats = 1 / (1 + np.exp(-self.calibration.slope * self.odds(views) - self.calibration.bias))
        return confidences

    def views(self, found: Extraction) -> list[Floats | None]:
        """Log shares of the fields for header, text and bibliography; None for a view without known words."""
        head = f"{found.title} {found.title} {' '.join(found.keywords)} {found.venue} {found.abstract}"
        cited = [f"{one.title} {one.venue}" for one in found.references[:MAX_REFERENCES] if one.title or one.venue]
        head_scores, text_scores = self.scores([head]), self.scores([found.text[:MAX_TEXT_LETTERS]])
        cited_scores = self.scores(cited)
        return [
            _log_softmax(head_scores[0]) if len(head_scores) else None,
            _log_softmax(text_scores[0]) if len(text_scores) else None,
            np.log(_softmax(cited_scores).mean(axis=0)) if len(cited_scores) else None,
        ]

    def odds(self, views: Sequence[Floats | None]) -> Floats:
        """Log odds of each field; missing views are partly replaced by the others."""
        weights = self.calibration[: len(views)]
        present = [(weight, view) for weight, view in zip(weights, views, strict=True) if view is not None]
        share = (sum(weights) / sum(weight for weight, _ in present)) ** 0.5
        probabilities = np.clip(
            _softmax(np.sum([share * weight * view for weight, view in present], axis=0)), 1e-6, 1 - 1e-6
        )
        odds: Floats = np.log(probabilities / (1 - probabilities)).astype(np.float32)
        return odds

    def scores(self, texts: Iterable[str]) -> Floats:
        """A row of scores for each text with a known word."""
        rows, sizes, starts = list[int](), list[int](), list[int]()
        for text in texts:
            counts = Counter([at for stem in stems(text) if (at := self._at.get(stem)) is not None])
            if counts:
                starts.append(len(rows))
                rows += counts
                sizes += counts.values()
        if not starts:
            return np.zeros((0, len(FIELDS)), np.float32)
        values = (1 + np.log(np.array(sizes, np.float32))) * self._idf[rows]
        length = np.sqrt(np.add.reduceat(values * values, starts))
        sums = np.add.reduceat(values[:, None] * self._weights[rows], starts)
        scores: Floats = (sums / length[:, None] + self._bias).astype(np.float32)
        return scores


def extract(context: PaperContext, found: Extraction) -> dict[str, Any]:
    """The subjects."""
    return {"subjects": _model().subjects(found)}


def stems(text: str) -> list[str]:
    """The words of a text cut to stems, without accents: Théorèmes -> theoreme."""
    return [word[:STEM_LETTERS] for word in WORD.findall(strip_accents(text))]


def strip_accents(text: str) -> str:
    """The text in lower case without accents."""
    text = text.lower()
    if text.isascii():
        return text
    return "".join([sign for sign in unicodedata.normalize("NFKD", text) if not unicodedata.combining(sign)])


def model_bytes(
    table: Mapping[str, tuple[float, NDArray[np.float64]]], bias: NDArray[np.float64], calibration: Calibration
) -> bytes:
    """A model as bytes: stem -> IDF and weights, scaled to integers up to 127."""
    names = sorted(table)
    weights = np.array([table[stem][1] for stem in names])
    scale = np.float32(np.abs(weights).max() / 127)
    out = io.BytesIO()
    np.savez_compressed(
        out,
        allow_pickle=False,
        stems=np.frombuffer("\n".join(names).encode(), np.uint8),
        rarity=np.array([table[stem][0] for stem in names], np.float16),
        weights=np.round(weights / scale).astype(np.int8),
        scale=scale,
        bias=bias.astype(np.float32),
        judgement=np.array(calibration, np.float32),
    )
    return out.getvalue()


def _softmax(scores: Floats) -> Floats:
    exponentials = np.exp(scores - scores.max(axis=-1, keepdims=True))
    shares: Floats = exponentials / exponentials.sum(axis=-1, keepdims=True)
    return shares


def _log_softmax(scores: Floats) -> Floats:
    logs: Floats = np.log(_softmax(scores) + 1e-9)
    return logs


@cache
def _model() -> SubjectModel:
    return SubjectModel.read(paths.model_file(MODEL).read_bytes())
