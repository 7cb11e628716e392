"""The command: what it prints and how it exits."""

import gzip
import json
import re
import shutil
import sqlite3
import subprocess
import sys
from contextlib import closing
from pathlib import Path

import click
import pytest

from cadogan import engine
from cadogan.server import config
from cadogan.server.cli.main import COMMANDS, main
from cadogan.server.core.version import commit, known_revisions, version
from tests.harness.command_line import run
from tests.harness.server_process import UNUSED_PORT

RECORD = Path(__file__).parents[2] / "web" / "records" / "casual.json"
HEAVY = (
    "aiohttp",
    "aiosqlite",
    "alembic",
    "asyncpg",
    "sqlalchemy",
    "uvloop",
    "cadogan.server.app",
    "cadogan.server.web_app",
    "cadogan.server.config",
)
"""What only a running server needs."""
EXTRAS = (
    "aiosqlite",
    "alembic",
    "argon2",
    "asyncpg",
    "cryptography",
    "py_arkworks_bls12381",
    "sqlalchemy",
    "structlog",
    "uvloop",
)
"""What `pip install cadogan` does not bring."""


def test_games_lists_every_game() -> None:
    listed = run("games")
    assert [line.split()[0] for line in listed.output.splitlines()] == list(engine.slugs())


def test_the_same_seed_deals_the_same_cards() -> None:
    first, again, other = (run("solo", "klondike", "--seed", seed).output for seed in ("one", "one", "other"))
    assert first == again != other.replace("other", "one")


def test_a_numbered_deal_is_played_and_refused_where_there_is_none() -> None:
    shown = run("solo", "freecell", "--number", "617")
    assert "deal number 617" in shown.output
    assert "7D TD TH KD 4C 4S JD" in shown.output
    refused = run("solo", "klondike", "--number", "617")
    assert (refused.exit_code, "have no numbers" in refused.output) == (1, True)


def test_a_game_is_played_from_moves_as_text() -> None:
    played = run("solo", "klondike", "--seed", "one", input="?\ndeal\nundo\nundo\ndeal/deal\n\nquit\ndeal\n")
    assert played.exit_code == 0
    assert "> deal" in played.output
    assert "there is nothing to take back" in played.output
    assert "'deal/deal' is no move" in played.output
    assert played.output.count("score ") == 3


def test_an_illegal_move_is_refused_and_the_game_goes_on() -> None:
    played = run("solo", "klondike", "--seed", "one", input="waste/foundation.0\ndeal\n")
    assert "> deal" in played.output
    assert "> waste/foundation.0" not in played.output


def test_every_game_can_be_read_in_a_plain_terminal() -> None:
    for slug, rules in engine.all_games().items():
        shown = run("solo", slug, "--seed", "one", input="?\n")
        assert shown.exit_code == 0, slug
        assert f"of {rules.maximum}, 0 moves" in shown.output, slug
        assert max(map(len, shown.output.splitlines())) <= 80, slug


def test_no_face_down_card_is_shown() -> None:
    rules = engine.game("klondike")
    shown = run("solo", "klondike", "--seed", "one").output
    assert shown.count("[") == 7
    assert "[24]" in shown
    assert rules.summary not in shown


def test_an_unknown_game_is_refused_with_a_sentence() -> None:
    played = run("solo", "bridge")
    assert played.exit_code == 1
    assert "there is no game 'bridge'" in played.output


POSITION = {"name": "the waste goes on a column", "piles": {"waste": ["7D"], "tableau.0": ["8S"]}}


def vectors(folder: Path, name: str, content: object) -> str:
    """A file of test positions."""
    file = folder / name
    file.write_text(content if isinstance(content, str) else json.dumps(content))
    return str(file)


def test_positions_that_hold_exit_with_0(tmp_path: Path) -> None:
    holds = vectors(tmp_path, "klondike.json", [POSITION | {"legal": ["waste/tableau.0"]}])
    checked = run("vectors", holds)
    assert (checked.exit_code, checked.output) == (0, "1 positions hold, 0 do not\n")


def test_a_position_that_fails_is_named_with_its_game_and_the_difference(tmp_path: Path) -> None:
    holds = vectors(tmp_path, "klondike.json", [POSITION | {"legal": ["waste/tableau.0", "waste/tableau.1"]}])
    checked = run("vectors", holds)
    assert checked.exit_code == 1
    assert "klondike: the waste goes on a column: waste/tableau.1 should be legal" in checked.output


@pytest.mark.parametrize(
    ("name", "content"),
    [
        ("bridge.json", [POSITION]),
        ("klondike.json", [POSITION | {"piles": {"cellar": ["7D"]}}]),
        ("klondike.json", "{"),
        ("klondike.json", {}),
        ("klondike.json", [7]),
        ("klondike.json", []),
    ],
)
def test_a_file_that_cannot_be_checked_is_a_failure(tmp_path: Path, name: str, content: object) -> None:
    assert run("vectors", vectors(tmp_path, name, content)).exit_code == 1


def test_a_missing_file_is_a_failure(tmp_path: Path) -> None:
    assert run("vectors", str(tmp_path / "klondike.json")).exit_code == 1


def test_a_file_that_is_no_record_is_refuted(tmp_path: Path) -> None:
    refuted = run("verify", vectors(tmp_path, "record.json", "{}"))
    assert refuted.exit_code == 1
    assert refuted.output.startswith("broken at its header")


def test_verify_lists_what_a_consistent_record_does_not_show() -> None:
    for file, unfinished in ((RECORD, False), (RECORD.parent / "spoiled.json", True)):
        printed = run("verify", str(file)).output
        assert "this does not show\n  - who played" in printed
        said = json.loads(run("verify", str(file), "--json").output)
        assert (said["consistent"], said["finished"], "proven" in printed) == (True, not unfinished, False)
        end = ["end"] if unfinished else []
        assert said["not_shown"] == ["player", "times", "kept", *end, "alone"]
    said = json.loads(run("verify", str(RECORD), "--against", str(RECORD), "--json").output)
    assert (said["kept"], said["not_shown"]) == (said["events"], ["player", "times", "alone"])


def test_verify_says_in_json_what_is_broken_too(tmp_path: Path) -> None:
    said = run("verify", vectors(tmp_path, "record.json", '{"\x9b": 1}'), "--json")
    assert said.exit_code == 1
    assert (json.loads(said.output)["broken_at"], said.output.isascii()) == (0, True)


def test_verify_loads_no_http_library_and_no_database_driver() -> None:
    code = (
        "import sys; from cadogan.cli import main; main(sys.argv[1:], standalone_mode=False); "
        f"print([name for name in {HEAVY} if name in sys.modules])"
    )
    command = [sys.executable, "-c", code, "verify", str(RECORD)]
    verified = subprocess.run(command, check=True, capture_output=True, text=True).stdout.splitlines()
    assert verified[0].startswith("consistent with its rules and its seal: ")
    assert verified[-1] == "[]"


def test_every_command_is_where_the_list_of_commands_says() -> None:
    context = click.Context(main)
    assert set(COMMANDS) <= set(main.list_commands(context))
    for name in COMMANDS:
        command = main.get_command(context, name)
        assert command is not None
        assert command.name == name
    assert main.get_command(context, "bridge") is None


def test_the_version_names_the_commit_and_the_revision_of_the_tables() -> None:
    shown = run("--version").output
    assert shown == f"cadogan {version()} (commit {commit()}, tables at revision {known_revisions()[-1]})\n"
    assert re.search(r"commit [0-9a-f]{12},", shown)


def test_with_the_client_alone_installed_the_sdk_works_and_a_command_says_what_to_install() -> None:
    code = (
        "import sys; sys.modules.update(dict.fromkeys(sys.argv.pop(1).split())); "
        "import cadogan.sdk, cadogan.sdk.blocking; from cadogan.cli import main; main(sys.argv[1:])"
    )
    command = [sys.executable, "-c", code, " ".join(sorted(EXTRAS))]
    helped = subprocess.run([*command, "--help"], check=True, capture_output=True, text=True).stdout
    assert "Serve:" in helped
    assert "Not installed: pip install 'cadogan[server]'" in helped
    refused = subprocess.run([*command, "serve", "--port", "1"], check=False, capture_output=True, text=True)
    assert refused.returncode == 1
    assert re.search(
        r"`cadogan serve` needs \w+, which is not installed: pip install 'cadogan\[server\]'", refused.stderr
    )


def test_every_setting_is_a_flag_of_serve() -> None:
    shown = run("serve", "--help").output
    assert all(config.flag(setting) in shown and config.variable(setting) in shown for setting in config.all_settings())


def test_a_bad_setting_is_refused_before_anything_begins() -> None:
    refused = run("serve", CADOGAN_PORT="eighty")
    assert refused.exit_code == 2
    assert "CADOGAN_PORT" in refused.output


def test_serving_a_database_without_tables_says_what_to_do(tmp_path: Path) -> None:
    refused = run("serve", CADOGAN_DATABASE_URL=f"sqlite:///{tmp_path}/empty.db")
    assert refused.exit_code == 1
    assert "run `cadogan migrate`" in refused.output


@pytest.mark.parametrize(
    "command", [("serve",), ("migrate",), ("rebuild",), ("export", "records"), ("export", "--all", "file"), ("root",)]
)
def test_a_database_that_does_not_answer_is_a_sentence_and_no_traceback(command: tuple[str, ...]) -> None:
    refused = run(*command, CADOGAN_DATABASE_URL=f"postgresql://nobody:hunter2@127.0.0.1:{UNUSED_PORT}/nothing")
    assert refused.exit_code == 1
    assert "Error: the database does not answer (PostgreSQL at 127.0.0.1:1): " in refused.output
    assert "Traceback" not in refused.output
    assert "hunter2" not in refused.output


def test_a_log_that_cannot_be_distributed_is_left_alone_and_the_sentence_says_why(tmp_path: Path) -> None:
    url = f"sqlite:///{tmp_path}/cadogan.db"
    refused = run("migrate", "--distribute", CADOGAN_DATABASE_URL=url)
    assert refused.exit_code == 1
    assert "Error: SQLite is one file" in refused.output
    assert run("migrate", "--distribute", "--to", "0001", CADOGAN_DATABASE_URL=url).exit_code == 2
    assert not list(tmp_path.iterdir())


def test_a_database_of_a_newer_version_is_left_alone_and_the_sentence_says_what_to_do(sqlite_url: str) -> None:
    with closing(sqlite3.connect(sqlite_url.removeprefix("sqlite:///"))) as connection:
        connection.execute("UPDATE alembic_version SET version_num = '9999'")
        connection.commit()
    for command in (("serve",), ("serve", "--migrate", "true"), ("migrate",), ("migrate", "--to", "0001")):
        refused = run(*command, CADOGAN_DATABASE_URL=sqlite_url)
        assert refused.exit_code == 1, command
        for part in ("at revision 9999", "a newer version has migrated it", "cadogan migrate --to", "restore a backup"):
            assert part in refused.output, command
        assert "Traceback" not in refused.output, command
        assert "run `cadogan migrate`" not in refused.output, command


def test_a_database_goes_back_to_an_older_revision_and_forward_again(sqlite_url: str) -> None:
    url = sqlite_url
    assert run("migrate", "--to", "0001", CADOGAN_DATABASE_URL=url).output == "the tables are at revision 0001\n"
    assert "this version needs" in run("serve", CADOGAN_DATABASE_URL=url).output
    assert run("migrate", CADOGAN_DATABASE_URL=url).output == "the tables are up to date\n"
    assert run("root", CADOGAN_DATABASE_URL=url).exit_code == 0


def test_a_revision_that_does_not_exist_is_refused_with_those_that_do(tmp_path: Path) -> None:
    refused = run("migrate", "--to", "7", CADOGAN_DATABASE_URL=f"sqlite:///{tmp_path}/cadogan.db")
    assert refused.exit_code == 1
    assert "there is no revision 7: this version knows 0001, 0002" in refused.output


def test_an_event_that_cannot_be_read_is_named_and_no_traceback(tmp_path: Path, lived_template: Path) -> None:
    file, url = tmp_path / "copy.db", f"sqlite:///{tmp_path}/copy.db"
    shutil.copy(lived_template, file)
    with closing(sqlite3.connect(file)) as connection:
        connection.execute("UPDATE events SET data = '{' WHERE version = 1 OR type = 'move_played'")
        connection.commit()
    for command in (("rebuild",), ("export", str(tmp_path / "records"))):
        refused = run(*command, CADOGAN_DATABASE_URL=url)
        assert refused.exit_code == 1
        assert re.search(r"this version cannot read \(.*copy\.db\): \w+/", refused.output), refused.output
    assert "run it again later" in run("rebuild", CADOGAN_DATABASE_URL=url).output
    output = run("doctor", CADOGAN_DATABASE_URL=url)
    assert (output.exit_code, "secrets" in output.output, "Traceback" in output.output) == (1, True, False)
    with closing(sqlite3.connect(file)) as connection:
        connection.execute("UPDATE events SET recorded_at = 9000000000000000000 WHERE version = 1")
        connection.commit()
    refused = run("export", "--all", str(tmp_path / "backup"), CADOGAN_DATABASE_URL=url)
    assert (refused.exit_code, "recorded at 9000000000000000000" in refused.output) == (1, True)


def test_a_folder_that_is_missing_is_named(tmp_path: Path) -> None:
    refused = run("migrate", CADOGAN_DATABASE_URL=f"sqlite:///{tmp_path}/missing/cadogan.db")
    assert refused.exit_code == 2
    assert "/missing' is not a folder" in refused.output


def test_a_folder_without_the_record_is_told_what_it_lacks(tmp_path: Path) -> None:
    for subject, file in (("2026-W48", "season-2026-W48.json"), ("2026-11-20", "day-2026-11-20.json")):
        printed = run("recompute", subject, "--from", str(tmp_path))
        assert printed.exit_code == 1
        assert f"has no {file}, which `cadogan export` writes once this is over" in printed.output


def test_a_fresh_database_is_migrated_rebuilt_and_exported(tmp_path: Path) -> None:
    url = f"sqlite:///{tmp_path}/fresh.db"
    assert run("migrate", CADOGAN_DATABASE_URL=url).exit_code == 0
    assert run("rebuild", CADOGAN_DATABASE_URL=url).output == "0 rows derived from the log\n"
    assert run("export", str(tmp_path / "records"), "--database-url", url).output.startswith("0 records written")


def test_a_database_is_backed_up_and_restored_with_its_root(tmp_path: Path, sqlite_template: Path) -> None:
    for name in ("first", "second", "third"):
        shutil.copyfile(sqlite_template, tmp_path / f"{name}.db")
    file, first, second = str(tmp_path / "backup"), f"sqlite:///{tmp_path}/first.db", f"sqlite:///{tmp_path}/second.db"
    assert run("export", "--all", file, CADOGAN_DATABASE_URL=first).output.startswith(f"{file}: 0 rows, as of ")
    assert "0 rows derived from the log" in run("import", file, CADOGAN_DATABASE_URL=second).output
    said = run("root", "2020-01-01", CADOGAN_DATABASE_URL=second).output
    assert said.startswith("root of 2020-01-01: ")
    third = {"CADOGAN_DATABASE_URL": f"sqlite:///{tmp_path}/third.db"}
    refused = run("import", file, "--root", "2020-01-01", "0" * 64, **third)
    assert (refused.exit_code, refused.output.count(said.split()[3])) == (1, 1)
    assert run("import", file, "--root", "2020-01-01", said.split()[3], **third).output.endswith(said)


def test_a_backup_and_the_database_restored_from_it_have_the_same_root(tmp_path: Path, lived_template: Path) -> None:
    file, new = str(tmp_path / "backup"), f"sqlite:///{tmp_path}/new.db"
    output = run("export", "--all", file, CADOGAN_DATABASE_URL=f"sqlite:///{lived_template}").output.splitlines()[-1]
    assert output.startswith("root of 2026-11-22: ")
    assert output.endswith(" over 9 streams")
    assert run("import", file, CADOGAN_DATABASE_URL=new).output.splitlines()[-1] == output


def test_a_broken_backup_is_refused_in_a_sentence_with_its_line(tmp_path: Path) -> None:
    (tmp_path / "backup").write_text("no backup")
    refused = run("import", str(tmp_path / "backup"), CADOGAN_DATABASE_URL=f"sqlite:///{tmp_path}/new.db")
    assert refused.exit_code == 1
    assert refused.output.startswith(f"Error: {tmp_path}/backup: line 1: ")


def test_a_day_that_has_no_root_is_refused(sqlite_url: str) -> None:
    for day in ("yesterday", "9999-12-31"):
        refused = run("root", day, CADOGAN_DATABASE_URL=sqlite_url)
        assert (refused.exit_code > 0, day in refused.output) == (True, True), refused.output


CONTROLS = "\x1b[2K\x07\x7f\x85\x9b31m\u061c\u202e\u2028\u2066\n"
"""Characters that command a terminal."""


def commands_that_read_others_text(folder: Path) -> dict[str, tuple[str, ...]]:
    """Calls of commands whose files hold such characters, in every place of which the command prints something."""
    record = json.loads(RECORD.read_text())
    record["events"][0]["type"] = CONTROLS
    (folder / "records").mkdir()
    (folder / "records" / f"{CONTROLS.replace(chr(10), '')}.json").write_text(RECORD.read_text().replace("won", "was"))
    position = POSITION | {"name": CONTROLS, "piles": {CONTROLS: ["7D"]}}
    header = {
        "format": "cadogan backup 1",
        "revision": CONTROLS,
        "tables": [CONTROLS],
        "made_at": 0,
        "version": CONTROLS,
    }
    with gzip.open(folder / "backup", "wt") as backup:
        backup.write(json.dumps(header) + "\n")
    return {
        "verify": ("verify", vectors(folder, "record.json", record)),
        "unreadable": ("verify", vectors(folder, "unreadable.json", {"format": CONTROLS})),
        "vectors": ("vectors", vectors(folder, "klondike.json", [position])),
        "import": ("import", str(folder / "backup"), "--database-url", f"sqlite:///{folder}/new.db"),
        "missing": ("import", f"{folder}/{CONTROLS}"),
        "day": ("root", CONTROLS, "--database-url", f"sqlite:///{folder}/new.db"),
        "solo": ("solo", f"klondike{CONTROLS}"),
        "recompute": ("recompute", f"2026-11-20{CONTROLS}", "--from", str(folder / "records")),
    }


def test_no_command_prints_a_character_that_commands_the_terminal(tmp_path: Path) -> None:
    for name, command in commands_that_read_others_text(tmp_path).items():
        said = run(*command)
        assert said.exit_code, name
        assert {char for char in said.output if not char.isprintable()} <= {"\n"}, (name, said.output)
        assert isinstance(said.exception, SystemExit), name


def test_the_commands_print_through_the_one_function_that_escapes() -> None:
    folder = Path(__file__).parents[3] / "server"
    others = [file for file in folder.rglob("*.py") if file.name != "output.py"]
    assert not [file for file in others if re.search(r"click\.s?echo|ClickException\(", file.read_text())]
