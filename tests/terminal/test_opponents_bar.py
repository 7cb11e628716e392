"""The line above the table that shows the progress of the other games."""

import json
import re
from pathlib import Path
from typing import Any

import pytest
from msgspec.structs import replace
from rich.text import Text

from cadogan.sdk import Client
from cadogan.sdk.game import Game
from cadogan.sdk.http import HttpClient
from cadogan.terminal.game.opponents_bar import format_opponents, watch_opponents
from cadogan.wire.game_examples import RACING
from cadogan.wire.messages import DayProgress
from cadogan.wire.values import Meter, Player, Racer, Reason, Status
from tests.sdk.server_messages import VIEW
from tests.terminal.offline_games import offline_game, receive

RACE_CASES: list[dict[str, Any]] = json.loads(
    (Path(__file__).parents[1] / "orders" / "race_order.json").read_text("utf-8")
)


class OfflineClient(Client):
    """A client that has the socket of an offline game."""

    def __init__(self, game: Game) -> None:
        super().__init__(HttpClient("http://nowhere.example"))
        self.socket = game.socket


def meter(name: str, home: int, status: Status = "playing", struck: Reason | None = None, **figures: int) -> Meter:
    """Return the progress of a player's game. The name is also the id of the game."""
    player = Player(id=name, name=name, guest=False)
    numbers = {"score": 0, "moves": 1, "milliseconds": 1} | figures
    return Meter(game=name, deal="d", player=player, home=home, status=status, ranked=True, struck=struck, **numbers)


def names(line: Text) -> list[str]:
    """Return the names on the line, in their order."""
    return [re.split(r" -?\d+ (?:home|of)", part)[0] for part in line.plain.split(" · ")]


def test_in_a_race_the_line_names_everybody_with_their_cards_home() -> None:
    line = format_opponents([meter("Bea", 7, "won"), meter("Ada", 3), meter("Cy", 0)], "Ada", None)
    assert line.plain == "Bea 7 home won · Ada 3 home · Cy 0 home"


def test_in_a_deal_of_the_day_the_line_names_everybody_with_their_score_out_of_its_maximum() -> None:
    line = format_opponents([meter("Bea", 7, "won", score=52), meter("Ada", 3, score=-4)], "Ada", 52)
    assert line.plain == "Bea 52 of 52 won · Ada -4 of 52"


def test_the_line_is_empty_without_an_opponent() -> None:
    assert format_opponents([meter("Ada", 3)], "Ada", None).plain == ""


def test_the_line_names_six_players_and_counts_the_others() -> None:
    crowd = [meter(f"P{number}", number) for number in range(9)]
    assert format_opponents(crowd, "", None).plain.endswith("P5 5 home · +3")


@pytest.mark.parametrize(
    "case", [case for case in RACE_CASES if len(case["results"]) > 1], ids=lambda case: case["name"]
)
async def test_the_line_of_a_running_race_has_the_order_of_its_results(case: dict[str, Any]) -> None:
    game = offline_game("quatorze", game=replace(VIEW.game, rules="quatorze", mode="race", race=RACING.race))
    lines: list[Text] = []
    watch_opponents(OfflineClient(game), game, lines.append)
    meters = [
        meter(row["id"], row["home"], row["result"], moves=row["moves"], milliseconds=row["milliseconds"])
        for row in case["results"]
    ]
    racers = [Racer(player=one.player, nonce="n", meter=one) for one in meters]
    receive(game, replace(RACING, racers=racers))
    assert names(lines[-1]) == case["order"]


async def test_the_line_of_a_deal_of_the_day_has_the_order_of_games_in_progress() -> None:
    game = offline_game("quatorze", game=replace(VIEW.game, rules="quatorze", day="2026-11-20", slot=1))
    lines: list[Text] = []
    stop = watch_opponents(OfflineClient(game), game, lines.append)
    games = [meter("Ada", 9, score=3), meter("Bea", 5, score=9), meter("Cy", 6, score=9, moves=0)]
    receive(game, DayProgress(day="2026-11-20", games=games))
    assert names(lines[-1]) == ["Cy", "Bea", "Ada"]
    receive(game, DayProgress(day="2026-11-20", games=[meter("Bea", 5, score=9, struck="cheating")]))
    assert names(lines[-1]) == ["Cy", "Ada"]
    receive(game, DayProgress(day="2026-11-20", games=[meter("Bea", 5, score=9)]))
    assert names(lines[-1]) == ["Cy", "Bea", "Ada"]
    stop()
    receive(game, DayProgress(day="2026-11-20", games=[meter("Dan", 9)]))
    assert names(lines[-1]) == ["Cy", "Bea", "Ada"]
