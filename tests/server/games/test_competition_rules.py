"""Which competition a game belongs to, and which competitions fit beside each other."""

import pytest
from msgspec import structs

from cadogan.server.core.games.competition_rules import CompetitionRules, UnknownCompetition
from cadogan.server.subjects.known_rules import known_rules
from tests.harness.game_steps import DAY, dealt


class Rules(CompetitionRules):
    def __init__(self, key: str) -> None:
        self.key = key


def test_a_game_belongs_to_the_competition_that_its_deal_names_and_to_none_beside() -> None:
    rules = known_rules()
    rules.add(tombola := Rules("tombola"))
    named = structs.replace(dealt("klondike", DAY), competition="tombola", about="a")
    assert rules.rules_of(named) is tombola
    assert rules.board_day(named) is None
    assert rules.rules_of(dealt("klondike", DAY)).key == "daily"
    assert rules.rules_of(structs.replace(dealt("klondike"), race="r")).key == "race"
    assert rules.rules_of(dealt("klondike")).key == "casual"


@pytest.mark.parametrize("day", [None, DAY])
def test_a_game_of_a_competition_that_is_not_here_is_of_no_other(day: str | None) -> None:
    with pytest.raises(UnknownCompetition, match="'tombola': is it installed"):
        known_rules().rules_of(structs.replace(dealt("klondike", day), competition="tombola"))


@pytest.mark.parametrize("key", ["game", "match", "house", "practice", "", "a", "Tombola", "tom-bola", "a" * 21])
def test_a_key_that_cannot_stand_in_the_names_of_streams_is_refused(key: str) -> None:
    with pytest.raises(ValueError, match="cannot have the key"):
        known_rules().add(Rules(key))


@pytest.mark.parametrize("key", ["casual", "daily", "race", "tombola"])
def test_two_competitions_with_one_key_are_refused(key: str) -> None:
    rules = known_rules()
    rules.add(Rules("tombola"))
    with pytest.raises(ValueError, match="two competitions"):
        rules.add(Rules(key))
