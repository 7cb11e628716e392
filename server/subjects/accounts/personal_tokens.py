"""Personal tokens, with which a program or another site acts for a player, within scopes and until they expire.

Only the SHA-256 of a token is stored, as for sessions.
"""

import secrets
from collections.abc import Callable, Collection
from typing import Any, NamedTuple

from sqlalchemy import Row, delete, insert, select

from cadogan.server.core import ids
from cadogan.server.core.database.connections import Database
from cadogan.server.core.database.tables import personal_tokens, players, tokens
from cadogan.server.core.dates import MILLISECONDS_PER_DAY
from cadogan.server.core.errors import CommandReused, NotFound, TooMany, Unauthorized
from cadogan.server.core.people import session_id
from cadogan.server.subjects.accounts.account_rows import is_not_suspended
from cadogan.wire import tokens as wire
from cadogan.wire.values import Player

TOKEN_PREFIX = "cadogan_personal_"
MAX_TOKENS = 20
"""The maximum number of personal tokens of one player."""


class Bearer(NamedTuple):
    """The player of a token, and its scopes."""

    player: Player
    scopes: frozenset[str]


class PersonalTokens:
    """The personal tokens of a database. `now` returns the time in milliseconds since 1970."""

    def __init__(self, database: Database, now: Callable[[], int]) -> None:
        self._database = database
        self._now = now

    async def create(self, player: str, session: str, id: str, wanted: wire.NewToken) -> wire.MadeToken:
        """Create a token of a player with this id. A retry replaces the secret of the token with this id.

        `session` is the id of the requesting session. Raises TooMany, CommandReused if the token with the id has other
        properties, and Unauthorized if the session has ended, so that no token is created during a sign-out.
        """
        token, now, table = TOKEN_PREFIX + secrets.token_urlsafe(32), self._now(), personal_tokens.c
        row: dict[str, Any] = {
            "id": id,
            "hash": session_id(token),
            "player": player,
            "name": wanted.name,
            "scopes": " ".join(sorted(set(wanted.scopes))),
            "created_at": now,
            "expires_at": now + wanted.days * MILLISECONDS_PER_DAY,
        }
        holder = select(players.c.id).where(players.c.id == player)
        asking = select(tokens.c.hash).where(tokens.c.hash == session, tokens.c.player == player)
        async with self._database.writing() as connection:
            await connection.execute(holder.with_for_update())  # others, and one that ends all sessions, wait
            if await connection.scalar(asking) is None:
                raise Unauthorized("Sign in first, or play as a guest.")
            await connection.execute(delete(personal_tokens).where(table.player == player, table.expires_at <= now))
            known = select(personal_tokens).where(table.player == player)
            rows = {one.id: one for one in await connection.execute(known)}
            if (made := rows.get(id)) is not None:
                _require_same(made, row)
                row |= {"created_at": made.created_at, "expires_at": made.expires_at}
                await connection.execute(delete(personal_tokens).where(table.id == id))
            elif len(rows) >= MAX_TOKENS:
                raise TooMany("One player has at most {count} personal tokens: revoke one first.", count=MAX_TOKENS)
            await connection.execute(insert(personal_tokens).values(row))
        return wire.MadeToken(
            id=id,
            name=wanted.name,
            scopes=sorted(set(wanted.scopes)),
            created_at=row["created_at"],
            expires_at=row["expires_at"],
            token=token,
        )

    async def of_player(self, player: str) -> list[wire.PersonalToken]:
        """Return the valid tokens of a player, the latest first."""
        table = personal_tokens.c
        valid = select(personal_tokens).where(table.player == player, table.expires_at > self._now())
        rows = await self._database.fetch(valid.order_by(table.created_at.desc(), table.id))
        return [_token(row) for row in rows]

    async def revoke(self, player: str, id: str) -> list[str]:
        """Revoke a token of a player, and return the hashes of the revoked tokens. Raises NotFound."""
        if not ids.is_valid(id):
            raise NotFound("You have no such token.")
        chosen = delete(personal_tokens).where(personal_tokens.c.player == player, personal_tokens.c.id == id)
        async with self._database.writing() as connection:
            ended = list((await connection.execute(chosen.returning(personal_tokens.c.hash))).scalars())
        if not ended:
            raise NotFound("You have no such token.")
        return ended

    async def authenticate(self, token: str) -> Bearer | None:
        """Return the player and scopes of a token; None if it is not a valid personal token."""
        if not token.startswith(TOKEN_PREFIX):
            return None
        table = personal_tokens.c
        wanted = (
            select(players.c.id, players.c.name, players.c.name_key, table.scopes)
            .join(players, table.player == players.c.id)
            .where(table.hash == session_id(token), table.expires_at > self._now(), is_not_suspended(self._now()))
        )
        row = await self._database.fetch_one(wanted)
        if row is None:
            return None
        player = Player(id=row.id, name=row.name, guest=row.name_key is None, bot=ids.is_bot(row.id))
        return Bearer(player, frozenset(row.scopes.split()))

    async def valid(self, hashes: Collection[str]) -> set[str]:
        """Return those of these hashes whose tokens are valid."""
        table = personal_tokens.c
        now = self._now()
        known = select(table.hash).join(players, table.player == players.c.id)
        wanted = known.where(table.hash.in_(sorted(hashes)), table.expires_at > now, is_not_suspended(now))
        async with self._database.reading() as connection:
            return set(await connection.scalars(wanted))


def _require_same(made: Row[tuple[Any, ...]], wanted: dict[str, Any]) -> None:
    """Raise CommandReused if an existing token was created by a different request."""
    lasts, lasted = (one["expires_at"] - one["created_at"] for one in (wanted, made._mapping))
    if (made.name, made.scopes, lasted) != (wanted["name"], wanted["scopes"], lasts):
        raise CommandReused("This Idempotency-Key has been used for another request.")


def _token(row: Row[tuple[str, ...]]) -> wire.PersonalToken:
    return wire.PersonalToken(
        id=row.id,
        name=row.name,
        scopes=row.scopes.split(),
        created_at=row.created_at,
        expires_at=row.expires_at,
    )
