"""The worker's search: every announced deal once, whoever searches and however often it was stopped."""

import asyncio

import pytest
from sqlalchemy import select

from cadogan.server.core import dates
from cadogan.server.core.database.connections import Database
from cadogan.server.core.database.tables import certificates
from cadogan.server.core.fairness.sealed_deals import SealedDeals, StoredCertificates
from cadogan.server.core.storage.sql_store import SqlStore
from cadogan.server.subjects.daily.certification import Certification, Searched
from cadogan.server.subjects.daily.challenges import DAYS_AHEAD
from tests.harness.partly_unavailable import PartlyUnavailableStore
from tests.server.competitions.daily.test_certified_days import CLOSED, OPEN, TOMORROW, certify, day
from tests.server.competitions.daily.test_challenges import DAY, NOON


def worker(database: Database, store: SqlStore, now: int = NOON) -> Certification:
    """A worker that has just started."""
    return Certification(store, SealedDeals(database), StoredCertificates(database), lambda: now)


async def all_of(one: Certification) -> list[Searched]:
    """Everything that a worker does."""
    return [searched async for searched in one.search_all()]


async def rows(database: Database) -> list[str]:
    """The deals of which the result is stored."""
    async with database.reading() as connection:
        return sorted(await connection.scalars(select(certificates.c.deal)))


async def test_every_deal_that_is_to_be_certified_is_searched_once_the_next_day_first_though_a_worker_was_stopped(
    database: Database, sql_store: SqlStore
) -> None:
    await day(database, sql_store, NOON)
    working = worker(database, sql_store).search_all()
    first = await anext(working)
    await working.aclose()
    assert await rows(database) == [first.deal.deal]
    found = [first, *await all_of(worker(database, sql_store))]
    to_come = [dates.add_days(DAY, ahead) for ahead in range(1, DAYS_AHEAD + 1)]  # today has begun uncertified
    assert [one.deal.deal for one in found] == [f"{name}.1" for name in to_come]
    assert all(one.certified for one in found)
    assert await all_of(worker(database, sql_store)) == []
    assert list((await day(database, sql_store, OPEN)).seals) == [f"{TOMORROW}.1"]


async def test_a_day_that_cannot_be_read_is_searched_later_and_holds_up_no_other(
    database: Database, sql_store: SqlStore, partly_unavailable: PartlyUnavailableStore
) -> None:
    await day(database, sql_store, NOON)
    partly_unavailable.away = {f"daily/{DAY}", f"daily/{TOMORROW}"}
    with pytest.raises(ConnectionRefusedError):
        await all_of(worker(database, partly_unavailable))
    assert await rows(database) == [f"{dates.add_days(DAY, ahead)}.1" for ahead in range(2, DAYS_AHEAD + 1)]
    partly_unavailable.away = ()
    assert [one.deal.deal for one in await all_of(worker(database, partly_unavailable))] == [f"{TOMORROW}.1"]


@pytest.mark.both_databases
async def test_two_workers_do_no_harm(database: Database, sql_store: SqlStore) -> None:
    await day(database, sql_store, NOON)
    both = await asyncio.gather(*(all_of(worker(database, sql_store)) for _ in range(2)))
    assert {len(found) for found in both} <= set(range(DAYS_AHEAD + 1))
    assert len(await rows(database)) == DAYS_AHEAD


async def test_a_certificate_that_was_lost_is_found_again_and_an_uncertified_day_stays_as_it_is(
    database: Database, sql_store: SqlStore
) -> None:
    certificate = await certify(database, await day(database, sql_store, NOON))
    first = (await day(database, sql_store, OPEN)).deal(1)
    async with database.writing() as connection:
        await connection.execute(certificates.delete())
    found = await all_of(worker(database, sql_store, OPEN))
    assert found[0].deal.deal == certificate.deal
    assert f"{DAY}.1" not in [one.deal.deal for one in found]
    assert (await day(database, sql_store, OPEN)).deal(1) == first
    async with database.writing() as connection:
        await connection.execute(certificates.delete())
    await day(database, sql_store, CLOSED)
    assert certificate.deal not in [one.deal.deal for one in await all_of(worker(database, sql_store, CLOSED))]
