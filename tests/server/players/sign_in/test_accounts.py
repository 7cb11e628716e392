"""Accounts: guests, claimed names, sessions; on SQLite and on PostgreSQL."""

import asyncio
import threading
from dataclasses import dataclass
from typing import Literal

import pytest
from argon2 import PasswordHasher
from argon2.exceptions import VerifyMismatchError
from sqlalchemy import select

from cadogan.server.core import ids
from cadogan.server.core.database.connections import Database
from cadogan.server.core.database.tables import players, tokens
from cadogan.server.core.errors import BadCredentials, Conflict, NameTaken, NotFound, Unauthorized
from cadogan.server.core.people import SESSION_LIFETIME_SECONDS, session_id
from cadogan.server.subjects.accounts.account_rows import Session
from cadogan.server.subjects.accounts.accounts import REPLACED_SESSION_SECONDS, Accounts
from cadogan.server.subjects.accounts.passwords import Passwords
from cadogan.server.subjects.accounts.personal_tokens import PersonalTokens
from cadogan.wire.tokens import NewToken

PASSWORD = "eight red queens"


def cheap(kind: type[PasswordHasher]) -> PasswordHasher:
    """A hasher of this kind whose hashes cost little."""
    return kind(time_cost=1, memory_cost=8, parallelism=1)


@dataclass
class Clock:
    """A clock that goes when told to."""

    now: int = 1_795_000_000_000

    def __call__(self) -> int:
        return self.now


@pytest.fixture
def clock() -> Clock:
    return Clock()


@pytest.fixture
def accounts(database: Database, clock: Clock) -> Accounts:
    """Accounts whose passwords cost little to hash."""
    return Accounts(database, clock, cheap(PasswordHasher))


def test_a_hash_takes_64_mebibytes_unless_a_test_wants_it_cheaper(monkeypatch: pytest.MonkeyPatch) -> None:
    assert "$m=8,t=1,p=1$" in Passwords().dummy_hash
    monkeypatch.undo()
    assert "$m=65536,t=3,p=4$" in Passwords().dummy_hash


async def test_a_guest_is_recognised_by_the_token_and_by_no_other(accounts: Accounts) -> None:
    session = await accounts.create_guest()
    assert session.player.guest
    assert await accounts.authenticate(session.token) == session.player
    assert await accounts.authenticate(session.token[:-1]) is None
    assert await accounts.authenticate("") is None
    assert await accounts.authenticate("\udcff") is None


async def test_tokens_and_passwords_are_not_stored(accounts: Accounts, database: Database) -> None:
    session = await accounts.create_guest()
    await accounts.claim_name(session.player, "Ada", PASSWORD)
    async with database.reading() as connection:
        rows = [*(await connection.execute(select(tokens))), *(await connection.execute(select(players)))]
    stored = repr(rows)
    assert session.token not in stored
    assert session.token.removeprefix("cadogan_") not in stored
    assert PASSWORD not in stored
    assert "$argon2id$" in stored


async def test_a_claimed_name_signs_in_only_with_its_password(accounts: Accounts) -> None:
    player = (await accounts.claim_name((await accounts.create_guest()).player, "Lady  Cadogan", PASSWORD)).player
    assert (player.name, player.guest) == ("Lady Cadogan", False)
    session = await accounts.sign_in("lady cadogan", PASSWORD)
    assert session.player == player
    assert await accounts.authenticate(session.token) == player
    with pytest.raises(BadCredentials):
        await accounts.sign_in("Lady Cadogan", PASSWORD + "!")


async def test_an_unknown_name_and_a_wrong_password_get_the_same_refusal(accounts: Accounts) -> None:
    await accounts.claim_name((await accounts.create_guest()).player, "Ada", PASSWORD)
    refusals = []
    for name in ("Ada", "Nobody at all", "nul\0", "Guest"):
        with pytest.raises(BadCredentials) as caught:
            await accounts.sign_in(name, "wrong password")
        refusals.append(caught.value.body())
    assert len(set(refusals)) == 1


async def test_a_password_hash_is_computed_for_an_unknown_name_too(database: Database, clock: Clock) -> None:
    class Counting(PasswordHasher):
        found_wrong = 0

        def verify(self, hash: str | bytes, password: str | bytes) -> Literal[True]:
            try:
                return super().verify(hash, password)
            except VerifyMismatchError:
                Counting.found_wrong += 1
                raise

    accounts = Accounts(database, clock, cheap(Counting))
    with pytest.raises(BadCredentials):
        await accounts.sign_in("Nobody", PASSWORD)
    assert Counting.found_wrong == 1


@pytest.mark.parametrize("other", ["ADA", "ada", "Ａｄａ", " ada "])
async def test_names_that_differ_only_in_case_or_width_are_the_same(accounts: Accounts, other: str) -> None:
    first, second = (await accounts.create_guest()).player, (await accounts.create_guest()).player
    await accounts.claim_name(first, "Ada", PASSWORD)
    with pytest.raises(NameTaken):
        await accounts.claim_name(second, other, PASSWORD)
    assert (await accounts.claim_name(second, "Ada B", PASSWORD)).player.name == "Ada B"


@pytest.mark.both_databases
async def test_two_players_claim_a_name_at_once_and_one_gets_it(accounts: Accounts) -> None:
    guests = [(await accounts.create_guest()).player for _ in range(2)]
    results = await asyncio.gather(
        *(accounts.claim_name(guest, "Ada", PASSWORD) for guest in guests), return_exceptions=True
    )
    assert sorted(type(result).__name__ for result in results) == ["NameTaken", "Session"]


async def test_a_name_is_claimed_once(accounts: Accounts) -> None:
    guest = (await accounts.create_guest()).player
    ada = (await accounts.claim_name(guest, "Ada", PASSWORD)).player
    for stale in (ada, guest):
        with pytest.raises(Conflict):
            await accounts.claim_name(stale, "Eve", PASSWORD)


async def test_signing_out_ends_only_that_session(accounts: Accounts) -> None:
    guest = await accounts.claim_name((await accounts.create_guest()).player, "Ada", PASSWORD)
    other = await accounts.sign_in("Ada", PASSWORD)
    await accounts.sign_out(other.token)
    await accounts.sign_out("never was one")
    assert await accounts.authenticate(other.token) is None
    assert await accounts.authenticate(guest.token) is not None


async def test_a_session_ends_with_its_time(accounts: Accounts, clock: Clock) -> None:
    session = await accounts.create_guest()
    clock.now += SESSION_LIFETIME_SECONDS * 1000 - 1
    assert await accounts.authenticate(session.token) is not None
    clock.now += 1
    assert await accounts.authenticate(session.token) is None


async def test_players_are_found_by_id_and_deleted_ones_are_left_out(accounts: Accounts) -> None:
    ada, eve = (await accounts.create_guest()).player, (await accounts.create_guest()).player
    assert await accounts.players([ada.id, eve.id, "a" * 16, ada.id]) == {ada.id: ada, eve.id: eve}
    assert await accounts.players([]) == {}


async def test_a_password_is_the_same_however_its_accents_are_composed(accounts: Accounts) -> None:
    await accounts.claim_name((await accounts.create_guest()).player, "Ada", "Café noir")
    assert await accounts.sign_in("Ada", "Cafe\u0301 noir")


async def test_a_name_that_looks_like_a_taken_one_is_taken_for_players_and_bots(accounts: Accounts) -> None:
    names = {"Isa": "іѕа", "Ian": "lan", "Bob": "ВОВ", "Ibi": "ΙΒΙ", "modem": "rnodern", "Cleo 10": "Cleo lO"}
    for name, twin in names.items():
        player = (await accounts.claim_name((await accounts.create_guest()).player, name, PASSWORD)).player
        other = (await accounts.create_guest()).player
        with pytest.raises(NameTaken):
            await accounts.claim_name(other, twin, PASSWORD)
        with pytest.raises(NameTaken):
            await accounts.create_bot(player, twin)
        assert (await accounts.claim_name(other, f"{name} the second", PASSWORD)).player.name == f"{name} the second"
        assert (await accounts.sign_in(name.upper(), PASSWORD)).player == player


async def test_a_claimed_name_gets_a_new_token_and_the_guests_is_invalid(accounts: Accounts) -> None:
    guest = await accounts.create_guest()
    ada = await accounts.claim_name(guest.player, "Ada", PASSWORD)
    assert ada.ended == (session_id(guest.token),)
    assert (await accounts.authenticate(guest.token), await accounts.authenticate(ada.token)) == (None, ada.player)


async def test_a_new_password_replaces_the_old_one_and_ends_all_sessions_but_a_new_one(accounts: Accounts) -> None:
    ada = await accounts.claim_name((await accounts.create_guest()).player, "Ada", PASSWORD)
    here = await accounts.sign_in("Ada", PASSWORD)
    with pytest.raises(BadCredentials):
        await accounts.change_password(ada.player, PASSWORD + "!", "nine black knaves")
    assert await accounts.authenticate(ada.token) == ada.player
    renewed = await accounts.change_password(ada.player, PASSWORD, "nine black knaves")
    assert set(renewed.ended) == {session_id(ada.token), session_id(here.token)}
    tokens = (ada.token, here.token, renewed.token)
    assert [await accounts.authenticate(token) for token in tokens] == [None, None, ada.player]
    with pytest.raises(BadCredentials):
        await accounts.sign_in("Ada", PASSWORD)
    assert (await accounts.sign_in("Ada", "nine black knaves")).player == ada.player


@pytest.mark.both_databases
async def test_two_sessions_change_a_password_at_once_and_one_succeeds(accounts: Accounts) -> None:
    ada = (await accounts.claim_name((await accounts.create_guest()).player, "Ada", PASSWORD)).player
    changes = [accounts.change_password(ada, PASSWORD, new) for new in ("nine black knaves", "ten red kings")]
    answers = await asyncio.gather(*changes, return_exceptions=True)
    assert sorted(isinstance(one, BadCredentials) for one in answers) == [False, True]


async def test_a_player_without_a_password_cannot_change_it(accounts: Accounts) -> None:
    guest = (await accounts.create_guest()).player
    ada = (await accounts.claim_name((await accounts.create_guest()).player, "Ada", PASSWORD)).player
    for player in (guest, (await accounts.create_bot(ada, "Marvin")).player):
        with pytest.raises(Conflict):
            await accounts.change_password(player, PASSWORD, "nine black knaves")


async def test_signing_out_everywhere_ends_all_sessions_of_the_player_and_no_others(accounts: Accounts) -> None:
    other = await accounts.create_guest()
    one = await accounts.claim_name((await accounts.create_guest()).player, "Ada", PASSWORD)
    again = await accounts.sign_in("Ada", PASSWORD)
    assert set(await accounts.sign_out_everywhere(one.player)) == {session_id(one.token), session_id(again.token)}
    assert [await accounts.authenticate(session.token) for session in (one, again, other)] == [None, None, other.player]


async def test_a_retired_bot_has_no_owner_and_its_token_is_invalid(accounts: Accounts) -> None:
    ada = (await accounts.claim_name((await accounts.create_guest()).player, "Ada", PASSWORD)).player
    bob = (await accounts.claim_name((await accounts.create_guest()).player, "Bob", PASSWORD)).player
    bots = [await accounts.create_bot(ada, name) for name in ("Zaphod", "Marvin")]
    assert await accounts.bots(ada) == [bots[1].player, bots[0].player]
    for owner, bot in ((bob, bots[0].player.id), (ada, bob.id), (ada, "bot-nothing")):
        with pytest.raises(NotFound):
            await accounts.retire_bot(owner, bot)
    assert await accounts.retire_bot(ada, bots[0].player.id) == (session_id(bots[0].token),)
    assert [await accounts.authenticate(bot.token) for bot in bots] == [None, bots[1].player]
    assert await accounts.bots(ada) == [bots[1].player]
    with pytest.raises(NotFound):
        await accounts.retire_bot(ada, bots[0].player.id)
    with pytest.raises(NameTaken):
        await accounts.create_bot(ada, "Zaphod")


async def test_who_signs_in_with_the_old_password_during_a_change_gets_no_session(
    accounts: Accounts, database: Database, clock: Clock
) -> None:
    class Waiting(PasswordHasher):
        """Takes until `go_on` is set to find out that a password is right."""

        right, go_on = threading.Event(), threading.Event()

        def verify(self, hash: str | bytes, password: str | bytes) -> Literal[True]:
            super().verify(hash, password)
            self.right.set()
            self.go_on.wait()
            return True

    ada = (await accounts.claim_name((await accounts.create_guest()).player, "Ada", PASSWORD)).player
    signing_in = asyncio.create_task(Accounts(database, clock, cheap(Waiting)).sign_in("Ada", PASSWORD))
    try:
        await asyncio.to_thread(Waiting.right.wait)
        await accounts.change_password(ada, PASSWORD, "nine black knaves")
    finally:
        Waiting.go_on.set()
    with pytest.raises(BadCredentials):
        await signing_in


async def test_personal_tokens_end_with_the_sessions_and_no_ended_session_makes_one(
    accounts: Accounts, database: Database, clock: Clock
) -> None:
    tokens, wanted = PersonalTokens(database, clock), NewToken(name="Notebook", scopes=["play"])
    guest = await accounts.create_guest()
    ada = await accounts.claim_name(guest.player, "Ada", PASSWORD)
    bot = await accounts.create_bot(ada.player, "Marvin")
    made = []
    for session in (ada, bot):
        player = session.player.id
        made.append((await tokens.create(player, session_id(session.token), ids.new_id(), wanted)).token)
    ended = (await accounts.change_password(ada.player, PASSWORD, "nine black knaves")).ended
    assert session_id(made[0]) in ended
    ended = await accounts.retire_bot(ada.player, bot.player.id)
    assert set(ended) == {session_id(bot.token), session_id(made[1])}
    assert [await tokens.authenticate(token) for token in made] == [None, None]
    for session in (guest, ada, bot):
        with pytest.raises(Unauthorized):
            await tokens.create(session.player.id, session_id(session.token), ids.new_id(), wanted)


async def test_only_a_guest_gets_a_session_for_an_old_one_which_ends_soon(accounts: Accounts, clock: Clock) -> None:
    guest = await accounts.create_guest()
    ada = await accounts.claim_name((await accounts.create_guest()).player, "Ada", PASSWORD)
    for token in (ada.token, "never was one"):
        assert await accounts.replace_guest_session(token) is None
    first, again = [await accounts.replace_guest_session(guest.token) for _ in range(2)]
    assert first is not None
    assert again is not None
    clock.now += REPLACED_SESSION_SECONDS * 1000
    assert await accounts.authenticate(guest.token) is None
    for session in (first, again):
        assert await accounts.authenticate(session.token) == guest.player


@pytest.mark.both_databases
async def test_sessions_and_tokens_made_while_a_name_is_claimed_end_with_it(
    accounts: Accounts, database: Database, clock: Clock
) -> None:
    personal, wanted = PersonalTokens(database, clock), NewToken(name="Notebook", scopes=["read"])
    for number in range(5):
        guest = await accounts.create_guest()
        making = [personal.create(guest.player.id, session_id(guest.token), ids.new_id(), wanted) for _ in range(6)]
        replacing = [accounts.replace_guest_session(guest.token) for _ in range(6)]
        claiming = accounts.claim_name(guest.player, f"Ada the {number}th", PASSWORD)
        answers = await asyncio.gather(
            *making[:3], *replacing[:3], claiming, *making[3:], *replacing[3:], return_exceptions=True
        )
        ada = answers[6]
        assert isinstance(ada, Session), ada
        assert {type(one) for one in answers if isinstance(one, Exception)} <= {Unauthorized}
        async with database.reading() as connection:
            sessions = await connection.scalars(select(tokens.c.hash).where(tokens.c.player == guest.player.id))
            assert set(sessions) == {session_id(ada.token)}
        assert await personal.of_player(guest.player.id) == []
