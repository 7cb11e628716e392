"""Receipts are read as they are printed, are no checkpoints, and are refused when any part of them is changed."""

import pytest
from hypothesis import given
from hypothesis import strategies as st

from cadogan.server.core import dates
from cadogan.server.operations.receipt_check import read_signed_receipt
from cadogan.server.subjects.audit.attestation import Trust
from cadogan.server.subjects.transparency.checkpoints import read_checkpoint, sign_rotation
from cadogan.server.subjects.transparency.leaves import Ended
from cadogan.server.subjects.transparency.notes import BadNote, Note, SigningKey, read_note, sign_note
from cadogan.server.subjects.transparency.receipts import (
    MAX_DELAY_MILLISECONDS,
    Receipt,
    read_receipt,
    receipt_key,
    sign_receipt,
)
from tests.harness.proven import KEY, TRUST

ENDED_AT = 1_763_640_000_000
RECEIPT = Receipt.of(KEY.name, Ended("game/aaaabbbbccccdddd", 57, "ab" * 32), ENDED_AT)
NOTE = sign_receipt(RECEIPT, KEY)
NAMES = st.from_regex(r"[a-z0-9./-]{1,40}", fullmatch=True)
ENTRIES = st.builds(
    Ended,
    st.from_regex(r"(game|match|daily)/[A-Za-z0-9_-]{1,64}", fullmatch=True),
    st.integers(1, 999_999_999),
    st.from_regex("[0-9a-f]{64}", fullmatch=True),
)


@given(NAMES, ENTRIES, st.integers(0, dates.LAST_MOMENT))
def test_a_receipt_is_read_as_it_is_printed(origin: str, entry: Ended, ended_at: int) -> None:
    receipt = Receipt.of(origin, entry, ended_at)
    assert read_receipt(receipt.text) == receipt
    key = SigningKey(origin, bytes(range(32)))
    trust = Trust((key.verifier(),))
    assert read_signed_receipt(sign_receipt(receipt, key).as_text(), trust) == receipt
    assert receipt.due_at % 1000 == 0
    assert 0 <= receipt.due_at - min(ended_at + MAX_DELAY_MILLISECONDS, dates.LAST_MOMENT // 1000 * 1000) < 1000


ODD_LINES = st.one_of(
    *map(st.just, RECEIPT.text.split("\n")[:5]),
    st.from_regex(r"[ +0]?[0-9]{1,3} ?", fullmatch=True),
    st.from_regex(r"2025-1?[0-9]-[0-9]{1,2}T12:[0-9]{1,2}:00Z?", fullmatch=True),
    st.text(max_size=10),
)


@given(st.tuples(*([ODD_LINES] * 5)))
def test_what_is_read_as_a_receipt_is_printed_as_it_was(odd: tuple[str, ...]) -> None:
    usual = RECEIPT.text.split("\n")[:5]
    for place, line in enumerate(odd):
        text = "\n".join([*usual[:place], line, *usual[place + 1 :], ""])
        try:
            read = read_receipt(text)
        except BadNote:
            assert text != RECEIPT.text
        else:
            assert read.text == text


@given(st.data())
def test_a_receipt_in_which_a_character_is_another_one_is_refused(data: st.DataObject) -> None:
    text = NOTE.as_text()
    place = data.draw(st.integers(0, len(text) - 1))
    other = data.draw(st.sampled_from("0189abfAZ/+=- \n").filter(lambda one: one != text[place]))
    with pytest.raises(BadNote):
        read_signed_receipt(text[:place] + other + text[place + 1 :], TRUST)


@pytest.mark.parametrize(
    "other",
    [
        RECEIPT._replace(origin="other.example/log"),
        RECEIPT._replace(entry=RECEIPT.entry._replace(stream="game/aaaabbbbccccdddx")),
        RECEIPT._replace(entry=RECEIPT.entry._replace(version=56)),
        RECEIPT._replace(entry=RECEIPT.entry._replace(digest="ac" * 32)),
        RECEIPT._replace(due_at=RECEIPT.due_at - 1000),
    ],
)
def test_the_signature_of_a_receipt_covers_each_of_its_fields(other: Receipt) -> None:
    with pytest.raises(BadNote, match=r"does not fit the text|is not signed"):
        read_signed_receipt(Note(other.text, NOTE.signatures).as_text(), TRUST)


@pytest.mark.parametrize(
    "due",
    ["2025-11-21", "2025-11-21T12:00:00", "2025-11-21T12:00:00+01:00", "2025-02-30T12:00:00Z", "2025-11-21T12:00:60Z"],
)
def test_a_due_time_has_one_form(due: str) -> None:
    with pytest.raises(BadNote):
        read_receipt(RECEIPT.text.replace("2025-11-21T12:00:00Z", due))


@pytest.mark.parametrize("version", ["0", "057", "+57", "5_7", "\N{ARABIC-INDIC DIGIT FIVE}", "1000000000"])
def test_a_version_is_a_number_from_one_in_its_only_form(version: str) -> None:
    with pytest.raises(BadNote):
        read_receipt(RECEIPT.text.replace("57", version))


def test_a_receipt_is_signed_by_the_key_of_the_log_under_a_name_of_its_own() -> None:
    assert NOTE.is_signed_by(receipt_key(KEY.verifier()))
    assert not NOTE.is_signed_by(KEY.verifier())
    with pytest.raises(BadNote, match="not signed"):
        read_signed_receipt(sign_note(RECEIPT.text, KEY).as_text(), TRUST)
    with pytest.raises(BadNote, match="not signed"):
        read_signed_receipt(NOTE.as_text(), Trust())


def test_a_receipt_is_no_checkpoint_and_a_checkpoint_no_receipt() -> None:
    with pytest.raises(BadNote):
        read_checkpoint(RECEIPT.text)
    with pytest.raises(BadNote, match="five lines"):
        read_receipt(f"{KEY.name}/receipt\n3\n{'A' * 43}=\n")


def test_who_trusts_the_old_key_of_a_log_or_the_new_one_trusts_the_receipts_of_both() -> None:
    new = SigningKey(KEY.name, bytes(32))
    rotations = (sign_rotation(5, KEY, new),)
    for trusted in (KEY, new):
        trust = Trust((trusted.verifier(),), (), rotations)
        for signer in (KEY, new):
            assert read_signed_receipt(sign_receipt(RECEIPT, signer).as_text(), trust) == RECEIPT
    with pytest.raises(BadNote, match="not signed"):
        read_signed_receipt(sign_receipt(RECEIPT, new).as_text(), TRUST)


def test_a_receipt_with_the_signature_of_somebody_else_too_is_still_one() -> None:
    other = sign_note(NOTE.text, SigningKey("friends.example", bytes(31) + b"\7"))
    note = NOTE.with_signatures(other.signatures)
    assert read_signed_receipt(note.as_text(), TRUST) == RECEIPT
    assert read_note(note.as_text()).text == RECEIPT.text
