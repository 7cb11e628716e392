"""What the page about boards says is so."""

import json
import re
from hashlib import sha256
from pathlib import Path
from typing import Any

from cadogan.server.core import ranking
from cadogan.server.core.eventlog.projections import EntryRow
from cadogan.server.core.games import position
from cadogan.server.core.ranking import RankKey, check_board, ranks, run_totals
from cadogan.wire.values import BoardEntry

PAGE = (Path(__file__).parents[2] / "docs" / "boards.md").read_text("utf-8")


def block(kind: str) -> Any:
    (text,) = re.findall(rf"```json {kind}\n(.*?)```", PAGE, re.DOTALL)
    return json.loads(text)


def test_the_order_is_that_of_the_page() -> None:
    shown = block("order")
    keys = [RankKey(-row["score"], row["moves"], row["milliseconds"]) for row in shown]
    assert keys == sorted(keys)
    assert ranks(keys) == [row["rank"] for row in shown]


def test_the_page_explains_every_field_of_a_row() -> None:
    table = PAGE.partition("| in a row |")[2].partition("\n\n")[0]
    explained = re.findall(r"`(\w+)`", " ".join(re.findall(r"^\| (.*?) \|", table, re.MULTILINE)))
    assert sorted(explained) == sorted(BoardEntry.__struct_fields__)


def test_points_are_those_of_the_page() -> None:
    for shown in block("points"):
        assert (
            position.run_points(shown["score"], shown["first"], shown["maximum"], won=shown["won"]) == shown["points"]
        )
    assert (position.FULL_POINTS, position.WIN_BONUS) == (1000, 250)


def test_a_digest_is_that_of_the_page() -> None:
    shown = block("digest")
    runs = [
        EntryRow(
            game_id=run["game"],
            deal=shown["deal"],
            day=shown["day"],
            slot=1,
            rules="olga",
            player=run["player"],
            result=run["result"],
            score=run["score"],
            points=run["points"],
            moves=run["moves"],
            milliseconds=run["milliseconds"],
            active=0,
            finished_at=0,
        )
        for run in shown["runs"]
    ]
    assert sha256(shown["text"].encode()).hexdigest() == shown["digest"]
    assert ranking.day_digests(shown["day"], [shown["deal"]], runs)[shown["deal"]] == shown["digest"]


def test_the_boards_of_a_run_are_those_of_the_page() -> None:
    run = EntryRow("g", "2026-11-20.1", "2026-11-20", 1, "klondike", "ann", "won", 1, 1, 1, 1, 1, 1)
    documented = re.findall(r"^\| [a-z ]+ \| `([^`]+)`", PAGE, re.MULTILINE)
    assert [total.board for total in run_totals(run)] == documented
    assert [check_board(board) for board in documented] == documented
