"""Sealed deals in the database: each has one secret, whoever asks for it and however often."""

import asyncio

import pytest

from cadogan.server.core.database.connections import Database
from cadogan.server.core.fairness.commit_reveal import commitment
from cadogan.server.core.fairness.sealed_deals import SealedDeals
from tests.harness.statements import asked

DAYS = ("2026-11-18", "2026-11-19", "2026-11-20", "2026-11-21")


async def test_a_deal_is_sealed_once_and_found_by_its_id(database: Database) -> None:
    deals = SealedDeals(database)
    first = await deals.seal_named("race-a", "maze", 1)
    assert (first.id, first.game, first.day, first.slot) == ("race-a", "maze", None, None)
    assert first.commitment == commitment(first.secret)
    assert await deals.seal_named("race-a", "maze", 2) == first
    assert await deals.get("race-a") == first
    assert await deals.get_secret("race-a") == first.secret
    assert (await deals.seal_named("race-b", "maze", 1)).secret != first.secret
    assert (await deals.get("race-c"), await deals.get_secret("race-c")) == (None, None)


@pytest.mark.both_databases
async def test_several_deals_are_sealed_together_and_those_that_exist_stay_as_they_are(database: Database) -> None:
    deals = SealedDeals(database)
    known = await deals.seal_named("arena-2", "maze", 1)
    names = {f"arena-{number}": "maze" for number in (1, 2, 3)}
    once, again = await asyncio.gather(*(deals.seal_many(names, 2) for _ in range(2)))
    assert once == again
    assert [deal.id for deal in once] == [*names]
    assert once[1] == known
    assert len({deal.secret for deal in once}) == 3
    assert {deal.id for deal in await deals.get_many(["arena-3", "arena-4"])} == {"arena-3"}


async def test_a_day_has_one_secret_for_all_of_its_deals(database: Database) -> None:
    deals = SealedDeals(database)
    day, again = await asyncio.gather(*(deals.seal_day("2026-11-20", 1) for _ in range(2)))
    assert day == again == await deals.get_day("2026-11-20")
    assert day.commitment == commitment(day.secret)
    second = day.deal(2, "olga")
    assert (second.id, second.game, second.day, second.slot) == ("2026-11-20.2", "olga", "2026-11-20", 2)
    assert (second.secret, second.commitment) == (day.secret, day.commitment)
    assert await deals.get_secret("2026-11-20.7") == day.secret
    assert (await deals.get_day("2026-11-21"), await deals.get_secret("2026-11-21.1")) == (None, None)


@pytest.mark.both_databases
async def test_days_are_sealed_together_by_one_statement_and_one_that_exists_stays_as_it_is(database: Database) -> None:
    deals = SealedDeals(database)
    known = await deals.seal_day(DAYS[1], 1)
    with asked(database) as statements:
        sealed = await asyncio.gather(*(deals.seal_day(day, 2) for day in DAYS))
    assert [one.day for one in sealed] == [*DAYS]
    assert sealed[1] == known
    assert len([text for text, _ in statements if text.startswith("INSERT")]) == 1


@pytest.mark.parametrize("order", [DAYS, DAYS[::-1]])
async def test_in_the_tests_a_day_has_the_same_secret_whichever_is_sealed_first(
    database: Database, order: tuple[str, ...]
) -> None:
    deals = SealedDeals(database)
    secrets = {day: (await deals.seal_day(day, 1)).secret for day in order}
    assert secrets[DAYS[0]].hex()[:8] == "6d5aaa7d"
    assert len(set(secrets.values())) == len(DAYS)


async def test_the_latest_days_before_a_day_are_listed(database: Database) -> None:
    deals = SealedDeals(database)
    for day in DAYS:
        await deals.seal_day(day, 1)
    two, all_before = await deals.sealed_days("2026-11-21", 2), await deals.sealed_days("2026-11-21", 9)
    assert [one.day for one in two] == ["2026-11-20", "2026-11-19"]
    assert [one.day for one in all_before] == ["2026-11-20", "2026-11-19", "2026-11-18"]
    assert two[0] == await deals.get_day("2026-11-20")


async def test_a_sealed_deal_shows_its_secret_to_nobody_who_prints_it(database: Database) -> None:
    deals = SealedDeals(database)
    for sealed in (await deals.seal_named("race-a", "maze", 1), await deals.seal_day("2026-11-20", 1)):
        assert "secret" not in repr(sealed)
        assert sealed.secret.hex() not in repr(sealed)
