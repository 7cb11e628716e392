"""Persons: an owner and their bots are one, and a name must be old before it counts."""

import pytest

from cadogan.server.core import dates
from cadogan.server.core.database.connections import Database
from cadogan.server.core.errors import NotFound
from cadogan.server.core.people import Persons
from cadogan.server.subjects.accounts.accounts import Accounts
from cadogan.wire.values import Player
from tests.harness.running_server import Clock

DAY_MILLISECONDS = dates.MILLISECONDS_PER_DAY


async def named(accounts: Accounts, name: str) -> Player:
    return (await accounts.claim_name((await accounts.create_guest()).player, name, "eight red queens")).player


async def test_an_owner_and_their_bots_are_one_person_also_when_a_bot_is_retired(database: Database) -> None:
    accounts, persons = Accounts(database, Clock()), Persons(database, 7 * DAY_MILLISECONDS)
    ada, bob = await named(accounts, "Ada"), await named(accounts, "Bob")
    bots = [(await accounts.create_bot(ada, name)).player for name in ("Marvin", "Zaphod")]
    await accounts.retire_bot(ada, bots[1].id)
    assert [await persons.person_of(one.id) for one in (ada, *bots, bob)] == [ada.id, ada.id, ada.id, bob.id]
    assert await accounts.bots(ada) == [bots[0]]
    with pytest.raises(NotFound):
        await accounts.retire_bot(ada, bots[1].id)


async def test_a_name_counts_from_when_it_was_claimed_for_the_bots_too(database: Database) -> None:
    clock = Clock()
    accounts, persons = Accounts(database, clock), Persons(database, 7 * DAY_MILLISECONDS)
    guest = (await accounts.create_guest()).player
    clock.at += 30 * DAY_MILLISECONDS
    assert await persons.is_newcomer(guest.id, clock.at)
    ada = (await accounts.claim_name(guest, "Ada", "eight red queens")).player
    claimed_at = clock.at
    clock.at += 30 * DAY_MILLISECONDS
    bot = (await accounts.create_bot(ada, "Marvin")).player
    for player in (ada, bot):
        assert await persons.is_newcomer(player.id, claimed_at + 7 * DAY_MILLISECONDS - 1)
        assert not await persons.is_newcomer(player.id, claimed_at + 7 * DAY_MILLISECONDS)
    assert await persons.is_newcomer("nobody", clock.at)
    assert not await Persons(database, 0).is_newcomer("nobody", clock.at)
