"""A collection as a text: what was earned stands first, and every game of the server is in it."""

from cadogan.terminal.lobby.collection import collection_text
from cadogan.wire.collection import Badge, CollectedGame, Collection, Shield, Win
from cadogan.wire.values import Player

NAMES = {"maze": "Maze", "klondike": "Canfield or Klondike", "louis": "Louis"}
ADA = Player(id="m3x5q7a2b4c6d2ef", name="Ada", guest=False)
WIN = Win(game="g", at=1_795_176_000_000, score=48, moves=80, milliseconds=61_000)
EMPTY = Collection(player=ADA, month="2026-11", games=[], shields=[], badges=[])


def test_every_game_says_whether_it_was_won_and_how() -> None:
    games = [
        CollectedGame(rules="klondike", maximum=52, played=2, won=0, best_score=7),
        CollectedGame(rules="maze", maximum=48, played=3, won=1, best_score=48, first_win=WIN, best_win=WIN),
    ]
    text = collection_text(Collection(player=ADA, month="2026-11", games=games, shields=[], badges=[]), NAMES)
    assert "1 of 3 games won" in text
    assert text.splitlines()[-3:] == [
        "- ☆ **Canfield or Klondike**: Not won yet. Best score: 7 of 52",
        "- ☆ **Louis**: Not played yet",
        "- ★ **Maze**: First won on Friday 20 November 2026; Best: 80 moves, 1:01",
    ]


def test_shields_and_badges_stand_before_the_games() -> None:
    badges = [
        Badge(kind="only_win", day="2026-11-20", rules="maze", game="g", runs=5),
        Badge(kind="first_win", day="2026-11-20", rules="louis", game="h"),
        Badge(kind="all_levels", day="2026-11-19"),
        Badge(kind="streak", day="2026-11-18", days=7),
    ]
    earned = Collection(player=ADA, month="2026-11", games=[], shields=[Shield(rules="maze", sum=2.5)], badges=badges)
    text = collection_text(earned, NAMES)
    assert text.partition("## Badges and shields\n\n")[2].partition("\n\n")[0].splitlines() == [
        "- Leads Maze this month",
        "- The only one of 5 to win Maze (Friday 20 November 2026)",
        "- The first here to win Louis (Friday 20 November 2026)",
        "- Won a daily deal of every level on one day (Thursday 19 November 2026)",
        "- Played on 7 days in a row (Wednesday 18 November 2026)",
    ]
    assert "No badges yet." in collection_text(EMPTY, NAMES)
