"""All authentication services, built once for a server."""

from collections.abc import Callable, Collection

from cadogan.server.core.database.connections import Database
from cadogan.server.core.mailer import Mailer
from cadogan.server.subjects.accounts.accounts import Accounts
from cadogan.server.subjects.accounts.codes import RecoveryCodes
from cadogan.server.subjects.accounts.mail_recovery import MailRecovery
from cadogan.server.subjects.accounts.oidc_provider import OidcProvider
from cadogan.server.subjects.accounts.oidc_subjects import OidcSubjects
from cadogan.server.subjects.accounts.own_sessions import OwnSessions
from cadogan.server.subjects.accounts.passkeys import Passkeys
from cadogan.server.subjects.accounts.personal_tokens import PersonalTokens


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
