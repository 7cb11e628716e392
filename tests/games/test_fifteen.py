"""The Fifteen: when the grace is granted."""

from tests.games.position import Position

ACE, KING = "4C 9D JH 2S 8C AS 5D", "3D 6S TC 7H 2D KH 9C"


def graces(piles: dict[str, str], **counters: int) -> set[str]:
    return {move for move in Position("fifteen", piles, **counters).legal if move.startswith("grace")}


def test_the_grace_takes_an_ace_or_a_king_or_one_of_each() -> None:
    piles = {"tableau.0": ACE, "tableau.3": KING, "tableau.7": ACE}
    one = {f"grace/tableau.{number}" for number in (0, 3, 7)}
    assert graces(piles) == one | {"grace/tableau.0+tableau.3", "grace/tableau.3+tableau.7"}


def test_the_grace_is_granted_once_and_only_before_the_game_is_begun() -> None:
    assert graces({"tableau.0": ACE}, graces=0) == set()
    assert graces({"tableau.0": ACE, "foundation.6": "KD"}) == set()
    assert graces({"tableau.0": ACE, "tableau.1": "2C KC"}) == set()
    assert graces({"tableau.0": ACE, "tableau.1": "2C AC"}) == set()


def test_the_sixth_card_is_counted_from_the_head_of_the_column() -> None:
    position = Position("fifteen", {"tableau.0": ACE + " 6D 7D"}).play("grace/tableau.0")
    assert (position["tableau.0"], position["foundation.0"]) == ("4C 9D JH 2S 8C 5D 6D 7D", "AS")
    assert graces({"tableau.0": "4C 9D JH 2S AS 8C 5D"}) == set()


def test_a_second_king_ends_an_ascending_foundation() -> None:
    queens = {"foundation.0": "JS QS", "foundation.4": "KS", "tableau.0": "KS"}
    assert Position("fifteen", queens).legal == {"tableau.0/foundation.0"}
