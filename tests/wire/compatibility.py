"""Check that the OpenAPI and AsyncAPI documents are compatible with those of the last release, in `baseline`.

Clients may still send everything that they could send, and still receive everything that they received.
`python -m tests.wire.compatibility` writes today's documents to `baseline`, if they are compatible with it.
"""

import json
import sys
from collections.abc import Iterator
from pathlib import Path
from typing import Any

from tests.harness.schema_checks import DOCUMENTS

Document = dict[str, Any]
BASELINE = Path(__file__).parent / "baseline"
BOUNDS = {"minimum": 1, "maximum": -1, "minLength": 1, "maxLength": -1, "minItems": 1, "maxItems": -1}
"""For each bound, 1 if a greater number is stricter, -1 if a smaller one is."""


def incompatibilities(before: Document, now: Document) -> list[str]:
    """Return what the later document breaks of the earlier one: for each thing the place and what is wrong.

    Requests may require less and answers may contain more, but not the other way round. Refusal codes may be added.
    """
    return [*_operations(before, now), *_messages(before, now)]


def _operations(before: Document, now: Document) -> Iterator[str]:
    for path, methods in before.get("paths", {}).items():
        for method, old in methods.items():
            where = f"{method.upper()} {path}"
            new = now["paths"].get(path, {}).get(method)
            if new is None or new["operationId"] != old["operationId"]:
                yield f"{where}: is gone"
                continue
            for sent, (one, other) in _bodies(old, new):
                if one is not None or (sent and other is not None):
                    yield from _Comparison(before, now, sent).compare(where, one or {}, other or {})
            yield from _parameters(where, old, new)


def _bodies(old: Document, new: Document) -> Iterator[tuple[bool, tuple[Any, Any]]]:
    def schema(part: Document | None) -> Any:
        return None if part is None else part.get("content", {}).get("application/json", {}).get("schema")

    yield True, (schema(old.get("requestBody")), schema(new.get("requestBody")))
    yield False, (schema(old["responses"]["200"]), schema(new["responses"]["200"]))


def _parameters(where: str, old: Document, new: Document) -> Iterator[str]:
    known = {(one["in"], one["name"]) for one in old.get("parameters", [])}
    there = {(one["in"], one["name"]): one for one in new.get("parameters", [])}
    yield from (f"{where}: no parameter {name}" for place, name in sorted(known - set(there)))
    asked = {key for key, one in there.items() if one.get("required")}
    yield from (f"{where}: asks for {name}" for place, name in sorted(asked - known))


def _messages(before: Document, now: Document) -> Iterator[str]:
    for action in ("receive", "send"):
        there = _message_kinds(now, action)
        for kind in _message_kinds(before, action):
            if kind not in there:
                yield f"{kind}: is gone"
                continue
            reference = {"$ref": f"#/components/schemas/{kind}"}
            yield from _Comparison(before, now, action == "receive").compare(kind, reference, reference)


def _message_kinds(document: Document, action: str) -> list[str]:
    """Return the kinds of the messages that the server receives or sends, in all operations."""
    operations = [one for one in document.get("operations", {}).values() if one["action"] == action]
    return [message["$ref"].rpartition("/")[2] for one in operations for message in one["messages"]]


class _Comparison:
    """Compares two schemas and what they refer to. `sent` says that clients send what the schemas describe."""

    def __init__(self, before: Document, now: Document, sent: bool) -> None:
        self._documents = before, now
        self._sent = sent
        self._compared: set[tuple[str, str]] = set()

    def compare(self, where: str, before: Document, now: Document) -> Iterator[str]:
        """Yield what the later schema breaks of the earlier one."""
        pair = before.get("$ref", ""), now.get("$ref", "")
        if all(pair):
            if pair in self._compared:
                return
            self._compared.add(pair)
        before, now = (_resolved(*one) for one in zip(self._documents, (before, now), strict=True))
        for key in ("type", "const", "format", "pattern"):
            if before.get(key) != now.get(key):
                yield f"{where}: {key} was {before.get(key)}, is {now.get(key)}"
        yield from self._bounds(where, before, now) if self._sent else self._values(where, before, now)
        yield from self._properties(where, before, now)
        for key in ("items", "additionalProperties"):
            if isinstance(before.get(key), dict):
                yield from self.compare(f"{where}[]", before[key], now.get(key) or {})
        choices = [_without_texts(one) for one in now.get("anyOf", [])]
        for one in map(_without_texts, before.get("anyOf", [])):
            if one not in choices:
                yield f"{where}: may no longer be {one}"
            elif "$ref" in one:
                yield from self.compare(where, one, one)

    def _bounds(self, where: str, before: Document, now: Document) -> Iterator[str]:
        yield from (
            f"{where}: no longer takes {value!r}" for value in before.get("enum", []) if value not in now["enum"]
        )
        for key, sign in BOUNDS.items():
            if key in now and (key not in before or sign * now[key] > sign * before[key]):
                yield f"{where}: {key} was {before.get(key)}, is {now[key]}"

    def _values(self, where: str, before: Document, now: Document) -> Iterator[str]:
        if "enum" in before and not where.endswith(".code"):
            yield from (f"{where}: may be {value!r}" for value in now["enum"] if value not in before["enum"])

    def _properties(self, where: str, before: Document, now: Document) -> Iterator[str]:
        old, new = before.get("properties", {}), now.get("properties", {})
        for name, schema in old.items():
            if name in new:
                yield from self.compare(f"{where}.{name}", schema, new[name])
            else:
                yield f"{where}.{name}: is gone"
        was, needed = set(before.get("required", [])), set(now.get("required", []))
        more, fewer = sorted(needed - was), sorted(was - needed)
        yield from (f"{where}.{name}: became required" for name in more if self._sent)
        yield from (f"{where}.{name}: may be left out" for name in fewer if not self._sent)


def _resolved(document: Document, schema: Document) -> Document:
    reference = schema.get("$ref")
    if reference is None:
        return schema
    found: Document = document["components"]["schemas"][reference.rpartition("/")[2]]
    return found


def _without_texts(schema: Any) -> Any:
    """Return a schema without the texts for people, which are no part of the contract."""
    if isinstance(schema, dict):
        return {key: _without_texts(part) for key, part in schema.items() if key not in ("description", "examples")}
    return [_without_texts(part) for part in schema] if isinstance(schema, list) else schema


def read_baseline(name: str) -> Document:
    """Return a document of the last release."""
    found: Document = json.loads((BASELINE / f"{name}.json").read_text("utf-8"))
    return found


if __name__ == "__main__":
    for name, document in DOCUMENTS.items():
        if complaints := incompatibilities(read_baseline(name), document):
            sys.exit("\n".join(complaints))
        text = json.dumps(document, ensure_ascii=False, separators=(",", ":"))
        (BASELINE / f"{name}.json").write_text(f"{text}\n", encoding="utf-8")
