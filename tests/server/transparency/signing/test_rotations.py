"""Rotations: each is signed by both keys, follows from the one before it, and says which trees a key may sign."""

from base64 import b64encode
from itertools import pairwise

import pytest
from hypothesis import assume, given
from hypothesis import strategies as st

from cadogan.server.subjects.transparency.checkpoints import (
    Rotation,
    join_rotations,
    pack_rotations,
    read_checkpoint,
    read_rotation,
    read_rotations,
    sign_rotation,
    spans_of,
    trusted_spans,
    unpack_rotations,
)
from cadogan.server.subjects.transparency.notes import WITNESS, BadNote, SigningKey, sign_note, sign_text

KEYS = [SigningKey("club.example/log", bytes([number]) * 32) for number in range(5)]
CHAIN = [sign_rotation(10 * place, old, new) for place, (old, new) in enumerate(pairwise(KEYS), 1)]


def texts(rotations: list[Rotation]) -> list[str]:
    """The notes of rotations."""
    return [rotation.note.as_text() for rotation in rotations]


@given(st.integers(0, 600), st.characters())
def test_a_rotation_in_which_any_character_is_changed_is_none(place: int, character: str) -> None:
    text = CHAIN[0].note.as_text()
    place %= len(text)
    assume(character != text[place])
    assert read_rotation(text) == CHAIN[0]
    with pytest.raises(BadNote):
        read_rotation(text[:place] + character + text[place + 1 :])


def test_a_rotation_is_no_checkpoint_and_a_checkpoint_is_none() -> None:
    with pytest.raises(BadNote):
        read_checkpoint(CHAIN[0].note.text)
    with pytest.raises(BadNote):
        read_rotation(sign_note("club.example/log\n1\n", KEYS[0]).with_signatures([]).as_text())


def test_a_rotation_needs_two_keys_of_one_log_and_the_signatures_of_both() -> None:
    text = CHAIN[0].note.text
    for signers in ([KEYS[0]], [KEYS[1]], [KEYS[1], KEYS[2]], KEYS[:3]):
        note = sign_note(text, signers[0]).with_signatures([sign_text(text, key) for key in signers[1:]])
        with pytest.raises(BadNote):
            read_rotation(note.as_text())
    other = SigningKey("other.example/log", bytes(32))
    for pair in ((KEYS[0], other), (KEYS[0], KEYS[0])):
        with pytest.raises(BadNote):
            read_rotation(sign_rotation(1, *pair).note.as_text())
    witness = KEYS[1].verifier(WITNESS).text
    changed = text.replace(KEYS[1].verifier().text, witness)
    with pytest.raises(BadNote):
        read_rotation(sign_note(changed, KEYS[0]).with_signatures([sign_text(changed, KEYS[1])]).as_text())


def test_rotations_follow_from_each_other_and_are_read_from_a_proof_as_they_were_written() -> None:
    assert read_rotations(texts(CHAIN)) == tuple(CHAIN)
    assert unpack_rotations(pack_rotations(CHAIN)) == tuple(CHAIN)
    for wrong in (CHAIN[::-1], [CHAIN[0], CHAIN[2]], [CHAIN[0], sign_rotation(10, KEYS[1], KEYS[2])]):
        with pytest.raises(BadNote, match="does not follow"):
            read_rotations(texts(wrong))
    with pytest.raises(BadNote, match="more than"):
        read_rotations(["a"] * 1001)
    whole = "".join(texts(CHAIN))
    for packed in ("????", b64encode(whole[:-1].encode()).decode(), b64encode(whole.encode()).decode() + "=", "/w=="):
        with pytest.raises(BadNote):
            unpack_rotations(packed)


def test_each_key_may_sign_the_trees_between_its_rotations_and_no_others() -> None:
    spans = spans_of(CHAIN)
    for size in range(50):
        assert [span.key for span in spans if span.may_sign(size)] == [KEYS[max(0, size - 1) // 10].verifier()]
    assert spans_of([]) == []


def test_one_key_of_a_chain_is_enough_to_trust_all_of_it_and_a_key_of_another_chain_is_not() -> None:
    for key in KEYS:
        assert trusted_spans([key.verifier()], CHAIN) == spans_of(CHAIN)
    stranger = SigningKey("club.example/log", bytes([9]) * 32).verifier()
    (alone,) = trusted_spans([stranger], CHAIN)
    assert (alone.key, alone.may_sign(0), alone.may_sign(2**60)) == (stranger, True, True)
    assert trusted_spans([], CHAIN) == []


def test_of_two_histories_of_one_key_neither_is_believed() -> None:
    assert join_rotations(CHAIN, CHAIN[:2]) == CHAIN == join_rotations(CHAIN[:0], CHAIN)
    for forked in ([*CHAIN[:2], sign_rotation(30, KEYS[2], KEYS[4])], [sign_rotation(11, *KEYS[:2])]):
        with pytest.raises(BadNote, match="one key has named two others"):
            join_rotations(CHAIN, forked)
