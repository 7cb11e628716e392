"""Sly: the opening deal, rounds of twenty, and places between them."""

from cadogan import engine
from cadogan.engine.cards import card_text
from cadogan.engine.shuffle import draw_order
from tests.games.position import Position
from tests.games.walks import seed

SPADES = {"foundation.0": "AS 2S 3S 4S 5S 6S", "foundation.4": "KS QS JS TS 9S 8S"}


def test_the_opening_deal_lays_twenty_cards_one_to_a_heap() -> None:
    game = engine.game("sly")
    for number in range(40):
        state = game.deal(seed(number))
        piles = dict(zip(game.piles, state.piles, strict=True))
        assert state.counters == (1, 0)
        assert all(len(piles[f"promenade.{heap}"]) == 1 for heap in range(20))
        assert len(piles["stock"]) + game.score(state) == 84
        assert "deal" in set(map(str, game.legal_moves(state)))


def test_a_card_of_the_opening_deal_that_fits_two_foundations_waits_for_the_player() -> None:
    position = Position("sly", {**SPADES, "waste": "7S", "promenade.0": "9H", "stock": "-4C -8S -AH -5D"}, left=2)
    assert position.legal == {"waste/foundation.0", "waste/foundation.4"}
    position.play("waste/foundation.0")
    assert (position["promenade.1"], position["promenade.2"], position.counter("left")) == ("5D", "4C", 0)
    assert (position["foundation.0"], position["foundation.1"]) == ("AS 2S 3S 4S 5S 6S 7S 8S", "AH")


def test_an_opening_deal_ends_with_the_stock() -> None:
    position = Position("sly", {**SPADES, "waste": "7S", "stock": "-5D"}, left=9).play("waste/foundation.4")
    assert (position["promenade.0"], position.counter("left")) == ("5D", 0)


def test_the_second_ace_of_a_suit_is_an_ordinary_card() -> None:
    position = Position("sly", {"foundation.0": "AS", "promenade.3": "9H", "stock": "-4C -AS"}).play("deal")
    assert position["waste"] == "AS"
    assert position.legal == {f"waste/promenade.{heap}" for heap in range(20)}


def test_a_deal_ends_with_its_twentieth_card() -> None:
    position = Position("sly", {"promenade.3": "9H", "waste": "5C", "stock": "-4C -3C"}, deals=2, left=1)
    position.play("waste/promenade.3")
    assert (position["waste"], position.counter("left")) == ("", 0)
    assert position.play("deal").counter("deals") == 3


def test_a_deal_ends_with_the_stock_even_when_its_last_card_is_played() -> None:
    position = Position("sly", {"foundation.2": "AD", "waste": "2D", "promenade.3": "3D"}, deals=2, left=17)
    assert position.play("waste/foundation.2").counter("left") == 0
    assert position.legal == {"promenade.3/foundation.2"}


def test_a_deal_of_base_cards_only_is_over_at_once() -> None:
    position = Position("sly", {"promenade.3": "3D", "stock": "-KD -AD"}).play("deal")
    assert (position["foundation.2"], position["foundation.6"], position.counter("left")) == ("AD", "KD", 0)


def test_a_place_for_which_only_base_cards_are_turned_stays_empty() -> None:
    position = Position("sly", {"foundation.2": "AD", "promenade.3": "2D", "stock": "-KD -AS"}).play(
        "promenade.3/foundation.2"
    )
    assert (position["promenade.3"], position["foundation.0"], position["foundation.6"]) == ("", "AS", "KD")


def test_a_place_emptied_by_an_earlier_play_is_not_filled_later() -> None:
    position = Position("sly", {"foundation.2": "AD", "promenade.3": "3D 2D", "stock": "-9C"}).play(
        "promenade.3/foundation.2"
    )
    assert (position["promenade.0"], position["promenade.3"], position["stock"]) == ("", "3D", "-9C")


def test_the_opening_deal_lays_the_shuffled_pack_in_order_but_for_what_fits_one_foundation() -> None:
    game = engine.game("sly")
    for number in range(60):
        pack = [card_text(card) for card in game.declaration.pack]
        shuffled = [pack[place] for place in draw_order(len(pack), seed(number), "deal")]
        foundations, heaps, waiting, stock = deal_by_hand(shuffled)
        piles = game.write_piles(game.deal(seed(number)))
        assert [piles.get(f"promenade.{heap}") for heap in range(len(heaps))] == [[card] for card in heaps]
        assert [piles.get(f"foundation.{line}", []) for line in range(8)] == foundations
        assert piles.get("waste", []) == waiting
        assert piles["stock"] == [f"-{card}" for card in stock]


def deal_by_hand(pack: list[str]) -> tuple[list[list[str]], list[str], list[str], list[str]]:
    """The foundations, the heaps, the card that waits and the stock after the opening deal; the last card is on top."""
    ranks, suits = "A23456789TJQK", "SHDC"
    foundations: list[list[str]] = [[] for _ in range(8)]
    heaps: list[str] = []
    while len(heaps) < 20 and pack:
        card = pack.pop()
        suit, value = suits.index(card[1]), ranks.index(card[0])
        rising, falling = foundations[suit], foundations[suit + 4]
        homes = [
            line
            for line, begins, step in ((rising, 0, 1), (falling, 12, -1))
            if value == (begins if not line else ranks.index(line[-1][0]) + step)
        ]
        if len(homes) > 1:
            return foundations, heaps, [card], pack
        if homes:
            homes[0].append(card)
        else:
            heaps.append(card)
    return foundations, heaps, [], pack
