"""Generate the TypeScript types for the web client from the types of the wire contract.

A key that can be missing is optional. Only a key that is sent as null can be null.
"""

from collections.abc import Iterator
from functools import reduce
from operator import or_
from types import UnionType
from typing import Annotated, Any, Literal, Union, get_args, get_origin, get_type_hints

import msgspec
from msgspec import Struct
from msgspec.inspect import StructType, type_info

from cadogan.wire import values
from cadogan.wire.bodies import Refusal
from cadogan.wire.endpoint import API, Endpoint, TextQuery
from cadogan.wire.endpoints import ENDPOINTS
from cadogan.wire.messages import ClientMessage, ServerMessage

_HEAD = "// Made from the wire contract by `python -m cadogan.wire`."
_PLAIN = {
    bytes: "string",
    str: "string",
    int: "number",
    float: "number",
    bool: "boolean",
    type(None): "null",
    Any: "unknown",
}
_NAMED = ("Sight", "Mode", "Status", "Result", "RefusalCode", "PileView", "Piles")
_MAX_LINE_LENGTH = 100


def typescript() -> str:
    """Return every message and body, and the parameters and answer of every endpoint, as TypeScript declarations.

    Raises TypeError for a type that has no counterpart in TypeScript.
    """
    received, sent = get_args(ClientMessage), get_args(ServerMessage)
    bodies = [kind for endpoint in ENDPOINTS for kind in (endpoint.request, endpoint.response) if kind]
    kinds = sorted(_with_contained_types([*received, *sent, *bodies, Refusal]), key=lambda kind: kind.__name__)
    parts = [_HEAD]
    parts += [_alias(name, _written(getattr(values, name), name)) for name in _NAMED]
    parts += [_interface(kind) for kind in kinds]
    parts += [_alias("ClientMessage", _union(received)), _alias("ServerMessage", _union(sent))]
    exchanges = [_exchange(endpoint) for endpoint in ENDPOINTS if endpoint.response]
    parts.append(
        _block("What each endpoint takes (parameters of the address, and a body) and answers.", "Endpoints", exchanges)
    )
    return "\n\n".join(parts) + "\n"


def _with_contained_types(kinds: list[type[Struct]]) -> set[type[Struct]]:
    """Return these types and every type that they contain."""
    found: set[type[Struct]] = set()
    while kinds:
        kind = kinds.pop()
        if kind not in found:
            found.add(kind)
            kinds += [part for hint in get_type_hints(kind).values() for part in _structs(hint)]
    return found


def _structs(hint: Any) -> Iterator[type[Struct]]:
    if isinstance(hint, type) and issubclass(hint, Struct):
        yield hint
    for part in get_args(hint):
        yield from _structs(part)


def _interface(kind: type[Struct]) -> str:
    info = type_info(kind)
    assert isinstance(info, StructType)
    hints = get_type_hints(kind, include_extras=True)
    keys = [] if info.tag_field is None else [f'{info.tag_field}: "{info.tag}"']
    for field in info.fields:
        hint = hints[field.name]
        if field.required:
            keys.append(f"{field.encode_name}: {_written(hint)}")
        else:
            keys.append(f"{field.encode_name}?: {_written(_without_none(hint) if field.default is None else hint)}")
    return _block((kind.__doc__ or "").partition("\n")[0], kind.__name__, keys)


def _exchange(endpoint: Endpoint) -> str:
    given = [f"{name}: string" for name in endpoint.parameters]
    given += [f"{query.name}?: {'string' if isinstance(query, TextQuery) else 'number'}" for query in endpoint.queries]
    takes = [f"{{ {'; '.join(given)} }}" if given else "{}"] if given or endpoint.request else []
    if endpoint.request:
        takes.append(endpoint.request.__name__)
    key = f"{endpoint.method} {endpoint.path.removeprefix(API)}"
    assert endpoint.response is not None
    return f'"{key}": {{\n    takes: [{", ".join(takes)}];\n    answers: {endpoint.response.__name__};\n  }}'


def _block(says: str, name: str, keys: list[str]) -> str:
    return "\n".join([f"/** {says} */", f"export interface {name} {{", *(f"  {key};" for key in keys), "}"])


def _alias(name: str, written: str) -> str:
    line = f"export type {name} = {written};"
    return (
        line
        if len(line) <= _MAX_LINE_LENGTH
        else f"export type {name} =\n  | " + written.replace(" | ", "\n  | ") + ";"
    )


def _union(kinds: tuple[type[Struct], ...]) -> str:
    return " | ".join(kind.__name__ for kind in kinds)


def _without_none(hint: Any) -> Any:
    return reduce(or_, (part for part in get_args(hint) if part is not type(None)))


def _written(hint: Any, itself: str = "") -> str:
    """Return a type in TypeScript. A named type is written by its name, except in its own declaration (`itself`)."""
    for name in _NAMED:
        if name != itself and hint == getattr(values, name):
            return name
    if hint in _PLAIN:
        return _PLAIN[hint]
    if isinstance(hint, type) and issubclass(hint, Struct):
        return hint.__name__
    parts = get_args(hint)
    match get_origin(hint):
        case origin if origin is Annotated:
            return _written(parts[0], itself)
        case origin if origin is Literal:
            return " | ".join(msgspec.json.encode(part).decode() for part in parts)
        case origin if origin in (Union, UnionType):
            return " | ".join(_written(part) for part in parts)
        case origin if origin is list:
            written = _written(parts[0])
            return f"({written})[]" if " | " in written else f"{written}[]"
        case origin if origin is tuple:
            return f"[{', '.join(_written(part) for part in parts)}]"
        case origin if origin is dict:
            return f"{{ [name: {_written(parts[0])}]: {_written(parts[1])} }}"
    raise TypeError(f"{hint!r} has no counterpart in TypeScript.")
