"""Office documents made in code: ZIP packages of XML, OLE containers, and the smallest DOC and PPT."""

from __future__ import annotations

import io
import struct
import zipfile
from collections.abc import Mapping

W = 'xmlns:w="http://schemas.openxmlformats.org/wordprocessingml/2006/main"'
R = 'xmlns:r="http://schemas.openxmlformats.org/officeDocument/2006/relationships"'
M = 'xmlns:m="http://schemas.openxmlformats.org/officeDocument/2006/math"'
A = 'xmlns:a="http://schemas.openxmlformats.org/drawingml/2006/main"'
P = 'xmlns:p="http://schemas.openxmlformats.org/presentationml/2006/main"'
OTHERS = (
    'xmlns:mc="mc" xmlns:wps="wps" xmlns:v="v" xmlns:wp="wp" xmlns:dgm="http://schemas.openxmlformats.org/dgm" '
    'xmlns:dc="http://purl.org/dc/elements/1.1/" xmlns:cp="cp"'
)
RELATION = "http://schemas.openxmlformats.org/officeDocument/2006/relationships"
PREFIXES = {"office": "office", "text": "text", "style": "style", "table": "table", "draw": "drawing"}
ODF = " ".join(
    f'xmlns:{prefix}="urn:oasis:names:tc:opendocument:xmlns:{name}:1.0"' for prefix, name in PREFIXES.items()
)
ODF += ' xmlns:xlink="http://www.w3.org/1999/xlink" xmlns:fo="urn:fo" xmlns:dc="dc" xmlns:math="math"'


def zipped(parts: Mapping[str, str | bytes]) -> bytes:
    """A ZIP file."""
    stream = io.BytesIO()
    with zipfile.ZipFile(stream, "w", zipfile.ZIP_DEFLATED) as archive:
        for name, content in parts.items():
            kind = zipfile.ZIP_STORED if name == "mimetype" else zipfile.ZIP_DEFLATED
            archive.writestr(name, content, kind)
    return stream.getvalue()


def relationships(targets: Mapping[str, tuple[str, str]]) -> str:
    """A part of relationships: id -> kind, target."""
    lines = (
        f'<Relationship Id="{key}" Type="{RELATION}/{kind}" Target="{target}"'
        + (' TargetMode="External"/>' if "://" in target else "/>")
        for key, (kind, target) in targets.items()
    )
    return f"<Relationships>{''.join(lines)}</Relationships>"


def docx(body: str, targets: Mapping[str, tuple[str, str]] = {}, **parts: str) -> bytes:
    """A DOCX; other parts by their names without folder and suffix."""
    package = {"a": ("officeDocument", "word/document.xml"), "c": ("core-properties", "core.xml")}
    kinds = {name: (name.rstrip("0123456789"), f"{name}.xml") for name in parts if name != "core"}
    files = {
        "[Content_Types].xml": "<Types/>",
        "_rels/.rels": relationships(package),
        "word/document.xml": f"<w:document {W} {R} {M} {A} {OTHERS}><w:body>{body}</w:body></w:document>",
        "word/_rels/document.xml.rels": relationships({**kinds, **targets}),
        "core.xml": parts.pop("core", "<c/>"),
    }
    return zipped(
        {
            **files,
            **{f"word/{name}.xml": f"<root {W} {R} {M} {A} {OTHERS}>{text}</root>" for name, text in parts.items()},
        }
    )


def paragraph(text: str, style: str = "", run: str = "", properties: str = "") -> str:
    """A paragraph of a DOCX."""
    named = f'<w:pStyle w:val="{style}"/>' if style else ""
    return f"<w:p><w:pPr>{named}{properties}</w:pPr><w:r><w:rPr>{run}</w:rPr><w:t>{text}</w:t></w:r></w:p>"


def odt(text: str, styles: str = "", others: Mapping[str, str] = {}) -> bytes:
    """An ODT."""
    return zipped({
        "mimetype": "application/vnd.oasis.opendocument.text",
        "content.xml": f"<office:document-content {ODF}><office:automatic-styles>{styles}</office:automatic-styles>"
        f"<office:body><office:text>{text}</office:text></office:body></office:document-content>",
        "META-INF/manifest.xml": "<manifest/>",
        **others,
    })  # fmt: skip


def pptx(*slides: str, notes: Mapping[int, str] = {}) -> bytes:
    """A PPTX of slides given as shapes, with notes by the number of the slide."""
    listed = "".join(f'<p:sldId id="{256 + at}" r:id="s{at}"/>' for at in range(len(slides)))
    files: dict[str, str | bytes] = {
        "[Content_Types].xml": "<Types/>",
        "_rels/.rels": relationships({"a": ("officeDocument", "ppt/presentation.xml")}),
        "ppt/presentation.xml": f"<p:presentation {P} {R}><p:sldIdLst>{listed}</p:sldIdLst></p:presentation>",
        "ppt/_rels/presentation.xml.rels": relationships(
            {f"s{at}": ("slide", f"slides/slide{at}.xml") for at in range(len(slides))}
        ),
    }
    for at, shapes in enumerate(slides):
        tree = f"<p:cSld><p:spTree>{shapes}</p:spTree></p:cSld>"
        files[f"ppt/slides/slide{at}.xml"] = f'<p:sld {P} {A} {R} {M} {OTHERS} show="0">{tree}</p:sld>'
        if at in notes:
            files[f"ppt/slides/_rels/slide{at}.xml.rels"] = relationships({"n": ("notesSlide", f"../notes{at}.xml")})
            files[f"ppt/notes{at}.xml"] = f"<p:notes {P} {A}><p:spTree>{shape(notes[at], 'body')}</p:spTree></p:notes>"
    return zipped(files)


def shape(text: str, kind: str = "") -> str:
    """A shape of a slide; lines are its paragraphs."""
    place = f'<p:ph type="{kind}"/>' if kind else ""
    lines = "".join(f"<a:p><a:r><a:t>{line}</a:t></a:r></a:p>" for line in text.split("\n"))
    return f"<p:sp><p:nvSpPr><p:nvPr>{place}</p:nvPr></p:nvSpPr><p:txBody>{lines}</p:txBody></p:sp>"


SECTOR = 512
END, FREE, FAT_SECTOR = 0xFFFFFFFE, 0xFFFFFFFF, 0xFFFFFFFD


def ole(streams: Mapping[str, bytes]) -> bytes:
    """An OLE container; streams are padded to the size from which they have sectors of their own."""
    fat: list[int] = []
    body, entries = b"", []
    for name, data in streams.items():
        padded = data.ljust(max(4096, -(-len(data) // SECTOR) * SECTOR), b"\0")
        first, count = len(fat), len(padded) // SECTOR
        fat += [*range(first + 1, first + count), END]
        body += padded
        entries.append(_entry(name, 2, (first, len(padded)), FREE))
    # a chain of right siblings is a valid, if unbalanced, tree
    linked = [_relinked(one, at + 2 if at + 1 < len(entries) else FREE) for at, one in enumerate(entries)]
    directory = b"".join([_entry("Root Entry", 5, (END, 0), 1), *linked])
    directory = directory.ljust(-(-len(directory) // SECTOR) * SECTOR, b"\0")
    start = len(fat)
    count = len(directory) // SECTOR
    fat += [*range(start + 1, start + count), END]
    tables = 1 + (len(fat) + 1) // 127
    places = list(range(len(fat), len(fat) + tables))
    fat += [FAT_SECTOR] * tables
    table = struct.pack(f"<{len(fat)}I", *fat).ljust(tables * SECTOR, b"\xff")
    header = b"\xd0\xcf\x11\xe0\xa1\xb1\x1a\xe1" + bytes(16) + struct.pack("<HHHHH6x", 0x3E, 3, 0xFFFE, 9, 6)
    header += struct.pack("<IIIIIIIII", 0, tables, start, 0, 4096, END, 0, END, 0)
    header += struct.pack(f"<{len(places)}I", *places).ljust(436, b"\xff")
    return header + body + directory + table


def _entry(name: str, kind: int, place: tuple[int, int], child: int) -> bytes:
    """A directory entry; place: first sector and size."""
    encoded = name.encode("utf-16-le")
    start = encoded.ljust(64, b"\0") + struct.pack("<HBBIII", len(encoded) + 2, kind, 1, FREE, FREE, child)
    return start + bytes(36) + struct.pack("<IQ", *place)


def _relinked(entry: bytes, right: int) -> bytes:
    return entry[:72] + struct.pack("<I", right) + entry[76:]


def doc(text: str, footnotes: str = "", flags: int = 0x0200) -> bytes:
    """A DOC without formatting: paragraphs end in line feeds. The main text is wide, the footnotes are narrow."""
    main, notes = text.replace("\n", "\r"), footnotes.replace("\n", "\r")
    fib = bytearray(0x800)
    struct.pack_into("<HHHHHH", fib, 0, 0xA5EC, 0xC1, 0, 0x409, 0, flags)
    struct.pack_into("<II", fib, 0x4C, len(main), len(notes))
    wide, narrow = main.encode("utf-16-le"), notes.encode("cp1252")
    ends = (0, len(main), len(main) + len(notes))
    offsets = (0x800, (0x800 + len(wide)) * 2 | 0x40000000)
    pieces = b"".join(struct.pack("<HIH", 0, offset, 0) for offset in offsets)
    table = struct.pack("<3I", *ends) + pieces
    clx = b"\x02" + struct.pack("<I", len(table)) + table
    struct.pack_into("<II", fib, 0x1A2, 0, len(clx))
    return ole({"WordDocument": bytes(fib) + wide + narrow, "1Table": clx})


def record(kind: int, content: bytes, instance: int = 0, is_container: bool = False) -> bytes:
    """A record of a PPT."""
    return struct.pack("<HHI", instance << 4 | (0xF if is_container else 0), kind, len(content)) + content


def ppt(*slides: tuple[str, str], token: int = 0xE391C05F) -> bytes:
    """A PPT of slides with a title and a text, which stand in the outline of the document."""
    listed = b""
    for at, (title, text) in enumerate(slides):
        listed += record(0x03F3, struct.pack("<5I", 10 + at, 0, 2, 256 + at, 0))
        listed += record(0x0F9F, struct.pack("<I", 0)) + record(0x0FA0, title.encode("utf-16-le"))
        listed += record(0x0F9F, struct.pack("<I", 1)) + record(0x0FA8, text.encode("latin-1"))
    document = record(0x03E8, record(0x0FF0, listed, is_container=True), is_container=True)
    directory = record(0x1772, struct.pack("<II", 1 << 20 | 1, 0))
    edit = record(0x0FF5, struct.pack("<7I", 0, 0, 0, len(document), 1, 1, 0))
    user = record(0x0FF6, struct.pack("<III", 20, token, len(document) + len(directory)) + bytes(8))
    return ole({"Current User": user, "PowerPoint Document": document + directory + edit})
