"""Accounts: guests, claimed names with passwords, and sessions.

A session's token is 256 random bits; only its SHA-256 is stored. Passwords are hashed with argon2id, in a thread.
Signing in takes the same work and gives the same answer whether the name exists or the password is wrong.
"""

import asyncio
import secrets
from base64 import b64encode
from collections.abc import Callable, Collection, Iterable
from hashlib import sha256
from typing import NamedTuple
from unicodedata import normalize

from argon2 import PasswordHasher
from argon2.exceptions import InvalidHashError, VerifyMismatchError
from sqlalchemy import Row, delete, func, insert, select, update
from sqlalchemy.exc import IntegrityError
from sqlalchemy.ext.asyncio import AsyncConnection

from clients.wire.values import Player
from server.core import ids, username_rules
from server.core.batching import Batcher
from server.core.errors import BadCredentials, Conflict, NameTaken, NotFound, TooMany
from server.database.connections import Database
from server.database.tables import players, tokens

TOKEN_PREFIX = "cadogan_"
LIFETIME = 365 * 24 * 3600
"""How long a session lasts, in seconds."""
_HASHES_AT_ONCE = 2
"""Each takes 64 MiB for a moment."""
MOST_BOTS = 10
"""How many bots one player may have."""
_CHUNK = 500


class Session(NamedTuple):
    """A new session: whose, and the token that proves it. The token is known to its holder alone."""

    player: Player
    token: str


class Accounts:
    """Who plays. `now` gives the time in milliseconds since 1970."""

    def __init__(self, database: Database, now: Callable[[], int], hasher: PasswordHasher | None = None) -> None:
        self._database = database
        self._now = now
        self._hasher = hasher or PasswordHasher()
        self._nobody = _no_ones(self._hasher)
        self._hashing = asyncio.Semaphore(_HASHES_AT_ONCE)
        self._whose = Batcher(self._holders)

    async def guest(self) -> Session:
        """A new player without a name or password."""
        player = ids.new_id()
        row = {"id": player, "name": username_rules.guest_name(player), "created_at": self._now()}
        async with self._database.writing() as connection:
            await connection.execute(insert(players).values(row))
            token = await self._open(connection, player)
        return Session(Player(id=player, name=username_rules.guest_name(player), guest=True), token)

    async def bot(self, owner: Player, name: str) -> Session:
        """A new bot of this owner's, with a name and no password: its token is all it has.

        Raises BadMessage for a name that cannot be, NameTaken, Conflict for an owner without a name of their own, or
        TooMany.
        """
        shown = username_rules.normalize(name)
        if owner.guest or owner.bot:
            raise Conflict("A bot belongs to a player: claim a name first.")
        player = ids.new_bot_id()
        row = {
            "id": player,
            "name": shown,
            "name_key": username_rules.name_key(shown),
            "owner": owner.id,
            "created_at": self._now(),
        }
        own = select(func.count()).select_from(players).where(players.c.owner == owner.id)
        try:
            async with self._database.writing() as connection:
                if (await connection.scalar(own) or 0) >= MOST_BOTS:
                    raise TooMany("One player has at most {count} bots.", count=MOST_BOTS)
                await connection.execute(insert(players).values(row))
                token = await self._open(connection, player)
        except IntegrityError:
            raise NameTaken("Another player has that name.") from None
        return Session(Player(id=player, name=shown, guest=False, bot=True), token)

    async def claim(self, player: Player, name: str, password: str) -> Player:
        """Give a guest a name and a password.

        Raises BadMessage for a name that cannot be, NameTaken, or Conflict if the player has a name already.
        """
        shown = username_rules.normalize(name)
        if not player.guest:
            raise Conflict("You already are {name}.", name=player.name)
        hashed = await self._hash(password)
        change = update(players).where(players.c.id == player.id, players.c.name_key.is_(None))
        try:
            async with self._database.writing() as connection:
                done = await connection.execute(
                    change.values(name=shown, name_key=username_rules.name_key(shown), password_hash=hashed)
                )
        except IntegrityError:
            raise NameTaken("Another player has that name.") from None
        if not done.rowcount:
            raise Conflict("You already have a name.")
        return Player(id=player.id, name=shown, guest=False)

    async def sign_in(self, name: str, password: str) -> Session:
        """A new session of the player with this name and password. Raises BadCredentials, the same for either."""
        wanted = select(players).where(players.c.name_key == username_rules.name_key(name))
        async with self._database.reading() as connection:
            found = (await connection.execute(wanted)).one_or_none()
        hashed = found.password_hash if found is not None else None
        fits = await self._fits(hashed or self._nobody, password)
        if found is None or hashed is None or not fits:
            raise BadCredentials("No player has this name and password.")
        async with self._database.writing() as connection:
            token = await self._open(connection, found.id)
        return Session(_player(found), token)

    async def sign_out(self, token: str) -> None:
        """End a session; one that is unknown or over is no error."""
        async with self._database.writing() as connection:
            await connection.execute(delete(tokens).where(tokens.c.hash == session_of(token)))

    async def sign_out_everywhere(self, player: Player) -> list[str]:
        """End every session of a player; what they were called."""
        async with self._database.writing() as connection:
            return await _end(connection, player.id)

    async def change_password(self, player: Player, old: str, new: str, session: str | None) -> list[str]:
        """Give a player another password, and end every session but this one; what they were called.

        Raises BadCredentials if the old one is not the player's, or Conflict for a player who never had one.
        """
        wanted = select(players.c.password_hash).where(players.c.id == player.id)
        async with self._database.reading() as connection:
            had = await connection.scalar(wanted)
        if had is None:
            raise Conflict("You have no password: claim a name first.")
        if not await self._fits(had, old):
            raise BadCredentials("This is not your password.")
        hashed = await self._hash(new)
        change = update(players).where(players.c.id == player.id, players.c.password_hash == had)
        async with self._database.writing() as connection:
            if not (await connection.execute(change.values(password_hash=hashed))).rowcount:
                raise BadCredentials("This is not your password.")
            return await _end(connection, player.id, but=session)

    async def bots(self, owner: Player) -> list[Player]:
        """The bots of a player, by their names."""
        wanted = select(players).where(players.c.owner == owner.id).order_by(players.c.name_key)
        async with self._database.reading() as connection:
            return [_player(row) for row in await connection.execute(wanted)]

    async def retire(self, owner: Player, bot: str) -> list[str]:
        """Take a bot from its owner and end its sessions for good; what they were called. Its name stays on boards.

        Raises NotFound for a bot that is not the owner's.
        """
        change = update(players).where(players.c.id == bot, players.c.owner == owner.id)
        async with self._database.writing() as connection:
            if not ids.is_valid(bot) or not (await connection.execute(change.values(owner=None))).rowcount:
                raise NotFound("You have no such bot.")
            return await _end(connection, bot)

    async def living(self, sessions: Collection[str]) -> set[str]:
        """Those of these sessions, named by `session_of`, that go on."""
        asked = sorted(sessions)
        chunks = [asked[start : start + _CHUNK] for start in range(0, len(asked), _CHUNK)]
        return {session for chunk in chunks for session in await self._holders(chunk)}

    async def who(self, token: str) -> Player | None:
        """The player whose session this is; None if the token is unknown or its time is over."""
        return await self._whose.get(session_of(token))

    async def players(self, wanted: Iterable[str]) -> dict[str, Player]:
        """Players by id; one that is unknown, because erased, is left out."""
        missing = sorted(set(wanted))
        found: dict[str, Player] = {}
        async with self._database.reading() as connection:
            for start in range(0, len(missing), _CHUNK):
                chosen = select(players).where(players.c.id.in_(missing[start : start + _CHUNK]))
                found |= {row.id: _player(row) for row in await connection.execute(chosen)}
        return found

    async def _holders(self, digests: Collection[str]) -> dict[str, Player]:
        """The players whose sessions these are, by the digests of their tokens."""
        wanted = (
            select(tokens.c.hash, *players.c)
            .join(players, tokens.c.player == players.c.id)
            .where(tokens.c.hash.in_(digests), tokens.c.expires_at > self._now())
        )
        async with self._database.reading() as connection:
            return {row.hash: _player(row) for row in await connection.execute(wanted)}

    async def _open(self, connection: AsyncConnection, player: str) -> str:
        now = self._now()
        token = TOKEN_PREFIX + secrets.token_urlsafe(32)
        await connection.execute(delete(tokens).where(tokens.c.player == player, tokens.c.expires_at <= now))
        row = {"hash": session_of(token), "player": player, "created_at": now, "expires_at": now + LIFETIME * 1000}
        await connection.execute(insert(tokens).values(row))
        return token

    async def _hash(self, password: str) -> str:
        async with self._hashing:
            return await asyncio.to_thread(self._hasher.hash, _normal(password))

    async def _fits(self, hashed: str, password: str) -> bool:
        async with self._hashing:
            try:
                return await asyncio.to_thread(self._hasher.verify, hashed, _normal(password))
            except (VerifyMismatchError, InvalidHashError):
                return False


async def _end(connection: AsyncConnection, player: str, but: str | None = None) -> list[str]:
    chosen = delete(tokens).where(tokens.c.player == player, tokens.c.hash != (but or ""))
    return list((await connection.execute(chosen.returning(tokens.c.hash))).scalars())


def _player(row: Row[tuple[str, ...]]) -> Player:
    return Player(id=row.id, name=row.name, guest=row.name_key is None, bot=ids.is_bot(row.id))


def _no_ones(hasher: PasswordHasher) -> str:
    """A hash that no password has, and that takes as long to find that out as any of this hasher's."""
    cost = f"m={hasher.memory_cost},t={hasher.time_cost},p={hasher.parallelism}"
    salt, tag = (
        b64encode(secrets.token_bytes(size)).decode().rstrip("=") for size in (hasher.salt_len, hasher.hash_len)
    )
    return f"$argon2id$v=19${cost}${salt}${tag}"


def session_of(token: str) -> str:
    """What a token's session is called; nobody who knows it can tell the token."""
    return sha256(token.encode(errors="surrogatepass")).hexdigest()


def _normal(password: str) -> str:
    """The same bytes, however a keyboard composes its accents."""
    return normalize("NFKC", password)
