"""Database access to accounts: the rows of players, confusable names, and suspensions."""

from typing import NamedTuple

from sqlalchemy import BigInteger, BindParameter, ColumnElement, Row, and_, bindparam, insert, or_, select
from sqlalchemy.ext.asyncio import AsyncConnection

from cadogan.server.core import ids, username_rules
from cadogan.server.core.database.statements import among
from cadogan.server.core.database.tables import name_skeletons, players, tokens
from cadogan.wire.values import Player


class Session(NamedTuple):
    """A new session: its player, and its token, which the server does not store.

    `ended` has the ids of the sessions, and the hashes of the personal tokens, that it revoked. `mark` is the device
    mark for the browser, if the player has a password (`cadogan.server.subjects.accounts.passwords`). A new account
    has `recovery_codes`, which are returned only here.
    """

    player: Player
    token: str
    ended: tuple[str, ...] = ()
    mark: str | None = None
    recovery_codes: tuple[str, ...] = ()


def is_not_suspended(now: int | BindParameter[int]) -> ColumnElement[bool]:
    """Return the SQL condition that neither a player nor, for a bot, the owner is suspended at this time."""
    owners = players.alias()
    until = players.c.suspended_until
    owned = select(owners.c.id).where(owners.c.id == players.c.owner, owners.c.suspended_until > now)
    return and_(or_(until.is_(None), until <= now), or_(players.c.owner.is_(None), ~owned.exists()))


PLAYERS = select(players).where(among(players.c.id, "wanted"))
"""Selects the players with the ids `wanted`."""
VALID_SESSIONS = (
    select(tokens.c.hash, *players.c)
    .join(players, tokens.c.player == players.c.id)
    .where(
        among(tokens.c.hash, "sessions"),
        tokens.c.expires_at > bindparam("now", type_=BigInteger),
        is_not_suspended(bindparam("now", type_=BigInteger)),
    )
)
"""Selects those of `sessions` that are valid at `now`, each with its player."""


async def reserve_skeletons(connection: AsyncConnection, player: str, name: str) -> None:
    """Reserve the names that look like this one (Unicode confusables). Raises IntegrityError if one is taken."""
    rows = [{"skeleton": skeleton, "player": player} for skeleton in sorted(username_rules.skeletons(name))]
    await connection.execute(insert(name_skeletons), rows)


def player_of(row: Row[tuple[str, ...]]) -> Player:
    """Return the player in a row of `players`."""
    return Player(id=row.id, name=row.name, guest=row.name_key is None, bot=ids.is_bot(row.id))
