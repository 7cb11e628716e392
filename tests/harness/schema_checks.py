"""Validating sent data against the published documents: a body against OpenAPI, a message against AsyncAPI."""

from functools import cache
from typing import Any

from jsonschema import Draft202012Validator

from cadogan.wire import schema

DOCUMENTS = {"openapi": schema.openapi(), "asyncapi": schema.asyncapi()}


def body_faults(kind: str, body: Any) -> list[str]:
    """Return the faults of decoded JSON against a schema of the OpenAPI document."""
    return [fault.message for fault in validator("openapi", kind).iter_errors(body)]


def message_faults(message: Any) -> list[str]:
    """Return the faults of a decoded frame against the AsyncAPI document. Raises KeyError without `type`."""
    return [fault.message for fault in validator("asyncapi", schema_name(message)).iter_errors(message)]


def schema_name(message: Any) -> str:
    """Return the name of the schema of a frame. Raises KeyError without `type`."""
    return "".join(word.capitalize() for word in message["type"].split("_"))


def check_body(kind: str, body: Any) -> None:
    """Validate decoded JSON against an OpenAPI schema, by its type's name. Raises ValidationError."""
    validator("openapi", kind).validate(body)


def check_message(message: Any) -> None:
    """Validate a decoded frame of either side against AsyncAPI. Raises ValidationError, and KeyError without `type`."""
    validator("asyncapi", schema_name(message)).validate(message)


@cache
def validator(document: str, kind: str) -> Draft202012Validator:
    """Return a validator of one schema of a document."""
    components = DOCUMENTS[document]["components"]
    return Draft202012Validator({"$ref": f"#/components/schemas/{kind}", "components": components})
