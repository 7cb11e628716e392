"""The requests about one's own account: sessions, tokens, bots, settings."""

from collections.abc import Sequence
from typing import TypeVar

from cadogan.sdk.errors import RefusalError
from cadogan.sdk.http import HttpClient
from cadogan.wire import account, boards, results, settings, tokens

SignedInT = TypeVar("SignedInT", bound=account.SignedIn | account.PasswordChanged)


class AccountApi:
    """The part of the interface that is about one's own account."""

    http: HttpClient

    async def begin_as_guest(self) -> account.SignedIn:
        """Begin a session as a new guest. Later requests are sent as this guest."""
        return self._keep_token(await self.http.request(account.SignedIn, "begin_as_guest"))

    async def sign_in(self, name: str, password: str) -> account.SignedIn:
        """Sign in. Later requests are sent as this player."""
        credentials = account.Credentials(name=name, password=password)
        return self._keep_token(await self.http.request(account.SignedIn, "sign_in", credentials))

    async def who_am_i(self) -> account.Session:
        """Return the signed-in player; `player` is None without a session."""
        return await self.http.request(account.Session, "who_am_i")

    async def sign_out(self) -> account.Session:
        """End this client's session."""
        session = await self.http.request(account.Session, "sign_out")
        self.http.token = None
        return session

    async def claim_name(self, name: str, password: str) -> account.AccountMade:
        """Set the name and the password of this client's guest. The client gets a new token; store it.

        If the answer is lost after the name was claimed, the old token is revoked, and this signs in with the name
        instead. The answer has the recovery codes of the new account, which cannot be read again.
        """
        credentials = account.Credentials(name=name, password=password)
        try:
            return self._keep_token(await self.http.request(account.AccountMade, "claim_name", credentials))
        except RefusalError as refusal:
            if refusal.code != "unauthorized" or not self.http.token:
                raise
            try:
                again = await self.sign_in(name, password)
                return account.AccountMade(player=again.player, token=again.token)
            except RefusalError:
                raise refusal from None

    async def list_sessions(self) -> account.OwnSessions:
        """Return the player's sessions, the one used last first."""
        return await self.http.request(account.OwnSessions, "list_sessions")

    async def end_session(self, id: str) -> account.OwnSessions:
        """End another session of the player. Returns the remaining ones."""
        return await self.http.request(account.OwnSessions, "end_session", id=id)

    async def end_other_sessions(self) -> account.OwnSessions:
        """End every session of the player but this one."""
        return await self.http.request(account.OwnSessions, "end_other_sessions")

    async def sign_out_everywhere(self) -> account.Session:
        """End every session of the player, on every device."""
        session = await self.http.request(account.Session, "sign_out_everywhere")
        self.http.token = None
        return session

    async def change_password(self, old: str, new: str) -> account.PasswordChanged:
        """Change the player's password from `old` to `new`. The client gets a new token; all others are revoked."""
        passwords = account.NewPassword(old=old, new=new)
        return self._keep_token(await self.http.request(account.PasswordChanged, "change_password", passwords))

    async def list_own_runs(self, offset: int = 0, limit: int = 20) -> results.OwnRuns:
        """Return the player's games, the latest first, with the numbers of their entries in the host's log."""
        return await self.http.request(results.OwnRuns, "list_own_runs", offset=offset, limit=limit)

    async def download_own_data(self) -> account.OwnData:
        """Return all data that the server stores about the player, with the records of all finished games."""
        return await self.http.request(account.OwnData, "download_own_data")

    async def list_tokens(self) -> tokens.PersonalTokens:
        """Return the player's personal tokens."""
        return await self.http.request(tokens.PersonalTokens, "list_tokens")

    async def make_token(self, name: str, scopes: Sequence[tokens.TokenScope], days: int = 90) -> tokens.MadeToken:
        """Create a personal token, which expires after `days` days. A client can be opened with it."""
        wanted = tokens.NewToken(name=name, scopes=list(scopes), days=days)
        return await self.http.request(tokens.MadeToken, "make_token", wanted)

    async def revoke_token(self, id: str) -> tokens.PersonalTokens:
        """Revoke a personal token. Returns the player's other ones."""
        return await self.http.request(tokens.PersonalTokens, "revoke_token", id=id)

    async def list_bots(self) -> boards.Bots:
        """Return the player's bots."""
        return await self.http.request(boards.Bots, "list_bots")

    async def retire_bot(self, id: str) -> boards.Bots:
        """Retire a bot: its token is revoked, its runs stay. Returns the player's other bots."""
        return await self.http.request(boards.Bots, "retire_bot", id=id)

    async def make_bot(self, name: str) -> account.SignedIn:
        """Create an account for a program. The answer has its token; this client's player does not change."""
        return await self.http.request(account.SignedIn, "make_bot", boards.NewBot(name=name))

    async def show_settings(self) -> settings.KeptSettings:
        """Return the player's settings of the web page."""
        return await self.http.request(settings.KeptSettings, "show_settings")

    async def keep_settings(self, kept: settings.Settings) -> settings.KeptSettings:
        """Store the player's settings of the web page with the account."""
        return await self.http.request(settings.KeptSettings, "keep_settings", kept)

    def _keep_token(self, signed_in: SignedInT) -> SignedInT:
        self.http.token = signed_in.token
        return signed_in
