"""Changed objects at the end of a PDF, as an editor saves it: the bytes before stay as they are."""

from __future__ import annotations

import re
import zlib
from collections.abc import Mapping
from io import BytesIO

from pypdf import PdfReader
from pypdf.generic import DictionaryObject, NameObject, NumberObject, PdfObject

START = re.compile(rb"startxref\s+(\d+)\s+%%EOF")


def stream_object(data: bytes, said: DictionaryObject | None = None) -> bytes:
    """A compressed stream as the body of an object, with what else is said of it."""
    packed = zlib.compress(data, 1)
    head = DictionaryObject(said or {})
    head[NameObject("/Length")] = NumberObject(len(packed))
    head[NameObject("/Filter")] = NameObject("/FlateDecode")
    return b"%b\nstream\n%b\nendstream" % (plain_object(head), packed)


def first_free(reader: PdfReader) -> int:
    """The number of an object that a file does not have."""
    size = reader.trailer["/Size"]
    if not isinstance(size, int):
        raise ValueError("no size")
    return int(size)


def plain_object(value: PdfObject) -> bytes:
    """A dictionary or another value as the body of an object."""
    out = BytesIO()
    value.write_to_stream(out)
    return out.getvalue()


def updated(data: bytes, reader: PdfReader, objects: Mapping[int, bytes]) -> bytes:
    """A file with some objects replaced or added; ValueError where its own table of objects is not to be found."""
    before = START.findall(data)
    if not before:
        raise ValueError("no table of objects")
    previous = int(before[-1])
    is_table = data[previous : previous + 4] == b"xref"
    if not is_table and not re.match(rb"\s*\d+\s+\d+\s+obj", data[previous : previous + 40]):
        raise ValueError("the table of objects is not where it should be")
    out = BytesIO()
    out.write(data)
    out.write(b"\n")
    offsets = {}
    for number, body in sorted(objects.items()):
        offsets[number] = out.tell()
        out.write(b"%d 0 obj\n%b\nendobj\n" % (number, body))
    size = max(first_free(reader), *(number + 1 for number in objects))
    trailer = _trailer(reader, previous)
    place = out.tell()
    out.write(_table(offsets, size, trailer) if is_table else _table_stream(offsets, size, trailer, place))
    out.write(b"startxref\n%d\n%%%%EOF\n" % place)
    return out.getvalue()


def _trailer(reader: PdfReader, previous: int) -> bytes:
    entries = [b"/Prev %d" % previous]
    for name in ("/Root", "/Info", "/ID"):
        if name in reader.trailer:
            entries.append(name.encode() + b" " + plain_object(reader.trailer.raw_get(name)))
    return b" ".join(entries)


def _table(offsets: Mapping[int, int], size: int, trailer: bytes) -> bytes:
    rows = [b"xref\n", *(b"%d 1\n%010d 00000 n \n" % entry for entry in sorted(offsets.items()))]
    return b"".join([*rows, b"trailer\n<< /Size %d %b >>\n" % (size, trailer)])


def _table_stream(offsets: Mapping[int, int], size: int, trailer: bytes, place: int) -> bytes:
    rows = sorted([*offsets.items(), (size, place)])
    body = b"".join(b"\x01" + offset.to_bytes(5, "big") + b"\x00" for _, offset in rows)
    index = b" ".join(b"%d 1" % number for number, _ in rows)
    head = b"/Type /XRef /W [1 5 1] /Index [%b] /Size %d /Length %d %b" % (index, size + 1, len(body), trailer)
    return b"%d 0 obj\n<< %b >>\nstream\n%b\nendstream\nendobj\n" % (size, head, body)
