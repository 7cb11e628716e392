"""A second account is of no use: it shows no card in time, or it is in the log that it was shown some."""

from collections.abc import AsyncIterator
from pathlib import Path
from typing import Any

import pytest
from msgspec import json

from cadogan.server.core import dates
from cadogan.server.core.eventlog.streams import view_stream
from cadogan.server.core.fairness.commit_reveal import race_deal_id
from cadogan.wire.messages import Play
from tests.harness import everything_sent, fixed_server
from tests.harness.everything_sent import SocketListener
from tests.harness.fixed_server import NOON
from tests.harness.game_steps import DAY
from tests.harness.people import Person
from tests.harness.running_server import RunningServer

pytestmark = pytest.mark.slow

DEAL = f"{DAY}.1"
RULES = "klondike"
TELLING = {"piles", "counters", "legal", "can_take_back", "effects", "move", "secret", "hash"}
"""Keys under which cards, piles or what gives them away would be said."""


async def by_every_channel(running_server: RunningServer, viewer: Person, owner: Person, game: str) -> SocketListener:
    """Everything that the viewer gets by asking everywhere, while the owner plays a move."""
    async with everything_sent.listen_to_socket(running_server, viewer) as listener:
        for watch in everything_sent.watches(game, RULES):
            await listener.ask(**watch)
        await play(running_server, owner, game)
        await listener.listen("somebody plays")
        version = (await running_server.server.cache.get(game)).version
        for command in everything_sent.commands(game, version, ["deal"]):
            await listener.ask(**command)
        await listener.read_addresses(everything_sent.addresses((game,), (owner.id, viewer.id), RULES))
    return listener


async def play(running_server: RunningServer, player: Person, game_id: str) -> None:
    """Let the player play the first legal move."""
    game = await running_server.server.cache.get(game_id)
    move = next(iter(game.position.legal))
    command = Play(id=f"v{game.version}", game=game_id, version=game.version, move=move)
    await running_server.server.commands.carry_out(player.id, command)


def keys_of(body: Any) -> set[str]:
    """Every key in a body, however deep."""
    if isinstance(body, dict):
        return set(body).union(*map(keys_of, body.values()))
    return set().union(*map(keys_of, body)) if isinstance(body, list) else set()


def leaking_channels(listener: SocketListener, game: str) -> set[str]:
    """The ways by which something of the game's cards was told."""
    found = set()
    for channel, said in listener.received:
        lines = [json.decode(line[line.index(b"{") :]) for line in said.splitlines() if b"{" in line]
        if game in said.decode() and any(TELLING & keys_of(line) for line in lines):
            found.add(channel)
    return found


async def watched(running_server: RunningServer, player: str) -> list[str]:
    """The games of the deal that a player was shown, as the log has it."""
    stored = await running_server.server.store.read(view_stream(DEAL, player))
    assert {event.type for event in stored} <= {"game_watched"}
    return [json.decode(event.data)["game"] for event in stored]


async def refusal(person: Person, path: str, body: Any = None) -> str:
    """The code with which something is refused."""
    status, answer = await person.post(path, body)
    assert status >= 400, answer
    return str(answer["code"])


@pytest.fixture
async def running_server(sqlite_template: Path) -> AsyncIterator[RunningServer]:
    """A server at noon of the day, for which an account counts as new for a day."""
    async with fixed_server.open_fixed_server(sqlite_template, RULES) as one:
        one.clock.at = NOON
        yield one


async def test_a_fresh_second_account_is_shown_no_card_whatever_it_does_first(running_server: RunningServer) -> None:
    first = await fixed_server.person(running_server, "first")
    game = await first.enter(DAY)
    idle, at_play, done, greedy = await fixed_server.people(running_server, ("idle", "player", "done", "greedy"), age=0)
    await at_play.enter(DAY)
    await fixed_server.end(running_server, done, await done.enter(DAY))
    assert await refusal(greedy, f"/dailies/{DAY}/deals/1/spoil") == "spoiler_embargo"
    for second in (idle, at_play, done, greedy):
        listener = await by_every_channel(running_server, second, first, game)
        assert leaking_channels(listener, game) == set()
        assert await watched(running_server, second.id) == []


async def test_an_aged_second_account_is_shown_no_card_before_its_own_run_is_over(
    running_server: RunningServer,
) -> None:
    first, second = await fixed_server.people(running_server, ("first", "second"))
    game, seconds = await first.enter(DAY), await second.enter(DAY)
    assert leaking_channels(await by_every_channel(running_server, second, first, game), game) == set()
    assert await watched(running_server, second.id) == []
    await fixed_server.resign(running_server, second, seconds)
    assert "subscribe" in leaking_channels(await by_every_channel(running_server, second, first, game), game)


async def test_what_an_aged_second_account_was_shown_is_in_the_log_before_the_first_has_finished(
    running_server: RunningServer,
) -> None:
    first, second, other = await fixed_server.people(running_server, ("first", "second", "other"))
    game, others = await first.enter(DAY), await other.enter(DAY)
    await fixed_server.end(running_server, second, await second.enter(DAY))
    running_server.clock.at += 1000
    await by_every_channel(running_server, second, first, game)
    running_server.clock.at += 1000
    assert await watched(running_server, second.id) == [game]
    await by_every_channel(running_server, second, other, others)
    assert await watched(running_server, second.id) == [game, others]
    running_server.clock.at += 1000
    await fixed_server.end(running_server, first, game)
    (view, _) = await running_server.server.store.read(view_stream(DEAL, second.id))
    end = (await running_server.server.store.read(f"game/{game}"))[-1]
    assert (end.type, view.recorded_at < end.recorded_at) == ("game_finished", True)
    status, board = await running_server.stranger().get(f"/boards/deal:{DEAL}")
    assert {entry["player"]["id"] for entry in board["entries"]} == {first.id, second.id}
    assert status == 200


async def test_a_player_who_asks_to_be_shown_a_deal_is_logged_and_on_no_board(running_server: RunningServer) -> None:
    first, second = await fixed_server.people(running_server, ("first", "second"))
    game = await first.enter(DAY)
    assert (await second.post(f"/dailies/{DAY}/deals/1/spoil"))[0] == 200
    assert "subscribe" in leaking_channels(await by_every_channel(running_server, second, first, game), game)
    assert await watched(running_server, second.id) == [game]
    assert await refusal(second, f"/dailies/{DAY}/deals/1/games") == "already_played"
    await fixed_server.end(running_server, second, await second.enter(DAY, practice=True))
    assert (await running_server.stranger().get(f"/boards/deal:{DEAL}"))[1]["total"] == 0


async def test_no_second_account_plays_a_shared_deal_as_a_casual_one_or_ahead_of_its_day(
    running_server: RunningServer,
) -> None:
    second = await fixed_server.person(running_server, "second")
    tomorrow = dates.add_days(DAY, 1)
    for deal in (DEAL, f"{tomorrow}.1", race_deal_id(fixed_server.RACE)):
        assert await refusal(second, "/games", {"deal": deal, "nonce": "my own words"}) == "not_found"
    for practice in (False, True):
        code = await refusal(second, f"/dailies/{tomorrow}/deals/1/games", {"practice": practice})
        assert code == "day_not_open"
    assert await refusal(second, f"/dailies/{DAY}/deals/1/games", {"practice": True}) == "spoiler_embargo"
    assert await refusal(second, f"/dailies/{tomorrow}/deals/1/spoil") == "day_not_open"


async def test_a_second_account_that_watches_a_race_is_shown_no_card(running_server: RunningServer) -> None:
    first, rival, second = await fixed_server.people(running_server, ("first", "rival", "second"))
    await fixed_server.race(running_server, (first, rival), RULES)
    await running_server.server.races.get(fixed_server.RACE)
    game = await fixed_server.game_in_race(running_server, first)
    assert leaking_channels(await by_every_channel(running_server, second, first, game), game) == set()


async def test_a_second_account_in_the_race_that_gives_up_and_looks_is_in_the_log(
    running_server: RunningServer,
) -> None:
    first, second, rival = await fixed_server.people(running_server, ("first", "second", "rival"))
    await fixed_server.race(running_server, (first, second, rival), RULES)
    await running_server.server.races.get(fixed_server.RACE)
    game = await fixed_server.game_in_race(running_server, first)
    assert leaking_channels(await by_every_channel(running_server, second, first, game), game) == set()
    await fixed_server.resign(running_server, second, await fixed_server.game_in_race(running_server, second))
    assert "subscribe" in leaking_channels(await by_every_channel(running_server, second, first, game), game)
    stored = await running_server.server.store.read(view_stream(race_deal_id(fixed_server.RACE), second.id))
    assert [json.decode(event.data)["game"] for event in stored] == [game]
