"""Measure the readers of formats other than PDF on conversions of the JATS papers of the corpus: titles, authors,
references, words found and time.

    .venv/bin/python -m benchmarks.formats CACHE_DIR PANDOC [CORPUS_DIR]

PANDOC is version 3 (`pypandoc.get_pandoc_path()` of pypandoc_binary); DOC is measured if LibreOffice is installed. The
conversions are made once, in CACHE_DIR.
"""

from __future__ import annotations

import json
import os
import re
import shutil
import subprocess
import sys
import time
from collections import Counter
from collections.abc import Sequence
from pathlib import Path
from statistics import median
from typing import Any

from lxml import etree

from openseer.core.errors import OpenseerError
from openseer.core.model.extraction import Extraction
from openseer.core.model.file_head import head_of
from openseer.extract.formats import marks, reader_of
from openseer.extract.reader import read

PAPERS = 40
LIBREOFFICE = shutil.which("soffice") or ""
OPTIONS = ("--headless", "--norestore", "--nolockcheck", "--nodefault", "--nologo", "--convert-to")
FORMATS = ("docx", "odt", "rtf", "html", "txt", "doc")
WORD = re.compile(r"[^\W_]{2,}")
ABSTRACT_OF_RTF = r"$if(abstract)$" "\n" r"{\pard \qc \b Abstract\par}" "\n" "$abstract$\n$endif$\n"
"""The RTF template of pandoc leaves the abstract out."""


def main() -> None:
    """Convert, read and print a table."""
    cache, pandoc = Path(sys.argv[1]), sys.argv[2]
    corpus = Path(sys.argv[3] if len(sys.argv) > 3 else os.environ.get("CORPUS_DIR", "../shared/corpus"))
    cache.mkdir(parents=True, exist_ok=True)
    sources = [one for one in sorted((corpus / "jats").glob("*.xml")) if references_of(one)][:PAPERS]
    print(
        f"{len(sources)} papers\n\n| format | titles | authors | references | abstract | words | ms, median | ms, p95 |"
    )
    print("|---|---|---|---|---|---|---|---|")
    for suffix in FORMATS:
        if suffix != "doc" or LIBREOFFICE:
            print_row(suffix, [(one, converted(one, suffix, cache, pandoc)) for one in sources], corpus)


def print_row(suffix: str, pairs: Sequence[tuple[Path, Path]], corpus: Path) -> None:
    """One line of the table, and the papers that are wrong to standard error."""
    scores: Counter[str] = Counter()
    times, words = [], []
    for source, file in pairs:
        gold = json.loads((corpus / "papers" / f"{source.stem}.json").read_text())
        reader = reader_of(head_of(file, marks()))
        assert reader is not None, file
        start = time.perf_counter()
        reader.read(file)
        times.append(1000 * (time.perf_counter() - start))
        try:
            found = read(file, reader=reader)
        except OpenseerError as error:
            print(suffix, source.stem, error, file=sys.stderr)
            continue
        right = judged(found, gold, references_of(source))
        scores.update(name for name, is_right in right.items() if is_right)
        words.append(words_found(found, file.with_suffix(".plain")))
        if not all(right.values()):
            wrong = [name for name, is_right in right.items() if not is_right]
            counts = f"{len(found.references)}/{references_of(source)}"
            names = f"{len(found.authors)}/{len(gold['authors'])}"
            print(suffix, source.stem, *wrong, counts, names, repr(found.title[:60]), file=sys.stderr)
    shares = (f"{100 * scores[name] / len(pairs):.0f} %" for name in ("title", "authors", "references", "abstract"))
    slow = sorted(times)[int(0.95 * len(times))]
    cells = (suffix, *shares, f"{100 * sum(words) / len(words):.1f} %", f"{median(times):.0f}", f"{slow:.0f}")
    print(f"| {' | '.join(cells)} |")


def judged(found: Extraction, gold: dict[str, Any], references: int) -> dict[str, bool]:
    """Which fields are right: the title by its letters, surnames by 90 %, references within 5 % of the number."""
    surnames = [letters(name.split()[-1]) for name in gold["authors"]]
    names = letters(" ".join(one.name for one in found.authors))
    abstract = WORD.findall((gold["abstract"] or "").lower())
    common = sum((Counter(abstract) & Counter(WORD.findall((found.abstract or "").lower()))).values())
    return {
        "title": letters(gold["title"]) == letters(found.title),
        "authors": sum(name in names for name in surnames) >= 0.9 * len(surnames)
        and len(found.authors) == len(surnames),
        "references": abs(len(found.references) - references) <= 0.05 * references,
        "abstract": common >= 0.9 * len(abstract),
    }


def words_found(found: Extraction, plain: Path) -> float:
    """Share of the words of the plain text that the extraction has."""
    wanted = Counter(WORD.findall(plain.read_text().lower()))
    return sum((wanted & Counter(WORD.findall(found.text.lower()))).values()) / max(1, sum(wanted.values()))


def letters(text: str) -> str:
    """Letters and digits alone."""
    return re.sub(r"[\W_]+", "", text.lower())


def converted(source: Path, suffix: str, cache: Path, pandoc: str) -> Path:
    """A paper in another format, with its plain text beside it."""
    prepared, target = cache / f"{source.stem}.xml", cache / suffix / f"{source.stem}.{suffix}"
    target.parent.mkdir(exist_ok=True)
    if not prepared.exists():
        prepare(source, prepared)
    plain = target.with_suffix(".plain")
    run = [pandoc, "--sandbox", "-f", "jats"]
    if not plain.exists():
        subprocess.run(
            [*run, "-t", "plain", "--wrap=none", "-s", "-o", plain, prepared], check=True, capture_output=True
        )
    if target.exists():
        return target
    if suffix == "doc":
        with_docx = converted(source, "docx", cache, pandoc)
        command = [
            LIBREOFFICE,
            f"-env:UserInstallation=file://{cache.resolve()}/profile",
            *OPTIONS,
        ]
        for _ in range(2):  # a new profile makes it ask for a restart
            subprocess.run([*command, "doc:MS Word 97", "--outdir", target.parent, with_docx], capture_output=True)
        return target
    if suffix == "rtf":
        run += ["--template", str(rtf_template(cache, pandoc))]
    kind = "plain" if suffix == "txt" else suffix
    subprocess.run([*run, "-t", kind, "-s", "-o", target, prepared], check=True, capture_output=True)
    return target


def rtf_template(cache: Path, pandoc: str) -> Path:
    """The template of pandoc with the abstract."""
    template = cache / "template.rtf"
    default = subprocess.run([pandoc, "-D", "rtf"], capture_output=True, text=True, check=True).stdout
    template.write_text(default.replace("$if(spacer)$", ABSTRACT_OF_RTF + "$if(spacer)$"))
    return template


def references_of(source: Path) -> int:
    """Number of references of a paper."""
    parser = etree.XMLParser(load_dtd=False, no_network=True, resolve_entities=False)
    return sum(1 for _ in etree.parse(str(source), parser).getroot().iter("ref"))


def prepare(source: Path, target: Path) -> None:
    """Write a JATS file whose affiliations and references are text of the body, so that pandoc prints them."""
    tree = etree.parse(str(source), etree.XMLParser(load_dtd=False, no_network=True, resolve_entities=False))
    root = tree.getroot()
    body = root.find("body")
    entries = [(flat(one.find("label")), printed(one)) for one in root.iter("ref")]
    for one in list(root.iter("ref-list")):
        one.getparent().remove(one)
    section = etree.SubElement(body, "sec")
    etree.SubElement(section, "title").text = "References"
    for number, (label, text) in enumerate(entries, 1):
        etree.SubElement(section, "p").text = f"{label.rstrip('.') or number}. {text}"
    for at, one in enumerate(root.findall("front/article-meta//aff")):
        paragraph = etree.Element("p")
        paragraph.text = flat(one)
        body.insert(at, paragraph)
    for table in root.iter("table"):
        if loose := table.findall("tr"):
            etree.SubElement(table, "tbody").extend(loose)
    tree.write(str(target), encoding="utf-8", xml_declaration=True)


def printed(reference: etree._Element) -> str:
    """A reference as a line of text."""
    kinds = ("mixed-citation", "element-citation", "citation")
    citation = next((one for one in reference if one.tag in kinds), reference)
    if citation.tag == "mixed-citation" and (citation.text or "").strip():
        return flat(citation)

    def get(name: str) -> str:
        return flat(citation.find(f".//{name}"))

    names = (
        f"{one.findtext('surname', '')} {one.findtext('given-names', '')}".strip() for one in citation.iter("name")
    )
    pages = get("fpage") + (f"-{get('lpage')}" if get("lpage") else get("elocation-id"))
    volume = (f" {get('volume')}" if get("volume") else "") + (f"({get('issue')})" if get("issue") else "")
    people = ", ".join(names) + (f" ({get('year')})" if get("year") else "")
    parts = (
        people,
        get("article-title") or get("chapter-title"),
        get("source") + volume + (f": {pages}" if pages else ""),
    )
    return ". ".join(part for part in parts if part.strip()) or flat(citation)


def flat(element: etree._Element | None) -> str:
    """Text of an element on one line."""
    return " ".join("".join(element.itertext()).split()) if element is not None else ""


if __name__ == "__main__":
    main()
