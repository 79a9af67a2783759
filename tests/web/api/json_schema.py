"""Check of a JSON value against a schema of the OpenAPI description; no key may be undeclared."""

from __future__ import annotations

from collections.abc import Iterator, Mapping
from typing import Any

TYPES: dict[str, tuple[type, ...]] = {
    "string": (str,), "integer": (int,), "number": (int, float), "boolean": (bool,), "null": (type(None),),
    "array": (list,), "object": (dict,),
}  # fmt: skip


def faults(value: Any, schema: Mapping[str, Any], named: Mapping[str, Any], at: str = "body") -> Iterator[str]:
    """What is wrong with a value; `named` are the component schemas."""
    if "$ref" in schema:
        yield from faults(value, named[schema["$ref"].rpartition("/")[2]], named, at)
    elif "anyOf" in schema:
        if all(any(faults(value, one, named, at)) for one in schema["anyOf"]):
            yield f"{at}: {value!r} fits no alternative"
    elif not _has_type(value, schema["type"]):
        yield f"{at}: {value!r} is no {schema['type']}"
    elif schema["type"] == "array":
        for number, one in enumerate(value):
            yield from faults(one, schema["items"], named, f"{at}[{number}]")
    elif schema["type"] == "object":
        yield from _object_faults(value, schema, named, at)


def _has_type(value: Any, name: str) -> bool:
    return isinstance(value, TYPES[name]) and (not isinstance(value, bool) or name == "boolean")


def _object_faults(
    value: Mapping[str, Any], schema: Mapping[str, Any], named: Mapping[str, Any], at: str
) -> Iterator[str]:
    properties, others = schema.get("properties", {}), schema.get("additionalProperties")
    yield from (f"{at}.{name} is missing" for name in schema.get("required", ()) if name not in value)
    for name, one in value.items():
        if name in properties or others:
            yield from faults(one, properties.get(name, others), named, f"{at}.{name}")
        else:
            yield f"{at}.{name} is not declared"
