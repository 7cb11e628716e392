"""The work for a field of thousands grows with its size, not with the number of its pairs."""

from collections.abc import Callable
from typing import Any

import pytest

from cadogan.server.core.scoring import forms
from cadogan.server.core.scoring.deals import run_key
from cadogan.server.subjects.evenings.evening_events import Announced, PlannedRound
from cadogan.server.subjects.evenings.evening_state import EveningState
from cadogan.server.subjects.evenings.standing import make_runs
from cadogan.wire.values import Player

RUNS = 2_000
OPENS, CLOSES = 1_000, 601_000


def make_form(scores: list[int]) -> forms.Evening:
    """An evening of one round with a run for each of these scores."""
    return forms.Evening(
        format="cadogan evening 1",
        evening="large",
        settings=forms.EveningSettings(),
        rounds=[forms.Round(1, "first", "deal", OPENS, CLOSES, "klondike", "gentle")],
        entrants=[forms.Entrant(f"player-{number}", OPENS) for number in range(len(scores))],
        runs=[
            forms.Run(f"run-{number}", "deal", f"player-{number}", OPENS, CLOSES, "lost", score, score, 10, CLOSES)
            for number, score in enumerate(scores)
        ],
    )


def make_state() -> EveningState:
    """The announcement of the same evening."""
    one = PlannedRound(1, "first", "deal", "klondike", "gentle", "", OPENS, CLOSES)
    return EveningState(stream="evening/large").apply(
        Announced("Large", "leader", "all", forms.EveningSettings(), (one,), 0, 30), 0
    )


def name(player: str) -> Player:
    """A guest with this id as name."""
    return Player(id=player, name=player, guest=True)


def test_runs_of_a_round_are_ranked_with_equal_ones_beside_each_other() -> None:
    shown = make_runs(make_state(), make_form([5, 9, 5, 1]), 1, name).runs
    assert [(one.score, one.beaten, one.equal) for one in shown] == [(9, 3, 0), (5, 1, 1), (5, 1, 1), (1, 0, 0)]


def test_the_runs_of_a_round_are_not_compared_in_pairs(monkeypatch: pytest.MonkeyPatch) -> None:
    compared = 0

    class Counted(tuple[int, ...]):
        """The key of a run, which counts how often it is compared."""

        def __lt__(self, other: Any) -> bool:
            nonlocal compared
            compared += 1
            return super().__lt__(other)

        def __gt__(self, other: Any) -> bool:
            nonlocal compared
            compared += 1
            return super().__gt__(other)

    key: Callable[..., tuple[int, ...]] = run_key
    where = "cadogan.server.subjects.evenings.standing.run_key"
    monkeypatch.setattr(where, lambda run, **how: Counted(key(run, **how)))
    make_runs(make_state(), make_form([number * 7919 % 53 for number in range(RUNS)]), 1, name)
    assert RUNS <= compared < 100 * RUNS
