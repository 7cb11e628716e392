"""The page about the architecture shows the floors of the server as the import contract has them."""

import re
import tomllib
from pathlib import Path

from cadogan import server

ROOT = Path(__file__).parents[2]
PAGE = (ROOT / "docs" / "architecture.md").read_text("utf-8")
CONTRACTS = tomllib.loads((ROOT / "pyproject.toml").read_text("utf-8"))["tool"]["importlinter"]["contracts"]
ROOMS = {
    "citus": "server/core/storage/citus/",
    "nats": "server/core/cluster/nats_",
    "pgbouncer": "server/core/database/pooler.py",
}
"""What other projects have made that a server can use, and the modules that alone work with it."""
MAX_FILES_OUTSIDE = 3
(FLOORS,) = [one["layers"] for one in CONTRACTS if one.get("containers") == ["cadogan.server"]]


def test_the_page_lists_the_floors_of_the_server_in_their_order() -> None:
    table = PAGE.partition("| floor |")[2].partition("\n\n")[0]
    assert re.findall(r"^\| `(\w+)` \|", table, re.MULTILINE) == FLOORS


def test_the_docstring_of_the_server_lists_the_floors_in_their_order() -> None:
    assert re.findall(r"^ {4}(\w+)  ", server.__doc__ or "", re.MULTILINE) == FLOORS


def test_no_package_says_itself_what_it_imports() -> None:
    signs = {path: path.read_text("utf-8").partition('"""')[2] for path in (ROOT / "server").glob("*/**/__init__.py")}
    assert [path for path, sign in signs.items() if re.search(r"\b[Ii]mports?\b", sign.partition('"""')[0])] == []


def test_what_others_have_made_is_named_in_few_files_outside_its_own_room() -> None:
    named = {
        name: [
            file.relative_to(ROOT).as_posix()
            for file in sorted((ROOT / "server").rglob("*.py"))
            if name in file.read_text("utf-8").lower() and not file.relative_to(ROOT).as_posix().startswith(room)
        ]
        for name, room in ROOMS.items()
    }
    assert {name: files for name, files in named.items() if len(files) > MAX_FILES_OUTSIDE} == {}


def test_the_page_lists_every_subscriber_to_a_commit_of_a_game() -> None:
    table = PAGE.partition("| subscriber |")[2].partition("\n\n")[0]
    files = [path for path in (ROOT / "server").rglob("*.py") if re.search(r"def on_(commit|end)\(", path.read_text())]
    subscribers = {path.relative_to(ROOT).as_posix() for path in files} - {"server/part.py"}
    assert set(re.findall(r"`(server/\S+\.py)`", table)) == subscribers


def test_every_method_that_the_page_names_exists() -> None:
    code = [path.read_text("utf-8") for path in sorted((ROOT / "server").rglob("*.py"))]
    named = set(re.findall(r"`([A-Z]\w+)\.(\w+)`", PAGE))
    assert len(named) > 5
    for owner, method in named:
        homes = [text for text in code if re.search(rf"^class {owner}\b", text, re.MULTILINE)]
        has_method = re.compile(rf"^    (async )?def {method}\(", re.MULTILINE).search
        assert any(map(has_method, homes)), f"{owner}.{method}"


def test_the_page_names_what_the_log_says_of_a_spectator_who_fell_behind() -> None:
    code = (ROOT / "server" / "core" / "live" / "connection.py").read_text("utf-8")
    events = re.findall(r"log\.\w+\(\s*\"(\w+)\"", code)
    assert len(events) == 4
    assert [event for event in events if f"| `{event}` |" not in PAGE] == []
