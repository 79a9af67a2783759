"""One or two fields of study, from a fixed list: a linear model over the words of the paper and of what it cites."""

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
"""The fixed list."""
WORD = re.compile(r"[^\W\d_]{3,}")
STEM = 8
"""Letters of a word that are looked at: enough to join its forms, and words that languages share."""
READ = 12_000
"""Characters of the text that are looked at; more would cost time and tell nothing new."""
CITED = 100
"""References that are looked at."""

Floats = NDArray[np.float32]


class Judgement(NamedTuple):
    """How the views of a paper are weighed against each other, and when an answer is given."""

    head: float = 1.0
    text: float = 1.0
    cited: float = 1.0
    slope: float = 1.0
    """Of log odds -> confidence."""
    bias: float = 0.0
    least: float = 0.5
    """A field less sure than this is not named."""


class Subjects:
    """A trained model: for each stem how rare it is, and how much it speaks for each field."""

    def __init__(self, stems: Sequence[str], rarity: Floats, weights: Floats, bias: Floats, judgement: Judgement):
        self._at = {stem: row for row, stem in enumerate(stems)}
        self._rarity, self._weights, self._bias = rarity, weights, bias
        self.judgement = judgement

    def judged_by(self, judgement: Judgement) -> Subjects:
        """The same words under another judgement."""
        other = copy(self)
        other.judgement = judgement
        return other

    @classmethod
    def read(cls, data: bytes) -> Self:
        """A model as `written` gives it."""
        with np.load(io.BytesIO(data)) as file:
            stems = file["stems"].tobytes().decode().split("\n")
            weights = file["weights"].astype(np.float32) * file["scale"]
            return cls(stems, file["rarity"].astype(np.float32), weights, file["bias"], Judgement(*file["judgement"]))

    def subjects(self, found: Extraction) -> tuple[dict[str, Any], ...]:
        """The fields of a paper, the surest first; none where it is not sure."""
        sure = self.confidence(found)
        best = sorted(range(len(FIELDS)), key=lambda at: -sure[at])[:2]
        return tuple(
            {"name": FIELDS[at], "confidence": round(float(sure[at]), 3)}
            for at in best
            if sure[at] >= self.judgement.least
        )

    def confidence(self, found: Extraction) -> Floats:
        """How likely each field is one of the paper's."""
        views = self.views(found)
        if all(view is None for view in views):
            return np.zeros(len(FIELDS), np.float32)
        sure: Floats = 1 / (1 + np.exp(-self.judgement.slope * self.odds(views) - self.judgement.bias))
        return sure

    def views(self, found: Extraction) -> list[Floats | None]:
        """What header, text and bibliography say: the logarithm of each field's share; None where nothing is known."""
        head = f"{found.title} {found.title} {' '.join(found.keywords)} {found.venue} {found.abstract}"
        cited = [f"{one.title} {one.venue}" for one in found.references[:CITED] if one.title or one.venue]
        heads, texts = self.scores([head]), self.scores([found.text[:READ]])
        votes = self.scores(cited)
        return [
            _logs(heads[0]) if len(heads) else None,
            _logs(texts[0]) if len(texts) else None,
            np.log(_shares(votes).mean(axis=0)) if len(votes) else None,
        ]

    def odds(self, views: Sequence[Floats | None]) -> Floats:
        """The logarithm of the odds of each field; views that are there speak in part for those that are not."""
        weights = self.judgement[: len(views)]
        known = [(weight, view) for weight, view in zip(weights, views, strict=True) if view is not None]
        share = (sum(weights) / sum(weight for weight, _ in known)) ** 0.5
        likely = np.clip(_shares(np.sum([share * weight * view for weight, view in known], axis=0)), 1e-6, 1 - 1e-6)
        odds: Floats = np.log(likely / (1 - likely)).astype(np.float32)
        return odds

    def scores(self, texts: Iterable[str]) -> Floats:
        """A row of scores for each text with a word that is known."""
        rows, sizes, starts = list[int](), list[int](), list[int]()
        for text in texts:
            counts = Counter([at for stem in stems(text) if (at := self._at.get(stem)) is not None])
            if counts:
                starts.append(len(rows))
                rows += counts
                sizes += counts.values()
        if not starts:
            return np.zeros((0, len(FIELDS)), np.float32)
        values = (1 + np.log(np.array(sizes, np.float32))) * self._rarity[rows]
        length = np.sqrt(np.add.reduceat(values * values, starts))
        sums = np.add.reduceat(values[:, None] * self._weights[rows], starts)
        scores: Floats = (sums / length[:, None] + self._bias).astype(np.float32)
        return scores


def extract(opened: PaperContext, found: Extraction) -> dict[str, Any]:
    """The subjects."""
    return {"subjects": _model().subjects(found)}


def stems(text: str) -> list[str]:
    """The words of a text, cut to stems, without accents: Théorèmes -> theoreme."""
    return [word[:STEM] for word in WORD.findall(plain(text))]


def plain(text: str) -> str:
    """The same text in small letters without accents."""
    text = text.lower()
    if text.isascii():
        return text
    return "".join([sign for sign in unicodedata.normalize("NFKD", text) if not unicodedata.combining(sign)])


def written(
    table: Mapping[str, tuple[float, NDArray[np.float64]]], bias: NDArray[np.float64], judgement: Judgement
) -> bytes:
    """A model as bytes: stem -> its rarity and its weights, these as whole numbers up to 127."""
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
        judgement=np.array(judgement, np.float32),
    )
    return out.getvalue()


def _shares(scores: Floats) -> Floats:
    powers = np.exp(scores - scores.max(axis=-1, keepdims=True))
    shares: Floats = powers / powers.sum(axis=-1, keepdims=True)
    return shares


def _logs(scores: Floats) -> Floats:
    logs: Floats = np.log(_shares(scores) + 1e-9)
    return logs


@cache
def _model() -> Subjects:
    return Subjects.read(paths.model_file(MODEL).read_bytes())
