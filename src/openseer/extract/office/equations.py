"""Equations as linear text: OMML of DOCX and PPTX, MathML of ODT."""

from __future__ import annotations

from lxml import etree

from openseer.extract.office.package import attribute, child, local_name

MAX_DEPTH = 60
PROPERTIES = frozenset({
    "fPr", "sSupPr", "sSubPr", "sSubSupPr", "sPrePr", "naryPr", "dPr", "mPr", "radPr", "accPr", "barPr", "boxPr", "rPr",
    "borderBoxPr", "eqArrPr", "funcPr", "groupChrPr", "limLowPr", "limUppPr", "phantPr", "ctrlPr", "oMathParaPr", "argPr",
})  # fmt: skip


def omml_text(element: etree._Element, depth: int = 0) -> str:
    """Linear text of an equation, e.g. "x^2/(a+b)"."""
    if depth > MAX_DEPTH:
        return "".join(element.itertext())
    name = local_name(element)
    if name == "t":
        return element.text or ""

    def part(one: str) -> str:
        found = child(element, one)
        return omml_text(found, depth + 1) if found is not None else ""

    match name:
        case "f":
            return f"{_grouped(part('num'))}/{_grouped(part('den'))}"
        case "sSup":
            return f"{part('e')}^{_grouped(part('sup'))}"
        case "sSub":
            return f"{part('e')}_{_grouped(part('sub'))}"
        case "sSubSup" | "sPre":
            return f"{part('e')}_{_grouped(part('sub'))}^{_grouped(part('sup'))}"
        case "rad":
            return f"√{part('deg')}({part('e')})"
        case "nary":
            sign = attribute(child(element, "naryPr", "chr"), "val", "∫")
            return f"{sign}{_bounds(part('sub'), part('sup'))} {part('e')}"
        case "d":
            return _delimited(element, depth)
        case "limLow":
            return f"{part('e')}_{_grouped(part('lim'))}"
        case "limUpp":
            return f"{part('e')}^{_grouped(part('lim'))}"
        case "func":
            return f"{part('fName')} {part('e')}"
        case "mr":
            return ", ".join(omml_text(one, depth + 1) for one in element) + "; "
        case _:
            return "".join(omml_text(one, depth + 1) for one in element if local_name(one) not in PROPERTIES)


def _delimited(element: etree._Element, depth: int) -> str:
    start = attribute(child(element, "dPr", "begChr"), "val", "(")
    end = attribute(child(element, "dPr", "endChr"), "val", ")")
    return start + "|".join(omml_text(one, depth + 1) for one in element if local_name(one) == "e") + end


def _bounds(low: str, high: str) -> str:
    return (f"_{_grouped(low)}" if low else "") + (f"^{_grouped(high)}" if high else "")


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
