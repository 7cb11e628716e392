"""Accounts: guests, players with a name and a password, bots, and the sessions of all of them.

A session is authenticated by a token of 256 random bits, of which only the SHA-256 is stored, as the session's id.
Claiming a name or changing the password returns a new token and revokes all earlier ones, which others may know.
Sign-in takes the same time and returns the same error for an unknown name and for a wrong password.
"""

from collections.abc import Callable, Collection, Iterable, Mapping
from contextlib import suppress
from typing import Any

from argon2 import PasswordHasher
from sqlalchemy import ColumnElement, Table, and_, case, delete, func, insert, select, update
from sqlalchemy.exc import IntegrityError

from cadogan.server.core import ids, username_rules
from cadogan.server.core.database.connections import Database
from cadogan.server.core.database.statements import lock_person
from cadogan.server.core.database.tables import oidc_subjects, passkeys, personal_tokens, players, tokens
from cadogan.server.core.dates import LAST_MOMENT, moment_text
from cadogan.server.core.errors import BadCredentials, Conflict, NameTaken, NotFound, RateLimited, Suspended, TooMany
from cadogan.server.core.event_loop import Batcher
from cadogan.server.core.people import (
    confirm_session,
    create_first_sessions,
    create_session,
    delete_sessions,
    session_id,
)
from cadogan.server.core.rate_limits import network_of
from cadogan.server.subjects.accounts.account_rows import PLAYERS, VALID_SESSIONS, Session, player_of, reserve_skeletons
from cadogan.server.subjects.accounts.codes import find_code, make_recovery_codes, use_code, use_recovery_code
from cadogan.server.subjects.accounts.passwords import UNKNOWN_ORIGIN, Origin, Passwords, SignInLimits, device_mark
from cadogan.wire.values import Player

REPLACED_SESSION_SECONDS = 60
"""Seconds for which a replaced session stays valid, in case the response is lost or two pages send requests at once."""
MAX_BOTS = 10
"""The maximum number of bots of one player."""
_IDS_PER_STATEMENT = 500


class Accounts:
    """The accounts of a database. `now` returns the time in milliseconds since 1970."""

    def __init__(
        self, database: Database, now: Callable[[], int], hasher: PasswordHasher | None = None, processes: int = 1
    ) -> None:
        """`processes` is the number of server processes, which share the limits on password guesses."""
        self._database = database
        self._now = now
        self._passwords = Passwords(hasher)
        self._limits, self._recovery_limits = SignInLimits(processes), SignInLimits(processes)
        self._players_by_session = Batcher(self._find_sessions)
        self._guest_tokens = Batcher(self._create_guests)

    async def create_guest(self) -> Session:
        """Create a player without a name of their own and without a password, and open a session."""
        player = ids.new_id()
        token = await self._guest_tokens.get(player)
        assert token is not None
        return Session(Player(id=player, name=username_rules.guest_name(player), guest=True), token)

    async def _create_guests(self, new: Collection[str]) -> dict[str, str]:
        """Create a batch of guests with these ids, and return the tokens of their sessions by id."""
        now = self._now()
        rows = [{"id": id, "name": username_rules.guest_name(id), "created_at": now} for id in new]
        async with self._database.writing() as connection:
            await connection.execute(insert(players), rows)
            return await create_first_sessions(connection, new, now)

    async def create_bot(self, owner: Player, name: str, id: str | None = None) -> Session:
        """Create a bot of this owner, and open a session. A bot has no password, only the token.

        If the owner's bot with this id and name exists, only a session is opened, because the first response was lost.

        Raises BadMessage for a name that is not allowed, NameTaken, Conflict if the owner is a guest or a bot, and
        TooMany if the owner has `MAX_BOTS` bots.
        """
        shown = username_rules.normalize(name, bot=True)
        if owner.guest or owner.bot:
            raise Conflict("A bot belongs to a player: create an account first.")
        player = ids.BOT_PREFIX + (id or ids.new_id())
        row = {
            "id": player,
            "name": shown,
            "name_key": username_rules.name_key(shown),
            "owner": owner.id,
            "created_at": self._now(),
        }
        own = select(func.count()).select_from(players).where(_is_bot_of(owner))
        same = and_(players.c.id == player, _is_bot_of(owner), players.c.name == shown)
        try:
            async with self._database.writing() as connection:
                await lock_person(connection, owner.id)
                if not await connection.scalar(select(players.c.id).where(same)):
                    if (await connection.scalar(own) or 0) >= MAX_BOTS:
                        raise TooMany("One player has at most {count} bots.", count=MAX_BOTS)
                    await connection.execute(insert(players).values(row))
                    await reserve_skeletons(connection, player, shown)
                token = await create_session(connection, player, self._now())
        except IntegrityError:
            raise NameTaken("Another player has that name, or one that looks like it.") from None
        return Session(Player(id=player, name=shown, guest=False, bot=True), token)

    async def claim_name(
        self, player: Player | None, name: str, password: str, origin: Origin = UNKNOWN_ORIGIN
    ) -> Session:
        """Set a guest's name and password, open a session, and end all earlier ones. None creates a new player.

        Raises BadMessage for a name or a password that is not allowed, NameTaken, Conflict if the player has a name
        already, and RateLimited if too many password hashes are queued.
        """
        shown = username_rules.normalize(name)
        if player is not None and not player.guest:
            if player.name == shown:
                with suppress(BadCredentials):
                    return await self.sign_in(name, password, origin)  # a retry of the same request
            raise Conflict("You already are {name}.", name=player.name)
        hashed = await self._passwords.hash(password, shown, who=network_of(origin.address))
        claimed = await self._claim(player, shown, hashed)
        self._limits.remember(username_rules.name_key(shown), origin)
        return claimed

    async def claim_name_with_passkey(self, player: Player | None, name: str, passkey: Mapping[str, Any]) -> Session:
        """Set a guest's name and passkey, without a password, as `claim_name` does. `passkey` is a table row.

        Raises BadMessage for a name that is not allowed, NameTaken, and Conflict if the player has a name already.
        """
        if player is not None and not player.guest:
            raise Conflict("You already are {name}.", name=player.name)
        return await self._claim(player, username_rules.normalize(name), None, (passkeys, passkey))

    async def claim_name_with_subject(self, player: Player | None, name: str, subject: Mapping[str, Any]) -> Session:
        """Set a guest's name, without a password, for sign-in by a provider. `subject` is the row of `oidc_subjects`.

        Raises as `claim_name_with_passkey` does.
        """
        if player is not None and not player.guest:
            raise Conflict("You already are {name}.", name=player.name)
        return await self._claim(player, username_rules.normalize(name), None, (oidc_subjects, subject))

    async def _claim(
        self, player: Player | None, shown: str, hashed: str | None, key: tuple[Table, Mapping[str, Any]] | None = None
    ) -> Session:
        now = self._now()
        row = {"name": shown, "name_key": username_rules.name_key(shown), "password_hash": hashed, "claimed_at": now}
        id = player.id if player is not None else ids.new_id()
        change = update(players).where(players.c.id == id, players.c.name_key.is_(None)).values(row)
        try:
            async with self._database.writing() as connection:
                if player is None:
                    await connection.execute(insert(players).values({**row, "id": id, "created_at": now}))
                elif not (await connection.execute(change)).rowcount:
                    raise Conflict("You already have a name.")
                await reserve_skeletons(connection, id, shown)
                if key is not None:
                    table, values = key
                    await connection.execute(insert(table).values({**values, "player": id}))
                ended = await delete_sessions(connection, id)
                token = await create_session(connection, id, now)
                codes = await make_recovery_codes(connection, id, now)
        except IntegrityError:
            raise NameTaken("Another player has that name, or one that looks like it.") from None
        claimed = Player(id=id, name=shown, guest=False)
        return Session(claimed, token, ended, device_mark(id, hashed) if hashed else None, codes)

    async def sign_in(self, name: str, password: str, origin: Origin = UNKNOWN_ORIGIN) -> Session:
        """Open a session for the player with this name and password. `origin` is where the request comes from.

        Raises BadCredentials, with the same text for an unknown name and a wrong password, Suspended, and RateLimited
        after too many attempts at this name, or if too many password hashes are queued.
        """
        key = username_rules.name_key(name)
        shows_who = bool(origin.marks or origin.player)
        # checked before the player is looked up, so that refused guesses cost no query
        attempt = None if shows_who else self._limits.take(key, origin)
        found = await self._database.fetch_one(select(players).where(players.c.name_key == key))
        hashed = found.password_hash if found is not None else None
        tried = hashed or self._passwords.dummy_hash
        attempt = attempt or self._limits.take(key, origin, found.id if found is not None else "", tried)
        right = await self._passwords.compare(tried, attempt, password)
        if found is None or hashed is None or right is None:
            raise BadCredentials("No player has this name and password.")
        self._refuse_suspended(found.suspended_until)
        still = select(players.c.id).where(players.c.id == found.id, players.c.password_hash == hashed)
        async with self._database.writing() as connection:
            if await connection.scalar(still.with_for_update(read=True)) is None:
                raise BadCredentials("No player has this name and password.")  # the password was changed meanwhile
            token = await create_session(connection, found.id, self._now())
        self._limits.remember(key, origin)
        return Session(player_of(found), token, mark=device_mark(found.id, hashed))

    async def open_session(self, player: str) -> Session:
        """Open a session for a player, by id, who was authenticated by a passkey or a provider. Raises Suspended."""
        async with self._database.writing() as connection:
            row = (await connection.execute(select(players).where(players.c.id == player))).one()
            self._refuse_suspended(row.suspended_until)
            return Session(player_of(row), await create_session(connection, player, self._now()))

    async def replace_guest_session(self, token: str) -> Session | None:
        """Open another session for the guest with this session token, and let the old session expire in a minute.

        Returns None for other players, who can sign in again.
        """
        player = await self.authenticate(token)
        if player is None or not player.guest:
            return None
        still = select(players.c.id).where(players.c.id == player.id, players.c.name_key.is_(None))
        soon = self._now() + REPLACED_SESSION_SECONDS * 1000
        ends = case((tokens.c.expires_at > soon, soon), else_=tokens.c.expires_at)
        ending = update(tokens).where(tokens.c.hash == session_id(token)).values(expires_at=ends)
        async with self._database.writing() as connection:
            if await connection.scalar(still.with_for_update(read=True)) is None:
                return None  # the guest claimed a name meanwhile
            if not (await connection.execute(ending)).rowcount:
                return None  # the guest signed out meanwhile
            return Session(player, await create_session(connection, player.id, self._now()))

    async def sign_out(self, token: str) -> None:
        """End the session with this token. Does nothing if there is no such session."""
        async with self._database.writing() as connection:
            await connection.execute(delete(tokens).where(tokens.c.hash == session_id(token)))

    async def sign_out_everywhere(self, player: Player) -> tuple[str, ...]:
        """End every session and personal token of a player, and return their ids and hashes."""
        async with self._database.writing() as connection:
            return await delete_sessions(connection, player.id)

    async def change_password(self, player: Player, old: str, new: str) -> Session:
        """Change a player's password, open a session, and end all earlier ones.

        Raises BadCredentials if `old` is not the player's password, BadMessage if the new one is not allowed, Conflict
        for a player without a password, and RateLimited after many failures, or if too many hashes are queued.
        """
        wanted = select(players.c.password_hash).where(players.c.id == player.id)
        old_hash = await self._database.fetch_value(wanted)
        if old_hash is None:
            raise _no_password(player)
        match await self._passwords.compare(old_hash, self._limits.take_own(player.id), old, new):
            case 0:
                hashed = await self._passwords.hash(new, player.name, known=True, who=player.id)
            case 1:
                hashed = old_hash  # a retry of the same request
            case _:
                raise BadCredentials("This is not your password.")
        change = update(players).where(players.c.id == player.id, players.c.password_hash == old_hash)
        async with self._database.writing() as connection:
            if not (await connection.execute(change.values(password_hash=hashed))).rowcount:
                raise BadCredentials("This is not your password.")
            ended = await delete_sessions(connection, player.id)
            token = await create_session(connection, player.id, self._now())
        return Session(player, token, ended, device_mark(player.id, hashed))

    async def regain_access(self, code: str, password: str) -> Session:
        """Set a new password with the code from a host's link, open a session, and end all earlier ones.

        Raises NotFound if the code is not valid, Suspended, BadMessage for a password that is not allowed, and
        RateLimited if too many password hashes are queued.
        """
        async with self._database.reading() as connection:
            found = await find_code(connection, code, "access", self._now())
            wanted = select(players).where(players.c.id == found.player) if found else None
            row = (await connection.execute(wanted)).one_or_none() if wanted is not None else None
        if row is None:
            raise NotFound("This link is not valid, or not any more.")
        self._refuse_suspended(row.suspended_until)
        hashed = await self._passwords.hash(password, row.name)
        change = update(players).where(players.c.id == row.id).values(password_hash=hashed)
        async with self._database.writing() as connection:
            ended = await delete_sessions(connection, row.id)
            if await use_code(connection, code, "access", self._now()) is None:
                raise NotFound("This link is not valid, or not any more.")
            await connection.execute(change)
            token = await create_session(connection, row.id, self._now())
        return Session(player_of(row), token, ended, device_mark(row.id, hashed))

    async def recover(self, name: str, code: str, password: str, origin: Origin = UNKNOWN_ORIGIN) -> Session:
        """Set a new password with a recovery code, open a session, and end all earlier ones.

        It takes the same time for an unknown name and for a wrong code. Raises BadCredentials, with the same text for
        both, Suspended, BadMessage for a password that is not allowed, and RateLimited.
        """
        key = username_rules.name_key(name)
        attempt = self._recovery_limits.take(key, origin)
        try:
            hashed = await self._passwords.hash(password, name, attempt.is_known, attempt.who)
        except RateLimited:
            attempt.give_back()  # failed before a code was compared
            raise
        async with self._database.writing() as connection:
            row = (await connection.execute(select(players).where(players.c.name_key == key))).one_or_none()
            if not await use_recovery_code(connection, row.id if row else "", code) or row is None:
                raise BadCredentials("No player has this name and recovery code.")
            attempt.give_back()
            self._refuse_suspended(row.suspended_until)
            ended = await delete_sessions(connection, row.id)
            await connection.execute(update(players).where(players.c.id == row.id).values(password_hash=hashed))
            token = await create_session(connection, row.id, self._now())
        return Session(player_of(row), token, ended, device_mark(row.id, hashed))

    async def refuse_suspended(self, token: str) -> None:
        """Raise Suspended if the player with this token, or the bot's owner, is suspended or banned.

        Call it only for a token that `authenticate` has rejected.
        """
        found: list[int | None] = []
        async with self._database.reading() as connection:
            for table in (tokens, personal_tokens):
                owners = players.alias()
                wanted = (
                    select(players.c.suspended_until, owners.c.suspended_until)
                    .select_from(table.join(players, table.c.player == players.c.id))
                    .outerjoin(owners, owners.c.id == players.c.owner)
                    .where(table.c.hash == session_id(token))
                )
                found += [until for row in await connection.execute(wanted) for until in row]
        for until in found:
            self._refuse_suspended(until)

    def _refuse_suspended(self, until: int | None) -> None:
        if until == LAST_MOMENT:
            raise Suspended("This account is banned.")
        if until is not None and until > self._now():
            raise Suspended("This account is suspended until {until}.", until=moment_text(until))

    async def confirm_password(self, player: Player, session: str, password: str) -> None:
        """Store in a session, by its id, that the player has entered the password again.

        Raises BadCredentials for a wrong password, Conflict for a player without one, and RateLimited after many
        failures, or if too many password hashes are queued.
        """
        wanted = select(players.c.password_hash).where(players.c.id == player.id)
        hashed = await self._database.fetch_value(wanted)
        if hashed is None:
            raise _no_password(player)
        if await self._passwords.compare(hashed, self._limits.take_own(player.id), password) is None:
            raise BadCredentials("This is not your password.")
        async with self._database.writing() as connection:
            await confirm_session(connection, player.id, session, self._now())

    async def has_password(self, player: str) -> bool:
        """Return whether a player has a password."""
        wanted = select(players.c.password_hash).where(players.c.id == player)
        return await self._database.fetch_value(wanted) is not None

    async def bots(self, owner: Player) -> list[Player]:
        """Return the bots of a player, sorted by name."""
        wanted = select(players).where(_is_bot_of(owner)).order_by(players.c.name_key)
        return [player_of(row) for row in await self._database.fetch(wanted)]

    async def retire_bot(self, owner: Player, bot: str) -> tuple[str, ...]:
        """End all sessions and personal tokens of a bot permanently, and return their ids and hashes.

        The bot's name stays on boards.

        The owner stays stored, because the bot and its owner stay one person (`players.persons`).

        `bot` is the bot's id. Raises NotFound for a bot that does not belong to this owner.
        """
        now = self._now()
        change = update(players).where(players.c.id == bot, _is_bot_of(owner))
        async with self._database.writing() as connection:
            if not ids.is_valid(bot) or not (await connection.execute(change.values(retired_at=now))).rowcount:
                raise NotFound("You have no such bot.")
            return await delete_sessions(connection, bot)

    async def valid_sessions(self, sessions: Collection[str]) -> set[str]:
        """Return the ids of those sessions that have neither ended nor expired."""
        ordered = sorted(sessions)
        chunks = [ordered[start : start + _IDS_PER_STATEMENT] for start in range(0, len(ordered), _IDS_PER_STATEMENT)]
        return {session for chunk in chunks for session in await self._find_sessions(chunk)}

    async def authenticate(self, token: str) -> Player | None:
        """Return the player of the session with this token; None if there is no such session or it has expired."""
        return await self._players_by_session.get(session_id(token))

    async def players(self, wanted: Iterable[str]) -> dict[str, Player]:
        """Return these players by id. Unknown (erased) players are left out."""
        ids_wanted = sorted(set(wanted))
        found: dict[str, Player] = {}
        for start in range(0, len(ids_wanted), _IDS_PER_STATEMENT):
            page = {"wanted": ids_wanted[start : start + _IDS_PER_STATEMENT]}
            found |= {row.id: player_of(row) for row in await self._database.fetch(PLAYERS, page)}
        return found

    async def _find_sessions(self, sessions: Collection[str]) -> dict[str, Player]:
        """Return the players of the valid ones of these sessions, by session id."""
        rows = await self._database.fetch(VALID_SESSIONS, {"sessions": [*sessions], "now": self._now()})
        return {row.hash: player_of(row) for row in rows}


def _no_password(player: Player) -> Conflict:
    if player.guest:
        return Conflict("You have no password: create an account first.")
    return Conflict("You have no password: choose another way, or set a password with a recovery code.")


def _is_bot_of(owner: Player) -> ColumnElement[bool]:
    return and_(players.c.owner == owner.id, players.c.retired_at.is_(None))
