"""Commands on a database that is damaged: a sentence that says what is wrong and what to do, and never a traceback."""

import gzip
import shutil
import sqlite3
from collections.abc import Callable
from contextlib import closing
from pathlib import Path

import pytest

from cadogan.server.core.version import known_revisions
from tests.harness.command_line import run

SQL = {
    "a hash that is text": ("UPDATE events SET hash = 'zzz' WHERE version = 1", "events has a wrong value in hash"),
    "a hash that is short": ("UPDATE events SET hash = x'00' WHERE version = 2", "events has a wrong value in hash"),
    "a time that is text": ("UPDATE events SET recorded_at = 'noon'", "events has a wrong value in recorded_at"),
    "a schema that is text": ("UPDATE events SET schema = 'x'", "events has a wrong value in schema"),
    "data that is no text": ("UPDATE events SET data = x'ff'", "events has a wrong value in data"),
    "a secret that is not hex": ("UPDATE days SET secret = 'zz'", "days has a wrong value in secret"),
    "a secret that is short": ("UPDATE deals SET secret = '7f'", "deals has a wrong value in secret"),
    "a player without a time": ("UPDATE players SET created_at = ''", "players has a wrong value in created_at"),
    "a table that is gone": ("DROP TABLE deals", "the table deals is missing"),
}
"""What is done to the file, and what every command that reads all of it says of it."""
REVISIONS = {
    "two revisions": (
        "INSERT INTO alembic_version VALUES ('0001')",
        f"at the revisions {known_revisions()[-1]} and 0001 at once",
    ),
    "no revision": ("DELETE FROM alembic_version", "does not say of which revision"),
    "a revision that is no text": ("UPDATE alembic_version SET version_num = x'ff'", "is no text"),
}
FILES: dict[str, Callable[[bytes], bytes]] = {
    "half a file": lambda content: content[: len(content) // 2],
    "the first page": lambda content: content[:4096],
    "a hundred bytes": lambda content: content[:100],
    "a text": lambda content: b"hello\n" * 2000,
    "a backup": gzip.compress,
}
READING = (("root",), ("export", "{folder}/records"), ("export", "--all", "{folder}/backup"), ("rebuild",))
OPENING = (*READING, ("migrate",), ("migrate", "--to", "0001"), ("serve",), ("serve", "--migrate", "true"))


def refusal(file: Path, command: tuple[str, ...]) -> str:
    """What a command says that fails as it should."""
    arguments = [part.format(folder=file.parent) for part in command]
    refused = run(*arguments, CADOGAN_DATABASE_URL=f"sqlite:///{file}")
    assert isinstance(refused.exception, SystemExit), (command, refused.exception)
    assert (refused.exit_code, "Traceback" in refused.output) == (1, False), (command, refused.output)
    return refused.output


def copy(folder: Path, template: Path, statement: str) -> Path:
    """A copy of a database to which another program has done something."""
    file = folder / "copy.db"
    shutil.copy(template, file)
    with closing(sqlite3.connect(file)) as connection:
        connection.execute(statement)
        connection.commit()
    return file


@pytest.mark.parametrize(("statement", "said"), SQL.values(), ids=SQL)
def test_a_wrong_value_is_named_with_its_table_by_every_command_that_reads_all(
    tmp_path: Path, lived_template: Path, statement: str, said: str
) -> None:
    file = copy(tmp_path, lived_template, statement)
    for command in READING:
        output = refusal(file, command)
        assert said in output, command
        assert "restore a backup" in output, command
    assert said in refusal(file, ("doctor",))


@pytest.mark.parametrize(("statement", "said"), REVISIONS.values(), ids=REVISIONS)
def test_tables_of_no_single_revision_are_left_alone_by_every_command(
    tmp_path: Path, lived_template: Path, statement: str, said: str
) -> None:
    file = copy(tmp_path, lived_template, statement)
    for command in (*OPENING, ("doctor",)):
        output = refusal(file, command)
        assert said in output, command
        assert "restore a backup" in output, command


@pytest.mark.parametrize("damage", FILES.values(), ids=FILES)
def test_a_file_that_is_cut_off_or_no_database_is_damaged_for_every_command(
    tmp_path: Path, lived_template: Path, damage: Callable[[bytes], bytes]
) -> None:
    file, stored = tmp_path / "copy.db", str(tmp_path / "kept")
    assert run("export", "--all", stored, CADOGAN_DATABASE_URL=f"sqlite:///{lived_template}").exit_code == 0
    for command in (*OPENING, ("doctor",), ("import", stored)):
        file.write_bytes(damage(lived_template.read_bytes()))
        output = refusal(file, command)
        assert "the database is damaged" in output, (command, output)
        assert "restore a backup" in output, command


def test_a_hole_in_a_file_is_noticed_wherever_it_is(tmp_path: Path, lived_template: Path) -> None:
    file, content = tmp_path / "copy.db", lived_template.read_bytes()
    for start in range(4096, len(content), 4096 * 8):
        file.write_bytes(content[:start] + bytes(4096) + content[start + 4096 :])
        assert "damaged" in refusal(file, ("root",)), start


def test_a_row_of_a_list_that_is_wrong_is_found_by_the_doctor_and_corrected_by_rebuild(
    tmp_path: Path, lived_template: Path
) -> None:
    file = copy(tmp_path, lived_template, "UPDATE games SET score = 'x'")
    assert "games has a wrong value in score" in refusal(file, ("doctor",))
    assert run("rebuild", CADOGAN_DATABASE_URL=f"sqlite:///{file}").exit_code == 0
    assert "games has" not in run("doctor", CADOGAN_DATABASE_URL=f"sqlite:///{file}").output


def test_a_folder_is_no_database(tmp_path: Path) -> None:
    refused = run("serve", CADOGAN_DATABASE_URL=f"sqlite:///{tmp_path}")
    assert (refused.exit_code, "is a folder: name a file" in refused.output) == (2, True)
