"""The rules in brief, as sentences made from a declaration."""

import pytest

import engine
from engine.brief import brief_rules

NOTHING_IN_DATA = ("great-thirteen", "maze", "maze-wraparound")
"""Games whose every rule is a function: only their pages tell them."""


def said(slug: str) -> dict[str, str]:
    """What is said of each group of piles."""
    lines = brief_rules(engine.game(slug))
    return {" and ".join(line.groups): " ".join(map(str, line.sentences)) for line in lines}


@pytest.mark.parametrize("slug", engine.slugs())
def test_every_group_that_is_named_exists_and_nothing_is_said_twice(slug: str) -> None:
    game = engine.game(slug)
    lines = brief_rules(game)
    named = [group for line in lines for group in line.groups]
    assert len(set(named)) == len(named)
    assert set(named) <= {group.name for group in game.declaration.groups}
    assert bool(lines) == (slug not in NOTHING_IN_DATA)
    for line in lines:
        assert len(set(map(str, line.sentences))) == len(line.sentences)


def test_foundations_that_differ_are_counted() -> None:
    assert said("two-rings")["foundation"] == "8 piles: Build up in suit. 8 piles: Build down in suit."


def test_groups_with_the_same_rules_stand_together() -> None:
    assert said("kings")["left and right"] == "Build up or down in any suit. Any card goes on an empty place."


def test_a_relation_that_ends_early_is_said_like_one_that_goes_on() -> None:
    assert said("shah")["foundation"] == "Build up in suit."


def test_a_place_that_is_open_only_at_times_is_not_said_to_be_open() -> None:
    assert "reserve" not in said("besieged-city")
