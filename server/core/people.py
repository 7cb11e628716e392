"""Who somebody is, for every subject: sessions, the person behind an account, and players as others see them.

Persons: an owner and their bots are one person. A person is a newcomer until their name is old enough.

Guests are free to create, so a guest may be a second account of any player. A name claimed long before a deal opened is
harder to get. `docs/fairness.md` lists what a newcomer may not see, and the limits of this protection.
"""

import re
import secrets
import time
from collections.abc import Awaitable, Callable, Collection, Iterable
from hashlib import sha256
from typing import NamedTuple

from sqlalchemy import delete, func, insert, select, update
from sqlalchemy.ext.asyncio import AsyncConnection

from cadogan.server.core import ids
from cadogan.server.core.database.connections import Database
from cadogan.server.core.database.tables import personal_tokens, players, tokens
from cadogan.server.core.event_loop import Batcher
from cadogan.wire.values import Player

TOKEN_PREFIX = "cadogan_"
_TOKEN = re.compile(r"[\w.-]{1,64}", re.ASCII)
SESSION_LIFETIME_SECONDS = 365 * 24 * 3600


async def create_session(connection: AsyncConnection, player: str, now: int) -> str:
    """Open a session of a player, and return its token. `now` is in milliseconds since 1970."""
    await connection.execute(delete(tokens).where(tokens.c.player == player, tokens.c.expires_at <= now))
    return (await create_first_sessions(connection, (player,), now))[player]


async def create_first_sessions(connection: AsyncConnection, players: Iterable[str], now: int) -> dict[str, str]:
    """Open the first session of each of these players, and return the tokens by player."""
    made = {player: TOKEN_PREFIX + secrets.token_urlsafe(32) for player in players}
    expires_at = now + SESSION_LIFETIME_SECONDS * 1000
    rows = [
        {"hash": session_id(token), "player": player, "created_at": now, "expires_at": expires_at}
        for player, token in made.items()
    ]
    await connection.execute(insert(tokens), rows)
    return made


async def confirm_session(connection: AsyncConnection, player: str, session: str, now: int) -> None:
    """Store in a player's session, by its id, that the player has confirmed their identity."""
    chosen = update(tokens).where(tokens.c.hash == session, tokens.c.player == player)
    await connection.execute(chosen.values(confirmed_at=now))


async def delete_sessions(connection: AsyncConnection, player: str) -> tuple[str, ...]:
    """Delete all sessions and personal tokens of a player, and return their ids and hashes.

    Creating and deleting sessions locks the player's row first, so that none is created meanwhile, without deadlocks.
    """
    await connection.execute(select(players.c.id).where(players.c.id == player).with_for_update())
    ended: list[str] = []
    for table in (tokens, personal_tokens):
        chosen = delete(table).where(table.c.player == player).returning(table.c.hash)
        ended += (await connection.execute(chosen)).scalars()
    return tuple(ended)


def is_like_a_token(text: str) -> bool:
    """Return whether a text is as short and plain as a session's or personal token: only then it is looked up."""
    return _TOKEN.fullmatch(text) is not None


def session_id(token: str) -> str:
    """Return the id of the session with this token. The token cannot be derived from the id."""
    return sha256(token.encode(errors="surrogatepass")).hexdigest()


MAX_REMEMBERED = 100_000
"""The maximum number of players whose person is cached."""


class Person(NamedTuple):
    """The person who owns an account.

    `id` is the account's own id, or for a bot the owner's. `claimed_at` is when the person claimed a name, in
    milliseconds since 1970; None for a guest.
    """

    id: str
    claimed_at: int | None


class Persons:
    """The persons who own the players of a database."""

    def __init__(self, database: Database, newcomer_milliseconds: int) -> None:
        """Persons are newcomers until their name is `newcomer_milliseconds` old; 0 disables this."""
        self._database = database
        self._newcomer_ms = newcomer_milliseconds
        self._found = Batcher(self._find)
        self._named: dict[str, Person] = {}

    async def person_of(self, player: str) -> str:
        """Return the id of the person who owns a player: for a bot, even a retired one, the owner's id."""
        return (await self._get(player)).id if ids.is_bot(player) else player

    async def is_newcomer(self, player: str, opened_at: int) -> bool:
        """Return whether the player may be a second account, created for a deal that opened at the time `opened_at`.

        This holds for players without a name that was old enough then. It does not change while the deal is open.
        """
        if self._newcomer_ms == 0:
            return False
        claimed_at = (await self._get(player)).claimed_at
        return claimed_at is None or claimed_at + self._newcomer_ms > opened_at

    async def _get(self, player: str) -> Person:
        known = self._named.get(player)
        if known is None:
            known = await self._found.get(player) or Person(player, None)
            if known.claimed_at is not None:  # guests are not cached, because they may claim a name later
                if len(self._named) >= MAX_REMEMBERED:
                    self._named.clear()
                self._named[player] = known
        return known

    async def _find(self, wanted: Collection[str]) -> dict[str, Person]:
        owners = players.alias("owners")
        behind = (
            select(
                players.c.id,
                func.coalesce(players.c.owner, players.c.id).label("person"),
                func.coalesce(owners.c.claimed_at, players.c.claimed_at).label("claimed_at"),
            )
            .outerjoin(owners, owners.c.id == players.c.owner)
            .where(players.c.id.in_(wanted))
        )
        return {row.id: Person(row.person, row.claimed_at) for row in await self._database.fetch(behind)}


CACHE_SECONDS = 10.0
"""The lifetime of an entry in seconds, after which a newly claimed name is shown everywhere."""
MAX_CACHED_PLAYERS = 10_000
Lookup = Callable[[Iterable[str]], Awaitable[dict[str, Player]]]


class PlayerCache:
    """Loads players with `lookup` and caches them for `CACHE_SECONDS`."""

    def __init__(self, lookup: Lookup) -> None:
        self._lookup = lookup
        self._known: dict[str, Player] = {}
        self._since = time.monotonic()

    async def player(self, player: str) -> Player:
        """Return the player with this id; for an erased one a `placeholder`."""
        return (await self.players((player,)))[player]

    async def players(self, wanted: Iterable[str]) -> dict[str, Player]:
        """Return every one of these players by id; for an erased one a `placeholder`."""
        if time.monotonic() - self._since > CACHE_SECONDS or len(self._known) > MAX_CACHED_PLAYERS:
            self._known = {}
            self._since = time.monotonic()
        wanted = tuple(wanted)
        missing = [player for player in wanted if player not in self._known]
        if missing:
            self._known |= {player: placeholder(player) for player in missing} | await self._lookup(missing)
        return {player: self._known[player] for player in wanted}

    def forget(self, player: str) -> None:
        """Drop this player from the cache."""
        self._known.pop(player, None)

    def cached_player(self, player: str) -> Player:
        """Return the player with this id as last looked up, or a `placeholder`. It does not block."""
        return self._known.get(player) or placeholder(player)


def placeholder(player: str) -> Player:
    """Return the placeholder shown for an erased player."""
    return Player(id=player, name="Nobody", guest=True, bot=ids.is_bot(player), left=True)
