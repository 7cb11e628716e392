"""The names of boards: a week belongs to the year of its Thursday, a month to its own."""

import pytest

from cadogan.server.core.ranking import check_board, point_boards


@pytest.mark.parametrize(
    ("day", "week", "month"),
    [
        ("2026-12-31", "week:2026-W53", "month:2026-12"),
        ("2027-01-01", "week:2026-W53", "month:2027-01"),
        ("2027-01-03", "week:2026-W53", "month:2027-01"),
        ("2027-01-04", "week:2027-W01", "month:2027-01"),
        ("2029-12-31", "week:2030-W01", "month:2029-12"),
    ],
)
def test_at_new_year_a_run_counts_in_the_week_of_iso_8601_and_in_its_own_month(day: str, week: str, month: str) -> None:
    boards = point_boards(day, "klondike")
    assert boards == (f"day:{day}", week, month, "all", "game:klondike")
    assert [check_board(board) for board in boards] == list(boards)
