"""The portable shuffle gives its published vectors, and every order is equally likely."""

import json
from collections import Counter
from hashlib import sha256
from pathlib import Path

import pytest
from hypothesis import given
from hypothesis import strategies as st

from cadogan.engine.shuffle import draw_order, order_from, shuffle

VECTORS = json.loads((Path(__file__).parent / "shuffle.json").read_text())


@pytest.mark.parametrize("vector", VECTORS, ids=lambda vector: f"{vector['count']} cards, {vector['label']}")
def test_a_published_vector_holds(vector: dict[str, object]) -> None:
    seed = bytes.fromhex(str(vector["seed"]))
    assert draw_order(int(str(vector["count"])), seed, str(vector["label"])) == vector["order"]


def test_a_number_that_would_make_some_orders_likelier_is_thrown_away_and_only_such_a_number() -> None:
    limit = 2**32 - 1  # of 3; the last number below it leaves the remainder 2
    assert order_from(3, iter([limit, limit, 1, 0])) == [2, 0, 1]
    assert order_from(3, iter([limit - 1, 0])) == [1, 0, 2]
    assert order_from(4, iter([limit, 0, 0])) == order_from(4, iter([3, 0, 0]))


@given(st.integers(0, 208), st.binary(min_size=32, max_size=32), st.sampled_from(["deal", "redeal.1"]))
def test_an_order_has_every_place_once(count: int, seed: bytes, label: str) -> None:
    assert sorted(draw_order(count, seed, label)) == list(range(count))


def test_another_label_or_seed_gives_another_order() -> None:
    orders = {
        tuple(draw_order(52, seed, label)) for seed in (bytes(32), bytes([1] * 32)) for label in ("deal", "redeal.1")
    }
    assert len(orders) == 4


def test_every_place_is_equally_likely() -> None:
    drawn = Counter(draw_order(6, sha256(b"%d" % deal).digest(), "deal").index(0) for deal in range(6000))
    expected = 1000
    assert sum((drawn[place] - expected) ** 2 / expected for place in range(6)) < 20.5  # chi-square, 5 degrees, 0.1 %


def test_shuffling_does_not_change_the_given_list() -> None:
    cards = ["AS", "2S", "3S"]
    assert sorted(shuffle(cards, bytes(32), "deal")) == sorted(cards)
    assert cards == ["AS", "2S", "3S"]
