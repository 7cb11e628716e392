"""Make the OpenAPI and AsyncAPI documents from the types of the wire contract."""

import json
from functools import cache
from itertools import pairwise
from typing import Any, get_args

import msgspec

from cadogan.wire.bodies import Refusal
from cadogan.wire.codec import CLOSE_CODES, MAX_CLIENT_FRAME_BYTES, encode
from cadogan.wire.endpoint import API, Endpoint, Query, TextQuery
from cadogan.wire.endpoints import ENDPOINTS
from cadogan.wire.examples import example
from cadogan.wire.links import PATH_PARAMETERS, links
from cadogan.wire.message import Message, snake_case
from cadogan.wire.messages import ANSWERS, GAME_STEPS, ClientMessage, Refused, ServerMessage

Document = dict[str, Any]

VERSION = "1"
_COOKIE = "For browsers. Over TLS its name is `__Host-cadogan_session`."
SECURITY: Document = {
    "bearer": {
        "type": "http",
        "scheme": "bearer",
        "description": "For programs: a session's or a personal token.",
    },
    "cookie": {"type": "apiKey", "in": "cookie", "name": "cadogan_session", "description": _COOKIE},
}
_SIGNING_IN = (
    "The handshake carries a token, in the header `Authorization` or as a cookie. Without one, one may watch; a token "
    "that is not valid is refused."
)
_SCOPES = {
    "read": "A personal token with the scope `read` or `play` may do this.",
    "play": "A personal token with the scope `play` may do this.",
    "analyse": "A personal token with the scope `analyse` may do this.",
    "session": "A personal token may not do this; it needs a session.",
}
_ROLES = {
    "moderator": "Only moderators and hosts may do this.",
    "host": "Only hosts may do this.",
}
_CONFIRMED = "The player must have confirmed in the last ten minutes that it is they (`show_ways_to_confirm`)."
_SCHEMAS = "#/components/schemas/"
_CHANNEL: Document = {"$ref": "#/channels/socket"}
_LAST_EVENT: Document = {
    "name": "Last-Event-ID",
    "in": "header",
    "description": "The version of the last event that was read, as an EventSource sends it. It overrides `since`.",
    "schema": {"type": "integer", "minimum": 0, "maximum": 999_999_999},
}
_IF_NONE_MATCH: Document = {
    "name": "If-None-Match",
    "in": "header",
    "description": "The `ETag` of an earlier answer.",
    "schema": {"type": "string"},
}
_UNCHANGED = "The answer is still the one with this `ETag`."

_IDEMPOTENCY_KEY: Document = {
    "name": "Idempotency-Key",
    "in": "header",
    "description": "The id of this request. Sent again with the same id, it creates nothing a second time.",
    "schema": {"type": "string", "pattern": "^[!-~]{1,128}$"},
}


@cache
def openapi() -> Document:
    """Return the HTTP interface as an OpenAPI 3.1 document."""
    kinds = {kind for endpoint in ENDPOINTS for kind in _bodies(endpoint)}
    paths: Document = {}
    for endpoint in ENDPOINTS:
        paths.setdefault(endpoint.path, {})[endpoint.method.lower()] = _operation(endpoint)
    return {
        "openapi": "3.1.0",
        "jsonSchemaDialect": "https://json-schema.org/draft/2020-12/schema",
        "info": _info("Everything except moves, which go over the socket (see asyncapi.json)."),
        "servers": [{"url": "/", "description": "The server from which this document comes."}],
        "tags": [{"name": tag} for tag in sorted({_tag(endpoint) for endpoint in ENDPOINTS})],
        "paths": paths,
        "components": {
            "schemas": _components(kinds | {Refusal}),
            "securitySchemes": SECURITY,
        },
    }


@cache
def asyncapi() -> Document:
    """Return the socket as an AsyncAPI 3.0 document, from the side of the server: it receives what clients send."""
    received, sent = get_args(ClientMessage), get_args(ServerMessage)
    return {
        "asyncapi": "3.0.0",
        "info": _info(
            "Everything live: games that are played and watched, races, leaderboards, and the progress of a day."
        ),
        "servers": {
            "tls": _server("wss", "patience.example", "A server on the net, behind TLS."),
            "plain": _server("ws", "127.0.0.1:8000", "A server on this machine."),
        },
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
            **{snake_case(kind.__name__): _receive(kind) for kind in received},
            "send": {
                "action": "send",
                "channel": _CHANNEL,
                "summary": "Everything that the server sends: answers, and news of what the client is subscribed to",
                "messages": _in_channel(sent),
            },
        },
        "components": {
            "messages": {kind.__name__: _message(kind) for kind in received + sent},
            "schemas": _components({*received, *sent}),
            "securitySchemes": {
                "bearer": SECURITY["bearer"],
                "cookie": {"type": "httpApiKey", **{k: v for k, v in SECURITY["cookie"].items() if k != "type"}},
            },
        },
    }


def _server(protocol: str, host: str, description: str) -> Document:
    """Return a server of the AsyncAPI document. Nobody has to be signed in to watch, so each scheme is optional."""
    schemes = [{"$ref": f"#/components/securitySchemes/{name}"} for name in SECURITY]
    return {"host": host, "protocol": protocol, "description": f"{description} {_SIGNING_IN}", "security": schemes}


def _receive(kind: type[Message]) -> Document:
    """Return the operation in which the server receives this message and answers it. Raises LookupError."""
    if kind not in ANSWERS:
        raise LookupError(f"{kind.__name__} has no answers: name them in ANSWERS of clients/wire/messages.py")
    return {
        "action": "receive",
        "channel": _CHANNEL,
        "summary": (kind.__doc__ or "").partition("\n")[0],
        "messages": _in_channel((kind,)),
        "reply": {"channel": _CHANNEL, "messages": _in_channel((*ANSWERS[kind], Refused))},
    }


def _closing() -> str:
    codes = "; ".join(f"{code}, {why}" for code, why in CLOSE_CODES.items())
    return f"The server closes with one of these codes: {codes}."


def _info(description: str) -> Document:
    return {
        "title": "Cadogan",
        "version": VERSION,
        "description": f"{description} Readers ignore keys they do not know.",
        "license": {"name": "MIT", "url": "https://spdx.org/licenses/MIT"},
    }


def _components(kinds: set[type]) -> Document:
    ordered = sorted(kinds, key=lambda kind: kind.__name__)
    _, schemas = msgspec.json.schema_components(ordered, ref_template=_SCHEMAS + "{name}")
    return {name: _portable(schema) for name, schema in sorted(schemas.items())}


def _portable(schema: Any) -> Any:
    """Return a schema that uses only JSON Schema keywords that client generators support.

    Patterns end with `$`, which in JSON Schema matches only the end of the text, unlike in Python. A tuple of equal
    types becomes an array of a fixed length, because many tools do not support `prefixItems` or the schema `false`.
    """
    if isinstance(schema, list):
        return [_portable(part) for part in schema]
    if not isinstance(schema, dict):
        return schema
    made = {key: _portable(part) for key, part in schema.items()}
    if isinstance(made.get("pattern"), str):
        made["pattern"] = made["pattern"].replace(r"\Z", "$")
    if parts := made.pop("prefixItems", None):
        if any(part != parts[0] for part in parts):
            raise TypeError(f"The parts of this tuple differ: {schema}")
        made["items"] = parts[0]
    return made


def _bodies(endpoint: Endpoint) -> list[type]:
    return [one for one in (endpoint.request, endpoint.response, endpoint.lines, *endpoint.stream) if one]


def _operation(endpoint: Endpoint) -> Document:
    operation: Document = {
        "operationId": endpoint.name,
        "tags": [_tag(endpoint)],
        "summary": endpoint.summary,
        "description": _who_may(endpoint),
        "responses": {"200": _response(endpoint), "default": _refusal(endpoint)},
    }
    if leading := links(endpoint):
        operation["responses"]["200"]["links"] = leading
    parameters = [_path_parameter(word, part[1:-1]) for word, part in pairwise(endpoint.path.split("/")) if "{" in part]
    parameters += [_query_parameter(query) for query in endpoint.queries]
    if endpoint.method == "POST":
        parameters.append(_IDEMPOTENCY_KEY)
    if endpoint.stream:
        parameters.append(_LAST_EVENT)
        operation["responses"]["204"] = {"description": "No message can come after this one."}
    if endpoint.has_etag:
        parameters.append(_IF_NONE_MATCH)
        operation["responses"]["200"]["headers"] = {"ETag": {"schema": {"type": "string"}}}
        operation["responses"]["304"] = {"description": _UNCHANGED}
    if parameters:
        operation["parameters"] = parameters
    if endpoint.request:
        operation["requestBody"] = {"required": True, "content": _content(endpoint.request)}
    anybody: list[Document] = [] if endpoint.signed_in else [{}]
    operation["security"] = [*anybody, {"bearer": []}, {"cookie": []}]
    return operation


def _who_may(endpoint: Endpoint) -> str:
    """Return the required role and scope of an endpoint, as sentences."""
    of_role = [_ROLES[endpoint.role]] if endpoint.role in _ROLES else []
    return " ".join([*of_role, _SCOPES[endpoint.needed_scope], *([_CONFIRMED] if endpoint.confirmed else [])])


def _tag(endpoint: Endpoint) -> str:
    """Return the group of an endpoint: the first word of its path below the version, ``games`` for ``/games/{id}``."""
    return endpoint.path.removeprefix(f"{API}/").partition("/")[0].removesuffix(".json")


def _query_parameter(query: Query | TextQuery) -> Document:
    shown: Document = {"name": query.name, "in": "query", "description": query.meaning}
    if isinstance(query, TextQuery):
        bounds = {"format": query.format} if query.format else {"pattern": f"^({query.pattern})$"}
        return shown | {"schema": {"type": "string", **bounds}, "example": query.example}
    return shown | {"schema": {"type": "integer", "minimum": 0, "maximum": query.largest, "default": query.default}}


def _path_parameter(word: str, name: str) -> Document:
    meaning, shown = PATH_PARAMETERS[word]
    named: Document = {"name": name, "in": "path", "required": True, "description": meaning}
    return named | {"schema": {"type": "string"}, "example": shown}


def _response(endpoint: Endpoint) -> Document:
    if endpoint.document:
        return {"description": endpoint.document, "content": {"application/json": {"schema": {"type": "object"}}}}
    if endpoint.lines:
        return {"description": _LINES, "content": _lines(endpoint.lines)}
    if endpoint.stream:
        return {"description": _STREAMED, "content": _streamed(endpoint.stream)}
    assert endpoint.response is not None
    return {"description": (endpoint.response.__doc__ or "").partition("\n")[0], "content": _content(endpoint.response)}


_LINES = "One on each line; as text for whoever accepts only that."


def _lines(kind: type) -> Document:
    line = f"{encode(example(kind)).decode()}\n"
    return {
        "application/x-ndjson": _content(kind)["application/json"],
        "text/plain": {"schema": {"type": "string"}, "example": line},
    }


_STREAMED = (
    "Messages, as the socket sends them (see asyncapi.json), until none can come any more: one on each line, or one in "
    "each event; its id is the message's version, if it has one. Empty lines and comments only keep the stream open."
)


def _streamed(kinds: tuple[type, ...]) -> Document:
    shown = example(next((kind for kind in kinds if kind in GAME_STEPS), kinds[0]))
    identified = f"id: {shown.version}\n" if hasattr(shown, "version") else ""
    event = f"{identified}data: {encode(shown).decode()}\n\n"
    refs = [{"$ref": _SCHEMAS + kind.__name__} for kind in kinds]
    return {
        "application/x-ndjson": {"schema": {"oneOf": refs}, "example": msgspec.to_builtins(shown)},
        "text/event-stream": {"schema": {"type": "string"}, "example": event},
    }


def _refusal(endpoint: Endpoint) -> Document:
    codes = ", ".join(f"`{code}`" for code in endpoint.codes)
    return {"description": f"Refused: {codes}.", "content": _content(Refusal)}


def _content(kind: type) -> Document:
    shown = {"schema": {"$ref": _SCHEMAS + kind.__name__}, "example": msgspec.to_builtins(example(kind))}
    return {"application/json": shown}


def _message(kind: type) -> Document:
    shown = msgspec.to_builtins(example(kind))
    answers = "command" if kind in GAME_STEPS else "id"
    correlated = {"correlationId": {"location": f"$message.payload#/{answers}"}} if hasattr(kind, answers) else {}
    return {
        "name": shown["type"],
        **correlated,
        "summary": (kind.__doc__ or "").partition("\n")[0],
        "payload": {"$ref": _SCHEMAS + kind.__name__},
        "examples": [{"payload": shown}],
    }


def _in_channel(kinds: tuple[type, ...]) -> list[Document]:
    return [{"$ref": f"#/channels/socket/messages/{kind.__name__}"} for kind in kinds]


def text(document: Document) -> str:
    """Return a document as the text of its file."""
    return json.dumps(document, ensure_ascii=False, indent=1) + "\n"
