"""Holding what is sent to the published documents: a body to OpenAPI, a message to AsyncAPI."""

from functools import cache
from typing import Any

from jsonschema import Draft202012Validator

from cadogan.wire import schema

DOCUMENTS = {"openapi": schema.openapi(), "asyncapi": schema.asyncapi()}


def body_faults(kind: str, body: Any) -> list[str]:
    """What is wrong with decoded JSON by a schema of the OpenAPI document."""
    return [fault.message for fault in validator("openapi", kind).iter_errors(body)]


def message_faults(message: Any) -> list[str]:
    """What is wrong with a decoded frame of either side by the AsyncAPI document. Raises KeyError for no `type`."""
    return [fault.message for fault in validator("asyncapi", schema_name(message)).iter_errors(message)]


def schema_name(message: Any) -> str:
    """The name of the schema of a frame. Raises KeyError for no `type`."""
    return "".join(word.capitalize() for word in message["type"].split("_"))


def check_body(kind: str, body: Any) -> None:
    """Hold decoded JSON to a schema of the OpenAPI document, by its type's name. Raises ValidationError."""
    validator("openapi", kind).validate(body)


def check_message(message: Any) -> None:
    """Hold a decoded frame of either side to the AsyncAPI document. Raises ValidationError, KeyError for no `type`."""
    validator("asyncapi", schema_name(message)).validate(message)


@cache
def validator(document: str, kind: str) -> Draft202012Validator:
    """A check of one schema of a document."""
    components = DOCUMENTS[document]["components"]
    return Draft202012Validator({"$ref": f"#/components/schemas/{kind}", "components": components})
