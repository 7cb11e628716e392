"""What accounts are in the database: the rows of players, the names that look alike, and who is suspended."""

from typing import NamedTuple

from sqlalchemy import BigInteger, BindParameter, ColumnElement, Row, and_, bindparam, insert, or_, select
from sqlalchemy.ext.asyncio import AsyncConnection

from cadogan.server.core import ids, username_rules
from cadogan.server.database.among import among
from cadogan.server.database.tables import name_skeletons, players, tokens
from cadogan.wire.values import Player


class Session(NamedTuple):
    """A new session: its player, and the token that proves it. The server does not store the token.

    `ended` has the ids of the sessions, and the hashes of the personal tokens, that ended because of it. `mark` is
    the device mark for the browser, if the player has a password (`cadogan.server.players.sign_in.sign_in_limits`). A
    new account has `recovery_codes`, which nobody can show again.
    """

    player: Player
    token: str
    ended: tuple[str, ...] = ()
    mark: str | None = None
    recovery_codes: tuple[str, ...] = ()


def is_not_suspended(now: int | BindParameter[int]) -> ColumnElement[bool]:
    """Return the condition that neither a player nor, of a bot, the owner is suspended at this time."""
    owners = players.alias()
    until = players.c.suspended_until
    owned = select(owners.c.id).where(owners.c.id == players.c.owner, owners.c.suspended_until > now)
    return and_(or_(until.is_(None), until <= now), or_(players.c.owner.is_(None), ~owned.exists()))


PLAYERS = select(players).where(among(players.c.id, "wanted"))
"""Players by their ids, `wanted`."""
VALID_SESSIONS = (
    select(tokens.c.hash, *players.c)
    .join(players, tokens.c.player == players.c.id)
    .where(
        among(tokens.c.hash, "sessions"),
        tokens.c.expires_at > bindparam("now", type_=BigInteger),
        is_not_suspended(bindparam("now", type_=BigInteger)),
    )
)
"""Those of the `sessions` that are valid `now`, each with its player."""


async def reserve_skeletons(connection: AsyncConnection, player: str, name: str) -> None:
    """Let no other player have a name that looks like this one. Raises IntegrityError if one has."""
    rows = [{"skeleton": skeleton, "player": player} for skeleton in sorted(username_rules.skeletons(name))]
    await connection.execute(insert(name_skeletons), rows)


def player_of(row: Row[tuple[str, ...]]) -> Player:
    """Return the player that a row of `players` holds."""
    return Player(id=row.id, name=row.name, guest=row.name_key is None, bot=ids.is_bot(row.id))
