"""Accounts: guests, players with a name and a password, bots, and the sessions of all of them.

A session is proven by a token of 256 random bits, of which only the SHA-256 is stored: the session's id. Passwords are
hashed with argon2id, in a thread. Signing in takes the same work and gives the same answer whether the name does not
exist or the password is wrong.
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
from sqlalchemy import Row, and_, delete, func, insert, select, update
from sqlalchemy.exc import IntegrityError
from sqlalchemy.ext.asyncio import AsyncConnection

from clients.wire.values import Player
from server.core import ids, username_rules
from server.core.batching import Batcher
from server.core.errors import BadCredentials, Conflict, NameTaken, NotFound, TooMany
from server.database.connections import Database
from server.database.tables import name_skeletons, players, tokens

TOKEN_PREFIX = "cadogan_"
SESSION_LIFETIME_SECONDS = 365 * 24 * 3600
_MAX_CONCURRENT_HASHES = 2
"""Computing one hash takes 64 MiB of memory."""
MAX_BOTS = 10
"""How many bots one player may have."""
_IDS_PER_STATEMENT = 500


class Session(NamedTuple):
    """A new session: its player, and the token that proves it. The server does not store the token."""

    player: Player
    token: str


class Accounts:
    """The accounts of a database. `now` returns the time in milliseconds since 1970."""

    def __init__(self, database: Database, now: Callable[[], int], hasher: PasswordHasher | None = None) -> None:
        self._database = database
        self._now = now
        self._hasher = hasher or PasswordHasher()
        self._dummy_hash = _make_dummy_hash(self._hasher)
        self._hashing = asyncio.Semaphore(_MAX_CONCURRENT_HASHES)
        self._players_by_session = Batcher(self._find_sessions)

    async def create_guest(self) -> Session:
        """Create a player without a name of their own and without a password, and open a session."""
        player = ids.new_id()
        row = {"id": player, "name": username_rules.guest_name(player), "created_at": self._now()}
        async with self._database.writing() as connection:
            await connection.execute(insert(players).values(row))
            token = await self._create_session(connection, player)
        return Session(Player(id=player, name=username_rules.guest_name(player), guest=True), token)

    async def create_bot(self, owner: Player, name: str, id: str | None = None) -> Session:
        """Create a bot that belongs to this owner, and open a session. A bot has no password: the token is all it has.

        If the owner's bot with this id and name exists already, only a session is opened: the token of the first one
        has not arrived.

        Raises BadMessage for a name that is not allowed, NameTaken, Conflict if the owner is a guest or a bot, and
        TooMany if the owner has `MAX_BOTS` bots.
        """
        shown = username_rules.normalize(name, bot=True)
        if owner.guest or owner.bot:
            raise Conflict("A bot belongs to a player: claim a name first.")
        player = ids.BOT_PREFIX + (id or ids.new_id())
        row = {
            "id": player,
            "name": shown,
            "name_key": username_rules.name_key(shown),
            "owner": owner.id,
            "created_at": self._now(),
        }
        own = select(func.count()).select_from(players).where(players.c.owner == owner.id)
        same = and_(players.c.id == player, players.c.owner == owner.id, players.c.name == shown)
        try:
            async with self._database.writing() as connection:
                if not await connection.scalar(select(players.c.id).where(same)):
                    if (await connection.scalar(own) or 0) >= MAX_BOTS:
                        raise TooMany("One player has at most {count} bots.", count=MAX_BOTS)
                    await connection.execute(insert(players).values(row))
                    await _reserve_skeletons(connection, player, shown)
                token = await self._create_session(connection, player)
        except IntegrityError:
            raise NameTaken("Another player has that name, or one that looks like it.") from None
        return Session(Player(id=player, name=shown, guest=False, bot=True), token)

    async def claim_name(self, player: Player, name: str, password: str) -> Player:
        """Give a guest a name and a password, and return the player as it is now.

        Raises BadMessage for a name that is not allowed, NameTaken, and Conflict if the player has a name already.
        """
        shown = username_rules.normalize(name)
        if not player.guest:
            if player.name == shown and await self._has_password(player, password):
                return player  # the same request again
            raise Conflict("You already are {name}.", name=player.name)
        hashed = await self._hash(password)
        change = update(players).where(players.c.id == player.id, players.c.name_key.is_(None))
        try:
            async with self._database.writing() as connection:
                done = await connection.execute(
                    change.values(name=shown, name_key=username_rules.name_key(shown), password_hash=hashed)
                )
                if done.rowcount:
                    await _reserve_skeletons(connection, player.id, shown)
        except IntegrityError:
            raise NameTaken("Another player has that name, or one that looks like it.") from None
        if not done.rowcount:
            raise Conflict("You already have a name.")
        return Player(id=player.id, name=shown, guest=False)

    async def sign_in(self, name: str, password: str) -> Session:
        """Open a session for the player with this name and password.

        Raises BadCredentials, with one sentence for an unknown name and a wrong password.
        """
        wanted = select(players).where(players.c.name_key == username_rules.name_key(name))
        async with self._database.reading() as connection:
            found = (await connection.execute(wanted)).one_or_none()
        hashed = found.password_hash if found is not None else None
        is_right = await self._verify_password(hashed or self._dummy_hash, password)
        if found is None or hashed is None or not is_right:
            raise BadCredentials("No player has this name and password.")
        async with self._database.writing() as connection:
            token = await self._create_session(connection, found.id)
        return Session(_player(found), token)

    async def sign_out(self, token: str) -> None:
        """End the session with this token. Nothing happens if there is no such session."""
        async with self._database.writing() as connection:
            await connection.execute(delete(tokens).where(tokens.c.hash == session_id(token)))

    async def sign_out_everywhere(self, player: Player) -> list[str]:
        """End every session of a player, and return the ids of these sessions."""
        async with self._database.writing() as connection:
            return await _delete_sessions(connection, player.id)

    async def change_password(self, player: Player, old: str, new: str, session: str | None) -> list[str]:
        """Give a player another password, end every session but `session`, and return the ids of the sessions ended.

        `session` is a session's id; None ends them all. Raises BadCredentials if `old` is not the player's password,
        and Conflict for a player without a password.
        """
        wanted = select(players.c.password_hash).where(players.c.id == player.id)
        async with self._database.reading() as connection:
            old_hash = await connection.scalar(wanted)
        if old_hash is None:
            raise Conflict("You have no password: claim a name first.")
        if not await self._verify_password(old_hash, old):
            if await self._verify_password(old_hash, new):
                return []  # the same request again
            raise BadCredentials("This is not your password.")
        hashed = await self._hash(new)
        change = update(players).where(players.c.id == player.id, players.c.password_hash == old_hash)
        async with self._database.writing() as connection:
            if not (await connection.execute(change.values(password_hash=hashed))).rowcount:
                raise BadCredentials("This is not your password.")
            return await _delete_sessions(connection, player.id, but=session)

    async def _has_password(self, player: Player, password: str) -> bool:
        wanted = select(players.c.password_hash).where(players.c.id == player.id)
        async with self._database.reading() as connection:
            hashed = await connection.scalar(wanted)
        return hashed is not None and await self._verify_password(hashed, password)

    async def bots(self, owner: Player) -> list[Player]:
        """Return the bots of a player, sorted by name."""
        wanted = select(players).where(players.c.owner == owner.id).order_by(players.c.name_key)
        async with self._database.reading() as connection:
            return [_player(row) for row in await connection.execute(wanted)]

    async def retire_bot(self, owner: Player, bot: str) -> list[str]:
        """End all sessions of a bot for good, and return the ids of these sessions. The bot's name stays on boards.

        `bot` is the bot's id. Raises NotFound for a bot that does not belong to this owner.
        """
        change = update(players).where(players.c.id == bot, players.c.owner == owner.id)
        async with self._database.writing() as connection:
            if not ids.is_valid(bot) or not (await connection.execute(change.values(owner=None))).rowcount:
                raise NotFound("You have no such bot.")
            return await _delete_sessions(connection, bot)

    async def valid_sessions(self, sessions: Collection[str]) -> set[str]:
        """Return those of these sessions, given by their ids, that have neither ended nor expired."""
        ordered = sorted(sessions)
        chunks = [ordered[start : start + _IDS_PER_STATEMENT] for start in range(0, len(ordered), _IDS_PER_STATEMENT)]
        return {session for chunk in chunks for session in await self._find_sessions(chunk)}

    async def authenticate(self, token: str) -> Player | None:
        """Return the player whose session this token proves; None if there is no such session or it has expired."""
        return await self._players_by_session.get(session_id(token))

    async def players(self, wanted: Iterable[str]) -> dict[str, Player]:
        """Return these players by their ids. A player who is unknown, because erased, is left out."""
        ids_wanted = sorted(set(wanted))
        found: dict[str, Player] = {}
        async with self._database.reading() as connection:
            for start in range(0, len(ids_wanted), _IDS_PER_STATEMENT):
                chosen = select(players).where(players.c.id.in_(ids_wanted[start : start + _IDS_PER_STATEMENT]))
                found |= {row.id: _player(row) for row in await connection.execute(chosen)}
        return found

    async def _find_sessions(self, sessions: Collection[str]) -> dict[str, Player]:
        """Return the players of those of these sessions that are valid, by the ids of the sessions."""
        wanted = (
            select(tokens.c.hash, *players.c)
            .join(players, tokens.c.player == players.c.id)
            .where(tokens.c.hash.in_(sessions), tokens.c.expires_at > self._now())
        )
        async with self._database.reading() as connection:
            return {row.hash: _player(row) for row in await connection.execute(wanted)}

    async def _create_session(self, connection: AsyncConnection, player: str) -> str:
        now = self._now()
        token = TOKEN_PREFIX + secrets.token_urlsafe(32)
        await connection.execute(delete(tokens).where(tokens.c.player == player, tokens.c.expires_at <= now))
        row = {
            "hash": session_id(token),
            "player": player,
            "created_at": now,
            "expires_at": now + SESSION_LIFETIME_SECONDS * 1000,
        }
        await connection.execute(insert(tokens).values(row))
        return token

    async def _hash(self, password: str) -> str:
        async with self._hashing:
            return await asyncio.to_thread(self._hasher.hash, _normalized(password))

    async def _verify_password(self, hashed: str, password: str) -> bool:
        async with self._hashing:
            try:
                return await asyncio.to_thread(self._hasher.verify, hashed, _normalized(password))
            except (VerifyMismatchError, InvalidHashError):
                return False


async def _reserve_skeletons(connection: AsyncConnection, player: str, name: str) -> None:
    """Let no other player have a name that looks like this one. Raises IntegrityError if one has."""
    rows = [{"skeleton": skeleton, "player": player} for skeleton in sorted(username_rules.skeletons(name))]
    await connection.execute(insert(name_skeletons), rows)


async def _delete_sessions(connection: AsyncConnection, player: str, but: str | None = None) -> list[str]:
    chosen = delete(tokens).where(tokens.c.player == player, tokens.c.hash != (but or ""))
    return list((await connection.execute(chosen.returning(tokens.c.hash))).scalars())


def _player(row: Row[tuple[str, ...]]) -> Player:
    return Player(id=row.id, name=row.name, guest=row.name_key is None, bot=ids.is_bot(row.id))


def _make_dummy_hash(hasher: PasswordHasher) -> str:
    """Return a hash that no password has. Verifying against it takes as long as against any hash of this hasher."""
    cost = f"m={hasher.memory_cost},t={hasher.time_cost},p={hasher.parallelism}"
    salt, tag = (
        b64encode(secrets.token_bytes(size)).decode().rstrip("=") for size in (hasher.salt_len, hasher.hash_len)
    )
    return f"$argon2id$v=19${cost}${salt}${tag}"


def session_id(token: str) -> str:
    """Return the id of the session that this token proves. The token cannot be found from the id."""
    return sha256(token.encode(errors="surrogatepass")).hexdigest()


def _normalized(password: str) -> str:
    """Return the password so that it has the same bytes however a keyboard composes its accents."""
    return normalize("NFKC", password)
