"""The rules in brief, as sentences made from a declaration."""

import pytest

from cadogan import engine
from cadogan.engine.brief import brief_rules


def said(slug: str) -> dict[str, str]:
    """What is said of each group of piles."""
    lines = brief_rules(engine.game(slug))
    return {" and ".join(line.groups): " ".join(map(str, line.sentences)) for line in lines}


def test_every_group_that_is_named_exists_and_nothing_is_said_twice() -> None:
    for slug, game in engine.all_games().items():
        lines = brief_rules(game)
        named = [group for line in lines for group in line.groups]
        assert len(set(named)) == len(named), slug
        assert set(named) <= {group.name for group in game.declaration.groups}, slug
        assert lines, slug
        assert [line for line in lines if len(set(map(str, line.sentences))) != len(line.sentences)] == [], slug


def test_foundations_that_differ_are_counted() -> None:
    assert said("two-rings")["foundation"] == "8 piles: Build up in suit. 8 piles: Build down in suit."


def test_groups_with_the_same_rules_stand_together() -> None:
    assert said("kings")["left and right"] == "Build up or down in any suit. Any card goes on an empty place."


def test_a_relation_that_ends_early_is_said_like_one_that_goes_on() -> None:
    assert said("shah")["foundation"] == "Build up in suit."


@pytest.mark.parametrize(
    ("slug", "group", "sentences"),
    [
        ("kings", "left and right", "Any card goes on an empty place."),
        ("general-sedgewick", "cross", "An empty place is filled from: waste."),
        ("queens", "shutter", "An empty place is filled from: stock, waste."),
        ("olga", "bed", "An empty place is filled from: bed."),
        ("constitution", "lords", "An empty place is filled from: commons."),
        ("la-belle-lucie", "tableau", "You cannot lay a card on an empty place."),
    ],
)
def test_an_empty_place_takes_what_its_routes_bring(slug: str, group: str, sentences: str) -> None:
    assert said(slug)[group].endswith(sentences)


def test_what_functions_do_is_said_by_the_declaration_itself() -> None:
    assert said("clock")["circle"] == (
        "Build down in suit; the king follows the ace. A packet of fewer than three cards takes none."
    )
    assert said("nestor")[""].startswith("Take two cards of the same rank.")
    assert said("nestor")["stock"] == "Tap it to deal. It is closed while a pair can be taken."
    assert said("olga")["foundation"] == "Begin with an ace. Build up in suit; the seven follows the ace."


def test_a_declaration_names_only_its_own_groups_in_brief() -> None:
    for slug in engine.slugs():
        declaration = engine.game(slug).declaration
        assert set(declaration.in_brief) - {""} <= {group.name for group in declaration.groups}


def test_cards_that_are_gathered_and_dealt_again_are_told_of_the_table() -> None:
    assert said("la-belle-lucie")[""] == "The cards may be taken up and dealt again. Redeals: 2."
    assert "" not in said("klondike")


def test_a_place_that_is_open_only_at_times_is_not_said_to_be_open() -> None:
    assert "reserve" not in said("besieged-city")
