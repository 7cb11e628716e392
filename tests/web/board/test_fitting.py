"""Every game in real positions on real screens: nothing beyond the table or over another pile, nothing too small."""

from __future__ import annotations

import json
import os
import shutil
import subprocess
from itertools import chain
from pathlib import Path

import pytest

from cadogan.engine import Game, State, all_games
from cadogan.engine.layout import layout_as_dict
from tests.games.walks import eager_walk, random_walk

MOVES = 120
EVERY = 12
CHECK = Path(__file__).with_name("fitting.mjs")


def met(game: Game) -> list[State]:
    """The deal, then positions met in play: now and then one, and those with the longest pile of each group."""
    walks = chain(eager_walk(game, 1, MOVES), random_walk(game, 2, MOVES))
    states = [game.deal(bytes(32)), *(played.state for _, _, played in walks)]
    longest = [
        max(states, key=lambda state: max(len(state.piles[index]) for index in group))
        for group in game.declaration.groups
    ]
    return [*states[::EVERY], *longest]


@pytest.mark.slow
def test_every_game_fits_every_screen(tmp_path: Path) -> None:
    node = shutil.which("node")
    if node is None:
        leave_out = pytest.fail if os.environ.get("CADOGAN_REQUIRE_SERVICES") else pytest.skip
        leave_out("needs Node")
    games = {
        slug: {
            "layout": layout_as_dict(game.layout),
            "layouts": {shape: layout.as_dict() for shape, layout in game.layouts.items()},
            "positions": [game.view(state) for state in met(game)],
        }
        for slug, game in all_games().items()
    }
    file = tmp_path / "positions.json"
    file.write_text(json.dumps(games))
    answer = subprocess.run([node, str(CHECK), str(file)], capture_output=True, text=True, check=True)
    assert answer.stdout == ""
