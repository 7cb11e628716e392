"""Profiles: the figures of a player's finished games, of each kind and of each week, on both databases."""

from dataclasses import replace

from cadogan.server.core import dates
from cadogan.server.core.storage.sql_store import SqlStore
from cadogan.server.subjects.players.profiles import WEEKS_SHOWN, Profiles, RulesTally, Tally, WeekTally
from tests.harness.sample_events import append, game_row

MONDAY = dates.day_times("2026-11-16", 0).opens_at
THIS_WEEK = dates.week_number(MONDAY)


async def finish(store: SqlStore, name: str, rules: str, status: str, score: int, at: int, player: str = "ann") -> None:
    """Write a game that ended at a moment."""
    row = replace(game_row(name, player), game=rules, status=status, score=score, finished_at=at)
    await store.append(append(f"game/{name}", 1, rows=(row,)))


async def test_each_kind_of_game_has_its_best_and_mean_score(sql_store: SqlStore) -> None:
    for number, (status, score) in enumerate((("won", 52), ("lost", 5), ("resigned", -1))):
        await finish(sql_store, f"klondike{number}", "klondike", status, score, MONDAY)
    await finish(sql_store, "maze", "maze", "won", 10, MONDAY)
    await finish(sql_store, "of-another", "maze", "won", 11, MONDAY, player="bob")
    await sql_store.append(append("game/going-on", 1, rows=(game_row("going-on"),)))
    assert await Profiles(sql_store.database).tallies("ann") == [
        RulesTally("klondike", Tally(3, 1, 52, 18.67)),
        RulesTally("maze", Tally(1, 1, 10, 10.0)),
    ]


async def test_a_game_counts_in_the_week_in_which_it_ended(sql_store: SqlStore) -> None:
    first = MONDAY - (WEEKS_SHOWN - 1) * dates.MILLISECONDS_PER_WEEK
    for name, rules, score, at in (
        ("too-long-ago", "maze", 1, first - 1),
        ("first", "maze", 2, first),
        ("last-week", "maze", 3, MONDAY - 1),
        ("monday", "maze", 4, MONDAY),
        ("sunday", "maze", 7, MONDAY + dates.MILLISECONDS_PER_WEEK - 1),
        ("other", "klondike", 5, MONDAY),
    ):
        await finish(sql_store, name, rules, "lost", score, at)
    assert await Profiles(sql_store.database).weeks("ann", THIS_WEEK) == [
        WeekTally(THIS_WEEK - WEEKS_SHOWN + 1, "maze", Tally(1, 0, 2, 2.0)),
        WeekTally(THIS_WEEK - 1, "maze", Tally(1, 0, 3, 3.0)),
        WeekTally(THIS_WEEK, "klondike", Tally(1, 0, 5, 5.0)),
        WeekTally(THIS_WEEK, "maze", Tally(2, 0, 7, 5.5)),
    ]


async def test_earlier_games_are_those_of_one_kind_that_ended_before(sql_store: SqlStore) -> None:
    await finish(sql_store, "before", "maze", "won", 9, MONDAY - 1)
    await finish(sql_store, "then", "maze", "lost", 1, MONDAY)
    await finish(sql_store, "other", "klondike", "lost", 1, MONDAY - 1)
    profiles = Profiles(sql_store.database)
    assert await profiles.earlier_games("ann", "maze", MONDAY) == Tally(1, 1, 9, 9.0)
    assert await profiles.earlier_games("ann", "maze", MONDAY - 1) is None
