"""La Nivernaise: what the Line shows, and how it is dealt again."""

from tests.games.position import Scene

FLANKS = {f"flanks.{number}": f"{rank}H" for number, rank in enumerate("3456789T")}


def test_filling_a_flank_turns_cards_down_again() -> None:
    scene = Scene("la-nivernaise", {**FLANKS, "flanks.7": "", "line.0": "-9C -4D 7D 2D", "stock": "-5S -6S"})
    scene.play("stock/flanks.7")
    assert scene["flanks.7"] == "6S"
    assert scene["line.0"] == "-9C -4D -7D 2D"


def test_the_move_that_fills_a_flank_from_the_line_counts_the_flank_as_filled() -> None:
    scene = Scene("la-nivernaise", {**FLANKS, "flanks.6": "", "flanks.7": "", "line.0": "-9C 4D 7D 2D"})
    assert scene.play("line.0/flanks.6")["line.0"] == "-9C 4D 7D"


def test_a_packet_emptied_on_a_flank_is_replaced_as_far_as_the_stock_reaches() -> None:
    scene = Scene("la-nivernaise", {**FLANKS, "flanks.7": "", "line.2": "4D", "line.3": "QC", "stock": "-5S -6S"})
    scene.play("line.2/flanks.7")
    assert (scene["line.2"], scene["line.3"], scene["stock"]) == ("-6S 5S", "QC", "")


def test_a_round_stops_inside_a_packet_when_the_stock_is_out() -> None:
    scene = Scene("la-nivernaise", {**FLANKS, "line.0": "KC", "stock": "-2S -3S -4S -5S -6S -7S"}).play("deal")
    assert (scene["line.0"], scene["line.1"], scene["line.2"]) == ("-KC -7S -6S -5S 4S", "-3S 2S", "")


def test_the_redeal_begins_with_the_bottom_of_the_first_packet_and_deals_at_once() -> None:
    scene = Scene("la-nivernaise", {**FLANKS, "line.0": "-2S 3S", "line.1": "4S", "line.5": "-5S -6S 7S"})
    assert scene.play("redeal")["line.0"] == "-2S -3S -4S 5S"
    assert (scene["line.1"], scene["line.5"], scene["stock"]) == ("-6S 7S", "", "")
    assert "redeal" not in scene.legal


def test_an_ace_may_open_its_foundation_from_the_end_of_the_falling_one() -> None:
    whole = "KS QS JS TS 9S 8S 7S 6S 5S 4S 3S 2S AS"
    scene = Scene("la-nivernaise", {**FLANKS, "foundation.4": whole})
    assert scene.play("foundation.4/foundation.0")["foundation.0"] == "AS"
    assert scene.legal == {"foundation.4/foundation.0"}
