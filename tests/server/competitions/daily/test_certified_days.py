"""Certified days: the log decides which candidate is played, and says which one it was when the day has closed."""

from pathlib import Path

import pytest
from click.testing import CliRunner
from msgspec import json, structs

from cadogan.engine.solver import SOLVER_VERSION
from cadogan.server.cli.recompute import recompute_command
from cadogan.server.cli.records import export
from cadogan.server.core import dates
from cadogan.server.core.database.connections import Database
from cadogan.server.core.database.revisions import DatabaseDamaged
from cadogan.server.core.database.tables import certificates
from cadogan.server.core.eventlog.events import (
    AnnouncedDeal,
    Certificate,
    DailyAnnounced,
    DailyClosed,
    DailyOpened,
    DealSearch,
    Event,
    decode_event,
)
from cadogan.server.core.fairness.certificates import certificate_seal, find_certificate
from cadogan.server.core.fairness.sealed_deals import SealedDeals, StoredCertificates
from cadogan.server.core.storage.sql_store import SqlStore
from cadogan.server.subjects.audit.recompute_leaderboards import recompute
from cadogan.server.subjects.daily.challenges import DailyChallenges
from cadogan.server.subjects.daily.day_record import file_name
from cadogan.server.subjects.daily.days import SETTLE_MILLISECONDS, DailyChallenge
from cadogan.server.subjects.daily.rules import Calendar, Level
from tests.harness import everything_sent, fixed_server, game_steps, sample_days
from tests.harness.daily_actions import close_day, play_and_resign
from tests.harness.people import Person
from tests.harness.running_server import RunningServer
from tests.server.competitions.daily.test_challenges import DAY, HOUR, NOON, always, digests, end_no_runs, repository

BUDGET = 30
TOMORROW = dates.add_days(DAY, 1)
OPEN = NOON + dates.MILLISECONDS_PER_DAY
CLOSED = dates.day_times(TOMORROW, HOUR).closes_at + SETTLE_MILLISECONDS
CALENDAR = Calendar((Level("easy", ("nestor",)), Level("hard", ("maze",), certified=False)), budget=BUDGET)


def node(database: Database, store: SqlStore) -> DailyChallenges:
    """A node that knows nothing yet."""
    stored = StoredCertificates(database)
    return DailyChallenges(
        store, repository(store, stored), SealedDeals(database), stored, always(CALENDAR), end_no_runs, digests
    )


async def day(database: Database, store: SqlStore, now: int) -> DailyChallenge:
    """Tomorrow, as a node that has just started sees it at that moment."""
    daily = await node(database, store).get(TOMORROW, now)
    assert daily is not None
    return daily


async def certify(database: Database, daily: DailyChallenge) -> Certificate:
    """Do the worker's work for the first deal, and return the certificate."""
    certificate = find_certificate(daily.announced[0], daily.sealed.secret)
    assert certificate is not None
    await StoredCertificates(database).add(certificate.deal, certificate, NOON)
    return certificate


async def events(store: SqlStore) -> list[Event]:
    """What the log says of tomorrow."""
    return [decode_event(one.type, one.schema, one.data) for one in await store.read(f"daily/{TOMORROW}")]


async def test_a_certified_day_is_announced_with_its_search_sealed_when_it_opens_and_told_when_it_has_closed(
    database: Database, sql_store: SqlStore
) -> None:
    announced = await day(database, sql_store, NOON)
    assert [one.search for one in announced.announced] == [DealSearch(SOLVER_VERSION, BUDGET), None]
    certificate = await certify(database, announced)
    opened = await day(database, sql_store, OPEN)
    seal = certificate_seal(opened.sealed.secret, certificate)
    assert opened.seals == {f"{TOMORROW}.1": seal}
    first, second = opened.deal(1), opened.deal(2)
    assert first is not None
    assert second is not None
    assert (first.candidate, second.candidate) == (certificate.candidate, 0)
    closed = await day(database, sql_store, CLOSED)
    said = await events(sql_store)
    assert [type(one) for one in said] == [DailyAnnounced, DailyOpened, DailyClosed]
    assert said[1] == DailyOpened({f"{TOMORROW}.1": seal})
    assert isinstance(said[2], DailyClosed)
    assert said[2].certificates == (certificate,)
    async with database.writing() as connection:
        await connection.execute(certificates.delete())  # the log alone is enough from now on
    assert (await day(database, sql_store, CLOSED)).deal(1) == closed.deal(1) == first


async def test_a_day_whose_certificate_is_not_ready_opens_uncertified_and_stays_so(
    database: Database, sql_store: SqlStore
) -> None:
    await day(database, sql_store, NOON)
    late = await day(database, sql_store, OPEN)
    await certify(database, late)
    for now in (OPEN, CLOSED):
        daily = await day(database, sql_store, now)
        deal = daily.deal(1)
        assert deal is not None
        assert (daily.seals, deal.nonce) == ({}, f"{TOMORROW}.1")


async def test_a_deal_of_which_no_candidate_is_won_is_not_certified(database: Database, sql_store: SqlStore) -> None:
    announced = await day(database, sql_store, NOON)
    await StoredCertificates(database).add(announced.deals[0], None, NOON)
    assert (await day(database, sql_store, OPEN)).seals == {}


async def test_a_line_of_other_rules_certifies_nothing(database: Database, sql_store: SqlStore) -> None:
    announced = await day(database, sql_store, NOON)
    certificate = find_certificate(announced.announced[0], announced.sealed.secret)
    assert certificate is not None
    await StoredCertificates(database).add(certificate.deal, structs.replace(certificate, rules_version=99), NOON)
    assert (await day(database, sql_store, OPEN)).seals == {}


async def test_a_certified_deal_whose_certificate_is_lost_is_not_dealt_until_it_is_found_again(
    database: Database, sql_store: SqlStore
) -> None:
    certificate = await certify(database, await day(database, sql_store, NOON))
    first = (await day(database, sql_store, OPEN)).deal(1)
    async with database.writing() as connection:
        await connection.execute(certificates.delete())
    another = structs.replace(certificate, candidate=certificate.candidate + 1)
    await StoredCertificates(database).add(certificate.deal, another, NOON)
    days = node(database, sql_store)
    daily = await days.get_latest(TOMORROW, OPEN)
    assert daily is not None
    with pytest.raises(DatabaseDamaged, match=rf"the certificate of {TOMORROW}\.1 is missing"):
        daily.deal(1)
    async with database.writing() as connection:
        await connection.execute(certificates.delete())
    await certify(database, daily)
    daily = await days.get_latest(TOMORROW, OPEN)
    assert daily is not None
    assert daily.deal(1) == first


async def test_nobody_is_told_the_candidate_before_the_close_and_everybody_that_the_deal_can_be_won(
    sqlite_template: Path,
) -> None:
    async with fixed_server.open_fixed_server(sqlite_template, "nestor") as running_server:
        server, certificate = running_server.server, await certify_today(running_server)
        ann = await fixed_server.person(running_server, "ann")
        game = await ann.enter()
        await play_and_resign(ann, game, moves=1)
        bob = await fixed_server.person(running_server, "bob")
        await bob.enter()
        received = {person.id: await par_of(person) for person in (ann, bob)}
        assert received == {ann.id: len(certificate.line), bob.id: None}
        nonce = f"{DAY}.1/{certificate.candidate}"
        assert (await server.cache.get(game)).dealt.nonce == nonce != f"{DAY}.1"
        hidden = (nonce.encode(), b'"candidate":', b'"deal_level":')
        paths = list(everything_sent.addresses((game,), (ann.id,), "nestor"))
        async with everything_sent.listen_to_socket(running_server, ann) as listener:
            for watch in everything_sent.watches(game, "nestor"):
                await listener.ask(**watch)
            await listener.read_addresses(paths)
            before = b"".join(sent for _, sent in listener.received)
            await close_day(running_server)
            await listener.read_addresses(paths)
            after = b"".join(sent for _, sent in listener.received)
        assert await par_of(bob) == len(certificate.line)
        assert [(text in before, text in after) for text in hidden] == [(False, True), (False, True), (False, True)]
        assert b'"search":{"solver":%d,"budget":10000}' % SOLVER_VERSION in before
        assert certificate_seal(game_steps.SECRET, certificate).encode() in before


async def test_a_certified_day_is_verified_from_its_export_alone(sqlite_template: Path, tmp_path: Path) -> None:
    async with fixed_server.open_fixed_server(sqlite_template, "nestor") as running_server:
        certificate = await certify_today(running_server)
        ann = await fixed_server.person(running_server, "ann")
        game = await ann.enter()
        await play_and_resign(ann, game, moves=1)
        await close_day(running_server)
        await export(running_server.server.settings, tmp_path, running_server.clock)
    found = recompute(DAY, tmp_path)
    assert found.agrees, found
    assert len(found.counted) == 1
    assert found.day.closed.certificates == (certificate,)
    printed = CliRunner().invoke(recompute_command, [DAY, "--from", str(tmp_path)])
    assert (printed.exit_code, f"{DAY}.1: candidate {certificate.candidate} can be won" in printed.output) == (0, True)
    resolved = CliRunner().invoke(recompute_command, [DAY, "--from", str(tmp_path), "--resolve"])
    assert (resolved.exit_code, "the search wins candidate 2 first" in resolved.output) == (1, True)
    file = tmp_path / file_name(DAY)
    record = json.decode(file.read_bytes())
    record["events"][1]["data"]["certificates"], record["events"][2]["data"]["certificates"] = {}, []
    file.write_bytes(json.encode(sample_days.chained_again(record)))
    (fault,) = recompute(DAY, tmp_path).faults.values()
    assert fault == f"the cards of this deal have the nonce {DAY}.1, not '{DAY}.1/{certificate.candidate}'"


async def par_of(person: Person) -> int | None:
    """The par of today's first deal, as this person is told it."""
    _, daily = await person.get(f"/dailies/{DAY}")
    par: int | None = daily["deals"][0].get("par")
    return par


async def certify_today(running_server: RunningServer) -> Certificate:
    """Let the day come, with a later candidate than the first one that the announced search would find."""
    server = running_server.server
    await server.challenges.list_days(running_server.clock.at)
    deal = AnnouncedDeal(1, "any", "nestor", f"{DAY}.1", DealSearch(SOLVER_VERSION, BUDGET))
    certificate = find_certificate(deal, game_steps.SECRET)
    assert certificate is not None
    assert certificate.candidate > 0
    await StoredCertificates(server.database).add(certificate.deal, certificate, NOON)
    running_server.clock.at = NOON
    return certificate
