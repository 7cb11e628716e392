"""Hosts and moderators are bound by the same visibility as everybody: no card of an open day is shown to them."""

import json

import pytest

from cadogan.server.core.eventlog.streams import game_stream
from cadogan.wire.endpoints import ENDPOINTS
from tests.harness.hosts import WHY, player, with_role
from tests.harness.running_server import RunningServer

_ABOUT = (
    "about=game/{id}",
    "about=player/{player}",
    "about=player/{player}&type=move_played",
    "about=game/{id}&limit=1",
)
QUESTIONS = {"browse_events": _ABOUT, "download_events": _ABOUT}
"""What is asked at the addresses that need to be told about what; elsewhere nothing."""


@pytest.mark.parametrize("role", ["moderator", "host"])
async def test_nothing_of_the_house_shows_a_card_of_an_open_day(sqlite_server: RunningServer, role: str) -> None:
    bob = await player(sqlite_server, "Bob")
    game = await bob.enter()
    staff = await with_role(sqlite_server, "Ada", role)
    (dealt,) = await sqlite_server.server.store.read(game_stream(game))
    cards = {card.lstrip("-") for pile in json.loads(dealt.data)["piles"].values() for card in pile}
    assert len(cards) > 30
    sent: list[str] = []
    for what, body in (
        ("name", {"name": "Rowan", **WHY}),
        ("sessions", WHY),
        ("access", WHY),
        ("suspension", {"until": sqlite_server.clock.at + 1, **WHY}),
        ("ban", {"banned": True, **WHY}),
    ):
        sent.append(json.dumps(await staff.ask("PUT", f"/house/players/{bob.id}/{what}", body)))
    for endpoint in ENDPOINTS:
        if endpoint.method == "GET" and "/house/" in endpoint.path:
            for asked in QUESTIONS.get(endpoint.name, ("",)):
                path = f"{endpoint.path}?{asked}".format(id=game, player=bob.id, day="2026-11-20")
                async with staff.session.get(f"{staff.url}{path}", headers=staff.headers) as response:
                    allowed = role == "host" or endpoint.role != "host"
                    # 404: the id is of a game. 409: the findings of a day that is open
                    assert response.status in ((200, 404, 409) if allowed else (403,)), path
                    sent.append(await response.text())
    words = {word for text in sent for word in text.replace('"', " ").replace(",", " ").split()}
    assert not cards & words
    assert not any(name in text for text in sent for name in ("piles", "secret", "commitment", "legal"))


@pytest.mark.parametrize("role", ["moderator", "host"])
async def test_a_run_of_an_open_day_is_a_meter_for_who_has_a_role(sqlite_server: RunningServer, role: str) -> None:
    bob = await player(sqlite_server, "Bob")
    game = await bob.enter()
    staff = await with_role(sqlite_server, "Ada", role)
    _, seen = await staff.get(f"/games/{game}")
    assert (seen["sight"], "piles" in seen, "legal" in seen) == ("meter", False, False)
    for part in ("replay", "record"):
        assert (await staff.get(f"/games/{game}/{part}"))[1]["code"] == "spoiler_embargo"
