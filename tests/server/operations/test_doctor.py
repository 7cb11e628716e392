"""The doctor: every check finds what is fine and what is not, and a real deployment is looked at as a whole."""

import os
import re
import shutil
import sqlite3
from collections.abc import Iterator
from dataclasses import replace
from pathlib import Path

import pytest
from sqlalchemy import delete, select, update

from cadogan.server.config import Settings
from cadogan.server.core import dates
from cadogan.server.core.database.connections import Database
from cadogan.server.core.database.migrations import migrate
from cadogan.server.core.database.primary import Host
from cadogan.server.core.database.tables import days, events, log_entries, totals
from cadogan.server.operations import doctor, outside_checks
from cadogan.server.operations.backup import write_backup
from cadogan.server.operations.doctor import Finding, Severity
from cadogan.server.operations.doctor_probes import diagnose
from cadogan.server.operations.restore import restore
from cadogan.server.subjects.transparency.sequencer import LogFigures
from tests.harness import databases
from tests.harness.command_line import run
from tests.harness.drand_chain import DrandChain
from tests.harness.drand_server import drand_server
from tests.harness.oidc_provider import OidcProvider
from tests.harness.server_process import UNUSED_PORT
from tests.harness.smtp_server import Post
from tests.server.fairness.test_beacon_source import changed

OK, WARNING, ERROR = Severity
GIB = 1 << 30
SAFE = {"fsync": "on", "full_page_writes": "on", "synchronous_commit": "on"}
CLUB = Settings(origin=("https://patience.example",), secure_cookies=True, proxies=1)
WORKS = Settings(oidc_issuer="https://login.example", oidc_client_id="club", oidc_client_secret="hidden")
MAILING = Settings(smtp_url="smtp://mail.example", mail_from="club@patience.example")
MAILING_CLUB = replace(MAILING, origin=("https://club.example",))
NOON = 1_795_176_000_000


RATED = [
    (doctor.check_tables("0002", "0002"), OK, "0002"),
    (doctor.check_tables("0001", "0002"), ERROR, "at revision 0001, this version needs 0002"),
    (doctor.check_tables(None, "0002"), ERROR, "there are none"),
    (doctor.check_tables("0009", "0002", ["0001", "0002"]), ERROR, "at revision 0009, of a newer version"),
    (doctor.check_clock(NOON, NOON - 900, NOON), OK, "900 ms"),
    (doctor.check_clock(NOON, NOON, None), OK, "0 ms"),
    (doctor.check_clock(NOON, NOON + 2_500, NOON), WARNING, "by 2.5 s"),
    (doctor.check_clock(NOON, NOON - 60_000, NOON), ERROR, "by 60 s"),
    (doctor.check_clock(NOON, NOON, NOON + 3_600_000), ERROR, "3600 s ahead"),
    (
        doctor.check_clock(NOON, NOON, NOON, NOON + 172_800_000),
        ERROR,
        "event of a day in the log is 172800 s ahead",
    ),
    (doctor.check_clock(NOON, NOON - 61_000, NOON), ERROR, "by 61 s: no day is opened, drawn or closed"),
    (doctor.check_sqlite_durability(2, "wal"), OK, "on the disk"),
    (doctor.check_sqlite_durability(1, "wal"), ERROR, "synchronous is 1"),
    (doctor.check_sqlite_durability(2, "delete"), ERROR, "the journal mode is delete"),
    (doctor.check_postgresql_durability(SAFE), OK, "on the disk"),
    (doctor.check_postgresql_durability(SAFE | {"synchronous_commit": "remote_apply"}), OK, "on the disk"),
    (doctor.check_postgresql_durability(SAFE | {"fsync": "off"}), ERROR, "fsync off"),
    (doctor.check_postgresql_durability(SAFE | {"synchronous_commit": "off"}), ERROR, "synchronous_commit off"),
    (outside_checks.check_provider(Settings(), None), OK, "nobody signs in by a provider"),
    (outside_checks.check_provider(WORKS, None), OK, "names itself as the settings do"),
    (outside_checks.check_provider(replace(WORKS, oidc_client_secret=""), None), WARNING, "only some of its three"),
    (outside_checks.check_provider(WORKS, "it is silent"), WARNING, "nobody can sign in by it: it is silent"),
    (doctor.check_settings_file("c.toml", 0o100644, []), OK, "only who may"),
    (doctor.check_settings_file("c.toml", 0o100640, ["smtp_url"]), OK, "only who may"),
    (doctor.check_settings_file("c.toml", 0o100644, ["smtp_url"]), WARNING, "read c.toml, with smtp_url"),
    (doctor.check_settings_file("c.toml", 0o100660, []), ERROR, "may change c.toml"),
    (doctor.check_key("k", None), OK, "no key is on this machine"),
    (doctor.check_key("k", 0o100600), OK, "only its owner"),
    (doctor.check_key("k", 0o100640), ERROR, "may read or change k"),
    (doctor.check_pooler(None), OK, "a session of its own"),
    (doctor.check_pooler("a pooler shares sessions: keep them"), ERROR, "a pooler shares sessions"),
    (doctor.check_failover([Host("one:1", 1), Host("two:2")], "two"), OK, "2 hosts, the primary is one:1"),
    (doctor.check_failover([Host("one:1", 1), Host("two:2")], ""), WARNING, "follows with a delay"),
    (doctor.check_failover([Host("one:1", 1), Host("two:2", 2)], "two"), ERROR, "one:1 and two:2"),
    (doctor.check_failover([Host("one:1", 1), Host("two:2", None, "is away")], "two"), WARNING, "two:2 is away"),
    (doctor.check_workers([], []), OK, "none is away"),
    (doctor.check_workers(["two:5432"], []), ERROR, "away: two:5432"),
    (doctor.check_workers([], ["citus_0_1"], "finish it"), ERROR, "never finished: citus_0_1"),
    (doctor.check_connections(100, 3, 10), OK, "nodes that fit: 5"),
    (doctor.check_connections(30, 3, 0), WARNING, "nodes that fit: 1"),
    (doctor.check_connections(20, 3, 10), ERROR, "nodes that fit: 0"),
    (doctor.check_connections(100, 3, 10, processes=2), OK, "a node uses up to 32: nodes that fit: 2"),
    (doctor.check_connections(100, 3, 10, processes=6), ERROR, "a node uses up to 96: nodes that fit: 0"),
    (doctor.check_processes(Settings(), 1), OK, "processes that serve: 1, cores that they may use: 1"),
    (
        doctor.check_processes(Settings(processes=3), 2),
        WARNING,
        "processes that serve: 3, cores that they may use: 2",
    ),
    (outside_checks.check_bus("local", None), OK, "only one node"),
    (outside_checks.check_bus("NATS", 3), OK, "3 ms through NATS"),
    (outside_checks.check_bus("PostgreSQL", 1_500), WARNING, "1500 ms"),
    (outside_checks.check_bus("PostgreSQL", None), ERROR, "no wake-up arrived through PostgreSQL"),
    (outside_checks.check_beacon(None, None), OK, "from the host's secret alone"),
    (outside_checks.check_beacon("quicknet", None), OK, "the chain quicknet tells its rounds"),
    (outside_checks.check_beacon(None, "it answers 500"), WARNING, "it answers 500"),
    (doctor.check_chains(50, [], 80), OK, "50 of 80 streams"),
    (doctor.check_chains(50, ["game/a"], 80), ERROR, "of 50 streams 1 are broken: game/a"),
    (doctor.check_secrets(8, []), OK, "8 days"),
    (doctor.check_secrets(8, ["2026-11-20"]), ERROR, "2026-11-20"),
    (outside_checks.check_webhooks([]), OK, "no delivery was given up"),
    (outside_checks.check_webhooks(["Chat"]), WARNING, "given up: Chat"),
    (outside_checks.check_notifications(Settings(), True, None, 0), OK, "0 devices"),
    (outside_checks.check_notifications(Settings(), False, None, 0), OK, "first needed"),
    (outside_checks.check_notifications(Settings(), False, None, 3), ERROR, "key is gone"),
    (outside_checks.check_notifications(MAILING, True, None, 3), OK, "3 devices"),
    (outside_checks.check_notifications(Settings(), True, None, 3), WARNING, "whom to turn to"),
    (outside_checks.check_notifications(MAILING, True, "it cannot be read: ValueError", 3), ERROR, "ValueError"),
    (outside_checks.check_digests(Settings(), 0, 0), OK, "digest of the week: 0"),
    (outside_checks.check_digests(MAILING, 3, 0), WARNING, "and none is sent"),
    (
        outside_checks.check_digests(replace(MAILING, origin=("https://club.example",)), 3, 0),
        OK,
        "digest of the week: 3",
    ),
    (outside_checks.check_digests(replace(MAILING, origin=("https://club.example",)), 3, 2), WARNING, "not taken: 2"),
    (outside_checks.check_mail(Settings(), None), OK, "no mails are sent"),
    (outside_checks.check_mail(MAILING, None), OK, "takes mails"),
    (outside_checks.check_mail(MAILING, "SMTPConnectError"), WARNING, "SMTPConnectError"),
    (outside_checks.check_mail(replace(MAILING, mail_from=""), None), WARNING, "only one of its two settings"),
    (outside_checks.check_mail(replace(MAILING, smtp_url=""), None), WARNING, "only one of its two settings"),
    (doctor.check_hosts(0, 0), OK, "sign in: 0"),
    (doctor.check_hosts(1, 9), OK, "sign in: 1"),
    (doctor.check_hosts(0, 9), WARNING, "9 players have accounts, and no host"),
    (doctor.check_passkeys(0, replace(CLUB, origin=("http://patience.example",))), OK, "0 can be used"),
    (doctor.check_passkeys(2, CLUB), OK, "2 can be used"),
    (doctor.check_passkeys(2, Settings(origin=("http://localhost:8000",))), OK, "2 can be used"),
    (doctor.check_passkeys(2, Settings(origin=("http://patience.example",))), WARNING, "browsers take none"),
    (
        doctor.check_log(LogFigures(7, 2, 59.0, ()), 3.0, ""),
        OK,
        "2 wait, last signed on this machine 3 s ago",
    ),
    (doctor.check_log(LogFigures(0, 0, 0.0, ()), None, ""), OK, "0 entries, 0 wait"),
    (
        doctor.check_log(LogFigures(7, 2, 61.0, ()), 3.0, ""),
        WARNING,
        "2 ends wait for the log",
    ),
    (doctor.check_log(LogFigures(7, 0, 0.0, ("a", "b")), 299.0, ""), OK, "7 entries"),
    (doctor.check_log(LogFigures(7, 0, 0.0, ("a", "b")), 301.0, ""), WARNING, "not signed by the witnesses a, b"),
    (
        doctor.check_log(LogFigures(2, 9, 900.0, ()), 3.0, "set back: restore it"),
        ERROR,
        "is signed: set back",
    ),
    (doctor.check_analysts(3, 0, 59.0), OK, "3 analyses wait"),
    (doctor.check_analysts(3, 1, 600.0), OK, "1 are worked on"),
    (doctor.check_analysts(3, 0, 61.0), WARNING, "the oldest for 61 s, and no analyst works"),
    (doctor.check_solver("there is no library", ["golf"]), OK, "slower than a compiled library: there is no library"),
    (doctor.check_solver("", ["golf", "olga"]), OK, "except in golf, olga"),
    (doctor.check_solver("", []), OK, "in every game"),
    (doctor.check_files({"cadogan.db": 0o100600}), OK, "only their owner"),
    (doctor.check_files({"cadogan.db": 0o100600, "cadogan.db-wal": 0o100640}), WARNING, "may read cadogan.db-wal"),
    (doctor.check_space(5 * GIB), OK, "5.0 GiB"),
    (doctor.check_space(GIB // 2), WARNING, "0.5 GiB"),
    (doctor.check_space(1_000_000), ERROR, "0.0 GiB"),
    (doctor.check_proxy(Settings()), OK, "fit each other"),
    (doctor.check_proxy(CLUB), OK, "fit each other"),
    (doctor.check_proxy(replace(CLUB, secure_cookies=False)), OK, "fit each other"),
    (doctor.check_proxy(replace(CLUB, origin=("http://patience.example",))), ERROR, "nobody can sign in"),
    (doctor.check_proxy(replace(CLUB, proxies=0)), WARNING, "one address"),
    (
        doctor.check_proxy(replace(CLUB, origin=(), secure_cookies=False)),
        WARNING,
        "no setting for the address that people type",
    ),
    (doctor.check_proxy(Settings(host="0.0.0.0")), WARNING, "listens on 0.0.0.0 without TLS"),
]


def test_every_finding_is_rated_and_a_problem_comes_with_advice() -> None:
    for finding, severity, message in RATED:
        assert (finding.severity, message in finding.message) == (severity, True), finding
        assert (finding.advice == "") == (severity is OK), finding


@pytest.fixture
def lived_url(tmp_path: Path, lived_template: Path) -> Iterator[str]:
    """The URL of an SQLite file in which a club has lived."""
    with databases.sqlite(tmp_path, lived_template) as url:
        file = Path(url.removeprefix("sqlite:///"))
        file.chmod(0o600)
        shutil.copy(lived_template.with_suffix(".key"), file.with_suffix(".key"))
        yield url


async def found(settings: Settings, whole: bool = False) -> dict[str, Finding]:
    """What the doctor finds, by check."""
    return {finding.check: finding async for finding in diagnose(settings, whole)}


def ill(findings: dict[str, Finding]) -> list[str]:
    """The checks that found something to do, but for the clock: the club's days are not today.

    A wake-up that was slow says something of this machine, and nothing of the deployment. The club has no host, and
    what ended last may not be in its log yet.
    """
    expected = {"clock": Severity, "bus": (OK, WARNING), "hosts": (WARNING,), "log": (OK, WARNING)}
    return [check for check, one in findings.items() if one.severity not in expected.get(check, (OK,))]


BOTH = {
    "beacon",
    "log",
    "proxy",
    "processes",
    "solver",
    "mail",
    "durability",
    "tables",
    "values",
    "clock",
    "secrets",
    "chains",
    "archives",
    "hosts",
    "passkeys",
    "analysts",
    "webhooks",
    "notifications",
    "digests",
    "bus",
    "provider",
    "key",
}


async def test_a_sound_deployment_on_sqlite_has_no_problems(lived_url: str) -> None:
    findings = await found(Settings(database_url=lived_url))
    assert ill(findings) == []
    assert set(findings) == BOTH | {"files", "space"}
    assert "those of 10 days" in findings["secrets"].message


async def test_a_sound_deployment_on_postgresql_has_no_problems(
    lived_url: str, postgresql_server: None, tmp_path: Path
) -> None:
    async with databases.postgresql() as url:
        one, other = Database(lived_url), Database(url)
        await write_backup(one, tmp_path / "backup")
        await restore(other, tmp_path / "backup")
        await one.close()
        await other.close()
        key = Path(lived_url.removeprefix("sqlite:///")).with_suffix(".key")
        findings = await found(Settings(database_url=url, key_file=str(key)))
    assert ill(findings) == []
    assert set(findings) == BOTH | {"connections", "pooler", "workers"}
    assert "through PostgreSQL" in findings["bus"].message


async def test_a_log_changed_from_outside_is_detected(lived_url: str) -> None:
    database = Database(lived_url)
    async with database.writing() as connection:
        change = update(events).where(events.c.type == "deal_revealed").values(recorded_at=events.c.recorded_at + 1)
        await connection.execute(change)
        await connection.execute(update(events).where(events.c.type == "match_started").values(type="match_opened"))
    await database.close()
    findings = await found(Settings(database_url=lived_url))
    assert ill(findings) == ["chains"]
    assert "match/" in findings["chains"].message


async def test_whole_looks_at_every_event_every_entry_and_every_row(lived_url: str) -> None:
    settings = Settings(database_url=lived_url)
    findings = await found(settings, whole=True)
    assert ill(findings) == []
    assert set(findings) == BOTH | {"files", "space", "times", "entries", "rows"}
    database = Database(lived_url)
    async with database.writing() as connection:
        logged = await connection.execute(
            select(log_entries.c.stream, log_entries.c.version).order_by(log_entries.c.number)
        )
        stream, version = next((row.stream, row.version) for row in logged if row.stream.startswith("game/"))
        await connection.execute(delete(events).where(events.c.stream == stream, events.c.version == version))
        late = select(events.c.stream).where(events.c.stream.like("game/%"), events.c.stream != stream).limit(1)
        later = events.c.recorded_at + 27 * 365 * dates.MILLISECONDS_PER_DAY
        one = (await connection.scalars(late)).one()
        await connection.execute(update(events).where(events.c.stream == one).values(recorded_at=later))
        await connection.execute(delete(totals).where(totals.c.board == "all"))
    await database.close()
    findings = await found(settings, whole=True)
    assert ill(findings) == ["chains", "times", "entries", "rows"]
    for check, part in (("chains", one), ("times", one), ("entries", stream), ("rows", "do not follow from the log")):
        assert part in findings[check].message


async def test_an_announcement_that_is_not_the_one_in_the_log_is_detected(lived_url: str) -> None:
    database = Database(lived_url)
    async with database.writing() as connection:
        logged = await connection.scalars(select(log_entries.c.stream).order_by(log_entries.c.number.desc()))
        day = next(name.partition("/")[2] for name in logged if name.startswith("daily_announced/"))
        announced = (events.c.stream == f"daily/{day}") & (events.c.version == 1)
        await connection.execute(update(events).where(announced).values(hash=bytes(32)))
    await database.close()
    findings = await found(Settings(database_url=lived_url), whole=True)
    assert ill(findings) == ["chains", "entries"]
    assert f"daily/{day}" in findings["entries"].message


@pytest.mark.parametrize(("secret", "check"), [("", "secrets"), ("00" * 32, "secrets"), ("no hex", "values")])
async def test_a_lost_or_changed_secret_is_detected(lived_url: str, secret: str, check: str) -> None:
    database = Database(lived_url)
    async with database.writing() as connection:
        chosen = days.c.day == "2026-11-25"
        await connection.execute(
            update(days).where(chosen).values(secret=secret) if secret else days.delete().where(chosen)
        )
    await database.close()
    findings = await found(Settings(database_url=lived_url))
    assert ill(findings) == [check]
    assert "2026-11-25" in findings[check].message


async def test_a_bus_without_a_server_is_detected(sqlite_url: str) -> None:
    findings = await found(Settings(database_url=sqlite_url, bus=f"nats://127.0.0.1:{UNUSED_PORT}"))
    assert findings["bus"].severity is ERROR


async def test_an_smtp_server_that_takes_no_mails_is_detected(sqlite_url: str, post: Post, guarded_post: Post) -> None:
    for url, severity in ((post.url, OK), (guarded_post.url.replace("//", "//eve:wrong@"), WARNING)):
        findings = await found(replace(MAILING, database_url=sqlite_url, smtp_url=url))
        assert findings["mail"].severity is severity, findings["mail"]
        assert "eve" not in findings["mail"].message


async def test_a_provider_is_asked_who_it_is(sqlite_url: str, oidc_provider: OidcProvider) -> None:
    issuer = oidc_provider.issuer
    for address, severity in ((issuer, OK), (f"{issuer}/", WARNING), (f"http://127.0.0.1:{UNUSED_PORT}", WARNING)):
        findings = await found(replace(WORKS, database_url=sqlite_url, oidc_issuer=address))
        assert findings["provider"].severity is severity, (address, findings["provider"])
        assert "hidden" not in findings["provider"].message


async def test_a_key_that_others_can_read_is_detected(sqlite_url: str, tmp_path: Path) -> None:
    key = tmp_path / "cadogan.key"
    key.touch()
    for mode, severity in ((0o600, OK), (0o644, ERROR)):
        key.chmod(mode)
        findings = await found(Settings(database_url=sqlite_url, key_file=str(key)))
        assert findings["key"].severity is severity


def test_a_file_of_settings_with_a_secret_that_everybody_can_read_is_detected(tmp_path: Path, lived_url: str) -> None:
    file = tmp_path / "cadogan.toml"
    file.write_text(f'database_url = "{lived_url}"\nmetrics_token = "a-token-that-is-long-enough"\n')
    for mode, sign in ((0o640, "ok"), (0o644, "??"), (0o666, "!!")):
        file.chmod(mode)
        output = run("doctor", "--config", str(file)).output
        assert re.search(rf"^{re.escape(sign)}  settings", output, re.MULTILINE), output
        assert "long-enough" not in output


async def test_tables_of_another_version_are_detected_and_nothing_else_is_checked(tmp_path: Path) -> None:
    with databases.sqlite(tmp_path) as url:
        database = Database(url)
        await migrate(database, "0001")
        await database.close()
        findings = await found(Settings(database_url=url))
    assert findings["tables"].severity is ERROR
    assert "chains" not in findings


async def test_a_missing_file_is_not_created(tmp_path: Path) -> None:
    findings = await found(Settings(database_url=f"sqlite:///{tmp_path}/none.db"))
    assert findings["tables"].message == "there are none"
    assert os.listdir(tmp_path) == []


def test_the_command_gives_advice_and_exits_with_a_code(tmp_path: Path) -> None:
    url = f"sqlite:///{tmp_path}/fresh.db"
    run("migrate", CADOGAN_DATABASE_URL=url)
    sound = run("doctor", CADOGAN_DATABASE_URL=url)
    assert sound.exit_code == 0
    assert "ok  tables" in sound.output
    assert "!!" not in sound.output
    with sqlite3.connect(tmp_path / "fresh.db") as changed:
        changed.execute("UPDATE alembic_version SET version_num = '0001'")
    changed.close()
    ill = run("doctor", CADOGAN_DATABASE_URL=url)
    assert ill.exit_code == 1
    assert "!!  tables" in ill.output
    assert "run `cadogan migrate`" in ill.output


def test_a_new_database_file_is_accessible_to_its_owner_only(tmp_path: Path) -> None:
    run("migrate", CADOGAN_DATABASE_URL=f"sqlite:///{tmp_path}/fresh.db")
    assert (tmp_path / "fresh.db").stat().st_mode & 0o777 == 0o600


async def test_a_beacon_is_asked_for_a_round_which_must_be_signed(settings: Settings) -> None:
    async with drand_server() as drand:
        asked = replace(settings, beacon=drand.setting)

        async def found() -> Finding:
            (one,) = [finding async for finding in diagnose(asked) if finding.check == "beacon"]
            return one

        assert (await found()).severity is OK
        drand.answer = changed(signature=DrandChain(7).signature(1))
        wrong = await found()
        assert (wrong.severity, "signature" in wrong.message) == (WARNING, True)
        asked = replace(settings, beacon=drand.setting.replace(drand.hash, "ab" * 32))
        assert "it answers 404" in (await found()).message
