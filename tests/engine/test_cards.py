"""Cards, sets of cards and building relations."""

import pytest
from hypothesis import given
from hypothesis import strategies as st

from cadogan.engine import UnreadablePosition
from cadogan.engine.cards import (
    ANY,
    BIT,
    DOWN,
    EVERY,
    card_text,
    is_red,
    members,
    of_rank,
    of_suit,
    pack,
    parse_card,
    parse_cards,
    rank,
    suit,
)
from cadogan.engine.relations import (
    Relation,
    alternating,
    anything,
    down,
    following,
    in_suit,
    neighbour,
    step,
    up,
    up_around,
)

CARDS = st.sampled_from(pack())
SIMPLE = st.sampled_from([in_suit, alternating, up, down, neighbour, step(2), up_around, following("A789TJQK")])


@given(CARDS, st.booleans())
def test_a_card_reads_back_from_its_text(number: int, face_down: bool) -> None:
    number |= DOWN if face_down else 0
    assert parse_card(card_text(number)) == number


@pytest.mark.parametrize("word", ["", "1S", "TX", "--TH", "10H", "th", "-"])
def test_a_word_that_is_no_card_is_refused_and_the_message_says_what_to_write(word: str) -> None:
    with pytest.raises(UnreadablePosition, match="rank and suit"):
        parse_card(word)


def test_a_pack_has_every_card_once_and_packs_repeat_it() -> None:
    assert len(set(pack())) == len(pack()) == 52
    assert sorted(pack(2)) == sorted(pack() + pack())
    assert len(pack(4, "A789TJQK")) == 128


def test_sets_are_made_by_rank_and_by_suit() -> None:
    assert sorted(card_text(number) for number in members(of_rank("A") & of_suit(1))) == ["AH"]
    assert parse_cards("AS KD") == BIT[parse_card("AS")] | BIT[parse_card("KD")]
    assert EVERY.bit_count() == 52


def test_only_a_rule_that_allows_any_card_allows_an_unseen_one() -> None:
    unseen = BIT[parse_card("-TH")]
    assert unseen & ANY
    assert not unseen & EVERY
    assert not any(unseen & taken for taken in (in_suit & up).table)
    assert all(unseen & taken for taken in anything.table)


@given(SIMPLE, SIMPLE, CARDS, CARDS)
def test_relations_are_combined_by_and_and_or(one: Relation, other: Relation, moved: int, top: int) -> None:
    assert (one & other)(moved, top) == (one(moved, top) and other(moved, top))
    assert (one | other)(moved, top) == (one(moved, top) or other(moved, top))


@given(SIMPLE, CARDS, CARDS)
def test_nothing_is_built_on_a_face_down_card(relation: Relation, moved: int, top: int) -> None:
    assert not relation(moved, top | DOWN)


def test_ace_and_king_are_neighbours_only_in_an_order_that_goes_around() -> None:
    ace, king = parse_card("AS"), parse_card("KS")
    assert not neighbour(ace, king)
    assert up_around(ace, king)
    assert not up_around(king, ace)
    assert following("A789TJQK")(parse_card("7S"), ace)


@given(CARDS)
def test_a_card_has_one_of_thirteen_ranks_four_suits_and_two_colours(number: int) -> None:
    assert is_red(number) == (card_text(number)[1] in "HD")
    assert 1 <= rank(number) <= 13
    assert 0 <= suit(number) <= 3
