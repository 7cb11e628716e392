"""Who may see what."""

from itertools import product

import pytest

from cadogan.server.core.games.visibility import (
    AccessLevel,
    Relation,
    access_level_of,
    may_have_record,
    may_practise,
    must_log_view,
)

EVERY = [Relation(*flags) for flags in product((False, True), repeat=6)]


def test_the_player_of_a_game_always_sees_it_from_the_seat() -> None:
    assert {access_level_of(one) for one in EVERY if one.own} == {AccessLevel.SEAT}


def test_a_game_whose_deal_nobody_else_plays_is_seen_as_a_board() -> None:
    assert {access_level_of(one) for one in EVERY if not one.own and not one.shared} == {AccessLevel.BOARD}


def test_when_the_day_or_the_race_is_over_everybody_sees_everything() -> None:
    assert {access_level_of(one) for one in EVERY if not one.own and one.public} == {AccessLevel.BOARD}


SHARED = Relation(shared=True)


@pytest.mark.parametrize(
    ("viewer", "seen"),
    [
        (SHARED, AccessLevel.PROGRESS),
        (SHARED._replace(finished=True), AccessLevel.BOARD),
        (SHARED._replace(spoiled=True), AccessLevel.BOARD),
        (SHARED._replace(finished=True, newcomer=True), AccessLevel.PROGRESS),
        (SHARED._replace(spoiled=True, newcomer=True), AccessLevel.PROGRESS),
        (SHARED._replace(newcomer=True), AccessLevel.PROGRESS),
        (SHARED._replace(newcomer=True, public=True), AccessLevel.BOARD),
    ],
)
def test_a_shared_deal_is_a_meter_until_ones_own_run_is_over_and_for_newcomers_until_it_is_everybodys(
    viewer: Relation, seen: AccessLevel
) -> None:
    assert access_level_of(viewer) is seen


def test_what_must_log_view_is_a_board_of_anothers_game_whose_deal_is_not_everybodys() -> None:
    others = [one for one in EVERY if one.shared and not one.own and not one.public]
    assert [one for one in EVERY if must_log_view(one)] == [
        one for one in others if access_level_of(one) is AccessLevel.BOARD
    ]
    assert must_log_view(SHARED._replace(finished=True))


def test_practice_is_allowed_when_the_deal_can_no_longer_be_ranked() -> None:
    assert not may_practise(SHARED)
    assert not may_practise(SHARED._replace(newcomer=True))
    for gone in ("public", "finished", "spoiled"):
        assert may_practise(SHARED._replace(**{gone: True}))
        assert may_practise(SHARED._replace(newcomer=True, **{gone: True})) is (gone == "public")


def test_a_record_is_available_after_the_game_or_the_competition_of_a_shared_deal() -> None:
    assert may_have_record(shared=False, public=False, over=True)
    assert not may_have_record(shared=False, public=False, over=False)
    assert may_have_record(shared=True, public=True, over=False)
    assert not may_have_record(shared=True, public=False, over=True)
