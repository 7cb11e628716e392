"""The documents are compatible with those of the last release, and incompatible changes are found."""

import copy
from collections.abc import Callable
from typing import Any

import pytest

from tests.harness.schema_checks import DOCUMENTS
from tests.wire.compatibility import incompatibilities, read_baseline

Change = Callable[[Any], Any]


@pytest.mark.parametrize("name", DOCUMENTS)
def test_the_documents_are_compatible_with_the_last_release(name: str) -> None:
    assert incompatibilities(read_baseline(name), DOCUMENTS[name]) == []


def schemas(document: Any) -> Any:
    return document["components"]["schemas"]


@pytest.mark.parametrize(
    ("name", "change", "found"),
    [
        ("openapi", lambda d: d["paths"].pop("/api/v1/rules"), "GET /api/v1/rules: is gone"),
        (
            "openapi",
            lambda d: d["paths"]["/api/v1/boards/{board}"]["get"]["parameters"].pop(),
            "GET /api/v1/boards/{board}: no parameter bots",
        ),
        (
            "openapi",
            lambda d: schemas(d)["RulesCard"]["properties"].pop("packs"),
            "GET /api/v1/rules.rules[].packs: is gone",
        ),
        (
            "openapi",
            lambda d: schemas(d)["NewRace"]["required"].append("size"),
            "POST /api/v1/races.size: became required",
        ),
        ("asyncapi", lambda d: d["operations"]["send"]["messages"].pop(0), "View: is gone"),
        ("asyncapi", lambda d: schemas(d)["Play"]["required"].append("at"), "Play.at: became required"),
        ("asyncapi", lambda d: schemas(d)["Pong"]["required"].remove("at"), "Pong.at: may be left out"),
        (
            "asyncapi",
            lambda d: schemas(d)["Play"]["properties"]["move"].update(maxLength=100),
            "Play.move: maxLength was 512, is 100",
        ),
        (
            "asyncapi",
            lambda d: schemas(d)["View"]["properties"]["sight"]["enum"].append("new"),
            "View.sight: may be 'new'",
        ),
        (
            "asyncapi",
            lambda d: schemas(d)["Meter"]["properties"]["home"].update(type="string"),
            "DayProgress.games[].home: type was integer, is string",
        ),
    ],
)
def test_an_incompatible_change_is_found(name: str, change: Change, found: str) -> None:
    now = copy.deepcopy(DOCUMENTS[name])
    change(now)
    assert found in incompatibilities(DOCUMENTS[name], now)


@pytest.mark.parametrize(
    ("name", "change"),
    [
        ("openapi", lambda d: d["paths"].update({"/api/v1/new": {"get": {}}})),
        ("openapi", lambda d: schemas(d)["RulesCard"]["properties"].update(new={"type": "string"})),
        ("openapi", lambda d: schemas(d)["NewRace"]["properties"].update(new={"type": "string"})),
        ("asyncapi", lambda d: schemas(d)["Play"]["properties"]["move"].update(maxLength=1000)),
        ("asyncapi", lambda d: schemas(d)["View"]["required"].append("new")),
        ("asyncapi", lambda d: schemas(d)["Refused"]["properties"]["code"]["enum"].append("new")),
        ("asyncapi", lambda d: schemas(d)["Subscribe"]["properties"]["since"]["anyOf"][0].update(description="Other.")),
    ],
)
def test_additions_are_compatible(name: str, change: Change) -> None:
    now = copy.deepcopy(DOCUMENTS[name])
    change(now)
    assert incompatibilities(DOCUMENTS[name], now) == []
