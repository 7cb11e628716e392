"""Results as text, and profiles: how far and how fast, and nothing of any card or pile."""

import re
from typing import get_args

import pytest
from hypothesis import given
from hypothesis import strategies as st

from cadogan import engine
from cadogan.engine.cards import RANKS, SUITS
from cadogan.engine.difficulty.levels import Level
from cadogan.server.core import dates
from cadogan.server.core.words import WORDS
from cadogan.server.http.site.page_head import languages
from cadogan.server.subjects.players.profiles import MIN_MOVES_OF_A_STREAK
from cadogan.server.subjects.players.sharing import BAR_LENGTH, DealLine, RunResult, make_share_text
from tests.harness.daily_actions import CLOSES, DAY, ask_to_be_shown, play_and_resign
from tests.harness.running_server import RunningServer

RESULTS = st.builds(
    RunResult,
    result=st.sampled_from(["won", "lost", "resigned"]),
    score=st.integers(-52, 208),
    points=st.integers(250, 1000),
    moves=st.integers(0, 900),
    milliseconds=st.integers(0, 40_000_000),
)
LINES = st.lists(
    st.builds(
        DealLine,
        level=st.sampled_from(["gentle", "stern"]),
        game=st.just("Louis"),
        maximum=st.just(104),
        result=st.none() | RESULTS,
    ),
    min_size=1,
    max_size=9,
)


@given(LINES, st.integers(0, 400), st.sampled_from(sorted(WORDS)))
def test_the_shared_text_has_bars_numbers_and_a_few_words(lines: list[DealLine], streak: int, language: str) -> None:
    words = WORDS[language].share
    known = letters(str((words.ends, words.not_played, words.moves, words.points, words.streak)))
    head, *text_lines, worth = make_share_text(DAY, lines, streak, language).split("\n")
    assert head == f"Cadogan {DAY}"
    assert len(text_lines) == len(lines)
    for line, text in zip(lines, [*text_lines], strict=True):
        bar, _, rest = text.partition(" ")
        assert set(bar) <= {"▰", "▱"}
        assert len(bar) == BAR_LENGTH
        named, _, how = rest.partition(": ")
        score = words.score.format(score=line.result.score, maximum=line.maximum) + " · " if line.result else ""
        assert named == f"{score}{line.game} ({words.levels[line.level]})"
        assert letters(how) <= known
    assert letters(worth) <= known


def letters(text: str) -> set[str]:
    """The words of a text, without numbers and signs."""
    return set("".join(sign if sign.isalpha() else " " for sign in text).split())


def test_hours_minutes_and_a_single_move_are_written_naturally() -> None:
    line = DealLine("gentle", "Louis", 104, RunResult("resigned", -2, 0, 1, 3_725_999))
    assert make_share_text(DAY, [line], 1).split("\n")[1:] == [
        "▱▱▱▱▱▱▱▱▱▱ -2 of 104 · Louis (easy): gave up, 1 move, 1:02:05",
        "0 points",
    ]


def test_a_win_fills_the_bar_and_leads_with_the_score_out_of_its_maximum() -> None:
    won = DealLine("stern", "Klondike", 52, RunResult("won", 52, 1250, 98, 61_000))
    assert "▰▰▰▰▰▰▰▰▰▰ 52 of 52 · Klondike (hard): won, 98 moves, 1:01" in make_share_text(DAY, [won], 0)


@pytest.mark.parametrize(
    ("language", "line", "worth"),
    [
        ("en", "52 of 52 · Louis (easy): won, 1,098 moves, 1:01", "1,250 points, 3 days in a row"),
        ("de", "52 von 52 · Louis (leicht): gewonnen, 1.098 Züge, 1:01", "1.250 Punkte, 3 Tage in Folge"),
        ("hu", "52 / 52 · Louis (könnyű): megnyerve, 1\xa0098 lépés, 1:01", "1\xa0250 pont, 3 nap egymás után"),
        ("tr", "52 / 52 · Louis (kolay): kazanıldı, 1.098 hamle, 1:01", "1.250 puan, art arda 3 gün"),
        ("fr", "52 of 52 · Louis (easy): won, 1,098 moves, 1:01", "1,250 points, 3 days in a row"),
    ],
)
def test_results_are_told_in_the_language_asked_for(language: str, line: str, worth: str) -> None:
    won = DealLine("gentle", "Louis", 52, RunResult("won", 52, 1250, 1098, 61_000))
    assert make_share_text(DAY, [won], 3, language).split("\n")[1:] == [f"▰▰▰▰▰▰▰▰▰▰ {line}", worth]


def test_every_language_of_the_pages_has_words_of_the_server() -> None:
    pages = {language["tag"] for language in languages()}
    assert pages == WORDS.keys()
    for words in (of_language.share for of_language in WORDS.values()):
        assert words.levels.keys() == set(get_args(Level))
        assert words.ends.keys() == WORDS["en"].share.ends.keys()


async def test_shared_results_contain_no_pile_and_no_card(sqlite_server: RunningServer) -> None:
    ann = await sqlite_server.guest()
    assert (await ann.get("/dailies/today/share"))[0] == 404
    games = [await ann.enter(slot=slot) for slot in (1, 2)]
    assert (await ann.get("/dailies/today/share"))[0] == 404
    await play_and_resign(ann, games[0], moves=2)
    status, shared = await ann.get(f"/dailies/{DAY}/share")
    assert status == 200
    lines = shared["text"].split("\n")
    assert len(lines) == 5
    assert re.search(r" \d+ of \d+ · .*: gave up, ", lines[1])
    assert all("not played" in line for line in lines[2:4])
    _, view = await ann.get(f"/games/{games[0]}")
    rules = engine.game(view["game"]["rules"])
    assert not any(pile in shared["text"].split() for pile in rules.piles)
    cards = {rank + suit for rank in RANKS for suit in SUITS}
    assert not cards & set(shared["text"].replace(",", " ").split())


async def test_a_profile_lists_only_games_that_are_over(running_server: RunningServer) -> None:
    ann, bob = await running_server.guest(), await running_server.guest()
    run, casual, going_on = await ann.enter(), await ann.deal(), await ann.enter(slot=2)
    await play_and_resign(ann, run, moves=1)
    await play_and_resign(ann, casual)
    _, profile = await bob.get(f"/players/{ann.id}")
    assert (profile["player"]["id"], profile["since"]) == (ann.id, running_server.clock.at)
    assert (profile["streak"], profile["best_streak"], profile["played"], profile["won"]) == (0, 0, 2, 0)
    assert {recent["game"]["id"] for recent in profile["recent"]} == {run, casual}
    assert going_on not in str(profile)
    assert sum(tally["played"] for tally in profile["by_game"]) == 2
    assert not any(word in str(profile) for word in ("piles", "secret", "legal", "effects"))
    assert (await bob.get("/players/aaaabbbbccccdddd"))[0] == 404


@pytest.mark.both_databases
async def test_a_streak_counts_days_with_a_finished_ranked_run(running_server: RunningServer) -> None:
    ann = await running_server.guest()
    for ahead in range(3):
        today = dates.add_days(DAY, ahead)
        await play_and_resign(ann, await ann.enter(today, slot=3), moves=MIN_MOVES_OF_A_STREAK)
        assert (await ann.get("/dailies/today"))[1]["streak"] == ahead + 1
        running_server.clock.at += dates.MILLISECONDS_PER_DAY
    assert (await ann.get("/dailies/today"))[1]["streak"] == 3
    await play_and_resign(ann, await ann.enter(slot=2), moves=MIN_MOVES_OF_A_STREAK - 1)  # no real run
    assert (await ann.get("/dailies/today"))[1]["streak"] == 3
    await ask_to_be_shown(ann, 1, dates.add_days(DAY, 3))
    await play_and_resign(ann, await ann.enter(dates.add_days(DAY, 3), practice=True))
    assert (await ann.get("/dailies/today"))[1]["streak"] == 3
    running_server.clock.at += dates.MILLISECONDS_PER_DAY
    assert (await ann.get("/dailies/today"))[1]["streak"] == 0
    assert (await ann.get(f"/players/{ann.id}"))[1]["best_streak"] == 3
    assert "streak" not in (await running_server.stranger().get("/dailies/today"))[1]
    assert running_server.clock.at > CLOSES
