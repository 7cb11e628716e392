"""`cadogan upgrade-check`: what is in the way of an upgrade, on databases of older and newer versions."""

import asyncio
import gzip
import json
import os
import re
import shutil
import socket
import sqlite3
from contextlib import closing
from pathlib import Path
from typing import Any

import asyncpg
import pytest
from click.testing import Result

from cadogan.server.core.database.connections import Database, database_url, open_database
from cadogan.server.core.database.migrations import migrate
from cadogan.server.core.version import MIGRATIONS, known_revisions, version
from cadogan.server.operations import upgrade_check as checks
from cadogan.server.operations.doctor import Severity
from cadogan.server.operations.upgrade_check import BackupFile, Effect, Pending, read_effects
from tests.harness import databases
from tests.harness.command_line import run
from tests.harness.server_process import UNUSED_PORT

OK, WARNING, ERROR = Severity
HEAD = known_revisions()[-1]
OLD = Pending("0004", {"events": Effect.REWRITES})
GIB = 1 << 30
PAGE = (Path(__file__).parents[3] / "docs" / "operations.md").read_text("utf-8")


RATED = [
    (checks.check_revision("0002", ("0001", "0002")), OK, "no migration will run"),
    (checks.check_revision("0001", ("0001", "0002", "0003")), OK, "needs 0003: migrations that will run: 2"),
    (checks.check_revision("0003", ("0001", "0002")), ERROR, "of a newer version than this one"),
    (checks.check_revision(None, ("0001",)), ERROR, "there are none"),
    (checks.check_migration(OLD, {"events": 999_999}), OK, "0004 rewrites events (999999 rows)"),
    (checks.check_migration(OLD, {"events": 1_000_000}), WARNING, "0004 rewrites events (1000000 rows)"),
    (checks.check_migration(Pending("0005", {"players": Effect.CHANGES_COLUMNS}), {"players": 10**7}), OK, "0005"),
    (checks.check_migration(Pending("0006", {}), {}), OK, "0006 adds tables only"),
    (checks.check_backup(BackupFile("b", 1.0, "0004"), "0004"), OK, "b is 1.0 hours old, of revision 0004"),
    (checks.check_backup(BackupFile("b", 25.0, "0004"), "0004"), WARNING, "25.0 hours"),
    (checks.check_backup(BackupFile("b", 1.0, "0003"), "0004"), WARNING, "of revision 0003"),
    (checks.check_backup(BackupFile("b", 1.0, None), "0004"), ERROR, "is not a backup"),
    (checks.check_backup(None, "0004"), WARNING, "no backup"),
    (checks.check_room(5 * GIB, 2 * GIB), OK, "5.0 GiB are free, the migrations need up to 2.0"),
    (checks.check_room(5 * GIB, 5 * GIB), WARNING, "5.0 GiB"),
    (checks.check_room(GIB, 2 * GIB), ERROR, "1.0 GiB"),
    (checks.check_nodes({}, "2.0", True), OK, "nothing of this program"),
    (
        checks.check_nodes({"1.0": 3, "": 1}, "2.0", True),
        WARNING,
        "by an unknown version (1), 1.0 (3); this is 2.0",
    ),
    (checks.check_nodes({"2.0": 3}, "2.0", False), OK, "this is 2.0"),
    (checks.check_transactions(60.0), OK, "no transaction"),
    (checks.check_transactions(61.0), WARNING, "61 s"),
    (checks.check_settings([]), OK, "knows all"),
    (checks.check_settings(["CADOGAN_PROT"]), WARNING, "CADOGAN_PROT"),
    (checks.check_solver({}, (5, 6)), OK, "can be searched by versions 5, 6"),
    (checks.check_solver({"2026-11-25": 2}, (5, 6)), WARNING, "2026-11-25 (2)"),
    (checks.check_python((3, 12), (3, 11)), OK, "this is 3.12"),
    (checks.check_python((3, 9), (3, 11)), ERROR, "at least 3.11"),
]


def test_every_finding_is_rated_and_a_problem_comes_with_advice() -> None:
    for finding, severity, message in RATED:
        assert (finding.severity, message in finding.message) == (severity, True), finding
        assert (finding.advice == "") == (severity is OK), finding


def test_every_check_is_explained_on_the_page_for_hosts() -> None:
    code = Path(checks.__file__).read_text("utf-8")
    table = PAGE.partition("| `check` of an upgrade |")[2].partition("\n\n")[0]
    explained = re.findall(r"^\| `(\w+)` \|", table, re.MULTILINE)
    assert sorted(explained) == sorted(set(re.findall(r' ok\("(\w+)"', code)))


TABLES = frozenset({"events", "games", "players", "tokens", "days"})


@pytest.mark.parametrize(
    ("revision", "effects"),
    [
        ("0003", {}),
        ("0004", {"events": Effect.REWRITES}),
        ("0007", {"games": Effect.BUILDS_INDEX}),
        ("0010", {"players": Effect.CHANGES_COLUMNS, "tokens": Effect.CHANGES_COLUMNS}),
    ],
)
def test_what_a_migration_does_is_read_from_its_file(revision: str, effects: dict[str, Effect]) -> None:
    (file,) = (MIGRATIONS / "versions").glob(f"{revision}_*.py")
    assert read_effects(file, TABLES) == effects


def test_a_downgrade_and_words_in_a_docstring_say_nothing(tmp_path: Path) -> None:
    file = tmp_path / "0099_nothing.py"
    file.write_text(
        '"""We update games and delete from players."""\nfrom alembic import op\n'
        'def upgrade() -> None:\n    op.execute("UPDATE days SET day = day")\n'
        'def downgrade() -> None:\n    op.drop_table("tokens")\n    op.execute("DELETE FROM events")\n'
    )
    assert read_effects(file, TABLES) == {"days": Effect.REWRITES}


def check(url: str, *arguments: str, **environment: str) -> tuple[Result, dict[str, list[dict[str, Any]]]]:
    """What the command finds, by check; nobody listens where the server would."""
    environment = {"CADOGAN_DATABASE_URL": url, "CADOGAN_PORT": str(UNUSED_PORT), **environment}
    printed = run("upgrade-check", "--json", *arguments, **environment)
    found: dict[str, list[dict[str, Any]]] = {}
    for finding in json.loads(printed.stdout)["findings"]:
        found.setdefault(finding["check"], []).append(finding)
    return printed, found


async def go_to(url: str, revision: str) -> None:
    """Bring a database to this revision."""
    async with open_database(url) as database:
        await migrate(database, revision)


@pytest.fixture
def lived_url(tmp_path: Path, lived_template: Path) -> str:
    """The URL of an SQLite file in which a club has lived."""
    shutil.copy(lived_template, tmp_path / "lived.db")
    return f"sqlite:///{tmp_path}/lived.db"


def test_a_database_of_this_version_with_a_fresh_backup_is_ready(lived_url: str, tmp_path: Path) -> None:
    run("export", "--all", str(tmp_path / "backup.gz"), CADOGAN_DATABASE_URL=lived_url)
    printed, found = check(lived_url, "--backup", str(tmp_path / "backup.gz"))
    assert (printed.exit_code, [each for each in found if found[each][0]["severity"] != "ok"]) == (0, [])
    assert set(found) == {"python", "settings", "tables", "nodes", "room", "solver", "backup"}


def test_an_older_database_is_told_every_migration_with_the_rows_that_it_touches(
    lived_url: str, tmp_path: Path
) -> None:
    asyncio.run(go_to(lived_url, "0003"))
    with closing(sqlite3.connect(lived_url.removeprefix("sqlite:///"))) as connection:
        (rows,) = connection.execute("SELECT count(*) FROM events").fetchone()
    before = (tmp_path / "lived.db").read_bytes()
    printed, found = check(lived_url)
    assert printed.exit_code == 3
    assert [each["message"].split()[0] for each in found["migration"]] == list(known_revisions()[3:])
    assert found["migration"][0]["message"] == f"0004 rewrites events ({rows} rows)"
    assert rows > 40
    assert found["backup"][0]["severity"] == "warning"
    assert (tmp_path / "lived.db").read_bytes() == before


def test_the_text_for_people_has_the_same_findings(lived_url: str) -> None:
    printed = run("upgrade-check", CADOGAN_DATABASE_URL=lived_url, CADOGAN_PORT=str(UNUSED_PORT), CADOGAN_PROT="1")
    assert printed.exit_code == 3
    assert f"ok  tables       they are at revision {HEAD}" in printed.output
    assert "??  settings     variables that this version does not know: CADOGAN_PROT" in printed.output


def test_a_newer_database_is_an_error(lived_url: str) -> None:
    with closing(sqlite3.connect(lived_url.removeprefix("sqlite:///"))) as connection:
        connection.execute("UPDATE alembic_version SET version_num = '9999'")
        connection.commit()
    printed, found = check(lived_url)
    assert (printed.exit_code, found["tables"][0]["severity"]) == (1, "error")


def test_a_missing_file_is_an_error_and_is_not_created(tmp_path: Path) -> None:
    printed, found = check(f"sqlite:///{tmp_path}/none.db")
    assert (printed.exit_code, found["tables"][0]["message"]) == (1, "there are none")
    assert list(tmp_path.iterdir()) == []


def test_of_a_folder_the_newest_backup_counts_and_another_file_is_none(lived_url: str, tmp_path: Path) -> None:
    folder = tmp_path / "backups"
    folder.mkdir()
    assert check(lived_url, "--backup", str(folder))[1]["backup"][0]["severity"] == "warning"
    run("export", "--all", str(folder / "old.gz"), CADOGAN_DATABASE_URL=lived_url)
    os.utime(folder / "old.gz", (0, 0))
    (folder / "cadogan.db").write_bytes(b"the database, which lies in the same folder")
    assert "old.gz" in check(lived_url, "--backup", str(folder))[1]["backup"][0]["message"]
    for content in (b"nothing", gzip.compress(b"nothing"), gzip.compress(b"nothing" * 9)[:-9], b""):
        (folder / "new.gz").write_bytes(content)
        printed, found = check(lived_url, "--backup", str(folder))
        assert (printed.exit_code, found["backup"][0]["severity"]) == (1, "error")


def test_with_sqlite_a_server_that_listens_is_found(lived_url: str) -> None:
    asyncio.run(go_to(lived_url, "0007"))
    with closing(socket.create_server(("127.0.0.1", 0))) as listening:
        _, found = check(lived_url, CADOGAN_PORT=str(listening.getsockname()[1]))
    assert found["nodes"][0]["severity"] == "warning"
    assert check(lived_url)[1]["nodes"][0]["severity"] == "ok"


async def test_with_postgresql_the_versions_that_run_and_open_transactions_are_found(postgresql_server: None) -> None:
    async with databases.postgresql() as url:
        await go_to(url, "0007")
        printed, found = await asyncio.to_thread(check, url)
        assert found["nodes"][0]["message"] == "nothing of this program uses the database"
        assert (found["locks"][0]["severity"], printed.exit_code) == ("ok", 3)
        node, other = (
            Database(url),
            await asyncpg.connect(database_url(url).set(drivername="postgresql").render_as_string(False)),
        )
        await node.ping()
        await other.execute("BEGIN")
        await other.execute("SELECT 1")
        _, found = await asyncio.to_thread(check, url)
        assert found["nodes"][0]["message"] == f"in use by {version()} (1); this is {version()}"
        await node.close()
        await other.close()


def test_coming_deals_that_only_another_solver_would_search_are_counted(
    lived_url: str, monkeypatch: pytest.MonkeyPatch
) -> None:
    with closing(sqlite3.connect(lived_url.removeprefix("sqlite:///"))) as connection:
        (last,) = connection.execute("SELECT max(stream) FROM events WHERE stream LIKE 'daily/%'").fetchone()
        connection.execute("DELETE FROM certificates")
        connection.commit()
    day = last.removeprefix("daily/")
    monkeypatch.setattr("cadogan.server.operations.upgrade_probes.now", lambda: 0)
    assert check(lived_url)[1]["solver"][0]["severity"] == "ok"
    monkeypatch.setattr("cadogan.server.core.fairness.certificates.SOLVER_VERSIONS", (10_000,))
    (finding,) = check(lived_url)[1]["solver"]
    assert (finding["severity"], f"{day} (" in finding["message"]) == ("warning", True)
