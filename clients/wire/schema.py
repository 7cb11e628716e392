"""The OpenAPI and AsyncAPI documents, made from the types that the code itself uses."""

from functools import cache
from typing import Any, get_args

import msgspec

from clients.wire.bodies import Refusal
from clients.wire.codec import CLOSE_CODES, LARGEST_FRAME
from clients.wire.endpoints import ENDPOINTS, EVERYWHERE, Endpoint, Query, TextQuery
from clients.wire.examples import example
from clients.wire.messages import ClientMessage, ServerMessage

Document = dict[str, Any]

VERSION = "1"
_SCHEMAS = "#/components/schemas/"


@cache
def openapi() -> Document:
    """The HTTP interface as an OpenAPI 3.1 document."""
    kinds = {kind for endpoint in ENDPOINTS for kind in (endpoint.request, endpoint.response) if kind} | {Refusal}
    paths: Document = {}
    for endpoint in ENDPOINTS:
        paths.setdefault(endpoint.path, {})[endpoint.method.lower()] = _operation(endpoint)
    return {
        "openapi": "3.1.0",
        "jsonSchemaDialect": "https://json-schema.org/draft/2020-12/schema",
        "info": _info("Everything but the moves themselves, which go over the socket (see asyncapi.json)."),
        "paths": paths,
        "components": {
            "schemas": _components(kinds),
            "securitySchemes": {
                "bearer": {"type": "http", "scheme": "bearer", "description": "For programs."},
                "cookie": {"type": "apiKey", "in": "cookie", "name": "cadogan_session", "description": "For browsers."},
            },
        },
    }


@cache
def asyncapi() -> Document:
    """The socket as an AsyncAPI 3.0 document, as seen by the server: it receives what clients send."""
    received, sent = get_args(ClientMessage), get_args(ServerMessage)
    channel = {"$ref": "#/channels/socket"}
    return {
        "asyncapi": "3.0.0",
        "info": _info("What moves: games being played and watched, and a day's progress."),
        "defaultContentType": "application/json",
        "channels": {
            "socket": {
                "address": "/ws/v1",
                "description": f"JSON text frames; a client's hold at most {LARGEST_FRAME} bytes. {_closing()}",
                "messages": {
                    kind.__name__: {"$ref": f"#/components/messages/{kind.__name__}"} for kind in received + sent
                },
            }
        },
        "operations": {
            "receive": {"action": "receive", "channel": channel, "messages": _in_channel(received)},
            "send": {"action": "send", "channel": channel, "messages": _in_channel(sent)},
        },
        "components": {
            "messages": {kind.__name__: _message(kind) for kind in received + sent},
            "schemas": _components({*received, *sent}),
        },
    }


def _closing() -> str:
    codes = "; ".join(f"{code}, {why}" for code, why in CLOSE_CODES.items())
    return f"The server closes with one of these codes: {codes}."


def _info(description: str) -> Document:
    return {
        "title": "Cadogan",
        "version": VERSION,
        "description": f"{description} Readers ignore keys they do not know.",
        "license": {"name": "MIT"},
    }


def _components(kinds: set[type]) -> Document:
    ordered = sorted(kinds, key=lambda kind: kind.__name__)
    _, schemas = msgspec.json.schema_components(ordered, ref_template=_SCHEMAS + "{name}")
    return dict(sorted(schemas.items()))


def _operation(endpoint: Endpoint) -> Document:
    operation: Document = {
        "operationId": endpoint.name,
        "summary": endpoint.summary,
        "responses": {"200": _response(endpoint), "default": _refusal(endpoint)},
    }
    parameters = [_path_parameter(name) for name in endpoint.parameters]
    parameters += [_query_parameter(query) for query in endpoint.queries]
    if parameters:
        operation["parameters"] = parameters
    if endpoint.request:
        operation["requestBody"] = {"required": True, "content": _content(endpoint.request)}
    if endpoint.signed_in:
        operation["security"] = [{"bearer": []}, {"cookie": []}]
    return operation


def _query_parameter(query: Query | TextQuery) -> Document:
    shown: Document = {"name": query.name, "in": "query", "description": query.meaning}
    if isinstance(query, TextQuery):
        return shown | {"schema": {"type": "string", "pattern": f"^({query.pattern})$"}, "example": query.example}
    return shown | {"schema": {"type": "integer", "minimum": 0, "maximum": query.largest, "default": query.default}}


def _path_parameter(name: str) -> Document:
    return {"name": name, "in": "path", "required": True, "schema": {"type": "string"}}


def _response(endpoint: Endpoint) -> Document:
    if endpoint.document:
        return {"description": endpoint.document, "content": {"application/json": {"schema": {"type": "object"}}}}
    assert endpoint.response is not None
    return {"description": (endpoint.response.__doc__ or "").partition("\n")[0], "content": _content(endpoint.response)}


def _refusal(endpoint: Endpoint) -> Document:
    codes = ", ".join(f"`{code}`" for code in (*endpoint.refusals, *EVERYWHERE))
    return {"description": f"Refused: {codes}.", "content": _content(Refusal)}


def _content(kind: type) -> Document:
    shown = {"schema": {"$ref": _SCHEMAS + kind.__name__}, "example": msgspec.to_builtins(example(kind))}
    return {"application/json": shown}


def _message(kind: type) -> Document:
    shown = msgspec.to_builtins(example(kind))
    return {
        "name": shown["type"],
        "summary": (kind.__doc__ or "").partition("\n")[0],
        "payload": {"$ref": _SCHEMAS + kind.__name__},
        "examples": [{"payload": shown}],
    }


def _in_channel(kinds: tuple[type, ...]) -> list[Document]:
    return [{"$ref": f"#/channels/socket/messages/{kind.__name__}"} for kind in kinds]
