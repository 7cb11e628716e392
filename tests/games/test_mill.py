"""The Mill: kings, fillings and the transfer."""

from cadogan import engine
from cadogan.engine.cards import rank
from tests.games.position import Position
from tests.games.walks import seed

KINGS = {"kings.0": "KS", "kings.1": "KH", "kings.2": "KD", "kings.3": "KC"}
SAILS = {f"sails.{number}": f"{rank}H" for number, rank in enumerate("5566778T")}


def test_no_sail_holds_a_king_after_the_deal_while_an_angle_is_open() -> None:
    game = engine.game("mill")
    for number in range(40):
        piles = game.deal(seed(number)).piles
        assert len(piles[13]) + sum(map(len, piles[1:5])) == 95
        assert all(rank(pile[-1]) < 13 for pile in piles[5:13])


def test_a_king_turned_on_the_waste_goes_to_an_open_angle() -> None:
    position = Position("mill", {**SAILS, "centre": "AS", "kings.0": "KS", "stock": "-3C -KD"}).play("deal")
    assert (position["kings.1"], position["waste"]) == ("KD", "")


def test_a_king_chosen_for_a_sail_goes_on_to_an_angle_and_the_sail_must_be_filled_again() -> None:
    piles = {**SAILS, "sails.3": "", "centre": "AS", "kings.0": "KS", "waste": "9S", "stock": "-3C -KD"}
    position = Position("mill", piles).play("stock/sails.3")
    assert position["kings.1"] == "KD"
    assert position.legal == {"stock/sails.3", "waste/sails.3"}


def test_the_lowest_empty_sail_is_filled_first() -> None:
    position = Position("mill", {**SAILS, **KINGS, "sails.6": "", "sails.2": "", "waste": "9S 9C", "stock": "-3C -4D"})
    assert position.legal == {"stock/sails.2", "waste/sails.2"}
    assert position.play("stock/sails.2").legal == {"stock/sails.6", "waste/sails.6"}


def test_when_no_angle_is_open_a_king_goes_to_the_centre_and_an_ace_follows_it() -> None:
    centre = "AS 2S 3S 4S 5S 6S 7S 8S 9S TS JS QS"
    position = Position("mill", {**KINGS, "centre": centre, "sails.0": "KS", "sails.1": "AC", "waste": "2D"})
    position.play("sails.0/centre", "sails.1/centre")
    assert position["centre"].endswith("QS KS AC")


def test_a_transfer_needs_a_card_that_can_follow_and_a_card_from_a_sail_or_the_waste_between_two() -> None:
    piles = {
        **KINGS,
        "centre": "AS 2D",
        "kings.0": "KS QS JS TS 9S 8S 7S 6S 5S 4S 3S",
        "kings.1": "KH QH JH TH 9H 8H 7H 6H 5H",
    }
    assert Position("mill", piles).legal == set()
    position = Position("mill", {**piles, "sails.5": "4D", "sails.6": "5D"}).play("kings.0/centre")
    assert (position.counter("transferred"), position.legal) == (1, {"sails.5/centre", "sails.5/kings.1"})
    position.play("sails.5/kings.1")
    assert position.legal == set()


def test_the_centre_takes_fifty_two_cards() -> None:
    family = "AS 2S 3S 4S 5S 6S 7S 8S 9S TS JS QS KS"
    assert Position("mill", {**KINGS, "centre": " ".join([family] * 4), "sails.0": "AH"}).legal == set()
