"""What strangers try at evenings: guessing codes, taking over a code, taking names, and reading cards."""

from collections.abc import AsyncIterator
from functools import partial
from typing import Any

import pytest
from msgspec import json

from cadogan.server.config import Settings
from cadogan.server.core.ids import derive_id
from cadogan.server.core.rate_limits import AddressLimit
from cadogan.server.subjects.evenings.evening_list import code_of
from tests.harness.evening_actions import MINUTE, PAUSE, ROUND, Room, open_room
from tests.harness.hosts import player, with_role
from tests.harness.people import Person
from tests.harness.running_server import RunningServer, open_server

PATH = "/api/v1/evenings"
KEYS = 1 << 17


@pytest.fixture
async def room(sqlite_url: str) -> AsyncIterator[Room]:
    """An evening of four rounds that begins in ten minutes."""
    async with open_room(sqlite_url, 1) as one:
        await one.announce()
        yield one


@pytest.fixture
async def strict(sqlite_url: str, monkeypatch: pytest.MonkeyPatch) -> AsyncIterator[RunningServer]:
    """A server where an address may be wrong three times, while its clock stands still."""
    monkeypatch.setattr("cadogan.server.core.rate_limits.AddressLimit", partial(AddressLimit, clock=lambda: 0.0))
    monkeypatch.setattr("cadogan.server.core.rate_limits.SIGN_INS_AT_ONCE", 3)
    async with open_server(Settings(database_url=sqlite_url, fresh=0)) as one:
        yield one


async def make(person: Person, server: RunningServer, key: str, **wanted: object) -> tuple[int, str]:
    """Let somebody make an evening under an Idempotency-Key; return the status, and the code or the refusal."""
    new = {"title": f"Of {person.id}", "starts_at": server.clock.at + 10 * MINUTE, "rounds": 1, "games": ["klondike"]}
    headers = {**person.headers, "Idempotency-Key": key}
    async with server.session.post(f"{server.url}{PATH}", json={**new, **wanted}, headers=headers) as answer:
        body = await answer.json()
        return answer.status, body["code"]


async def test_few_wrong_codes_can_be_tried_from_one_address(strict: RunningServer) -> None:
    stranger = strict.stranger()
    wrong = [(await stranger.get(f"/evenings/codes/AAAAA{letter}"))[0] for letter in "ABCDE"]
    assert wrong == [404, 404, 404, 404, 429]


async def test_a_right_code_costs_nothing(strict: RunningServer) -> None:
    _, code = await make(await with_role(strict, "Rosamund", "host"), strict, "a")
    assert [(await strict.stranger().get(f"/evenings/codes/{code}"))[0] for _ in range(6)] == [200] * 6


async def test_a_code_that_is_read_wrong_still_leads_to_its_evening(strict: RunningServer) -> None:
    host, looks_like = await with_role(strict, "Rosamund", "host"), {"O": "0", "I": "1", "B": "8"}
    key = next(key for key in range(KEYS) if {*looks_like} <= {*code_of(derive_id(b"%d" % key, "POST", PATH, host.id))})
    _, code = await make(host, strict, str(key))
    typed = "".join([looks_like.get(letter, letter) for letter in code])
    status, found = await strict.stranger().get(f"/evenings/codes/{typed}")
    assert (status, found["code"]) == (200, code)


async def test_nobody_makes_an_evening_with_the_code_of_another_one(sqlite_server: RunningServer) -> None:
    host, mallory = await with_role(sqlite_server, "Rosamund", "host"), await player(sqlite_server, "Mallory")
    _, group = await mallory.post("/groups", {"name": "Tuesdays"})
    codes = {code_of(derive_id(b"%d" % key, "POST", PATH, host.id)): key for key in range(KEYS)}
    code, own = next(
        (found, key)
        for key in range(KEYS)
        if (found := code_of(derive_id(b"%d" % key, "POST", PATH, mallory.id))) in codes
    )
    assert await make(host, sqlite_server, str(codes[code])) == (200, code)
    status, refused = await make(mallory, sqlite_server, str(own), group=group["id"], entry="link")
    assert (status, refused) == (409, "command_reused")
    _, found = await sqlite_server.stranger().get(f"/evenings/codes/{code}")
    assert found["title"] == f"Of {host.id}"
    assert await make(host, sqlite_server, str(codes[code])) == (200, code)  # sent again, it is the same evening


async def test_a_guest_takes_no_name_of_the_leader_and_mends_the_own_one_until_the_evening_begins(room: Room) -> None:
    async def names(person: Person, name: str) -> tuple[int, list[str]]:
        status, shown = await person.ask("PUT", f"/evenings/{room.evening}/entrants/me", {"name": name})
        return status, [one["player"]["name"] for one in shown.get("entrants", [])]

    guest = await room.first.guest()
    assert (await names(guest, "ROSAMUND"))[0] == 409
    assert await names(guest, "An") == (200, ["An"])
    assert (await names(await room.first.guest(), "an"))[0] == 409
    assert (await guest.ask("DELETE", f"/evenings/{room.evening}/entrants/me"))[0] == 200
    assert await names(guest, "Ann") == (200, ["Ann"])
    await room.pass_time(10 * MINUTE)
    assert (await room.show())["state"] == "round"
    assert await names(guest, "Somebody else") == (200, ["Ann"])


async def test_who_cannot_enter_takes_no_name(room: Room) -> None:
    await room.rule(kind="void", reason="The power is out.")
    guest = await room.first.guest()
    answer = await guest.ask("PUT", f"/evenings/{room.evening}/entrants/me", {"name": "Anna"})
    assert answer[1]["code"] == "conflict"
    assert await room.first.server.guest_names.of(room.evening) == {}


async def test_a_round_has_a_number_in_plain_digits(room: Room) -> None:
    for number in ("%C2%B2", "%D9%A1", "-1", "1.0", "100", "a"):
        status, refused = await room.first.stranger().get(f"/evenings/{room.evening}/rounds/{number}")
        assert (status, refused["code"]) == (404, "not_found"), number


async def test_nobody_else_reads_the_cards_of_an_open_round(room: Room) -> None:
    await room.guest("Ada")
    ben = await room.guest("Ben")
    await room.pass_time(11 * MINUTE)
    game = await room.open_deal("Ada")
    deal = (await room.show())["rounds"][0]["deal"]
    await room.play("Ben", moves=1)  # has ended the same deal
    paths = [f"/games/{game}/{one}" for one in ("replay", "record", "analysis", "analysis/ways/1", "result", "pace")]
    for person in (room.first.stranger(), ben, room.people["host"]):
        for path in (*paths, f"/deals/{deal}"):
            status, body = await person.get(path)
            assert status in (403, 404, 409) or not {"cards", "piles", "secret", "moves", "legal"} & body.keys(), path
        assert (await person.post(f"/deals/{deal}/games", {"nonce": "mine"}))[0] in (401, 403, 404, 409)


async def test_a_frozen_round_is_read_nowhere_before_it_is_shown(room: Room) -> None:
    await room.announce(rounds=1, games=["klondike"], freeze=True)
    await room.guest("Ada")
    await room.guest("Ben")
    await room.pass_time(11 * MINUTE)
    games = [await room.play("Ada"), await room.play("Ben", moves=1)]
    await room.pass_time(11 * MINUTE)
    deal = (await room.show())["rounds"][0]["deal"]
    paths = [f"/evenings/{room.evening}/rounds/1", f"/deals/{deal}", *(f"/games/{game}/replay" for game in games)]
    stranger = room.first.stranger()
    assert [(await stranger.get(path))[0] for path in paths] == [403] * 4
    assert (await room.rule(kind="thaw"))[0] == 200
    assert [(await stranger.get(path))[0] for path in paths] == [200] * 4


async def test_only_the_player_reads_the_result_of_a_frozen_round(room: Room) -> None:
    await room.announce(rounds=2, games=["klondike"] * 2, freeze=True)
    ada = await room.guest("Ada")
    await room.pass_time(11 * MINUTE)
    first = await room.play("Ada")
    await room.pass_time(ROUND + PAUSE)
    last = await room.play("Ada", moves=1)

    async def read(person: Person) -> tuple[Any, ...]:
        """Return what a person finds about Ada's games: listed, counted, collected, exported, and the last result."""
        _, profile = await person.get(f"/players/{ada.id}")
        _, collection = await person.get(f"/players/{ada.id}/collection")
        address = f"{person.url}/api/v1/players/{ada.id}/games"
        async with person.session.get(address, headers=person.headers) as answer:
            exported = [json.decode(line)["game"]["id"] for line in (await answer.text()).splitlines()]
        counted = profile["played"], sum(week["played"] for week in profile["weeks"]), collection["games"][0]["played"]
        listed = [one["game"]["id"] for one in profile["recent"]]
        status, _ = await person.get(f"/games/{last}/result")
        return listed, counted, exported, status

    host = room.people["host"]
    everything = [last, first], (2, 2, 2), [first, last], 200
    assert await read(host) == ([first], (1, 1, 1), [first], 403)
    assert await read(ada) == everything
    await room.pass_time(ROUND)
    assert (await host.get(f"/games/{first}/result"))[1].get("past") is None
    assert (await room.rule(kind="thaw"))[0] == 200
    assert await read(host) == everything


async def test_a_run_of_a_frozen_round_is_no_live_game_whose_progress_everybody_sees(room: Room) -> None:
    await room.announce(rounds=2, games=["klondike"] * 2, freeze=True)
    await room.guest("Ada")

    async def live() -> list[str]:
        return [one["game"] for one in (await room.first.stranger().get("/games/live"))[1]["games"]]

    await room.pass_time(11 * MINUTE)
    first = await room.open_deal("Ada")
    assert await live() == [first]
    await room.pass_time(ROUND + PAUSE)
    await room.open_deal("Ada")
    assert await live() == []


async def test_a_reason_that_stays_in_the_log_has_only_visible_characters(room: Room) -> None:
    for reason in ("dark\u202ekrad", "dark\x07", "dark\ndark", "dark\u2028"):
        status, refused = await room.rule(kind="void", reason=reason)
        assert (status, refused["message"]) == (400, "A reason has no characters that cannot be seen."), reason
    assert (await room.show())["state"] == "entry"


async def note_outage(room: Room, since: int, until: int) -> int:
    """Let the leader note an outage; return the status."""
    ruling = {"kind": "outage", "from": since, "until": until}
    status, _ = await room.people["host"].post(f"/evenings/{room.evening}/rulings", ruling)
    return status


async def test_an_outage_lies_within_the_evening_and_a_share_has_two_small_numbers(room: Room) -> None:
    start = room.clock.at
    far = 2**62
    for since, until in ((0, start + MINUTE), (start, far), (start + MINUTE, start)):
        assert await note_outage(room, since, until) == 400, (since, until)
    assert await note_outage(room, start, start + MINUTE) == 200
    new = {"title": "Thursday", "starts_at": start + 10 * MINUTE, "rounds": 1, "games": ["klondike"] * 2}
    final = {"rounds": 1, "share": [10**30, 1]}
    assert (await room.people["host"].post("/evenings", {**new, "final": final}))[0] == 400
