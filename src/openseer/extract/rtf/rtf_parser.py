"""Interpreter of RTF: the paragraphs, tables and notes that its control words make."""

from __future__ import annotations

import re
from collections.abc import Callable
from dataclasses import dataclass, field, replace

from openseer.extract.office.numbering import BULLET
from openseer.extract.office.paragraphs import BREAK, Paragraph, paragraph_text
from openseer.extract.rtf.charsets import decode, encoding_of_charset, encoding_of_code_page, symbol_text
from openseer.extract.rtf.tokens import Token, Tokens
from openseer.extract.structured.document import Role
from openseer.extract.structured.superscripts import raised

MAX_DEPTH = 1000
MAX_CELL_CHARACTERS = 1500
"""A cell with more text lays out a page; its paragraphs are text."""
SKIPPED = frozenset({
    b"colortbl", b"pict", b"object", b"themedata", b"colorschememapping", b"datastore", b"latentstyles", b"listtable",
    b"listoverridetable", b"generator", b"rsidtbl", b"xmlnstbl", b"filetbl", b"revtbl", b"fldinst", b"private", b"xe",
    b"tc", b"rxe", b"bkmkstart", b"bkmkend", b"nonshppict", b"objdata", b"objclass", b"datafield", b"mmathPr",
    b"pgdsctbl", b"keywords", b"comment", b"operator", b"doccomm", b"company", b"category", b"subject", b"manager",
    b"hlinkbase", b"creatim", b"revtim", b"printim", b"buptim", b"userprops", b"atnid", b"atndate", b"atntime",
    b"atnref", b"atnparent", b"ftnsep", b"ftnsepc", b"ftncn", b"aftnsep", b"aftnsepc", b"aftncn", b"pntxtb",
    b"pntxta", b"falt", b"panose", b"sn", b"template", b"wgrffmtfilter", b"passwordhash", b"background", b"fchars",
    b"lchars", b"listname", b"docvar", b"shprslt", b"nonesttables", b"mctrlPr", b"mmathPict", b"listpicture",
    b"picprop", b"blipuid", b"formfield", b"tcf", b"levelnumbers", b"leveltext", b"pgptbl", b"oldcprops",
})  # fmt: skip
"""Destinations without text of the document."""
STARRED = frozenset(
    {
        b"shpinst",
        b"shptxt",
        b"fldrslt",
        b"footnote",
        b"annotation",
        b"atnauthor",
        b"moMathPara",
        b"moMath",
        b"listtext",
        b"do",
    }
)
"""Destinations behind an asterisk that have text; all others are skipped."""
NOTES = {
    b"footnote": "note",
    b"annotation": "note", b"header": "head", b"headerl": "head", b"headerr": "head", b"headerf": "head",
    b"footer": "head", b"footerl": "head", b"footerr": "head", b"footerf": "head", b"shptxt": "box",
    b"dptxbxtext": "box",
    }  # fmt: skip
"""Destinations with paragraphs of their own."""
CHARACTERS = {
    b"emdash": "—", b"endash": "–",
    b"lquote": "‘", b"rquote": "’", b"ldblquote": "“", b"rdblquote": "”", b"bullet": "•", b"tab": " ", b"line": BREAK,
    b"emspace": " ", b"enspace": " ", b"qmspace": " ", b"zwj": "\u200d", b"zwnj": "\u200c", b"column": " ",
    b"softline": " ", }  # fmt: skip
SURROGATE = re.compile("[\ud800-\udfff]")
COLLECTED = frozenset(
    {
        "stylesheet",
        "title",
        "author",
        "listtext",
    }
)
"""Destinations whose text is no paragraph."""
MATH = {b"mden": "/", b"msup": "^", b"msub": "_", b"mrad": "√", b"mlim": "_"}
"""What stands before the parts of an equation."""
SYMBOLS = {b"~": "\xa0", b"_": "-", b"-": "", b"\n": "\n", b"\r": "\n", b"\\": "\\", b"{": "{", b"}": "}", b"\t": " "}
CODE_PAGES = {b"ansi": "cp1252", b"mac": "mac-roman", b"pc": "cp437", b"pca": "cp850"}


@dataclass(slots=True)
class State:
    """Formatting in a group; groups inherit and restore it."""

    destination: str = "text"
    font: int = -1
    style: int = 0
    bold: bool = False
    size: float = 12.0
    centred: bool = False
    hidden: bool = False
    deleted: bool = False
    raised: bool = False
    skipped_after_unicode: int = 1
    outline: int = 0
    in_table: bool = False

    def copy(self) -> State:
        return replace(self)


@dataclass(slots=True)
class Flow:
    """Paragraphs of the text, of a note or of a text box."""

    paragraphs: list[Paragraph] = field(default_factory=list)
    parts: list[str] = field(default_factory=list)
    bold: int = 0
    whole: int = 0
    size: float = 0.0
    marker: str = ""
    cell: list[str] = field(default_factory=list)
    row: list[str] = field(default_factory=list)
    rows: list[tuple[str, ...]] = field(default_factory=list)
    attached: list[Paragraph] = field(default_factory=list)
    starts_page: bool = False


class RtfParser:
    """Reads tokens; `paragraphs` and `info` are the result."""

    def __init__(self, data: bytes) -> None:
        self._tokens = Tokens(data)
        self._state, self._stack = State(), list[tuple[State, Flow, str]]()
        self._flow = self._text = Flow()
        self._default_font, self._encoding = 0, "cp1252"
        self._charsets: dict[int, int] = {}
        self._symbol_fonts: set[int] = set()
        self._styles: dict[int, str] = {}
        self._outlines: dict[int, int] = {}
        self._collected: list[str] = []
        """Text of a destination that is no paragraph: a name of a style, a title."""
        self._bytes = bytearray()
        self._skip = 0
        """Characters that stand in for the last Unicode character."""
        self._starred = False
        self.heads: dict[str, None] = {}
        """Headers and footers, each text once."""
        self.info: dict[str, str] = {}

    def parse(self) -> list[Paragraph]:
        """All paragraphs in order."""
        for token in self._tokens:
            if token.kind != "byte" and self._bytes:
                self._flush_bytes()
            HANDLERS[token.kind](self, token)
        self._flush_bytes()
        while self._stack:
            self._close(Token("close"))
        self._end_paragraph()
        self._end_table()
        return self._text.paragraphs

    # groups

    def _open(self, _: Token) -> None:
        if len(self._stack) >= MAX_DEPTH:
            self._tokens.skip_group()
        self._stack.append((self._state.copy(), self._flow, ""))
        self._skip, self._starred = 0, False
        if self._state.destination == "styles":
            self._state.destination, self._state.style, self._state.outline = "stylesheet", 0, 0

    def _close(self, _: Token) -> None:
        if not self._stack:
            return
        closed = self._state
        before, flow, _kind = self._stack.pop()
        if flow is not self._flow:
            self._end_flow(closed.destination, flow)
        elif closed.destination != before.destination:
            self._end_destination(closed)
        self._flow, self._state = flow, before
        self._skip, self._starred = 0, False

    def _end_flow(self, destination: str, outer: Flow) -> None:
        """Hand the paragraphs of a note, header or text box on."""
        self._end_paragraph()
        self._end_table()
        found = self._flow.paragraphs
        if destination == "head":
            self.heads |= dict.fromkeys(one.text or " ".join(map(" ".join, one.rows)) for one in found)
        elif destination == "note":
            outer.attached += [one if one.rows else replace(one, role=Role.NOTE, level=0) for one in found]
        else:
            outer.attached += found

    def _end_destination(self, closed: State) -> None:
        text = "".join(self._collected).strip()
        self._collected.clear()
        if closed.destination == "stylesheet":
            self._styles[closed.style] = text.rstrip(";").split(";")[0]
            self._outlines[closed.style] = closed.outline
        elif closed.destination in ("title", "author"):
            self.info.setdefault(closed.destination, text)
        elif closed.destination == "listtext":
            self._flow.marker = " ".join(text.split())

    # tokens

    def _symbol(self, token: Token) -> None:
        if token.value == b"*":
            self._starred = True
        elif token.value in (b"\n", b"\r"):
            self._end_paragraph()
        else:
            self._write(SYMBOLS.get(token.value, ""))

    def _byte(self, token: Token) -> None:
        if self._skip:
            self._skip -= 1
        else:
            self._bytes += token.value

    def _add_text(self, token: Token) -> None:
        data = token.value
        if self._skip:
            data, self._skip = data[self._skip :], max(0, self._skip - len(data))
        if data:
            self._write(data.decode("ascii") if data.isascii() and not self._is_symbol_font() else self._decoded(data))

    def _flush_bytes(self) -> None:
        data, self._bytes = bytes(self._bytes), bytearray()
        if data:
            self._write(self._decoded(data))

    def _decoded(self, data: bytes) -> str:
        if self._is_symbol_font():
            return decode(data, "symbol") if self._font() in self._symbol_fonts else BULLET
        return decode(data, encoding_of_charset(self._charsets.get(self._font(), 1), self._encoding))

    def _font(self) -> int:
        return self._default_font if self._state.font < 0 else self._state.font

    def _is_symbol_font(self) -> bool:
        return self._charsets.get(self._font()) == 2 and self._state.destination != "fonttbl"

    def _word(self, token: Token) -> None:
        word, number = token.value, token.number
        starred, self._starred = self._starred, False
        if word == b"u" and number is not None:
            self._unicode(number)
            return
        if self._skip and word in CHARACTERS:
            self._skip -= 1
            return
        self._skip = 0
        if self._is_skipped(word, starred):
            self._tokens.skip_group()
        elif word in NOTES:
            self._begin_flow(NOTES[word])
        elif word in CHARACTERS:
            self._write(CHARACTERS[word])
        elif word in MATH:
            self._write(MATH[word])
        elif handler := WORDS.get(word):
            handler(self, number)

    def _is_skipped(self, word: bytes, starred: bool) -> bool:
        return word in SKIPPED or (starred and word not in STARRED and word not in WORDS and word not in NOTES)

    def _begin_flow(self, destination: str) -> None:
        self._state.destination, self._state.in_table = destination, False
        self._state.outline = self._state.style = 0
        self._flow = Flow()

    def _unicode(self, number: int) -> None:
        code = number + 65536 if number < 0 else number
        self._skip = self._state.skipped_after_unicode
        if 0 < code < 0x110000:
            self._write(self._private(chr(code)) if 0xF000 <= code < 0xF100 else chr(code))

    def _private(self, character: str) -> str:
        """A character of the private area, which symbol fonts use."""
        is_other = self._is_symbol_font() and self._font() not in self._symbol_fonts
        return BULLET if is_other else symbol_text(character)

    def _write(self, text: str) -> None:
        state = self._state
        if state.hidden or state.deleted or not text:
            return
        if state.destination in ("text", "note", "box", "head"):
            flow = self._flow
            flow.parts.append(raised(text) if state.raised else text)
            count = len(text.strip())
            flow.whole += count
            flow.bold += count if state.bold else 0
            flow.size = flow.size or (state.size if count else 0.0)
        elif state.destination == "fonttbl" and text.lower().startswith("symbol"):
            self._symbol_fonts.add(self._font())
        elif state.destination in COLLECTED:
            self._collected.append(text)

    # paragraphs and tables

    def _end_paragraph(self, _: int | None = None) -> None:
        flow, state = self._flow, self._state
        text = _joined(flow.parts)
        outline = state.outline or self._outlines.get(state.style, 0)
        paragraph = Paragraph(
            text, style=self._styles.get(state.style, ""), level=outline, bold=flow.bold > 0.9 * max(1, flow.whole),
            centred=state.centred, size=flow.size, marker=flow.marker, starts_page=flow.starts_page,
        )  # fmt: skip
        flow.parts, flow.bold, flow.whole, flow.size, flow.marker = [], 0, 0, 0.0, ""
        if state.in_table:
            flow.cell.append(paragraph.printed)
        else:
            self._end_table()
            if text:
                flow.paragraphs.append(paragraph)
                flow.starts_page = False
            flow.paragraphs += flow.attached
            flow.attached = []

    def _end_cell(self, _: int | None = None) -> None:
        self._flow.cell.append(_joined(self._flow.parts))
        self._flow.row.append(" ".join(filter(None, self._flow.cell)))
        self._flow.parts, self._flow.cell = [], []

    def _end_nested_cell(self, _: int | None = None) -> None:
        self._flow.cell.append(_joined(self._flow.parts))
        self._flow.parts = []

    def _end_row(self, _: int | None = None) -> None:
        if self._flow.parts or self._flow.cell:
            self._end_cell()
        if any(self._flow.row):
            self._flow.rows.append(tuple(self._flow.row))
        self._flow.row = []
        self._state.in_table = False

    def _end_table(self) -> None:
        flow = self._flow
        if flow.row or flow.cell:
            self._end_row()
        if not flow.rows:
            return
        rows, flow.rows = flow.rows, []
        if max(len(cell) for row in rows for cell in row) > MAX_CELL_CHARACTERS or max(map(len, rows)) < 2:
            flow.paragraphs += [Paragraph(cell) for row in rows for cell in row if cell]
        else:
            flow.paragraphs.append(Paragraph(rows=tuple(rows)))
        flow.paragraphs += flow.attached
        flow.attached = []

    def _start_page(self, _: int | None = None) -> None:
        self._end_paragraph()
        self._flow.starts_page = True


def _joined(parts: list[str]) -> str:
    text = paragraph_text(parts)
    if SURROGATE.search(text):  # characters beyond the basic plane come in two halves
        text = text.encode("utf-16-le", "surrogatepass").decode("utf-16-le", "replace")
    return text


Word = Callable[[RtfParser, int | None], None]


def _set(name: str, value: object = None) -> Word:
    """A control word that sets a field of the state: to a value, or to its number."""

    def apply(parser: RtfParser, number: int | None) -> None:
        setattr(parser._state, name, value if value is not None else number or 0)

    return apply


def _toggle(name: str) -> Word:
    def apply(parser: RtfParser, number: int | None) -> None:
        setattr(parser._state, name, number != 0)

    return apply


def _begin_paragraph(parser: RtfParser, _: int | None) -> None:
    parser._state.centred, parser._state.outline, parser._state.in_table, parser._state.style = False, 0, False, 0


def _plain(parser: RtfParser, _: int | None) -> None:
    state = parser._state
    state.bold = state.hidden = state.deleted = state.raised = False
    state.font, state.size = -1, 12.0


def _size(parser: RtfParser, number: int | None) -> None:
    parser._state.size = (number or 24) / 2


def _charset(parser: RtfParser, number: int | None) -> None:
    if parser._state.destination == "fonttbl":
        parser._charsets[parser._font()] = number or 0


def _outline(parser: RtfParser, number: int | None) -> None:
    parser._state.outline = number + 1 if number is not None and number < 9 else 0


def _code_page(parser: RtfParser, number: int | None) -> None:
    parser._encoding = encoding_of_code_page(number or 1252)


def _default_font(parser: RtfParser, number: int | None) -> None:
    parser._default_font = number or 0


def _character_style(parser: RtfParser, _: int | None) -> None:
    if parser._state.destination == "stylesheet":
        parser._state.destination = "skipped"


def _named_code_page(name: str) -> Word:
    def apply(parser: RtfParser, _: int | None) -> None:
        parser._encoding = name

    return apply


WORDS: dict[bytes, Word] = {
    b"par": RtfParser._end_paragraph, b"sect": RtfParser._end_paragraph, b"page": RtfParser._start_page,
    b"cell": RtfParser._end_cell, b"nestcell": RtfParser._end_nested_cell, b"row": RtfParser._end_row,
    b"pard": _begin_paragraph, b"plain": _plain, b"b": _toggle("bold"), b"v": _toggle("hidden"),
    b"deleted": _toggle("deleted"), b"super": _toggle("raised"), b"nosupersub": _set("raised", False),
    b"qc": _set("centred", True), b"ql": _set("centred", False), b"qj": _set("centred", False),
    b"qr": _set("centred", False),
    b"fs": _size, b"f": _set("font"), b"s": _set("style"), b"uc": _set("skipped_after_unicode"),
    b"outlinelevel": _outline,
    b"intbl": _set("in_table", True), b"fcharset": _charset, b"ansicpg": _code_page, b"deff": _default_font,
    b"fonttbl": _set("destination", "fonttbl"), b"stylesheet": _set("destination", "styles"),
    b"info": _set("destination", "info"),
    b"title": _set("destination", "title"), b"author": _set("destination", "author"), b"cs": _character_style,
    b"listtext": _set("destination", "listtext"), b"pntext": _set("destination", "listtext"),
    b"shpinst": _set("destination", "skipped"), b"do": _set("destination", "skipped"),
    b"atnauthor": _set("destination", "atnauthor"),
    **{word: _named_code_page(name) for word, name in CODE_PAGES.items()},
}  # fmt: skip
HANDLERS: dict[str, Callable[[RtfParser, Token], None]] = {
    "open": RtfParser._open, "close": RtfParser._close, "symbol": RtfParser._symbol, "byte": RtfParser._byte,
    "text": RtfParser._add_text, "word": RtfParser._word,
}  # fmt: skip
