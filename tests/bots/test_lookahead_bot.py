"""The two bots, each by itself: what they see, what they learn, and how well they play."""

import random
from typing import Literal

import pytest
from click.testing import CliRunner

from clients.bots.__main__ import main
from clients.bots.lookahead_bot import Thought
from clients.bots.prediction import UNSEEN, Habits, after
from clients.bots.random_bot import MOST_MOVES, Chance
from clients.bots.runner import BOTS
from clients.sdk.moves import Joint, Transfer, Verb, parse_move
from clients.sdk.session import DOWN, Session
from clients.wire.bodies import PilePlace
from engine import slugs
from tests.bots.simulated_games import LONGEST, played

Role = Literal["stock", "waste", "foundation", "tableau", "reserve", "discard"]
BUILT = ("anna", "house-on-the-hill", "olga", "sultan", "two-rings")
"""Games in which cards are built upon each other, and thought helps."""


def place(name: str, role: Role, group: str | None = None) -> PilePlace:
    return PilePlace(name=name, group=group or name, role=role, x=0, y=0, turn=0, spread="none")


PLACES = [
    place("foundation", "foundation"),
    *(place(f"tableau.{number}", "tableau", "tableau") for number in range(4)),
    place("stock", "stock"),
]
TABLE = {
    "foundation": ("AH",),
    "tableau.0": (DOWN, "2H"),
    "tableau.1": ("9S", "8H"),
    "tableau.2": ("9C",),
    "tableau.3": (),
    "stock": (DOWN, DOWN),
}


def table(*moves: str, **piles: tuple[str, ...]) -> Session:
    """The table with these legal moves."""
    laid = TABLE | {name.replace("_", "."): pile for name, pile in piles.items()}
    return Session(sight="seat", piles=laid, moves=tuple(parse_move(move, laid) for move in moves))


@pytest.mark.parametrize("slug", slugs())
@pytest.mark.parametrize("name", BOTS)
def test_each_bot_comes_to_an_end_of_every_game_by_legal_moves(slug: str, name: str) -> None:
    _, moves = played(slug, name, 1)
    assert 0 < len(moves) < LONGEST


@pytest.mark.parametrize("slug", BUILT)
def test_thought_brings_more_cards_home_than_chance(slug: str) -> None:
    thought, chance = (sum(played(slug, name, number)[0] for number in range(2)) for name in ("thought", "chance"))
    assert thought > 1.3 * chance


def test_chance_plays_every_move_there_is_and_stops_when_there_have_been_enough() -> None:
    session = table("deal", "tableau.1/tableau.2")
    bot = Chance(PLACES, random.Random(3))
    assert {bot.choose(session) for _ in range(40)} == set(session.moves)
    assert bot.choose(Session(played=MOST_MOVES, moves=session.moves)) is None
    assert bot.choose(Session()) is None


def test_thought_brings_a_card_home_rather_than_move_it_about() -> None:
    session = table("deal", "tableau.1/tableau.2", "tableau.0/foundation")
    assert str(Thought(PLACES, random.Random(3)).choose(session)) == "tableau.0/foundation"


def test_thought_plays_a_move_for_what_it_opens() -> None:
    piles = {"tableau_0": ("3S", "8D"), "foundation": ("AS", "2S"), "tableau_3": ("3H",)}
    session = table("tableau.1/tableau.2", "tableau.0/tableau.2", **piles)
    bot = Thought(PLACES, random.Random(3))
    bot.choose(table("tableau.3/foundation", tableau_3=("2S",), foundation=("AS",)))
    assert [str(bot.choose(session)) for _ in range(5)] == ["tableau.0/tableau.2"] * 5


def test_thought_does_not_go_back_to_where_it_was() -> None:
    bot = Thought(PLACES, random.Random(3))
    assert str(bot.choose(table("tableau.1/tableau.2"))) == "tableau.1/tableau.2"
    moved = table("tableau.2/tableau.1", tableau_1=("9S",), tableau_2=("9C", "8H"))
    assert bot.choose(moved) is None


def test_thought_gives_up_when_nothing_becomes_better() -> None:
    bot, session = Thought(PLACES, random.Random(3)), table("deal")
    asked = [bot.choose(session) for _ in range(200)]
    assert asked[0] == Verb("deal")
    assert asked[-1] is None


def test_what_a_move_does_is_foreseen_as_far_as_it_can_be_seen() -> None:
    assert after(TABLE, Transfer("", "tableau.0", "foundation", 1), None) == {
        "tableau.0": (UNSEEN,),
        "foundation": ("AH", "2H"),
    }
    assert after(TABLE, Joint("", ("tableau.1", "tableau.2"), exchange=True), None) == {
        "tableau.1": ("9S", "9C"),
        "tableau.2": ("8H",),
    }
    assert after(TABLE, Joint("", ("tableau.1", "tableau.2"), exchange=False), "foundation") == {
        "tableau.1": ("9S",),
        "tableau.2": (),
        "foundation": ("AH", "8H", "9C"),
    }
    assert after(TABLE, Verb("deal"), None) is None


def test_what_may_be_laid_on_what_is_learnt_from_legal_moves() -> None:
    habits = Habits(PLACES)
    piles = TABLE | {"tableau.3": ("7S",)}
    assert list(habits.opened(piles, piles)) == []
    habits.learn([parse_move("tableau.1/tableau.2", TABLE)], TABLE)
    assert [move.text for move in habits.opened(piles, piles)] == ["tableau.1/tableau.2", "tableau.3/tableau.1"]
    assert [move.text for move in habits.opened(piles, ["tableau.3"])] == ["tableau.3/tableau.1"]


@pytest.mark.parametrize(
    ("arguments", "said"),
    [
        (["http://127.0.0.1:1", "--token", "cadogan_none"], "Error: http://127.0.0.1:1 does not answer"),
        (["http://", "--token", "cadogan_none"], "Error: 'http://' is no server's address"),
        (["http://127.0.0.1:1"], "Missing option '--token'"),
        (["http://127.0.0.1:1", "--token", "cadogan_none", "--bot", "oracle"], "'oracle' is not one of"),
    ],
)
def test_what_keeps_a_bot_from_playing_is_said(arguments: list[str], said: str) -> None:
    ran = CliRunner(env={"CADOGAN_TOKEN": None}).invoke(main, arguments)
    assert ran.exit_code != 0
    assert said in ran.output
