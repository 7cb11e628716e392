"""The order of the racers of a race. The orders themselves are tested in `tests/orders`."""

from msgspec.structs import replace

from cadogan.sdk.ranking import sort_racers
from cadogan.wire.game_examples import METER
from cadogan.wire.values import Player, Racer


def racer(name: str, home: int | None = None) -> Racer:
    """Return a racer with this many cards home; without a number, before the deal."""
    meter = None if home is None else replace(METER, home=home)
    return Racer(player=Player(id=name, name=name, guest=False), nonce="n", meter=meter)


def test_racers_keep_the_order_of_joining_before_the_deal() -> None:
    racers = [racer("Cy"), racer("Ada"), racer("Bea")]
    assert sort_racers(racers) == racers


def test_the_racer_with_more_cards_home_stands_first() -> None:
    racers = [racer("Cy", 3), racer("Ada", 9), racer("Bea", 5)]
    assert [one.player.name for one in sort_racers(racers)] == ["Ada", "Bea", "Cy"]
