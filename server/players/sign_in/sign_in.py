"""All authentication services, built once for a server."""

from collections.abc import Callable, Collection

from cadogan.server.database.connections import Database
from cadogan.server.mail.mailer import Mailer
from cadogan.server.players.sign_in.accounts import Accounts
from cadogan.server.players.sign_in.mail_recovery import MailRecovery
from cadogan.server.players.sign_in.oidc_provider import OidcProvider
from cadogan.server.players.sign_in.oidc_subjects import OidcSubjects
from cadogan.server.players.sign_in.own_sessions import OwnSessions
from cadogan.server.players.sign_in.passkeys import Passkeys
from cadogan.server.players.sign_in.personal_tokens import PersonalTokens
from cadogan.server.players.sign_in.recovery_codes import RecoveryCodes


class SignIn:
    """The authentication services on a database. `processes` is their number; `now` returns milliseconds since 1970."""

    def __init__(
        self,
        database: Database,
        mailer: Mailer | None,
        provider: OidcProvider | None,
        processes: int,
        now: Callable[[], int],
    ) -> None:
        self.accounts = Accounts(database, now, processes=processes)
        self.own_sessions = OwnSessions(database, now)
        self.personal_tokens = PersonalTokens(database, now)
        self.passkeys = Passkeys(database, self.accounts, now)
        self.recovery_codes = RecoveryCodes(database, now)
        self.mail_recovery = MailRecovery(database, mailer, now, processes)
        self.oidc_subjects = OidcSubjects(database, self.accounts, provider, now)

    async def valid_sessions(self, sessions: Collection[str]) -> set[str]:
        """Return the hashes of those sessions and personal tokens that are valid now."""
        valid = await self.accounts.valid_sessions(sessions)
        return valid | await self.personal_tokens.valid(set(sessions) - valid)
