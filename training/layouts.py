"""Synthetic papers with known headings in random layouts, since the corpus has few publishers.

The words are those of our own samples, shuffled; the style of three heading levels and the text between headings are
random. The seed is fixed, so every run gives the same papers."""

from __future__ import annotations

import json
import random
import re
from collections.abc import Iterator
from functools import cache
from pathlib import Path
from typing import Any, NamedTuple

from openseer.evaluation import samples

SEED, PAPERS = 2026, 240
FONTS = ("Libertinus Serif", "New Computer Modern", "Libertinus Serif", "New Computer Modern", "DejaVu Sans Mono")
FIRST = """
Introduction;Background;Methods;Materials and methods;Results;Discussion;Results and discussion;Conclusion;Conclusions;
Related work;Experiments;Evaluation;The model;Our approach;Data;Theory;Applications;Limitations;Case report;Summary
"""
SECOND = """
Study design;Participants;Data collection;Statistical analysis;Plant materials and growth conditions;Gas chromatography;
RNA isolation;Baseline;Training;Implementation details;Survey of users;Quality of the records;Randomization;Outcomes;
Sequence analysis;Patients and setting;Sample preparation;Notation;Complexity;Error analysis;Follow-up;Feeding assays
"""
LETTER = re.compile(r"[A-Z][\w ,;:()'-]{50,260}[.]")


class HeadingStyle(NamedTuple):
    """Style of the headings of one level."""

    size: float
    """Relative to the text size."""
    weight: str
    slanted: bool
    caps: bool
    centred: bool
    above: float
    """Ems."""
    below: float
    suffix: str
    """Text after a run-in heading; "" for a heading on its own line."""


def invented(folder: Path, count: int = PAPERS) -> Iterator[Path]:
    """Print papers into a folder, each with its gold standard; yields the files of the gold standard."""
    import typst

    for number in range(count):
        dice = random.Random(f"{SEED}/{number}")
        source, sections = _paper(dice)
        name = f"invented-{number:03}"
        draft = folder / f"{name}.typ"
        draft.write_text(source, encoding="utf-8")
        (folder / f"{name}.pdf").write_bytes(typst.compile(draft, ignore_system_fonts=True, format="pdf"))
        gold = folder / f"{name}.json"
        gold.write_text(json.dumps({"id": name, "source": "invented", "sections": sections}), encoding="utf-8")
        yield gold


@cache
def _sentences() -> tuple[str, ...]:
    """Sentences of our samples without markup."""
    texts = sorted((Path(samples.__file__).parent / "papers").glob("*.typ"))
    plain = [re.sub(r"#\w+\([^)]*\)(?:\[[^]]*\])?|[_*]", "", text.read_text(encoding="utf-8")) for text in texts]
    return tuple(
        sentence for text in plain for sentence in LETTER.findall(text) if not set("#@<>[]\\$") & set(sentence)
    )


def _paper(dice: random.Random) -> tuple[str, list[dict[str, Any]]]:
    """Typst source of a paper, and its headings with levels."""
    size = dice.choice((8.5, 9, 9.5, 10, 10, 10.5, 11))
    columns = dice.choice((1, 2, 2))
    indent = dice.choice(("0pt", "1em", "1.5em"))
    between = dice.choice(("0.65em", "0.65em", "1em")) if indent != "0pt" else dice.choice(("1em", "1.2em"))
    numbered = dice.choice(("", "", "1", "1.", "I."))
    styles = _heading_styles(dice)
    parts = [
        f'#set page(paper: "{dice.choice(("a4", "us-letter"))}", columns: {columns}, '
        f"margin: {dice.choice((1.6, 2, 2.5))}cm)",
        f'#set text(font: "{dice.choice(FONTS)}", size: {size}pt, lang: "en")',
        f"#set par(justify: {dice.choice(('true', 'true', 'false'))}, first-line-indent: {indent}, "
        f"leading: {dice.choice((0.5, 0.6, 0.65, 0.8))}em, spacing: {between})",
        _front(dice, size, columns),
    ]
    sections: list[dict[str, Any]] = []
    firsts = dice.sample(_listed(FIRST), dice.randint(4, 6))
    for one, first in enumerate(firsts, 1):
        _head(parts, sections, styles, (first, 1, _number(numbered, one)))
        if dice.random() < 0.6:
            _text(parts, dice, dice.randint(1, 3))
        for two in range(1, dice.choice((0, 0, 2, 3, 4)) + 1):
            _head(parts, sections, styles, (_title(dice), 2, _number(numbered, one, two)))
            _text(parts, dice, dice.randint(1, 3))
            if dice.random() < 0.2:
                _head(parts, sections, styles, (_title(dice), 3, ""))
                _text(parts, dice, dice.randint(1, 2))
    return "\n\n".join(parts), sections


def _heading_styles(dice: random.Random) -> tuple[HeadingStyle, HeadingStyle, HeadingStyle]:
    """Styles of three levels, each less prominent than the one above."""
    first = HeadingStyle(
        dice.choice((1, 1.1, 1.2, 1.4)), dice.choice(("bold", "bold", "regular")), False, dice.random() < 0.3,
        dice.random() < 0.25, dice.choice((1.0, 1.5, 2.0)), dice.choice((0.4, 0.7, 1.0)), "",
    )  # fmt: skip
    if first.size == 1 and first.weight == "regular" and not first.caps:
        first = first._replace(weight="bold")
    second = HeadingStyle(
        dice.choice((1, 1, 1, 1.1)), dice.choice(("bold", "regular", "regular")), dice.random() < 0.5, False,
        first.centred and dice.random() < 0.5, dice.choice((0.9, 1.2, 1.5)), dice.choice((0.0, 0.2, 0.5, 0.8)),
        dice.choice(("", "", "", ".", ":")),
    )  # fmt: skip
    if second.suffix and second.weight == "regular":
        second = second._replace(slanted=True)
    if not second.suffix:
        second = second._replace(below=max(second.below, 0.2))
    third = HeadingStyle(
        1, dice.choice(("bold", "regular")), True, False, False, 0.9, 0.3, dice.choice(("", ".", ".", ":"))
    )
    return first, second, third


def _number(style: str, one: int, two: int = 0) -> str:
    if not style:
        return ""
    roman = ("I", "II", "III", "IV", "V", "VI", "VII", "VIII")
    if style == "I.":
        return f"{roman[one - 1]}. " if not two else f"{'ABCDEFGH'[two - 1]}. "
    dot = style[1:]
    return f"{one}.{two}{dot} " if two else f"{one}{dot} "


def _listed(names: str) -> list[str]:
    return [name.strip() for name in names.replace("\n", "").split(";")]


def _title(dice: random.Random) -> str:
    """A standard heading, or one like a sentence."""
    if dice.random() < 0.45:
        return dice.choice(_listed(SECOND))
    words = re.sub(r"[^\w ]", "", dice.choice(_sentences())).split()[: dice.randint(3, 13)]
    while len(words) > 2 and len(words[-1]) < 4:
        words.pop()
    return " ".join(words)


def _head(
    parts: list[str], sections: list[dict[str, Any]], styles: tuple[HeadingStyle, ...], heading: tuple[str, int, str]
) -> None:
    title, level, number = heading
    style = styles[level - 1]
    text = number + (title.upper() if style.caps else title)
    sections.append({"heading": text, "level": level})
    slant = "italic" if style.slanted else "normal"
    set_as = f'#text(size: {style.size}em, weight: "{style.weight}", style: "{slant}")[{text}{style.suffix}]'
    if style.suffix:
        parts.append(f"#v({style.above - 0.65}em, weak: true)\n{set_as} {RUN_IN_MARK}")
        return
    aligned = f"#align(center)[{set_as}]" if style.centred else set_as
    gap = f"above: {style.above}em, below: {style.below + 0.55}em"
    parts.append(f"#v({style.above}em, weak: true)\n#block(sticky: true, {gap})[{aligned}]")


RUN_IN_MARK = "\x00"
"""Marks the position where the text continues in the line of the heading."""


def _text(parts: list[str], dice: random.Random, count: int) -> None:
    for _ in range(count):
        words = " ".join(dice.choice(_sentences()) for _ in range(dice.randint(2, 6)))
        if parts[-1].endswith(RUN_IN_MARK):
            parts[-1] = parts[-1].replace(RUN_IN_MARK, words)
        else:
            parts.append(_with_other_type(words, dice))
    parts[-1] = parts[-1].replace(RUN_IN_MARK, "")
    if dice.random() < 0.3:
        parts.append(_between(dice))


def _with_other_type(text: str, dice: random.Random) -> str:
    """A paragraph with some words, or the first word, in another style."""
    words = text.split()
    if dice.random() < 0.35:
        at = dice.randrange(1, len(words))
        words[at] = dice.choice(("_{}_", "*{}*")).format(re.sub(r"\W", "", words[at]) or "x")
    if dice.random() < 0.08:
        words[0] = f"_{words[0]} {words[1]}_"
        words[1] = ""
    if dice.random() < 0.25:  # names of species, titles of works: a line may hold nothing else
        at = dice.randrange(1, max(2, len(words) - 9))
        long = dice.randint(2, 9)
        named = " ".join(re.sub(r"\W", "", word).capitalize() or "X" for word in words[at : at + long])
        words[at : at + long] = [f"_{named}_", dice.choice(("", "", f"[{dice.randint(1, 40)}],"))]
    if dice.random() < 0.15:
        named = " ".join(re.sub(r"\W", "", word) for word in dice.choice(_sentences()).split()[:2])
        words.append(f"and _{named.capitalize()}_{dice.choice(('.', f' [{dice.randint(1, 40)}].'))}")
    return " ".join(filter(None, words))


def _between(dice: random.Random) -> str:
    """Blocks between paragraphs that are not headings."""
    some = dice.choice(_sentences())
    number = dice.randint(1, 9)
    table = "#table(columns: 3, " + ", ".join(f"[*{word}*]" for word in some.split()[:3])
    cells = ", ".join(f"[{dice.randint(1, 99)}.{dice.randint(0, 9)}]" for _ in range(6))
    kinds = (
        f"#block[#text(size: 0.9em)[*Figure {number}.* {some}]]",
        f"#block[#text(size: 0.85em)[_Table {number}_: {some}]]\n{table}, {cells})",
        f"#align(center)[$ a_{number} = b + c^2 quad (dif x)/(dif t) $]",
        f"- {some}\n- {dice.choice(_sentences())}\n- {dice.choice(_sentences())}",
        f"+ {some}\n+ {dice.choice(_sentences())}",
        f"*Theorem {number}.* _{some}_",
        f"#pad(x: 2em)[#text(size: 0.9em)[{some}]]",
        f"{some.rstrip('.')}#footnote[{dice.choice(_sentences())}] and so on.",
    )
    return dice.choice(kinds)


def _front(dice: random.Random, size: float, columns: int) -> str:
    title = _title(dice)
    scope = 'place(top, scope: "parent", float: true)' if columns > 1 else "block"
    names = ", ".join(dice.sample(("Ada King", "Bob Lee", "Cy Ray", "Dora Wu", "Eli Fox"), 3))
    return (
        f'#{scope}[#text(size: {size * 1.7}pt, weight: "bold")[{title}]\n\n{names}\n\nUniversity of Northport\n\n'
        f"*Abstract* {' '.join(dice.choice(_sentences()) for _ in range(4))}]"
    )
