"""La Nivernaise: what the Line shows, and how it is dealt again."""

from tests.games.position import Position

FLANKS = {f"flanks.{number}": f"{rank}H" for number, rank in enumerate("3456789T")}


def test_filling_a_flank_turns_cards_face_down_again() -> None:
    position = Position("la-nivernaise", {**FLANKS, "flanks.7": "", "line.0": "-9C -4D 7D 2D", "stock": "-5S -6S"})
    position.play("stock/flanks.7")
    assert position["flanks.7"] == "6S"
    assert position["line.0"] == "-9C -4D -7D 2D"


def test_the_move_that_fills_a_flank_from_the_line_counts_the_flank_as_filled() -> None:
    position = Position("la-nivernaise", {**FLANKS, "flanks.6": "", "flanks.7": "", "line.0": "-9C 4D 7D 2D"})
    assert position.play("line.0/flanks.6")["line.0"] == "-9C 4D 7D"


def test_a_packet_emptied_on_a_flank_is_replaced_as_far_as_the_stock_reaches() -> None:
    position = Position("la-nivernaise", {**FLANKS, "flanks.7": "", "line.2": "4D", "line.3": "QC", "stock": "-5S -6S"})
    position.play("line.2/flanks.7")
    assert (position["line.2"], position["line.3"], position["stock"]) == ("-6S 5S", "QC", "")


def test_a_round_stops_inside_a_packet_when_the_stock_is_out() -> None:
    position = Position("la-nivernaise", {**FLANKS, "line.0": "KC", "stock": "-2S -3S -4S -5S -6S -7S"}).play("deal")
    assert (position["line.0"], position["line.1"], position["line.2"]) == ("-KC -7S -6S -5S 4S", "-3S 2S", "")


def test_the_redeal_begins_with_the_bottom_of_the_first_packet_and_deals_at_once() -> None:
    position = Position("la-nivernaise", {**FLANKS, "line.0": "-2S 3S", "line.1": "4S", "line.5": "-5S -6S 7S"})
    assert position.play("redeal")["line.0"] == "-2S -3S -4S 5S"
    assert (position["line.1"], position["line.5"], position["stock"]) == ("-6S 7S", "", "")
    assert "redeal" not in position.legal


def test_an_ace_at_the_end_of_a_falling_foundation_may_open_the_rising_one() -> None:
    whole = "KS QS JS TS 9S 8S 7S 6S 5S 4S 3S 2S AS"
    position = Position("la-nivernaise", {**FLANKS, "foundation.4": whole})
    assert position.play("foundation.4/foundation.0")["foundation.0"] == "AS"
    assert position.legal == {"foundation.4/foundation.0"}
