"""The OpenAPI and AsyncAPI documents, compared with the types and with the examples."""

import re
from collections.abc import Iterator
from typing import Any, get_args

import msgspec
import pytest
from jsonschema import Draft202012Validator

from cadogan.wire import bodies, endpoints, messages, schema, values
from cadogan.wire.codec import CLOSE_CODES, encode
from cadogan.wire.examples import BODY_EXAMPLES, CLIENT_EXAMPLES, SERVER_EXAMPLES, example
from cadogan.wire.message import snake_case
from tests.harness.schema_checks import DOCUMENTS, body_faults, message_faults, validator

ANSWERS = {entry.name: entry.response for entry in endpoints.ENDPOINTS if entry.response}


def references(part: Any) -> Iterator[str]:
    """Yield every `$ref` in a part of a document."""
    if isinstance(part, dict):
        if isinstance(part.get("$ref"), str):
            yield part["$ref"]
        for value in part.values():
            yield from references(value)
    elif isinstance(part, list):
        for value in part:
            yield from references(value)


def resolve(document: schema.Document, reference: str) -> Any:
    """Return the part of a document to which a reference leads. Raises KeyError."""
    part: Any = document
    for key in reference.removeprefix("#/").split("/"):
        part = part[key]
    return part


@pytest.mark.parametrize("name", DOCUMENTS)
def test_every_reference_leads_to_a_part_of_the_document(name: str) -> None:
    found = set(references(DOCUMENTS[name]))
    assert found
    assert all(resolve(DOCUMENTS[name], reference) is not None for reference in found)


def test_ids_in_answers_have_links_to_the_operations_that_take_them() -> None:
    document = schema.openapi()
    operations = {one["operationId"]: one for path in document["paths"].values() for one in path.values()}
    leading = {name: one["responses"]["200"].get("links", {}) for name, one in operations.items()}
    assert {"show_game", "download_record"} <= set(leading["begin_game"])
    for name, links in leading.items():
        for link in links.values():
            asked = {f"path.{one['name']}" for one in operations[link["operationId"]].get("parameters", [])}
            assert set(link.get("parameters", {})) <= asked
            for expression in link.get("parameters", {}).values():
                body = msgspec.to_builtins(example(ANSWERS[name]))
                for key in expression.removeprefix("$response.body#/").split("/"):
                    body = body[int(key) if key.isdecimal() else key]
                assert isinstance(body, str)


def test_the_pattern_of_a_query_parameter_matches_the_whole_text() -> None:
    parameters = schema.openapi()["paths"]["/api/v1/boards/{board}"]["get"]["parameters"]
    (among,) = (one["schema"]["pattern"] for one in parameters if one["name"] == "among")
    group = "group:" + "a" * 16
    fitting = [text for text in ("friends", group, "friendships", f"no {group}") if re.search(among, text)]
    assert fitting == ["friends", group]


def test_the_document_of_the_socket_lists_the_close_codes() -> None:
    said = schema.asyncapi()["channels"]["socket"]["description"]
    assert all(f"{code}, {why}" in said for code, why in CLOSE_CODES.items())


@pytest.mark.parametrize("name", DOCUMENTS)
def test_every_schema_is_a_valid_schema(name: str) -> None:
    for part in DOCUMENTS[name]["components"]["schemas"].values():
        Draft202012Validator.check_schema(part)


def parts(part: Any) -> Iterator[dict[str, Any]]:
    """Yield every object in a part of a document."""
    if isinstance(part, dict):
        yield part
    for value in part.values() if isinstance(part, dict) else part if isinstance(part, list) else ():
        yield from parts(value)


@pytest.mark.parametrize("name", DOCUMENTS)
def test_every_pattern_is_one_that_all_languages_read(name: str) -> None:
    patterns = {part["pattern"] for part in parts(DOCUMENTS[name]) if isinstance(part.get("pattern"), str)}
    assert patterns
    for pattern in patterns:  # RE2, as Go has it, knows no lookahead, no backreference, no \u and no \Z
        assert "(?" not in pattern
        assert re.fullmatch(r"\^([^\\]|\\x[0-9a-f]{2})*\$", pattern), pattern


@pytest.mark.parametrize("name", DOCUMENTS)
def test_no_schema_is_a_boolean_or_a_tuple(name: str) -> None:
    for part in parts(DOCUMENTS[name]["components"]["schemas"]):
        assert "prefixItems" not in part
        assert not isinstance(part.get("items"), bool)


@pytest.mark.parametrize("text", ["2026-11-20\n", "2026-11-2", "\n"])
def test_a_text_with_a_line_break_at_its_end_does_not_fit_a_pattern(text: str) -> None:
    with pytest.raises(msgspec.ValidationError):
        msgspec.convert(text, values.Day)


@pytest.mark.parametrize("name", DOCUMENTS)
def test_every_schema_has_a_description(name: str) -> None:
    lacking = [kind for kind, part in DOCUMENTS[name]["components"]["schemas"].items() if not part.get("description")]
    assert not lacking


def test_every_example_of_a_message_is_valid() -> None:
    decoded = [msgspec.json.decode(encode(message)) for message in (*CLIENT_EXAMPLES, *SERVER_EXAMPLES)]
    assert [(one, found) for one in decoded if (found := message_faults(one))] == []


def test_an_invalid_message_is_found() -> None:
    faulty = {"type": "play", "id": "1", "game": "g", "version": -1, "move": "no spaces"}
    assert len(list(validator("asyncapi", "Play").iter_errors(faulty))) == 2


def test_every_example_of_a_body_is_valid() -> None:
    known = DOCUMENTS["openapi"]["components"]["schemas"]
    decoded = [(type(body).__name__, msgspec.json.decode(encode(body))) for body in BODY_EXAMPLES]
    assert [(name, found) for name, one in decoded if name in known and (found := body_faults(name, one))] == []


def test_every_message_of_a_client_has_an_operation_with_its_answers() -> None:
    operations = schema.asyncapi()["operations"]
    assert set(messages.ANSWERS) == set(get_args(messages.ClientMessage))
    for kind, answers in messages.ANSWERS.items():
        replies = operations[snake_case(kind.__name__)]["reply"]["messages"]
        named = {one["$ref"].rpartition("/")[2] for one in replies}
        assert named == {"Refused", *(answer.__name__ for answer in answers)}


def test_every_server_of_the_socket_names_the_ways_to_sign_in() -> None:
    document = schema.asyncapi()
    for server in document["servers"].values():
        assert [one["$ref"].rpartition("/")[2] for one in server["security"]] == ["bearer", "cookie"]
        assert all(resolve(document, one["$ref"]) for one in server["security"])


def test_every_message_has_an_example_and_is_in_the_asyncapi_document() -> None:
    kinds = get_args(messages.ClientMessage) + get_args(messages.ServerMessage)
    shown = {type(message) for message in (*CLIENT_EXAMPLES, *SERVER_EXAMPLES)}
    assert shown == set(kinds)
    assert {kind.__name__ for kind in kinds} == set(schema.asyncapi()["components"]["messages"])


def test_every_body_has_an_example_and_an_endpoint() -> None:
    asked = {kind for entry in endpoints.ENDPOINTS for kind in (entry.request, entry.response, entry.lines) if kind}
    assert {type(body) for body in BODY_EXAMPLES} == (asked | {bodies.Refusal}) - {messages.View, messages.Race}


def test_every_refusal_code_belongs_to_an_endpoint_or_to_a_command() -> None:
    at_endpoints = {code for entry in endpoints.ENDPOINTS for code in entry.codes}
    of_commands = {
        "bad_move",
        "game_over",
        "illegal_move",
        "no_hints",
        "nothing_to_take_back",
        "stale_version",
        "take_back_revealed",
    }
    assert at_endpoints.isdisjoint(of_commands)
    of_words = {"muted"}  # of whatever players can say to each other
    assert at_endpoints | of_commands | of_words == set(get_args(values.RefusalCode))


def test_operations_have_unique_names_and_declare_their_parameters() -> None:
    names = [entry.name for entry in endpoints.ENDPOINTS]
    assert len(set(names)) == len(names)
    for entry in endpoints.ENDPOINTS:
        operation = schema.openapi()["paths"][entry.path][entry.method.lower()]
        in_path = [part["name"] for part in operation.get("parameters", []) if part["in"] == "path"]
        assert in_path == entry.parameters


def test_every_endpoint_answers_exactly_one_of_a_body_a_document_a_stream_and_lines() -> None:
    for entry in endpoints.ENDPOINTS:
        assert [bool(one) for one in (entry.response, entry.document, entry.stream, entry.lines)].count(True) == 1
