"""The words for the piles and verbs of the games in the languages of the web client.

A pile or a verb without a word is shown by its own name, which is English. So a new game needs no words. A language
that has the rules page of a game has the words for its piles and verbs, too.
"""

import json
from functools import cache
from pathlib import Path

import pytest

from cadogan import engine
from cadogan.engine import Game
from cadogan.engine.rule_pages import ENGLISH, list_languages, read_rule_page

LANGUAGES = Path(__file__).parents[2] / "clients/web/languages"
SIGNS = {"+", "~"}
"""The verbs that are shown by words of their own in every game."""
ROLES = ("stock", "waste", "foundation", "tableau", "reserve", "discard")


@cache
def words(language: str) -> dict[str, dict[str, object]]:
    """The sections of the file of a language."""
    sections: dict[str, dict[str, object]] = json.loads((LANGUAGES / f"{language}.json").read_text("utf-8"))["words"]
    return sections


def is_translated(slug: str, language: str) -> bool:
    """Whether a language has the rules page of a game; English counts as such once any other has it."""
    others = [each for each in list_languages() if each != ENGLISH]
    wanted = others if language == ENGLISH else [language]
    return any(read_rule_page(slug, each).language == each for each in wanted)


def verbs(game: Game) -> set[str]:
    """The verbs of a game that are words."""
    actions = {action.verb for action in game.declaration.actions}
    return actions | {special.verb for special in game.declaration.specials} - SIGNS


def missing_words(game: Game, language: str) -> list[str]:
    """The words for the piles and verbs of a game that the file of a language lacks."""
    piles = {group.name for group in game.declaration.groups} - words(language)["piles"].keys()
    moves = {f"verb_{verb}" for verb in verbs(game)} - words(language)["moves"].keys()
    return [*(f"piles.{name}" for name in sorted(piles)), *(f"moves.{name}" for name in sorted(moves))]


@pytest.mark.parametrize("language", list_languages())
def test_a_language_that_has_the_page_of_a_game_has_its_words(language: str) -> None:
    missing = {slug: lacked for slug, game in engine.all_games().items() if (lacked := missing_words(game, language))}
    wanted = {slug: lacked for slug, lacked in missing.items() if is_translated(slug, language)}
    assert wanted == {}, f"add these words to clients/web/languages/{language}.json"
    if missing:
        pytest.xfail(f"no words yet in clients/web/languages/{language}.json: {missing}")


def test_the_word_for_a_pile_is_a_word_and_no_sentence_of_the_client() -> None:
    named = {(slug, group.name) for slug, game in engine.all_games().items() for group in game.declaration.groups}
    found = {(slug, name): words(ENGLISH)["piles"].get(name, name) for slug, name in named}
    taken = [pile for pile, word in found.items() if not isinstance(word, str) or "{" in word]
    assert taken == [], "a game cannot name a group so: the client has another text there"


@pytest.mark.parametrize("language", list_languages())
def test_every_role_of_a_pile_has_its_word(language: str) -> None:
    assert {f"role_{role}" for role in ROLES} == {key for key in words(language)["piles"] if key.startswith("role_")}
    assert {group.role for game in engine.all_games().values() for group in game.declaration.groups} <= set(ROLES)


@pytest.mark.parametrize("language", list_languages())
def test_no_word_is_kept_for_a_verb_that_no_game_has(language: str) -> None:
    known = {f"verb_{verb}" for game in engine.all_games().values() for verb in verbs(game)}
    assert {key for key in words(language)["moves"] if key.startswith("verb_")} <= known


@pytest.mark.parametrize("language", list_languages())
def test_a_word_for_a_pile_in_one_game_is_for_a_pile_that_the_game_has(language: str) -> None:
    known = {f"{group.name}@{game.slug}" for game in engine.all_games().values() for group in game.declaration.groups}
    own = {name for name in words(language)["piles"] if "@" in name}
    assert own <= known
    assert own == {name for name in words(ENGLISH)["piles"] if "@" in name}
