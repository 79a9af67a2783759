"""Equations as linear text: OMML of DOCX and PPTX, MathML of ODT."""

from __future__ import annotations

from lxml import etree

from openseer.extract.office.package import attribute, child, local_name

MAX_DEPTH = 60
PROPERTIES = frozenset({
    "fPr", "sSupPr", "sSubPr", "sSubSupPr", "sPrePr", "naryPr", "dPr", "mPr", "radPr", "accPr", "barPr", "boxPr", "rPr",
    "borderBoxPr", "eqArrPr", "funcPr", "groupChrPr", "limLowPr", "limUppPr", "phantPr", "ctrlPr", "oMathParaPr",
    "argPr",
})  # fmt: skip
PATTERNS: dict[str, tuple[tuple[str, str], ...]] = {
    "f": (("", "num"), ("/", "den")),
    "sSup": (("", "e"), ("^", "sup")),
    "sSub": (("", "e"), ("_", "sub")),
    "sSubSup": (("", "e"), ("_", "sub"), ("^", "sup")),
    "sPre": (("", "e"), ("_", "sub"), ("^", "sup")),
    "limLow": (("", "e"), ("_", "lim")),
    "limUpp": (("", "e"), ("^", "lim")),
    "func": (("", "fName"), (" ", "e")),
    "nary": (("_", "sub"), ("^", "sup"), (" ", "e")),
    "rad": (("", "deg"), ("√", "e")),
    "d": (),
}
"""Structures with the names of their parts, and what stands before each part."""
UNGROUPED = frozenset({"e", "fName", "deg"})


def omml_text(element: etree._Element, depth: int = 0) -> str:
    """Linear text of an equation, e.g. "x^2/(a+b)"."""
    name = local_name(element)
    if depth > MAX_DEPTH:
        return "".join(element.itertext())
    if name == "t":
        return element.text or ""
    parts = {local_name(one): omml_text(one, depth + 1) for one in element} if name in PATTERNS else {}
    if name == "d":
        return _delimited(element, depth)
    if name == "nary":
        return attribute(child(element, "naryPr", "chr"), "val", "∫") + _filled(PATTERNS[name], parts)
    if name in PATTERNS:
        return _filled(PATTERNS[name], parts)
    text = (omml_text(one, depth + 1) for one in element if local_name(one) not in PROPERTIES)
    return ", ".join(text) + "; " if name == "mr" else "".join(text)


def _filled(pattern: tuple[tuple[str, str], ...], parts: dict[str, str]) -> str:
    """The parts of an equation with what stands before each; empty parts are left out."""
    return "".join(
        before + (parts[name] if name in UNGROUPED and before != "√" else _grouped(parts[name]))
        for before, name in pattern
        if parts.get(name)
    )


def _delimited(element: etree._Element, depth: int) -> str:
    start = attribute(child(element, "dPr", "begChr"), "val", "(")
    end = attribute(child(element, "dPr", "endChr"), "val", ")")
    return start + "|".join(omml_text(one, depth + 1) for one in element if local_name(one) == "e") + end


def _grouped(text: str) -> str:
    return text if len(text) < 2 or text.isalnum() else f"({text})"


def mathml_text(element: etree._Element, depth: int = 0) -> str:
    """Linear text of a MathML element, without its annotations."""
    name = local_name(element)
    if not name or name in ("annotation", "annotation-xml") or depth > MAX_DEPTH:
        return ""
    parts = [mathml_text(one, depth + 1) for one in element]
    match name, parts:
        case "mfrac", [one, two]:
            return f"{_grouped(one)}/{_grouped(two)}"
        case "msup" | "mover", [one, two]:
            return f"{one}^{_grouped(two)}"
        case "msub" | "munder", [one, two]:
            return f"{one}_{_grouped(two)}"
        case "msubsup" | "munderover", [one, two, three]:
            return f"{one}_{_grouped(two)}^{_grouped(three)}"
        case "msqrt", _:
            return f"√({''.join(parts)})"
        case _:
            return " ".join((element.text or "").split()) + "".join(parts)
