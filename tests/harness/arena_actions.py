"""People and bots who play an arena over real sockets; the test decides who wins."""

from functools import cache
from typing import Any

from cadogan import engine
from cadogan.engine.solver.solve import solve
from cadogan.server.core.fairness import commit_reveal
from tests.harness.evening_actions import MINUTE, Room
from tests.harness.hosts import player
from tests.harness.people import Person

GAME = "quatorze"
"""Every deal of it that was searched is won in 26 moves, and 13 of them are worth 500 points."""
NODES = 4_000
WIN, DRAW, LOSS = 26, 13, 12
"""Moves of a winning line after which the player stops."""
ARENA = 60 * MINUTE


async def announce_arena(room: Room, minutes: int = 60, **wanted: Any) -> dict[str, Any]:
    """Let a host make an arena that begins in ten minutes; return it."""
    return await room.announce(arena_minutes=minutes, games=[GAME], rounds=6, **wanted)


async def enter_bot(room: Room, name: str, owner: str) -> Person:
    """Let somebody with an account make a bot, which enters; return the bot."""
    keeper = room.people[owner] = await player(room.first, owner)
    status, made = await keeper.post("/bots", {"name": name})
    assert status == 200, made
    bot = room.people[name] = Person(room.first.url, room.first.session)
    bot.id, bot.token = made["player"]["id"], made["token"]
    status, entered = await bot.ask("PUT", f"/evenings/{room.evening}/entrants/me", {})
    assert status == 200, entered
    return bot


async def open_next(room: Room, name: str) -> dict[str, Any]:
    """Let somebody open the next deal; return the answer."""
    status, opened = await room.people[name].post(f"/evenings/{room.evening}/games")
    assert status == 200, opened
    answer: dict[str, Any] = opened
    return answer


async def play_run(room: Room, name: str, moves: int = WIN, *, give_up: bool = True) -> str:
    """Play this many moves of a winning line of the next deal, then resign; return the game's id."""
    opened = await open_next(room, name)
    line = await _winning_line(room, opened["round"])
    async with room.people[name].connect() as socket:
        seen = await socket.request("subscribe", game=opened["game"])
        version = seen["version"]
        for move in line[:moves]:
            version = (await socket.request("play", game=opened["game"], version=version, move=move))["version"]
        if moves < len(line) and give_up:
            await socket.request("resign", game=opened["game"], version=version)
    return str(opened["game"])


async def play_runs(room: Room, name: str, *moves: int, seconds: int = 60) -> list[str]:
    """Play some runs, one after another, each in this many seconds; return the games' ids."""
    games = []
    for number in moves:
        games.append(await play_run(room, name, number))
        await room.pass_time(seconds * 1000)
    return games


async def _winning_line(room: Room, number: int) -> list[str]:
    """Return the moves that win a deal of the arena."""
    name = commit_reveal.competition_deal_id("evening", f"{room.evening}/{number}")
    deal = await room.first.server.deals.get(name)
    assert deal is not None
    return _solve(deal.game, commit_reveal.game_seed(deal.game, deal.nonce, None, deal.secret))


@cache
def _solve(game: str, seed: bytes) -> list[str]:
    rules = engine.game(game)
    found = solve(rules, rules.deal(seed), seed, NODES)
    assert found.verdict == "won"
    return [move.text for move in found.line]


def sheets(standing: dict[str, Any], field: str = "people") -> dict[str, tuple[int, int, list[int]]]:
    """Return place, points and sheet of each player of a field of an arena, by name."""
    rows = [row for one in standing["arena"] if one["field"] == field for row in one["rows"]]
    return {row["player"]["name"]: (row["place"], row["points"], row["sheet"]) for row in rows}
