"""Make the OpenAPI and AsyncAPI documents from the types of the wire contract.

`python -m clients.wire.schema docs` writes them to the folder `docs`.
"""

import json
import sys
from functools import cache
from itertools import pairwise
from pathlib import Path
from typing import Any, get_args

import msgspec

from clients.wire.bodies import Refusal
from clients.wire.codec import CLOSE_CODES, MAX_CLIENT_FRAME_BYTES, encode
from clients.wire.endpoint import COMMON_REFUSALS, Endpoint, Query, TextQuery
from clients.wire.endpoints import ENDPOINTS
from clients.wire.examples import example
from clients.wire.links import PATH_PARAMETERS, links
from clients.wire.messages import ClientMessage, ServerMessage

Document = dict[str, Any]

VERSION = "1"
_SCHEMAS = "#/components/schemas/"
_LAST_EVENT: Document = {
    "name": "Last-Event-ID",
    "in": "header",
    "description": "The version of the last event that was read, as an EventSource sends it. It overrides `since`.",
    "schema": {"type": "integer", "minimum": 0, "maximum": 999_999_999},
}


@cache
def openapi() -> Document:
    """Return the HTTP interface as an OpenAPI 3.1 document."""
    kinds = {kind for endpoint in ENDPOINTS for kind in (endpoint.request, endpoint.response, *endpoint.stream) if kind}
    paths: Document = {}
    for endpoint in ENDPOINTS:
        paths.setdefault(endpoint.path, {})[endpoint.method.lower()] = _operation(endpoint)
    return {
        "openapi": "3.1.0",
        "jsonSchemaDialect": "https://json-schema.org/draft/2020-12/schema",
        "info": _info("Everything except moves, which go over the socket (see asyncapi.json)."),
        "paths": paths,
        "components": {
            "schemas": _components(kinds | {Refusal}),
            "securitySchemes": {
                "bearer": {"type": "http", "scheme": "bearer", "description": "For programs."},
                "cookie": {"type": "apiKey", "in": "cookie", "name": "cadogan_session", "description": "For browsers."},
            },
        },
    }


@cache
def asyncapi() -> Document:
    """Return the socket as an AsyncAPI 3.0 document, from the side of the server: it receives what clients send."""
    received, sent = get_args(ClientMessage), get_args(ServerMessage)
    channel = {"$ref": "#/channels/socket"}
    return {
        "asyncapi": "3.0.0",
        "info": _info(
            "Everything live: games that are played and watched, races, leaderboards, and the progress of a day."
        ),
        "defaultContentType": "application/json",
        "channels": {
            "socket": {
                "address": "/ws/v1",
                "description": f"JSON text frames; clients send at most {MAX_CLIENT_FRAME_BYTES} bytes. {_closing()}",
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
    if leading := links(endpoint):
        operation["responses"]["200"]["links"] = leading
    parameters = [_path_parameter(word, part[1:-1]) for word, part in pairwise(endpoint.path.split("/")) if "{" in part]
    parameters += [_query_parameter(query) for query in endpoint.queries]
    if endpoint.stream:
        parameters.append(_LAST_EVENT)
        operation["responses"]["204"] = {"description": "The game is over, and there is no message after this version."}
    if parameters:
        operation["parameters"] = parameters
    if endpoint.request:
        operation["requestBody"] = {"required": True, "content": _content(endpoint.request)}
    anybody: list[Document] = [] if endpoint.signed_in else [{}]
    operation["security"] = [*anybody, {"bearer": []}, {"cookie": []}]
    return operation


def _query_parameter(query: Query | TextQuery) -> Document:
    shown: Document = {"name": query.name, "in": "query", "description": query.meaning}
    if isinstance(query, TextQuery):
        kept = {"format": query.format} if query.format else {"pattern": f"^({query.pattern})$"}
        return shown | {"schema": {"type": "string", **kept}, "example": query.example}
    return shown | {"schema": {"type": "integer", "minimum": 0, "maximum": query.largest, "default": query.default}}


def _path_parameter(word: str, name: str) -> Document:
    meaning, shown = PATH_PARAMETERS[word]
    named: Document = {"name": name, "in": "path", "required": True, "description": meaning}
    return named | {"schema": {"type": "string"}, "example": shown}


def _response(endpoint: Endpoint) -> Document:
    if endpoint.document:
        return {"description": endpoint.document, "content": {"application/json": {"schema": {"type": "object"}}}}
    if endpoint.stream:
        return {"description": _STREAMED, "content": _streamed(endpoint.stream)}
    assert endpoint.response is not None
    return {"description": (endpoint.response.__doc__ or "").partition("\n")[0], "content": _content(endpoint.response)}


_STREAMED = (
    "Messages, as the socket sends them (see asyncapi.json), until the game is over: one on each line, or one in each "
    "event, whose id is the game's version. Empty lines and comments only keep the stream open."
)


def _streamed(kinds: tuple[type, ...]) -> Document:
    shown = encode(example(kinds[1])).decode()
    refs = [{"$ref": _SCHEMAS + kind.__name__} for kind in kinds]
    return {
        "application/x-ndjson": {"schema": {"oneOf": refs}, "example": f"{shown}\n"},
        "text/event-stream": {"schema": {"type": "string"}, "example": f"id: 2\ndata: {shown}\n\n"},
    }


def _refusal(endpoint: Endpoint) -> Document:
    codes = ", ".join(f"`{code}`" for code in (*endpoint.refusals, *COMMON_REFUSALS))
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


def text(document: Document) -> str:
    """Return a document as the text of its file."""
    return json.dumps(document, ensure_ascii=False, indent=1) + "\n"


if __name__ == "__main__":
    for made in (openapi, asyncapi):
        Path(sys.argv[1], f"{made.__name__}.json").write_text(text(made()), encoding="utf-8")
