"""Evaluate and calibrate the subject model, on whole papers and on titles of unseen journals.

    .venv/bin/python -m training.subjects_check            (about three minutes)
    .venv/bin/python -m training.subjects_check --fit      (view weights: `CALIBRATION` of training/subjects.py)

The papers evaluated here and their references are not in the training data. The five numbers of the calibration are
fitted on these papers: the figures use numbers fitted without the papers of the same origin.
"""

from __future__ import annotations

import argparse
import gzip
import hashlib
import json
import re
import tomllib
from collections import defaultdict
from collections.abc import Callable, Iterable, Iterator, Sequence
from concurrent.futures import ProcessPoolExecutor
from itertools import pairwise, product
from pathlib import Path
from tempfile import TemporaryDirectory
from typing import NamedTuple

import numpy as np

from openseer.core.errors import OpenseerError
from openseer.core.model.extraction import Extraction, Reference
from openseer.evaluation import samples
from openseer.extract.content.subjects import FIELDS, MODEL, Calibration, Floats, SubjectModel
from openseer.extract.header import header
from openseer.extract.reader import extract_with
from openseer.extract.references import segment
from openseer.extract.references.parse_reference import parse_reference
from training.growing import CORPUS, MODELS
from training.subjects import COLLECTIONS, Example, examples, model_of

GOLD = Path(__file__).with_name("subjects_gold.toml")
FOLDS = 5
MIN_TITLES, MAX_TITLES = 5, 40
"""Number of titles in a bibliography."""
MULTILINGUAL_ORIGINS = {"ssoar", "sample"}
"""Origins with papers in several languages, which are reported by language."""
BANDS = (0.5, 0.6, 0.7, 0.8, 0.9, 1.01)


class Paper(NamedTuple):
    """The extraction of a paper, and its fields."""

    id: str
    found: Extraction
    fields: frozenset[str]

    @property
    def origin(self) -> str:
        return self.id.split("-")[0]


class Prediction(NamedTuple):
    """The predicted fields with confidence, and the right ones."""

    group: str
    named: tuple[tuple[str, float], ...]
    fields: frozenset[str]

    @property
    def first(self) -> bool:
        return bool(self.named) and self.named[0][0] in self.fields

    @property
    def either(self) -> bool:
        return any(name in self.fields for name, _ in self.named)


# -- papers ---------------------------------------------------------------------------------------------------------


def papers() -> list[Paper]:
    """Papers of the corpus, our samples, and those of unarXive."""
    gold = tomllib.loads(GOLD.read_text(encoding="utf-8"))
    with TemporaryDirectory() as folder, ProcessPoolExecutor(2) as pool:
        sample_gold = [path for path in samples.make(Path(folder)) if not path.stem.startswith("negative")]
        files = {path.stem: path for path in sorted((CORPUS / "papers").glob("*.pdf"))}
        files |= {f"sample-{path.stem}": path for path in sample_gold}
        read = zip(files, pool.map(_read, files.values(), chunksize=8), strict=True)
        found = [Paper(name, one, fields_of(name, gold["papers"])) for name, one in read if one]
    return found + list(_arxiv(gold["arxiv"]))


def _read(path: Path) -> Extraction | None:
    try:
        return extract_with((header, segment), path, 0)
    except OpenseerError:
        return None


def _arxiv(gold: dict[str, list[str]]) -> Iterator[Paper]:
    with gzip.open(CORPUS / "metadata/unarxive-sample.jsonl.gz", "rt", encoding="utf-8") as lines:
        for one in map(json.loads, lines):
            known = one["metadata"]
            text = re.sub(r"\{\{.*?\}\}", "", "\n".join(part["text"] for part in one["body_text"]))
            cited = tuple(parse_reference(entry["bib_entry_raw"]) for entry in one["bib_entries"].values())
            found = Extraction(title=known["title"], abstract=known["abstract"], text=text, references=cited)
            fields = frozenset[str]().union(*(fields_of(name, gold) for name in known["categories"].split()))
            yield Paper(f"arxiv-{one['paper_id']}", found, fields)


def fields_of(name: str, gold: dict[str, list[str]]) -> frozenset[str]:
    """The fields by the longest prefix of a name."""
    return frozenset(gold[max((start for start in gold if name.startswith(start)), key=len)])


# -- the judgement --------------------------------------------------------------------------------------------------

Seen = tuple[Sequence["Floats | None"], frozenset[str], str]
"""What the views of a paper say, its fields, its origin."""


def fit_calibration(model: SubjectModel, seen: Sequence[Seen]) -> Calibration:
    """Calibration with the best confidences for the top two fields; origins are weighted by the root of their size."""
    origins = [origin for _, _, origin in seen]
    weight = np.array([origins.count(origin) ** -0.5 for origin in origins for _ in range(2)])
    best_calibration, lowest_loss = model.calibration, np.inf
    for head, text, cited in product((0.2, 0.3, 0.5), (0.05, 0.1, 0.2, 0.3), (0.2, 0.3, 0.5, 0.8)):
        tried = model.calibration._replace(head=head, text=text, cited=cited)
        odds, right = _top(model.with_calibration(tried), seen)
        slope, bias, loss = _line(odds, right, weight)
        if loss < lowest_loss - 1e-9:
            lowest_loss, best_calibration = loss, tried._replace(slope=round(slope, 3), bias=round(bias, 3))
    return best_calibration


def _top(model: SubjectModel, seen: Sequence[Seen]) -> tuple[Floats, Floats]:
    """Log odds of the two best fields of each paper, and whether they are right."""
    odds, right = list[float](), list[float]()
    for views, fields, _ in seen:
        found = model.odds(views)
        for at in np.argsort(-found, kind="stable")[:2]:
            odds.append(float(found[at]))
            right.append(float(FIELDS[at] in fields))
    return np.array(odds, np.float32), np.array(right, np.float32)


def _line(odds: Floats, right: Floats, weight: Floats) -> tuple[float, float, float]:
    """Slope and bias of a logistic regression on one number (Newton's method), and its loss."""
    table = np.column_stack([odds, np.ones(len(odds))]).astype(np.float64)
    line = np.array([0.5, 0.0])
    for _ in range(30):
        guess = 1 / (1 + np.exp(-table @ line))
        curve = (table * (weight * guess * (1 - guess))[:, None]).T @ table + 1e-3 * np.eye(2)
        line -= np.linalg.solve(curve, table.T @ (weight * (guess - right)) + 1e-3 * line)
    guess = np.clip(1 / (1 + np.exp(-table @ line)), 1e-6, 1 - 1e-6)
    loss = -(weight * (right * np.log(guess) + (1 - right) * np.log(1 - guess))).sum() / weight.sum()
    return float(line[0]), float(line[1]), float(loss)


def predictions(model: SubjectModel, found: Sequence[Paper]) -> list[Prediction]:
    """Predictions for each paper with a calibration fitted on the other origins."""
    seen: list[Seen] = [(model.views(one.found), one.fields, one.origin) for one in found]
    given = list[Prediction]()
    for origin in sorted({one.origin for one in found}):
        judge = model.with_calibration(fit_calibration(model, [one for one in seen if one[2] != origin]))
        for one in (one for one in found if one.origin == origin):
            language = f" ({one.found.language})" if origin in MULTILINGUAL_ORIGINS else ""
            given.append(Prediction(origin + language, _predicted(judge, one.found), one.fields))
    return given


# -- titles of journals not seen ------------------------------------------------------------------------------------


def held_out() -> tuple[list[Prediction], list[Prediction]]:
    """Predictions for cited titles, and for bibliographies of titles in one unseen journal."""
    alone, together = list[Prediction](), list[Prediction]()
    for fold in range(FOLDS):
        selected = [one for one in examples() if one.group in COLLECTIONS or _fold(one.group) != fold]
        model = SubjectModel.read(model_of(selected))
        journals = defaultdict[str, list[Example]](list)
        for one in examples():
            if one.group not in COLLECTIONS and one.title and _fold(one.group) == fold:
                journals[one.group].append(one)
                scores = model.scores([one.title])
                top = [FIELDS[at] for row in scores for at in np.argsort(-row, kind="stable")[:2]]
                alone.append(Prediction("", tuple((name, 0.0) for name in top), frozenset(one.fields)))
        for titles in journals.values():
            if len(titles) >= MIN_TITLES:
                cited = tuple(Reference("", title=one.title) for one in titles[:MAX_TITLES])
                predicted = _predicted(model, Extraction(references=cited))
                together.append(Prediction("", predicted, frozenset(titles[0].fields)))
    return alone, together


def abstracts() -> list[Prediction]:
    """The papers of CSFCube, all of computational linguistics and machine learning, by title and abstract."""
    model = SubjectModel.read((MODELS / MODEL).read_bytes())
    fields = frozenset({"Computer science", "Linguistics"})
    with gzip.open(CORPUS / "search/csfcube/docs.jsonl.gz", "rt", encoding="utf-8") as lines:
        found = [Extraction(title=one["title"], abstract=one["abstract"]) for one in map(json.loads, lines)]
    return [Prediction("", _predicted(model, one), fields) for one in found]


def _predicted(model: SubjectModel, found: Extraction) -> tuple[tuple[str, float], ...]:
    return tuple((one["name"], one["confidence"]) for one in model.subjects(found))


def _fold(journal: str) -> int:
    return int(hashlib.md5(journal.encode(), usedforsecurity=False).hexdigest(), 16) % FOLDS


# -- tables ---------------------------------------------------------------------------------------------------------


def row(name: str, predictions_given: Sequence[Prediction]) -> str:
    """One table row: count and shares."""
    count = len(predictions_given)
    shares = (
        sum(one.first for one in predictions_given) / count,
        sum(one.either for one in predictions_given) / count,
        sum(not one.named for one in predictions_given) / count,
    )
    return f"| {name} | {count} | {' | '.join(f'{100 * share:.0f}' for share in shares)} |"


def table(title: str, predictions_given: Sequence[Prediction], groups: Callable[[Prediction], Iterable[str]]) -> None:
    """Print all predictions, and those of each group."""
    rows = defaultdict[str, list[Prediction]](list)
    for one in predictions_given:
        for group in groups(one):
            rows[group].append(one)
    print(f"\n| {title} | count | first right | one of two right | no answer |\n|---|---|---|---|---|")
    print(row("all", predictions_given))
    for group in sorted(rows):
        print(row(group, rows[group]))


def bands(predictions_given: Sequence[Prediction]) -> None:
    """Print the precision by confidence."""
    predicted = [
        (confidence_band, name in one.fields) for one in predictions_given for name, confidence_band in one.named
    ]
    print("\n| confidence | named | right |\n|---|---|---|")
    for low, high in pairwise(BANDS):
        inside = [right for confidence_band, right in predicted if low <= confidence_band < high]
        print(f"| {low} to {min(high, 1.0)} | {len(inside)} | {100 * sum(inside) / max(1, len(inside)):.0f} % |")


def first_fields(predictions_given: Sequence[Prediction]) -> None:
    """Print, for each field, how often it is predicted first, and the precision."""
    print("\n| named first | count | right |\n|---|---|---|")
    for field in FIELDS:
        rows = [one.first for one in predictions_given if one.named and one.named[0][0] == field]
        if rows:
            print(f"| {field} | {len(rows)} | {sum(rows)} |")


def main() -> None:
    """Print the tables of docs/accuracy.md, or the calibration."""
    parser = argparse.ArgumentParser(description=__doc__, formatter_class=argparse.RawDescriptionHelpFormatter)
    parser.add_argument("--fit", action="store_true")
    options = parser.parse_args()
    model = SubjectModel.read((MODELS / MODEL).read_bytes())
    found = papers()
    if options.fit:
        print(fit_calibration(model, [(model.views(one.found), one.fields, one.origin) for one in found]))
        return
    predictions_given = predictions(model, found)
    table("papers by origin", predictions_given, lambda one: [one.group])
    first_fields(predictions_given)
    bands(predictions_given)
    table("abstracts of CSFCube", abstracts(), lambda one: [])
    alone, together = held_out()
    table("titles by field", alone, lambda one: one.fields)
    table("bibliographies by field", together, lambda one: one.fields)
    bands(together)


if __name__ == "__main__":
    main()
