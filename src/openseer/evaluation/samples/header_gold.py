"""Header gold of a sample, from the TOML file that is printed."""

from typing import Any

from openseer.evaluation.samples.sources import cited_record, metadata_of, reference_formats, samples

KINDS = {"preprint": "preprint", "thesis": "thesis"}
"""Publication type -> kind; all others are articles."""


def gold(name: str) -> dict[str, Any]:
    """Title, authors, abstract, references and other fields of a sample, as printed."""
    metadata = metadata_of(name)
    if not metadata.get("academic", True):
        return _blank(name) | {"title": metadata["title"], "language": metadata["language"], "kind": metadata["kind"]}
    if "scan_of" in metadata:
        return gold(metadata["scan_of"]) | {"id": name, "kind": "scan", "versions_of": metadata["scan_of"]}
    plain = {field: metadata.get(field, "") for field in ("abstract", "year", "venue", "doi", "language", "keywords")}
    return (
        _blank(name)
        | plain
        | {
            "title": full_title(metadata),
            "authors": [full_name(author) for author in metadata["authors"]],
            "references": [reference(key, metadata["references"]) for key in metadata["cites"]],
            "versions_of": metadata.get("version_of", name),
            "cites_samples": [key for key in metadata["cites"] if key in samples()],
            "academic": True,
            "kind": KINDS.get(metadata["type"], "article"),
        }
    )


def reference(key: str, form: str) -> dict[str, Any]:
    """One entry of a reference list, with the fields that its format prints."""
    record, format_options = cited_record(key), reference_formats()[form]
    name = full_name if format_options["given"] == "full" else short_name
    plain = {field: record.get(field, "") for field in ("year", "volume", "pages", "publisher")}
    if record["type"] in {"book", "report", "thesis", "preprint"}:
        plain |= {"volume": "", "pages": ""}
    return plain | {
        "key": key,
        "title": full_title(record),
        "authors": [name(author) for author in record["authors"]],
        "venue": record.get("venue", ""),
        "doi": record.get("doi", "") if format_options["doi"] else "",
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
    """Empty gold, for a file that is no paper."""
    texts = dict.fromkeys(("title", "abstract", "year", "venue", "doi", "language"), "")
    lists: dict[str, list[Any]] = {field: [] for field in ("authors", "keywords", "references", "cites_samples")}
    return {"id": name, **texts, **lists, "versions_of": name, "academic": False, "kind": ""}
