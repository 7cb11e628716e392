"""Signs: predefined phrases and pictures that players send to each other at a race or at the end of a game.

They cannot leak hidden cards. At a game they are sent and shown after its end, only to players who may see its cards.
At a race they are refused while it runs, and before the deal the cards are unknown.
"""

from typing import Literal

import msgspec
from sqlalchemy import delete, insert, select

from cadogan.server.core.clock import Clock
from cadogan.server.core.cluster.bus import ENDED_TOPIC, SIGNS_PREFIX, WakeUpHandlers
from cadogan.server.core.database.connections import Database
from cadogan.server.core.database.statements import accounts_of
from cadogan.server.core.database.tables import signs
from cadogan.server.core.dates import MILLISECONDS_PER_DAY
from cadogan.server.core.errors import Conflict, Forbidden, SpoilerEmbargo
from cadogan.server.core.eventlog.background_tasks import WAKE_UP_SECONDS, BackgroundPart
from cadogan.server.core.games.access import Access
from cadogan.server.core.games.game_reader import GameOutlines
from cadogan.server.core.games.visibility import AccessLevel
from cadogan.server.core.live.connection import frame
from cadogan.server.core.live.hub import Hub, game_topic, race_topic
from cadogan.server.core.people import Persons, PlayerCache
from cadogan.server.core.rate_limits import AddressLimit
from cadogan.server.subjects.chat.group_chat import Mutes
from cadogan.server.subjects.races.race_state import RaceState
from cadogan.server.subjects.races.settlement import RaceSettlement
from cadogan.server.subjects.wake_ups import WakeUps
from cadogan.wire import reactions as wire
from cadogan.wire.codec import encode

RETENTION_MILLISECONDS = 7 * MILLISECONDS_PER_DAY
SHOWN = 50
SECONDS_PER_REACTION = 3.0
REACTIONS_AT_ONCE = 5
"""The rate limit of one player on a node: a burst of signs, then one every `SECONDS_PER_REACTION`."""

Kind = Literal["game", "race"]


class Reactions(BackgroundPart):
    """The signs in a database, and their viewers on this node. `now` returns milliseconds since 1970."""

    def __init__(
        self,
        database: Database,
        outlines: GameOutlines,
        races: RaceSettlement,
        access: Access,
        players: PlayerCache,
        persons: Persons,
        hub: Hub,
        wake_ups: WakeUps,
        now: Clock,
    ) -> None:
        super().__init__()
        self._database = database
        self._outlines = outlines
        self._races = races
        self._access = access
        self._players = players
        self._persons = persons
        self._hub = hub
        self._wake_ups = wake_ups
        self._mutes = Mutes(database, now)
        self._pace = AddressLimit(1 / SECONDS_PER_REACTION, REACTIONS_AT_ONCE)
        self._now = now

    async def list_game_reactions(self, player: str, game: str) -> wire.Signs:
        """Return the signs at a game. Raises NotFound, and SpoilerEmbargo if the player may not see its cards."""
        outline = await self._outlines.get(game)
        if not await self._access.may_see_cards(player, outline):
            raise SpoilerEmbargo("You will see this when your own run of the deal is over, or everybody's.")
        return await self._read("game", game)

    async def list_race_reactions(self, race: str) -> wire.Signs:
        """Return the signs at a race: before the deal all, after it only those sent since the deal."""
        return await self._read("race", race, (await self._races.get(race)).starts_at)

    async def give_at_game(self, player: str, game: str, sign: wire.SignCode) -> wire.Signs:
        """Send a sign at a game that is over, and return all. Raises as `list_game_reactions`, Conflict, Muted and
        RateLimited."""
        await self.list_game_reactions(player, game)
        if not (await self._outlines.get(game)).over:
            raise Conflict("Signs are for games that are over.")
        await self._add_reaction(player, "game", game, sign)
        return await self.list_game_reactions(player, game)

    async def give_at_race(self, player: str, race: str, sign: wire.SignCode) -> wire.Signs:
        """Send a sign at a race as one of its racers, and return all.

        Raises NotFound, Forbidden for players who are not in it, Conflict while the race runs, Muted and RateLimited.
        """
        found: RaceState = await self._races.get(race)
        if player not in found.players:
            raise Forbidden("Only those who are in a race give signs at it.")
        if found.state(self._now()) == "running":
            raise Conflict("Nobody gives signs while a race is run.")
        await self._add_reaction(player, "race", race, sign)
        return await self.list_race_reactions(race)

    def wake_up_handlers(self) -> WakeUpHandlers:
        """Return the handlers of wake-ups for signs."""
        return {SIGNS_PREFIX: self.on_wake_up}

    def on_wake_up(self, about: str, _: int) -> None:
        """Send the signs at a game or a race to its subscribers on this node."""
        kind, _slash, id = about.partition("/")
        self._show("game" if kind == "game" else "race", id)

    async def clear_old(self) -> None:
        """Delete the signs that are too old."""
        async with self._database.writing() as connection:
            await connection.execute(delete(signs).where(signs.c.given_at <= self._now() - RETENTION_MILLISECONDS))

    async def _add_reaction(self, player: str, kind: Kind, id: str, sign: str) -> None:
        await self._mutes.require_not_muted(player)
        person = await self._persons.person_of(player)
        self._pace.take(person)
        values = {"place": f"{kind}/{id}", "player": player, "sign": sign, "given_at": self._now()}
        async with self._database.writing() as connection:
            own = (signs.c.place == values["place"]) & signs.c.player.in_(accounts_of(person))
            await connection.execute(delete(signs).where(own))
            await connection.execute(insert(signs).values(values))
        self._show(kind, id)
        self._wake_ups.publish(f"{SIGNS_PREFIX}{kind}/{id}", 1, (ENDED_TOPIC,))

    def _show(self, kind: Kind, id: str) -> None:
        if self._hub.has_subscribers(_topic(kind, id)):
            self.background.start_for(WAKE_UP_SECONDS, self._send, kind, id)

    async def _send(self, kind: Kind, id: str) -> None:
        found = await (self.list_race_reactions(id) if kind == "race" else self._read("game", id))
        framed = frame(encode(wire.SignsChanged(about=f"{kind}/{id}", signs=found.signs)))
        by_access_level = self._hub.subscribers(_topic(kind, id)).by_access_level
        for access_level in (
            AccessLevel.SEAT,
            AccessLevel.BOARD,
        ):  # a viewer who sees only the meter has not played the deal yet
            by_access_level[access_level].send(framed)

    async def _read(self, kind: Kind, id: str, since: int | None = None) -> wire.Signs:
        after = max(since or 0, self._now() - RETENTION_MILLISECONDS + 1)
        chosen = select(signs).where(signs.c.place == f"{kind}/{id}", signs.c.given_at >= after)
        async with self._database.reading() as connection:
            latest = chosen.order_by(signs.c.given_at.desc(), signs.c.player).limit(SHOWN)
            rows = list(await connection.execute(latest))[::-1]
        known = await self._players.players({row.player for row in rows})
        given = [{"by": known[row.player], "sign": row.sign, "at": row.given_at} for row in rows]
        return wire.Signs(signs=msgspec.convert(given, list[wire.Sign]))


def _topic(kind: Kind, id: str) -> str:
    return game_topic(id) if kind == "game" else race_topic(id)
