"""Passkeys (WebAuthn): keys in a device or a password manager, for sign-in without a name or a password.

The server stores the public keys. It sends a challenge, which is valid once and for a few minutes; the device signs it
together with the origin of the page. `webauthn` verifies all of it.
"""

from base64 import urlsafe_b64decode
from collections.abc import Callable, Sequence
from typing import Any, Literal, NamedTuple

from msgspec import DecodeError, Struct, json
from sqlalchemy import Row, delete, func, insert, select, update
from sqlalchemy.exc import IntegrityError
from webauthn import verify_authentication_response, verify_registration_response
from webauthn.helpers import bytes_to_base64url
from webauthn.helpers.exceptions import WebAuthnException

from cadogan.server.core import ids
from cadogan.server.core.database.connections import Database
from cadogan.server.core.database.tables import oidc_subjects, passkeys, players
from cadogan.server.core.errors import BadCredentials, Conflict, NotFound, TooMany
from cadogan.server.core.people import confirm_session
from cadogan.server.subjects.accounts.account_rows import Session
from cadogan.server.subjects.accounts.accounts import Accounts
from cadogan.server.subjects.accounts.codes import delete_codes, make_code, use_code
from cadogan.wire import passkeys as wire
from cadogan.wire.values import Player

MAX_PASSKEYS = 20
"""The maximum number of passkeys of one player."""
CHALLENGE_MILLISECONDS = 5 * 60 * 1000
"""Milliseconds for which a challenge is valid."""
Purpose = Literal["passkey", "new_passkey"]


class Site(NamedTuple):
    """The relying party of passkeys: the host name of this server, and the origins of its pages."""

    name: str
    origins: Sequence[str]


class _ClientData(Struct):
    challenge: str


class Passkeys:
    """The passkeys in a database. `now` returns the time in milliseconds since 1970."""

    def __init__(self, database: Database, accounts: Accounts, now: Callable[[], int]) -> None:
        self._database = database
        self._accounts = accounts
        self._now = now

    async def challenge(self, purpose: Purpose, player: str | None = None) -> str:
        """Create a challenge, which is valid for one response. A challenge for a new passkey is bound to the player."""
        now = self._now()
        async with self._database.writing() as connection:
            await delete_codes(connection, ended_by=now, purpose=purpose)
            return await make_code(connection, ids.new_id(), purpose, now, now + CHALLENGE_MILLISECONDS, player)

    async def of_player(self, player: str) -> list[wire.Passkey]:
        """Return the passkeys of a player, the latest first."""
        wanted = select(passkeys).where(passkeys.c.player == player)
        rows = await self._database.fetch(wanted.order_by(passkeys.c.created_at.desc(), passkeys.c.id))
        return [wire.Passkey(id=row.id, name=row.name, created_at=row.created_at, used_at=row.used_at) for row in rows]

    async def credentials(self, player: str) -> list[str]:
        """Return the credential ids of a player's passkeys, so that no device creates a second one."""
        async with self._database.reading() as connection:
            return list(await connection.scalars(select(passkeys.c.credential).where(passkeys.c.player == player)))

    async def add(self, player: Player, made: wire.NewPasskey, site: Site) -> None:
        """Store a new passkey of a player.

        Raises BadCredentials for an invalid response, Conflict for a guest, a bot or a known passkey, and TooMany
        beyond `MAX_PASSKEYS`.
        """
        if player.guest or player.bot:
            raise Conflict("You have no password: create an account first.")
        row = await self.read_new(made, site, player.id)
        own = select(func.count()).select_from(passkeys).where(passkeys.c.player == player.id)
        try:
            async with self._database.writing() as connection:
                await connection.execute(select(players.c.id).where(players.c.id == player.id).with_for_update())
                if (await connection.scalar(own) or 0) >= MAX_PASSKEYS:
                    raise TooMany("One player has at most {count} passkeys: remove one first.", count=MAX_PASSKEYS)
                await connection.execute(insert(passkeys).values({**row, "player": player.id}))
        except IntegrityError:
            raise Conflict("This passkey is known already.") from None

    async def read_new(self, made: wire.NewPasskey, site: Site, player: str | None) -> dict[str, Any]:
        """Verify a new passkey, delete its challenge, and return its row without the player. Raises BadCredentials."""
        challenge = await self._use_challenge(made.client_data, "new_passkey", player)
        answer = {
            "id": made.credential,
            "rawId": made.credential,
            "type": "public-key",
            "response": {"clientDataJSON": made.client_data, "attestationObject": made.attestation},
        }
        try:
            verified = verify_registration_response(
                credential=answer,
                expected_challenge=challenge,
                expected_rp_id=site.name,
                expected_origin=list(site.origins),
                require_user_verification=True,
            )
        except (WebAuthnException, ValueError) as error:
            raise _refusal() from error
        return {
            "id": ids.new_id(),
            "credential": bytes_to_base64url(verified.credential_id),
            "name": made.name,
            "public_key": verified.credential_public_key,
            "sign_count": verified.sign_count,
            "created_at": self._now(),
        }

    async def remove(self, player: str, id: str) -> None:
        """Remove a passkey of a player. Raises NotFound, and Conflict if the player has no other way to sign in."""
        locked = select(players.c.password_hash).where(players.c.id == player).with_for_update()
        async with self._database.writing() as connection:
            password = await connection.scalar(locked)
            known = list(await connection.scalars(select(passkeys.c.id).where(passkeys.c.player == player)))
            if id not in known:
                raise NotFound("You have no such passkey.")
            linked = await connection.scalar(select(oidc_subjects.c.subject).where(oidc_subjects.c.player == player))
            if password is None and linked is None and len(known) == 1:
                raise Conflict("This passkey is the only way into your account: set a password first.")
            await connection.execute(delete(passkeys).where(passkeys.c.id == id))

    async def sign_in(self, answer: wire.PasskeyAnswer, site: Site) -> Session:
        """Open a session for the player whose passkey signed this response. Raises BadCredentials and Suspended."""
        passkey = await self._verify(answer, site)
        return await self._accounts.open_session(passkey.player)

    async def confirm(self, player: str, session: str, answer: wire.PasskeyAnswer, site: Site) -> None:
        """Store in a session, by its id, that its player has confirmed with a passkey. Raises BadCredentials."""
        passkey = await self._verify(answer, site, player)
        async with self._database.writing() as connection:
            await confirm_session(connection, passkey.player, session, self._now())

    async def _verify(self, answer: wire.PasskeyAnswer, site: Site, player: str | None = None) -> Row[Any]:
        """Verify a response, delete its challenge, and store the passkey's signature counter. Raises BadCredentials."""
        challenge = await self._use_challenge(answer.client_data, "passkey", None)
        wanted = select(passkeys).where(passkeys.c.credential == answer.credential)
        async with self._database.writing() as connection:
            passkey = (await connection.execute(wanted.with_for_update())).one_or_none()
            if passkey is None or (player is not None and passkey.player != player):
                raise _refusal()
            used = update(passkeys).where(passkeys.c.id == passkey.id)
            count = _new_count(answer, challenge, site, passkey)
            await connection.execute(used.values(sign_count=count, used_at=self._now()))
        return passkey

    async def _use_challenge(self, client_data: str, purpose: Purpose, player: str | None) -> bytes:
        try:
            padded = client_data + "=" * (-len(client_data) % 4)
            challenge = json.decode(urlsafe_b64decode(padded), type=_ClientData).challenge
        except (ValueError, DecodeError) as error:
            raise _refusal() from error
        async with self._database.writing() as connection:
            used = await use_code(connection, challenge, purpose, self._now())
        if used is None or used.player != player:
            raise _refusal()
        return urlsafe_b64decode(challenge + "=")  # 43 characters for 32 bytes


def _new_count(answer: wire.PasskeyAnswer, challenge: bytes, site: Site, passkey: Row[Any]) -> int:
    given = {
        "id": answer.credential,
        "rawId": answer.credential,
        "type": "public-key",
        "response": {
            "clientDataJSON": answer.client_data,
            "authenticatorData": answer.authenticator_data,
            "signature": answer.signature,
        },
    }
    try:
        return verify_authentication_response(
            credential=given,
            expected_challenge=challenge,
            expected_rp_id=site.name,
            expected_origin=list(site.origins),
            credential_public_key=passkey.public_key,
            credential_current_sign_count=passkey.sign_count,
            require_user_verification=True,
        ).new_sign_count
    except (WebAuthnException, ValueError) as error:
        raise _refusal() from error


def _shown(row: Row[Any]) -> wire.Passkey:
    return wire.Passkey(id=row.id, name=row.name, created_at=row.created_at, used_at=row.used_at)


def _refusal() -> BadCredentials:
    return BadCredentials("This passkey is not known here, or its answer came too late: try again.")
