"""The Herring-Bone: bases, corners and changes of side."""

from cadogan import engine
from cadogan.engine.cards import FACE
from tests.games.position import Position
from tests.games.walks import seed


def test_a_card_may_change_between_two_foundations_but_a_base_card_stays() -> None:
    position = Position("herring-bone", {"ascending.0": "8S 9S TS", "descending.0": "8S 7S", "waste": "2C"})
    assert "ascending.0/descending.0" not in position.legal
    turned = Position("herring-bone", {"ascending.0": "8S 9S TS JS QS KS AS 2S 3S 4S 5S 6S", "descending.0": "8S 7S"})
    turned.play("descending.0/ascending.0", "ascending.0/descending.0", "descending.0/ascending.0")
    assert turned["descending.0"] == "8S"
    assert turned.legal == {"ascending.0/descending.0"}


def test_thirteen_cards_fill_a_foundation() -> None:
    whole = "8S 9S TS JS QS KS AS 2S 3S 4S 5S 6S 7S"
    assert Position("herring-bone", {"ascending.0": whole, "bars.0": "8S"}).legal == {"bars.0/descending.0"}
    assert Position("herring-bone", {"ascending.0": whole, "descending.0": "8S", "bars.0": "8S"}).legal == {
        "ascending.0/descending.0"
    }


def test_any_begun_foundation_shows_the_base_rank() -> None:
    position = Position(
        "herring-bone", {"descending.3": "5C 4C", "scenes.0": "5H", "scenes.1": "4H", "waste": "5C"}, redeals=0
    )
    opened = {"scenes.0/ascending.1", "scenes.0/descending.1", "waste/ascending.3"}
    assert position.legal == opened | {f"waste/scenes.{number}" for number in range(2, 8)}


def test_when_the_bone_is_gone_a_bar_stays_empty_and_the_waste_does_not_fill_it() -> None:
    position = Position("herring-bone", {"ascending.0": "8S", "bars.0": "9S", "waste": "2C", "stock": "-3C"})
    position.play("bars.0/ascending.0")
    assert position["bars.0"] == ""
    assert "waste/bars.0" not in position.legal


def test_the_german_bone_holds_no_two_like_cards() -> None:
    game = engine.game("herring-bone-german")
    bone = game.piles.index("bone")
    assert all(len({card & FACE for card in game.deal(seed(number)).piles[bone]}) == 28 for number in range(30))
