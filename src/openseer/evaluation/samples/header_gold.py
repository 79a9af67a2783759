"""The gold of a sample: what a perfect reader would say of it, from the same TOML that is printed."""

from typing import Any

from openseer.evaluation.samples.sources import cited, described, formats, samples

KINDS = {"preprint": "preprint", "thesis": "thesis"}
"""The types of publication that are a kind of their own; the others are articles."""


def gold(name: str) -> dict[str, Any]:
    """Title, authors, abstract, references ... of a sample, as printed."""
    table = described(name)
    if not table.get("academic", True):
        return _blank(name) | {"title": table["title"], "language": table["language"], "kind": table["kind"]}
    if "scan_of" in table:
        return gold(table["scan_of"]) | {"id": name, "kind": "scan", "versions_of": table["scan_of"]}
    plain = {field: table.get(field, "") for field in ("abstract", "year", "venue", "doi", "language", "keywords")}
    return (
        _blank(name)
        | plain
        | {
            "title": full_title(table),
            "authors": [full_name(author) for author in table["authors"]],
            "references": [reference(key, table["references"]) for key in table["cites"]],
            "versions_of": table.get("version_of", name),
            "cites_samples": [key for key in table["cites"] if key in samples()],
            "academic": True,
            "kind": KINDS.get(table["type"], "article"),
        }
    )


def reference(key: str, form: str) -> dict[str, Any]:
    """One entry of a reference list, as far as its format prints it."""
    record, prints = cited(key), formats()[form]
    name = full_name if prints["given"] == "full" else short_name
    plain = {field: record.get(field, "") for field in ("year", "volume", "pages", "publisher")}
    if record["type"] in {"book", "report", "thesis", "preprint"}:
        plain |= {"volume": "", "pages": ""}
    return plain | {
        "key": key,
        "title": full_title(record),
        "authors": [name(author) for author in record["authors"]],
        "venue": record.get("venue", ""),
        "doi": record.get("doi", "") if prints["doi"] else "",
    }


def full_title(record: dict[str, Any]) -> str:
    """The title, with a subtitle after a colon."""
    return ": ".join(record[part] for part in ("title", "subtitle") if part in record)


def full_name(author: str | dict[str, str]) -> str:
    """`Garfield, Eugene` becomes `Eugene Garfield`."""
    given, family = _parts(author)
    return f"{given} {family}".strip()


def short_name(author: str | dict[str, str]) -> str:
    """`Müller, Hans-Peter K.` becomes `H.-P. K. Müller`."""
    given, family = _parts(author)
    words = ["-".join(f"{part[0]}." for part in word.split("-")) for word in given.split()]
    return " ".join([*words, family])


def family_name(author: str | dict[str, str]) -> str:
    """`Garfield, Eugene` becomes `Garfield`."""
    return _parts(author)[1]


def _parts(author: str | dict[str, str]) -> tuple[str, str]:
    if isinstance(author, dict):
        return author["given"], author["family"]
    family, _, given = author.partition(", ")
    return given, family


def _blank(name: str) -> dict[str, Any]:
    """The gold of a file that is no paper."""
    texts = dict.fromkeys(("title", "abstract", "year", "venue", "doi", "language"), "")
    lists: dict[str, list[Any]] = {field: [] for field in ("authors", "keywords", "references", "cites_samples")}
    return {"id": name, **texts, **lists, "versions_of": name, "academic": False, "kind": ""}
