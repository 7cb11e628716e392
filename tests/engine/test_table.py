"""The table records exactly what it does, and refuses what cannot be done."""

import pytest

from cadogan import engine
from cadogan.engine import BrokenEffect, State, UnreadablePosition
from cadogan.engine.effects import KEPT, REVERSED, Redealt
from cadogan.engine.table import Table

KLONDIKE = engine.game("klondike")
PILES = {"tableau.0": ["-KD", "8S", "7H"], "tableau.1": ["9H"], "waste": ["KS", "7D"], "stock": ["-4C"]}


def position() -> State:
    return KLONDIKE.read_state(PILES)


def folded(*effects: str) -> dict[str, list[str]]:
    return KLONDIKE.write_piles(KLONDIKE.fold(position(), [KLONDIKE.parse_effect(effect) for effect in effects]))


def test_a_moved_card_lies_face_up_or_down_as_its_new_pile_requires() -> None:
    assert folded("moved stock waste 1")["waste"] == ["KS", "7D", "4C"]
    assert folded("moved waste stock 1")["stock"] == ["-4C", "-7D"]


def test_several_cards_keep_their_order() -> None:
    assert folded("moved tableau.0 tableau.1 2")["tableau.1"] == ["9H", "8S", "7H"]


def test_a_waste_turned_over_is_drawn_from_its_bottom() -> None:
    assert folded("redealt waste:0 stock:3 reversed")["stock"] == ["-4C", "-7D", "-KS"]


def test_top_cards_change_places() -> None:
    piles = folded("exchanged tableau.0 waste")
    assert (piles["tableau.0"][-1], piles["waste"][-1]) == ("7D", "7H")


@pytest.mark.parametrize(
    "effect",
    [
        "moved waste tableau.1 3",
        "moved waste waste 1",
        "moved waste tableau.1 0",
        "turned tableau.1 4 up",
        "exchanged tableau.6 waste",
        "redealt waste:0 stock:2 kept",
        "redealt waste:0 stock:3 0,1,1",
        "redealt waste:-1 stock:4 kept",
        "redealt waste:1 waste:2 kept",
    ],
)
def test_an_effect_that_cannot_have_happened_here_is_refused(effect: str) -> None:
    with pytest.raises(BrokenEffect):
        folded(effect)


@pytest.mark.parametrize(
    "text",
    [
        "",
        "moved",
        "moved waste nowhere 1",
        "moved waste stock x",
        "turned waste 0 sideways",
        "counted redeals 1",
        "won",
    ],
)
def test_a_text_that_is_no_effect_of_the_game_is_refused(text: str) -> None:
    with pytest.raises(BrokenEffect, match="no effect of this game"):
        KLONDIKE.parse_effect(text)


def test_the_public_text_of_a_shuffle_has_no_order() -> None:
    stock, waste = KLONDIKE.piles.index("stock"), KLONDIKE.piles.index("waste")
    effect = Redealt((waste, stock), (0, 3), (2, 0, 1))
    assert KLONDIKE.effect_text(effect) == "redealt waste:0 stock:3 2,0,1"
    assert KLONDIKE.public_effect_text(effect) == "redealt waste:0 stock:3"
    assert KLONDIKE.public_effect_text(effect._replace(order=REVERSED)) == "redealt waste:0 stock:3 reversed"


def test_turning_a_card_up_or_shuffling_reveals_something_and_moving_a_face_up_card_does_not() -> None:
    def reveals(*effects: str) -> bool:
        return KLONDIKE.reveals(position(), [KLONDIKE.parse_effect(effect) for effect in effects])

    assert reveals("turned tableau.0 0 up")
    assert reveals("moved stock waste 1")
    assert reveals("redealt waste:0 stock:3 2,0,1")
    assert not reveals("moved tableau.0 tableau.1 2", "redealt waste:0 stock:3 reversed")


def test_a_table_records_each_change_once() -> None:
    table = Table(position(), [name == "stock" for name in KLONDIKE.piles])
    index = KLONDIKE.piles.index
    table.turn(index("tableau.0"), 0)
    table.turn(index("tableau.0"), 0)
    table.redeal((index("waste"),), (2,), KEPT)
    assert len(table.effects) == 2
    assert table.before == position().piles


def test_a_position_that_names_a_pile_counter_or_card_that_the_game_lacks_is_refused() -> None:
    for piles, counters in (({"cellar": ["AS"]}, {}), ({}, {"redeals": 1}), ({"waste": ["XX"]}, {})):
        with pytest.raises(UnreadablePosition):
            KLONDIKE.read_state(piles, counters)


def test_a_card_turned_down_again_was_seen_all_the_same() -> None:
    table = Table(position(), [False] * len(KLONDIKE.piles))
    king = KLONDIKE.piles.index("tableau.0")
    table.turn(king, 0, up=True)
    assert table.revealed
    table.turn(king, 0, up=False)
    assert table.revealed
    face_down_only = Table(position(), [False] * len(KLONDIKE.piles))
    face_down_only.turn(king, 2, up=False)
    assert not face_down_only.revealed
