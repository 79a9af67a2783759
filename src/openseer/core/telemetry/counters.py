"""Counters of this process by name and labels, printable in the text format of Prometheus."""

from __future__ import annotations

import threading
from collections import defaultdict

Labels = tuple[tuple[str, str], ...]


class Counters:
    """Monotonic counters; any thread may count."""

    def __init__(self) -> None:
        self._lock = threading.Lock()
        self._values: defaultdict[tuple[str, Labels], float] = defaultdict(float)

    def count(self, name: str, amount: float = 1, **labels: str) -> None:
        """Add to a counter."""
        with self._lock:
            self._values[name, tuple(sorted(labels.items()))] += amount

    def value(self, name: str, **labels: str) -> float:
        """The value of a counter."""
        return self._values.get((name, tuple(sorted(labels.items()))), 0)

    def exposition(self) -> str:
        """All counters in the text format of Prometheus, in a fixed order.

        >>> counters = Counters()
        >>> counters.count("openseer_documents_total", outcome="ingested")
        >>> print(counters.exposition(), end="")
        # TYPE openseer_documents_total counter
        openseer_documents_total{outcome="ingested"} 1
        """
        with self._lock:
            values = sorted(self._values.items())
        lines: list[str] = []
        for (name, labels), value in values:
            if (kind := f"# TYPE {name} counter") not in lines:
                lines.append(kind)
            shown = ",".join(f'{label}="{_escaped(text)}"' for label, text in labels)
            lines.append(f"{name}{{{shown}}} {value:g}" if shown else f"{name} {value:g}")
        return "".join(f"{line}\n" for line in lines)


def _escaped(text: str) -> str:
    return text.replace("\\", "\\\\").replace('"', '\\"').replace("\n", "\\n")


counters = Counters()
"""The counters of this process."""
