"""Cross-validate the scholarly document classifier by origin.

.venv/bin/python -m training.academic_check
"""

from __future__ import annotations

import hashlib
from collections import Counter
from collections.abc import Callable, Sequence

from openseer.extract.classify.classifier import classify
from training.academic import OURS, Example, examples, learn

SCHOLARLY_TYPES = {"article", "preprint", "thesis", "book", "chapter", "report"}
COLUMNS = (
    "article",
    "preprint",
    "thesis",
    "book",
    "chapter",
    "report",
    "slides",
    "poster",
    "cv",
    "form",
    "invoice",
    "manual",
    "other",
)
FIELDS = {"biology/medicine": "biology, medicine", "medicine": "biology, medicine", "physics": "physics"}
Prediction = tuple[Example, float, str]


def check(found: Sequence[Example]) -> None:
    """Print the cross-validation results, each error, and the table of types."""
    for name, fold_of in (("origin left out", lambda one: one.origin), ("ten folds by source", _tenth)):
        judged = cross_validate(found, fold_of)
        clear = [one for one in judged if one[0].kind != "borderline"]
        papers, others = [one for one in clear if one[0].academic], [one for one in clear if not one[0].academic]
        print(
            f"{name}: accuracy {_share(clear):.1%} over {len(clear)} documents (borderline ones apart),"
            f" papers accepted {_share(papers):.1%}, others refused {_share(others):.1%}"
        )
    judged = cross_validate(found, lambda one: one.origin)
    report(judged)


def report(predictions: Sequence[Prediction]) -> None:
    """Results by origin and by limit, errors, and the table of types."""
    clear = [one for one in predictions if one[0].kind != "borderline"]
    papers, others = [one for one in clear if one[0].academic], [one for one in clear if not one[0].academic]
    for origin, count in Counter(one.origin for one, _, _ in papers).most_common():
        print(
            f"  {origin}: {_share([row for row in papers if row[0].origin == origin]):.1%} of {count} papers accepted"
        )
    print("lowest papers:", [f"{row[0].id} {row[1]:.2f}" for row in sorted(papers, key=lambda row: row[1])[:5]])
    for limit in (0.01, 0.05, 0.1, 0.15, 0.2, 0.3, 0.5):
        kept = sum(p >= limit for _, p, _ in papers)
        out = sum(p < limit for _, p, _ in others)
        print(f"  limit {limit}: {kept} of {len(papers)} papers in, {out} of {len(others)} others out")
    for one, probability, kind in predictions:
        if (probability >= 0.5) != one.academic:
            print(f"  miss: {probability:.2f} {one.id} ({one.kind}) taken for {kind}")
    right = sum(kind == one.type for one, _, kind in others)
    print(f"types of other documents right: {right} of {len(others)}")
    print(table(predictions))


def cross_validate(found: Sequence[Example], fold_of: Callable[[Example], str]) -> list[Prediction]:
    """(document, probability, type) of every document of the corpus; our samples are only used for training."""
    measured = [one for one in found if one.source != OURS]
    judged: list[Prediction] = []
    for fold in sorted({fold_of(one) for one in measured}):
        model = learn([one for one in found if one.may_teach and (one.source == OURS or fold_of(one) != fold)])
        for one in (one for one in measured if fold_of(one) == fold):
            verdict = classify(model, one.traits, one.scholarly_type)
            judged.append((one, verdict.probability or 0.0, verdict.type))
    return judged


def table(predictions: Sequence[Prediction]) -> str:
    """Rows: fields of papers and kinds of other documents; columns: predicted types."""
    rows: dict[str, Counter[str]] = {}
    for one, _, kind in sorted(predictions, key=lambda row: (not row[0].academic, _row(row[0]))):
        rows.setdefault(_row(one), Counter())[kind] += 1
    lines = [f"| | {' | '.join(COLUMNS)} |", "|---" * (len(COLUMNS) + 1) + "|"]
    for name, counts in rows.items():
        lines.append(f"| {name} ({counts.total()}) | {' | '.join(str(counts[kind] or '') for kind in COLUMNS)} |")
    return "\n".join(lines)


def _row(one: Example) -> str:
    if not one.academic:
        return one.kind
    field = one.field.split(" (")[0]
    return FIELDS.get(field, "computational science" if one.id.startswith("rescience-") else field)


def _tenth(one: Example) -> str:
    return str(int(hashlib.md5(one.source.encode(), usedforsecurity=False).hexdigest(), 16) % 10)


def _share(rows: Sequence[Prediction]) -> float:
    return sum((probability >= 0.5) == one.academic for one, probability, _ in rows) / max(1, len(rows))


if __name__ == "__main__":
    check(examples())
