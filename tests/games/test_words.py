"""Every pile and verb of every game has its word in the page's own language, from which the others are translated."""

from __future__ import annotations

import json
from pathlib import Path

import pytest

from engine.declaration import Declaration
from engine.game import Game
from engine.registry import all_games

ENGLISH = Path(__file__).parents[2] / "clients/web/languages/en.json"
SIGNS = ("+", "~")


@pytest.fixture(scope="module")
def words() -> dict[str, dict[str, object]]:
    """The sections of the English file."""
    loaded: dict[str, dict[str, object]] = json.loads(ENGLISH.read_text("utf-8"))["words"]
    return loaded


def verbs(declaration: Declaration) -> set[str]:
    """The verbs of a game's own."""
    actions = {action.verb for action in declaration.actions}
    return actions | {special.verb for special in declaration.specials} - set(SIGNS)


@pytest.mark.parametrize("game", all_games().values(), ids=all_games().keys())
def test_every_pile_role_and_verb_of_a_game_has_its_word(game: Game, words: dict[str, dict[str, object]]) -> None:
    piles = {pile.group for pile in game.layout} | {f"role_{pile.role}" for pile in game.layout}
    assert piles <= words["piles"].keys()
    assert {f"verb_{verb}" for verb in verbs(game.declaration)} <= words["moves"].keys()


def test_no_word_is_kept_for_a_verb_that_no_game_has(words: dict[str, dict[str, object]]) -> None:
    known = {f"verb_{verb}" for game in all_games().values() for verb in verbs(game.declaration)}
    assert {key for key in words["moves"] if key.startswith("verb_")} == known
