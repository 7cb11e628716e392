"""The doctor finds the problems of real deployments."""

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
from cadogan.server.core.database.tables import days, events, log_entries, totals
from cadogan.server.operations.backup import write_backup
from cadogan.server.operations.doctor import Finding, Severity
from cadogan.server.operations.doctor_probes import diagnose
from cadogan.server.operations.restore import restore
from tests.harness import databases
from tests.harness.command_line import run
from tests.harness.drand_chain import DrandChain
from tests.harness.drand_server import drand_server
from tests.harness.oidc_provider import OidcProvider
from tests.harness.server_process import UNUSED_PORT
from tests.harness.smtp_server import Post
from tests.server.fairness.test_beacon_source import changed
from tests.server.operations.test_doctor_ratings import MAILING, WORKS

OK, WARNING, ERROR = Severity


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
