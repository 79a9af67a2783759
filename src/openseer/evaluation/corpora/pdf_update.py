"""Incremental PDF update: changed objects are appended, the bytes before stay the same."""

from __future__ import annotations

import re
import zlib
from collections.abc import Mapping
from io import BytesIO

from pypdf import PdfReader
from pypdf.generic import DictionaryObject, NameObject, NumberObject, PdfObject

STARTXREF = re.compile(rb"startxref\s+(\d+)\s+%%EOF")


def stream_body(data: bytes, entries: DictionaryObject | None = None) -> bytes:
    """Body of a compressed stream object, with further entries of its dictionary."""
    compressed = zlib.compress(data, 1)
    dictionary = DictionaryObject(entries or {})
    dictionary[NameObject("/Length")] = NumberObject(len(compressed))
    dictionary[NameObject("/Filter")] = NameObject("/FlateDecode")
    return b"%b\nstream\n%b\nendstream" % (object_body(dictionary), compressed)


def next_object_number(reader: PdfReader) -> int:
    """First unused object number of a file."""
    size = reader.trailer["/Size"]
    if not isinstance(size, int):
        raise ValueError("no size")
    return int(size)


def object_body(value: PdfObject) -> bytes:
    """Body of an object with a dictionary or another value."""
    out = BytesIO()
    value.write_to_stream(out)
    return out.getvalue()


def append_update(data: bytes, reader: PdfReader, objects: Mapping[int, bytes]) -> bytes:
    """Append an update with replaced and added objects; ValueError if the cross-reference table is not found."""
    offsets_found = STARTXREF.findall(data)
    if not offsets_found:
        raise ValueError("no table of objects")
    previous_offset = int(offsets_found[-1])
    is_table = data[previous_offset : previous_offset + 4] == b"xref"
    if not is_table and not re.match(rb"\s*\d+\s+\d+\s+obj", data[previous_offset : previous_offset + 40]):
        raise ValueError("the table of objects is not where it should be")
    out = BytesIO()
    out.write(data)
    out.write(b"\n")
    offsets = {}
    for number, body in sorted(objects.items()):
        offsets[number] = out.tell()
        out.write(b"%d 0 obj\n%b\nendobj\n" % (number, body))
    size = max(next_object_number(reader), *(number + 1 for number in objects))
    trailer = _trailer(reader, previous_offset)
    table_offset = out.tell()
    out.write(_xref_table(offsets, size, trailer) if is_table else _xref_stream(offsets, size, trailer, table_offset))
    out.write(b"startxref\n%d\n%%%%EOF\n" % table_offset)
    return out.getvalue()


def _trailer(reader: PdfReader, previous_offset: int) -> bytes:
    entries = [b"/Prev %d" % previous_offset]
    for name in ("/Root", "/Info", "/ID"):
        if name in reader.trailer:
            entries.append(name.encode() + b" " + object_body(reader.trailer.raw_get(name)))
    return b" ".join(entries)


def _xref_table(offsets: Mapping[int, int], size: int, trailer: bytes) -> bytes:
    rows = [b"xref\n", *(b"%d 1\n%010d 00000 n \n" % entry for entry in sorted(offsets.items()))]
    return b"".join([*rows, b"trailer\n<< /Size %d %b >>\n" % (size, trailer)])


def _xref_stream(offsets: Mapping[int, int], size: int, trailer: bytes, table_offset: int) -> bytes:
    rows = sorted([*offsets.items(), (size, table_offset)])
    body = b"".join(b"\x01" + offset.to_bytes(5, "big") + b"\x00" for _, offset in rows)
    index = b" ".join(b"%d 1" % number for number, _ in rows)
    dictionary = b"/Type /XRef /W [1 5 1] /Index [%b] /Size %d /Length %d %b" % (index, size + 1, len(body), trailer)
    return b"%d 0 obj\n<< %b >>\nstream\n%b\nendstream\nendobj\n" % (size, dictionary, body)
