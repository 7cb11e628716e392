"""Creation and deletion of sessions. A token has 256 random bits; only its SHA-256 is stored, as the session's id."""

import secrets
from collections.abc import Iterable
from hashlib import sha256

from sqlalchemy import delete, insert, select, update
from sqlalchemy.ext.asyncio import AsyncConnection

from cadogan.server.database.tables import personal_tokens, players, tokens

TOKEN_PREFIX = "cadogan_"
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


def session_id(token: str) -> str:
    """Return the id of the session with this token. The token cannot be derived from the id."""
    return sha256(token.encode(errors="surrogatepass")).hexdigest()
