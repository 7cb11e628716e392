"""An evening in words: the points of an arena."""

from cadogan.terminal.lobby.evening_words import SHOWN_RUNS, find_own_points, format_points, standing_rows
from cadogan.wire.arenas import ArenaField, ArenaRow
from cadogan.wire.evening_standings import EveningStanding
from cadogan.wire.values import Player

ADA = Player(id="b3c5d7f2g4h6j3kz", name="Ada", guest=False)
BOB = Player(id="c3c5d7f2g4h6j3kz", name="Bob", guest=False)


def row(player: Player, place: int, sheet: list[int], streak: int = 0) -> ArenaRow:
    """Return a row of an arena with these points."""
    wins = sum(points in (2, 4) for points in sheet)
    return ArenaRow(
        place=place, player=player, points=sum(sheet), wins=wins, runs=len(sheet), sheet=sheet, streak=streak
    )


def standing(*rows: ArenaRow, corrected: list[ArenaRow] | None = None) -> EveningStanding:
    """Return the standing of an arena with these rows."""
    return EveningStanding(
        evening="r5s4t6u3v5w7x2yz",
        state="live",
        at=0,
        version=1,
        fields=[],
        rounds=[],
        arena=[ArenaField(field="people", rows=[*rows])],
        corrected_arena=None if corrected is None else [ArenaField(field="people", rows=corrected)],
    )


def test_the_points_of_a_player_say_when_the_next_run_counts_double() -> None:
    assert format_points(row(ADA, 1, [2], streak=1)) == "2 points"
    assert format_points(row(ADA, 1, [2, 2], streak=2)) == "4 points ×2"


def test_a_row_of_an_arena_shows_the_points_of_the_last_runs_only() -> None:
    lines = [line.text.plain for line in standing_rows(standing(row(ADA, 1, [1] + [0] * SHOWN_RUNS), row(BOB, 2, [1])))]
    assert lines[1:] == [
        "People",
        "  1. Ada                     1 point        …  0  0  0  0  0  0  0  0",
        "  2. Bob                     1 point        1",
    ]


def test_after_a_correction_the_corrected_points_hold() -> None:
    corrected = standing(row(ADA, 1, [2, 2]), corrected=[row(ADA, 1, [2])])
    assert find_own_points(corrected, ADA.id) == "2 points"
    assert find_own_points(corrected, BOB.id) == ""
