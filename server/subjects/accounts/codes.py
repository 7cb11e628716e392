"""One-time codes in links, and recovery codes.

One-time codes, used in links: each permits one action, a limited number of times, until it expires.

A code is 256 random bits. Only the SHA-256 is stored, and lookups use this hash, so there is no timing side channel.

Recovery codes: ten single-use codes of a player, each of which can set a new password.

A code is 80 random bits, of which only the SHA-256 is stored, so it cannot be guessed or read again.
"""

import secrets
from base64 import b32encode
from collections.abc import Callable
from hashlib import sha256
from typing import Literal, NamedTuple

from sqlalchemy import delete, func, insert, select, update
from sqlalchemy.ext.asyncio import AsyncConnection

from cadogan.server.core.database.connections import Database
from cadogan.server.core.database.tables import one_time_codes, recovery_codes
from cadogan.server.core.errors import Conflict
from cadogan.wire.values import Player

Purpose = Literal[
    "host", "access", "invitation", "passkey", "new_passkey", "mail", "oidc", "new_oidc", "confirm_oidc", "digest"
]
"""The purpose of a code: become the first host, set a password, create an account, be signed by a passkey, confirm an
address, sign in by a provider, create an account after that, confirm by a provider, end weekly digests."""


class OneTimeCode(NamedTuple):
    """A valid code. `player` is the id of its player, if any, and `uses` how often it can still be used."""

    id: str
    player: str | None
    uses: int
    created_at: int
    expires_at: int


async def make_code(
    connection: AsyncConnection,
    id: str,
    purpose: Purpose,
    now: int,
    expires_at: int,
    player: str | None = None,
    uses: int = 1,
) -> str:
    """Create a code with this id, replacing an existing one, and return it. It cannot be read again."""
    code = secrets.token_urlsafe(32)
    row = {
        "id": id,
        "hash": _hash(code),
        "purpose": purpose,
        "player": player,
        "uses": uses,
        "created_at": now,
        "expires_at": expires_at,
    }
    await connection.execute(delete(one_time_codes).where(one_time_codes.c.id == id))
    await connection.execute(insert(one_time_codes).values(row))
    return code


async def use_code(connection: AsyncConnection, code: str, purpose: Purpose, now: int) -> OneTimeCode | None:
    """Use a code once, and return it with its earlier `uses`; None if no valid code matches for this purpose."""
    table = one_time_codes.c
    chosen = (table.hash == _hash(code), table.purpose == purpose, table.uses > 0, table.expires_at > now)
    used = update(one_time_codes).where(*chosen).values(uses=table.uses - 1).returning(*one_time_codes.c)
    row = (await connection.execute(used)).one_or_none()
    return OneTimeCode(row.id, row.player, row.uses + 1, row.created_at, row.expires_at) if row else None


async def find_code(connection: AsyncConnection, code: str, purpose: Purpose, now: int) -> OneTimeCode | None:
    """Return a code without using it; None if no valid code matches for this purpose."""
    found = await valid_codes(connection, purpose, now, _hash(code))
    return found[0] if found else None


async def valid_codes(
    connection: AsyncConnection, purpose: Purpose, now: int, hash: str | None = None
) -> list[OneTimeCode]:
    """Return the valid codes for a purpose, the latest first; with `hash` only the code with this hash."""
    table = one_time_codes.c
    chosen = select(one_time_codes).where(table.purpose == purpose, table.uses > 0, table.expires_at > now)
    if hash is not None:
        chosen = chosen.where(table.hash == hash)
    rows = await connection.execute(chosen.order_by(table.created_at.desc(), table.id))
    return [OneTimeCode(row.id, row.player, row.uses, row.created_at, row.expires_at) for row in rows]


async def delete_codes(connection: AsyncConnection, *, ended_by: int | None = None, **columns: str) -> int:
    """Delete the codes with these column values, or those expired by a given time; return their number."""
    table = one_time_codes.c
    chosen = [table[name] == value for name, value in columns.items()]
    if ended_by is not None:
        chosen.append((table.uses <= 0) | (table.expires_at <= ended_by))
    return (await connection.execute(delete(one_time_codes).where(*chosen))).rowcount


def _hash(code: str) -> str:
    return sha256(code.encode(errors="surrogatepass")).hexdigest()


CODES = 10
_BYTES = 10
_GROUP = 4
_MISREAD = str.maketrans("018", "olb")
"""Digits that are in no code, and the letters that look like them."""


class CodesLeft(NamedTuple):
    """The number of a player's unused codes, and their creation time in milliseconds since 1970; None without codes."""

    unused: int
    made_at: int | None


class RecoveryCodes:
    """The recovery codes in a database. `now` returns the time in milliseconds since 1970."""

    def __init__(self, database: Database, now: Callable[[], int]) -> None:
        self._database = database
        self._now = now

    async def left(self, player: str) -> CodesLeft:
        """Return the number of the player's unused codes."""
        own = recovery_codes.c.player == player
        wanted = select(func.count(), func.max(recovery_codes.c.created_at)).where(own)
        async with self._database.reading() as connection:
            count, made_at = (await connection.execute(wanted)).one()
        return CodesLeft(count, made_at)

    async def renew(self, player: Player) -> tuple[str, ...]:
        """Create new codes in place of the player's existing ones. Raises Conflict for a guest and for a bot."""
        if player.guest or player.bot:
            raise Conflict("You have no password: create an account first.")
        async with self._database.writing() as connection:
            return await make_recovery_codes(connection, player.id, self._now())


async def make_recovery_codes(connection: AsyncConnection, player: str, now: int) -> tuple[str, ...]:
    """Create codes in place of a player's existing ones, and return them."""
    codes = tuple(_draw_code() for _ in range(CODES))
    rows = [{"hash": _recovery_hash(player, code), "player": player, "created_at": now} for code in codes]
    await connection.execute(delete(recovery_codes).where(recovery_codes.c.player == player))
    await connection.execute(insert(recovery_codes), rows)
    return codes


async def use_recovery_code(connection: AsyncConnection, player: str, code: str) -> bool:
    """Use a code of a player, in any spelling, and return whether it was valid."""
    chosen = delete(recovery_codes).where(recovery_codes.c.hash == _recovery_hash(player, code))
    return (await connection.execute(chosen)).rowcount > 0


def _draw_code() -> str:
    letters = b32encode(secrets.token_bytes(_BYTES)).decode().lower()
    return "-".join(letters[start : start + _GROUP] for start in range(0, len(letters), _GROUP))


def _recovery_hash(player: str, code: str) -> str:
    letters = "".join(filter(str.isalnum, code.lower())).translate(_MISREAD)
    return sha256(f"{player} {letters}".encode(errors="surrogatepass")).hexdigest()
