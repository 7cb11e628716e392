"""The identities of an OpenID Connect provider, their linked accounts, and the steps of a sign-in.

A sign-in begins with a secret in a cookie of the browser. It is a one-time code that expires after a few minutes. A
person without an account gets another code after the sign-in, with which to choose a name. Signed-in players use the
same steps to confirm their identity before an irreversible action.
"""

import hmac
from collections.abc import Callable
from typing import NamedTuple

from sqlalchemy import delete, func, insert, select
from sqlalchemy.exc import IntegrityError

from cadogan.server.core import ids
from cadogan.server.core.database.connections import Database
from cadogan.server.core.database.tables import oidc_subjects, passkeys, players
from cadogan.server.core.errors import BadCredentials, Conflict, NotFound
from cadogan.server.core.people import confirm_session
from cadogan.server.subjects.accounts.account_rows import Session
from cadogan.server.subjects.accounts.accounts import Accounts
from cadogan.server.subjects.accounts.codes import OneTimeCode, delete_codes, find_code, make_code, use_code
from cadogan.server.subjects.accounts.oidc_provider import OidcProvider, Subject, derive, refusal
from cadogan.wire.values import Player

SIGN_IN_MILLISECONDS = 10 * 60 * 1000
"""Milliseconds in which a sign-in must be finished, and after that a name be chosen."""


class Requester(NamedTuple):
    """The signed-in player who returns from the provider, and the id of their session."""

    player: Player | None
    session: str | None


class Confirmed(NamedTuple):
    """The result of a confirmed identity."""

    player: Player


class OidcSubjects:
    """The linked identities in a database, and their provider, if any. `now` returns milliseconds since 1970."""

    def __init__(
        self, database: Database, accounts: Accounts, provider: OidcProvider | None, now: Callable[[], int]
    ) -> None:
        self._database = database
        self._accounts = accounts
        self._provider = provider
        self._now = now

    @property
    def offered(self) -> bool:
        """Whether there is a provider."""
        return self._provider is not None

    async def begin(self, redirect: str, player: str | None = None) -> tuple[str, str]:
        """Begin a sign-in, or for a player the linking of the account. Returns its secret and the provider's URL.

        Raises NotFound without a provider, and Unavailable if it does not answer.
        """
        provider, now = self._require_provider(), self._now()
        async with self._database.writing() as connection:
            await delete_codes(connection, ended_by=now, purpose="oidc")
            await delete_codes(connection, ended_by=now, purpose="new_oidc")
            secret = await make_code(connection, ids.new_id(), "oidc", now, now + SIGN_IN_MILLISECONDS, player)
        return secret, await provider.address(secret, redirect)

    async def begin_confirmation(self, redirect: str, player: str, session: str) -> tuple[str, str]:
        """Begin to confirm the identity in a player's session; an earlier attempt ends. Returns what `begin` returns.

        Raises NotFound without a provider, Conflict for an account that is not linked with the provider, and
        Unavailable.
        """
        provider, now = self._require_provider(), self._now()
        if await self.provider_of(player) is None:
            raise Conflict("Your account is not linked with this provider.")
        async with self._database.writing() as connection:
            await delete_codes(connection, ended_by=now, purpose="confirm_oidc")
            ends_at = now + SIGN_IN_MILLISECONDS
            secret = await make_code(connection, _confirmation_id(session), "confirm_oidc", now, ends_at, player)
        return secret, await provider.address(secret, redirect, reauthenticate=True)

    async def finish(
        self, secret: str, state: str, code: str, redirect: str, requester: Requester
    ) -> Session | Player | Confirmed | str:
        """Finish the flow that began with this secret, with the code and the state that the provider has sent.

        Returns a new session; or the player whose account is linked now; or `Confirmed`; or, for a person without an
        account, the secret to create one with.

        Raises NotFound, BadCredentials, Suspended, Unavailable, and Conflict for an identity that is linked with
        another account.
        """
        provider = self._require_provider()
        if not hmac.compare_digest(derive(secret, "state").encode(), state.encode()):
            raise refusal()
        async with self._database.writing() as connection:
            begun = await use_code(connection, secret, "oidc", self._now())
            confirmation = None if begun else await use_code(connection, secret, "confirm_oidc", self._now())
        player = requester.player
        if confirmation is not None:
            if player is None or requester.session is None or not _matches(confirmation, player.id, requester.session):
                raise refusal()
            subject = await provider.subject(code, secret, redirect, confirmation.created_at)
            await self._confirm(player.id, requester.session, subject)
            return Confirmed(player)
        if begun is None:
            raise refusal()
        subject = await provider.subject(code, secret, redirect)
        if begun.player is not None:
            if player is None or player.id != begun.player:
                raise refusal()
            await self._link(player.id, subject)
            return player
        wanted = select(oidc_subjects.c.player).where(
            oidc_subjects.c.issuer == subject.issuer, oidc_subjects.c.subject == subject.subject
        )
        now = self._now()
        async with self._database.writing() as connection:
            known = await connection.scalar(wanted)
            if known is None:
                return await make_code(connection, _code_id(subject), "new_oidc", now, now + SIGN_IN_MILLISECONDS)
        return await self._accounts.open_session(known)

    async def claim_name(self, secret: str, player: Player | None, name: str) -> Session:
        """Create an account for the signed-in person, with the secret from `finish`: see `claim_name_with_subject`.

        Raises BadCredentials if the secret has expired, BadMessage, NameTaken and Conflict.
        """
        provider = self._require_provider()
        async with self._database.reading() as connection:
            proven = await find_code(connection, secret, "new_oidc", self._now())
        issuer, _, subject = (proven.id if proven else "").removeprefix(_CODE_PREFIX).partition(" ")
        if proven is None or issuer != provider.issuer:
            raise refusal()
        row = {"issuer": issuer, "subject": subject, "created_at": self._now()}
        session = await self._accounts.claim_name_with_subject(player, name, row)
        async with self._database.writing() as connection:
            await delete_codes(connection, id=proven.id)
        return session

    async def is_linked(self, player: str) -> bool:
        """Return whether a player's account is linked with an identity at a provider."""
        count = select(func.count()).select_from(oidc_subjects).where(oidc_subjects.c.player == player)
        return bool(await self._database.fetch_value(count))

    async def provider_of(self, player: str) -> str | None:
        """Return the URL of this server's provider if a player's account is linked with it, otherwise None."""
        if self._provider is None:
            return None
        table, issuer = oidc_subjects.c, self._provider.issuer
        wanted = select(table.issuer).where(table.player == player, table.issuer == issuer).limit(1)
        found: str | None = await self._database.fetch_value(wanted)
        return found

    async def unlink(self, player: str) -> None:
        """Unlink a player's account from the provider. Raises Conflict if the player has no other way to sign in."""
        locked = select(players.c.password_hash).where(players.c.id == player).with_for_update()
        async with self._database.writing() as connection:
            password = await connection.scalar(locked)
            passkey = await connection.scalar(select(passkeys.c.id).where(passkeys.c.player == player).limit(1))
            if password is None and passkey is None:
                raise Conflict("This sign-in is the only way into your account: set a password or add a passkey first.")
            await connection.execute(delete(oidc_subjects).where(oidc_subjects.c.player == player))

    async def _confirm(self, player: str, session: str, subject: Subject) -> None:
        table = oidc_subjects.c
        wanted = select(table.player).where(table.issuer == subject.issuer, table.subject == subject.subject)
        async with self._database.writing() as connection:
            if await connection.scalar(wanted) != player:
                raise BadCredentials("You have signed in there as somebody else. Sign in as who you are here.")
            await confirm_session(connection, player, session, self._now())

    async def _link(self, player: str, subject: Subject) -> None:
        row = {"issuer": subject.issuer, "subject": subject.subject}
        wanted = select(oidc_subjects.c.player).where(*(oidc_subjects.c[name] == value for name, value in row.items()))
        try:
            async with self._database.writing() as connection:
                if await connection.scalar(wanted) != player:
                    await connection.execute(
                        insert(oidc_subjects).values({**row, "player": player, "created_at": self._now()})
                    )
        except IntegrityError:
            raise Conflict("This sign-in belongs to another account.") from None

    def _require_provider(self) -> OidcProvider:
        if self._provider is None:
            raise NotFound("This server has no provider to sign in with.")
        return self._provider


_CODE_PREFIX = "oidc "


def _confirmation_id(session: str) -> str:
    return f"confirmation of {session}"


def _matches(confirmation: OneTimeCode, player: str, session: str) -> bool:
    return confirmation.player == player and confirmation.id == _confirmation_id(session)


def _code_id(subject: Subject) -> str:
    return f"{_CODE_PREFIX}{subject.issuer} {subject.subject}"
