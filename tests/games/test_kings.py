"""The Kings: the deal, which plays by itself."""

import engine
from engine.games.kings import wings
from engine.table import Table
from tests.games.position import Scene

ACES = {f"foundation.{number}": f"A{suit}" for number, suit in enumerate("SSHHDDCC")}


def dealt(words: str) -> Scene:
    """The wings dealt from these cards, the first one drawn first."""
    stock = " ".join("-" + word for word in reversed(words.split()))
    scene = Scene("kings", {**ACES, "stock": stock})
    game = engine.game("kings")
    table = Table(scene.state, [group.face_down for group in game.declaration.groups for _ in group])
    wings(table)
    scene.state = table.state()
    return scene


def test_a_card_played_in_the_deal_is_replaced_and_may_free_the_one_that_faces_it() -> None:
    scene = dealt("5S 3C 9D 9C 6S 2D 9S KD 7H 8H")
    assert scene["foundation.2"] == "AH 2D 3C"
    assert (scene["left.1"], scene["right.1"]) == ("KD", "9S")
    assert (scene["right.2"], scene["right.3"]) == ("7H", "8H")


def test_a_card_goes_to_the_lower_of_two_like_foundations_of_its_own_row_only() -> None:
    scene = dealt("5S 5H 2S 9C")
    assert (scene["foundation.4"], scene["foundation.5"]) == ("AD 2S", "AD")
    assert scene["left.2"] == "9C"


def test_the_last_card_of_all_is_not_played_in_the_deal() -> None:
    scene = dealt("5S 5H 5D 2C")
    assert scene["left.3"] == "2C"
    assert "left.3/foundation.0" in scene.legal


def test_the_columns_grow_outwards_on_either_side_by_turns() -> None:
    scene = dealt("5S 6S 7S 8S 9S TS JS QS 5H 6H")
    assert (scene["left.0"], scene["left.1"], scene["right.3"]) == ("5S 5H", "6S 6H", "QS")
