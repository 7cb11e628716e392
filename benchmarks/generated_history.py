"""Fills a database with years of history: copies of a few played games, with other players.

A few games are played by random moves. Each generated game is a copy of one of them with its own player, ids, times and
therefore hashes. Half of the games are casual, and their records verify. The others are ranked runs of days, a few
hundred a day, so that the leaderboards grow realistically; their records do not verify, because the cards of a day are
derived from its secret.
"""

from __future__ import annotations

import random
from collections.abc import Iterator, Sequence
from hashlib import sha256
from itertools import islice
from typing import NamedTuple

import msgspec
from sqlalchemy import insert

from cadogan import engine
from cadogan.server.app import Server
from cadogan.server.core import dates, ids
from cadogan.server.core.database.connections import Database
from cadogan.server.core.database.tables import deals, players, tokens
from cadogan.server.core.eventlog import hash_chain
from cadogan.server.core.eventlog.event_store import Append, NewEvent
from cadogan.server.core.eventlog.events import DealRevealed, Event, GameDealt, GameFinished, encode_event
from cadogan.server.core.eventlog.projections import project_game
from cadogan.server.core.eventlog.streams import game_stream
from cadogan.server.core.fairness import commit_reveal
from cadogan.server.core.fairness.sealed_deals import SealedDeal
from cadogan.server.core.games import game_state
from cadogan.server.core.games.competition import make_deal_event
from cadogan.server.core.storage.writers import PostgresqlBatchWriter, SqliteBatchWriter
from cadogan.wire.messages import Play, Resign

GAMES = ("klondike", "quatorze", "fortress", "canfield-or-klondike", "labyrinth", "nestor", "carlton", "congress")
MOVES = 48
RUNS_A_DAY = 400
FIRST_DAY = "2016-01-01"
MILLISECONDS_PER_MOVE = 4000
TOKEN = "cadogan_generated"
"""The token of the first player."""
_SECRET = bytes(range(commit_reveal.SECRET_BYTES))
_GAMES_AT_ONCE = 256


class PlayedGame(NamedTuple):
    """A played game: its deal, its events with the milliseconds since the deal, and their stored form."""

    deal: SealedDeal
    events: Sequence[tuple[Event, int]]
    encoded: Sequence[tuple[str, int, str]]


def play_games(count: int, server: Server) -> list[PlayedGame]:
    """Play this many games by random moves, and resign them."""
    rng, slugs = random.Random(1), [name for name in GAMES if name in engine.slugs()]
    return [_play(f"generated-{number}", slugs[number % len(slugs)], rng, server) for number in range(count)]


def _play(deal_id: str, slug: str, rng: random.Random, server: Server) -> PlayedGame:
    deal = SealedDeal(deal_id, slug, _SECRET, commit_reveal.commitment(_SECRET))
    dealt = make_deal_event(deal, "-", nonce=deal_id)
    steps = game_state.deal(ids.new_id(), dealt, _SECRET, 0, server.competitions.rules)
    while len(steps) <= MOVES and not steps[-1].after.over and (legal := steps[-1].after.position.legal):
        game = steps[-1].after
        move = Play(id="-", game=game.id, version=game.version, move=rng.choice(tuple(legal)))
        steps += game_state.decide(game, move, len(steps) * MILLISECONDS_PER_MOVE)
    if not (game := steps[-1].after).over:
        at = len(steps) * MILLISECONDS_PER_MOVE
        steps += game_state.decide(game, Resign(id="-", game=game.id, version=game.version), at)
    events = [(step.event, step.sealed.recorded_at) for step in steps]
    return PlayedGame(deal, events, [encode_event(event) for event, _ in events])


class History:
    """A growing history. It depends only on its length, not on the database or the number of extensions."""

    def __init__(self, server: Server) -> None:
        self._server = server
        self._played = play_games(64, server)
        self._rng = random.Random(2)
        self.events = 0
        self.games: list[str] = []
        """Some of the casual games."""
        self.players: list[str] = []

    def use(self, server: Server) -> None:
        """Write to this server's database from now on; it must be the same database."""
        self._server = server

    async def grow(self, events: int) -> None:
        """Write games until the log has this many generated events."""
        if not self.events:
            await self._write_deals()
        database = self._server.database
        writer = SqliteBatchWriter(database) if database.is_sqlite else PostgresqlBatchWriter(database)
        games = self._appends()
        while self.events < events:
            batch = [append for game in islice(games, _GAMES_AT_ONCE) for append in game]
            await self._write_players(1 + len(self.games) // 8)
            if not await writer.commit(batch):
                raise RuntimeError("the generated games conflict with what the database holds")
            self.events += sum(len(append.events) for append in batch)
        await writer.close()

    def _appends(self) -> Iterator[list[Append]]:
        number = len(self.games) * 2
        while True:
            yield self._copy(number, self._played[number % len(self._played)])
            number += 1

    def _copy(self, number: int, played: PlayedGame) -> list[Append]:
        """Return a copy of a game with another player, as its commands wrote it; every second one is a run of a day."""
        game_id = ids.derive_id(_SECRET, "game", str(number))
        is_ranked = number % 2 == 1
        run = number // 2
        day = dates.add_days(FIRST_DAY, run // RUNS_A_DAY)
        player = self._player(run % RUNS_A_DAY * (1 + run // RUNS_A_DAY % 9) if is_ranked else run // 8)
        begun = dates.day_times(day, 0).opens_at + run % RUNS_A_DAY * 60_000
        first, _ = played.events[0]
        assert isinstance(first, GameDealt)
        dealt = msgspec.structs.replace(first, player=player)
        if is_ranked:
            dealt = msgspec.structs.replace(dealt, ranked=True, day=day, slot=1, deal=f"{day}.1")
        else:
            self.games.append(game_id)
        stream, previous = game_stream(game_id), hash_chain.START_HASH
        written: list[NewEvent] = []
        times: list[tuple[Event, int]] = []
        for place, (event, later) in enumerate(((dealt, 0), *played.events[1:])):
            if is_ranked and isinstance(event, DealRevealed):
                continue
            kind, schema, data = encode_event(event) if place == 0 else played.encoded[place]
            at = begun + later
            previous = hash_chain.event_hash(previous, stream, len(written) + 1, kind, schema, data, at)
            written.append(NewEvent(len(written) + 1, kind, schema, data, at, previous))
            if isinstance(event, (GameDealt, GameFinished)):
                times.append((event, at))
        rows = project_game(game_id, times, self._server.competitions.rules)
        end = next(place for place, event in enumerate(written) if event.type == "game_finished")
        parts = [*([event] for event in written[:end]), written[end:]]
        return [
            Append(
                stream,
                f"{number:012x}{part[0].version:04x}",
                tuple(part),
                rows if part[0].type == "game_finished" else (),
            )
            for part in parts
        ]

    def _player(self, number: int) -> str:
        return ids.derive_id(_SECRET, "player", str(number))

    async def _write_deals(self) -> None:
        rows = [
            {
                "id": one.deal.id,
                "game": one.deal.game,
                "secret": one.deal.secret.hex(),
                "commitment": one.deal.commitment,
            }
            for one in self._played
        ]
        async with self._server.database.writing() as connection:
            await connection.execute(insert(deals), [{**row, "created_at": 0} for row in rows])

    async def _write_players(self, wanted: int) -> None:
        wanted = max(wanted, RUNS_A_DAY * 9) + _GAMES_AT_ONCE
        if len(self.players) >= wanted:
            return
        new = [self._player(number) for number in range(len(self.players), wanted + 10 * _GAMES_AT_ONCE)]
        async with self._server.database.writing() as connection:
            rows = [{"id": id, "name": f"Guest {id[:6]}", "created_at": 0, "claimed_at": 0} for id in new]
            await connection.execute(insert(players), rows)
            if not self.players:
                digest = sha256(TOKEN.encode()).hexdigest()
                session = {"hash": digest, "player": new[0], "created_at": 0, "expires_at": 1 << 52}
                await connection.execute(insert(tokens).values(session))
        self.players += new


async def table_bytes(database: Database) -> dict[str, int]:
    """Return the bytes of each table with its indexes; for SQLite the whole file as one."""
    async with database.reading() as connection:
        if database.is_sqlite:
            pages = await connection.exec_driver_sql(
                "SELECT page_count * page_size FROM pragma_page_count, pragma_page_size"
            )
            return {"file": int(pages.scalar_one())}
        named = "SELECT relname, pg_total_relation_size(relid) FROM pg_stat_user_tables"
        return {name: int(size) for name, size in await connection.exec_driver_sql(named)}
