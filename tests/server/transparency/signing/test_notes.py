"""Keys, signed notes, checkpoints and proofs: in the formats of others, and refused when any part is changed."""

from base64 import b64encode
from dataclasses import replace

import pytest
from hypothesis import assume, given
from hypothesis import strategies as st

from cadogan.server.subjects.transparency.checkpoints import (
    Checkpoint,
    EntryProof,
    read_checkpoint,
    read_hash,
    read_proof,
)
from cadogan.server.subjects.transparency.notes import (
    WITNESS,
    BadKey,
    BadNote,
    Note,
    SigningKey,
    VerifierKey,
    cosign,
    cosigned_at,
    draw_key,
    read_note,
    read_signatures,
    sign_note,
)
from cadogan.server.subjects.transparency.tree import NotInTree, leaf_hash

KEY = SigningKey("club.example/log", bytes(range(32)))
OTHER = SigningKey("club.example/log", bytes(32))
TREE = Checkpoint("club.example/log", 1, leaf_hash(b"entry"))
GO_KEY = "PeterNeumann+c74f20a3+ARpc2QcUPDhMQegwxbzhKqiBfsVkmqq/LDE4izWy10TW"
GO_NOTE = """If you think cryptography is the answer to your problem,
then you don't know what your problem is.

\N{EM DASH} PeterNeumann x08go/ZJkuBS9UG/SffcvIAQxVBtiFupLLr8pAcElZInNIuGUgYN1FFYC2pZSNXgKvqfqdngotpRZb6KE6RyyBwJnAM=
"""
C2SP_KEY = "example.com/foo+530d903a+AekyeRrm56hApGFkyQR4ZCbV54Id2LKaANYcrnKv3U2k"
C2SP_NOTE = """This is an example message.

\N{EM DASH} example.com/foo Uw2QOkn8srV1yJGh2VYRlL1Tnagv1YEq6TfXppzi2ONncAlTgK7Ztg1ERYNZXsYjOBH3mFXmRKuwHjG1Yu72IneyaQM=
"""


@pytest.mark.parametrize(("key", "note"), [(GO_KEY, GO_NOTE), (C2SP_KEY, C2SP_NOTE)])
def test_the_notes_of_others_are_read_and_their_signatures_hold(key: str, note: str) -> None:
    read = read_note(note)
    read.require_signature(VerifierKey.read(key))
    assert read.as_text() == note
    assert VerifierKey.read(key).text == key


def test_a_note_is_signed_by_its_key_and_by_no_other_of_the_same_name() -> None:
    note = sign_note(TREE.text, KEY)
    note.require_signature(KEY.verifier())
    assert not note.is_signed_by(OTHER.verifier())
    with pytest.raises(BadNote, match="not signed by the key"):
        note.require_signature(OTHER.verifier())
    with pytest.raises(BadNote, match="does not fit the text"):
        Note(TREE.text.replace("1", "2"), note.signatures).is_signed_by(KEY.verifier())


def test_a_witness_signs_the_checkpoint_and_the_time() -> None:
    witness = draw_key("witness.example")
    note = sign_note(TREE.text, KEY)
    signature = cosign(note.text, witness, 1_800_000_000)
    seen = note.with_signatures([signature])
    seen.require_signature(witness.verifier(WITNESS))
    assert cosigned_at(signature) == 1_800_000_000
    assert not seen.is_signed_by(witness.verifier())  # the same pair of keys, as the key of a log
    later = signature._replace(value=(1_800_000_001).to_bytes(8) + signature.value[8:])
    with pytest.raises(BadNote, match="does not fit"):
        note.with_signatures([later]).is_signed_by(witness.verifier(WITNESS))
    assert len(seen.with_signatures([cosign(note.text, witness, 1_800_000_060)]).signatures) == 2
    assert read_signatures(f"{signature.line()}\n") == [signature]


def holds(proof: str) -> bool:
    """Whether this text proves that the log has the entry as the first one of its tree."""
    try:
        read = read_proof(proof)
        read.require_entry(leaf_hash(b"entry"))
        read.note.require_signature(KEY.verifier())
    except (BadNote, NotInTree):
        return False
    return (read.index, read.checkpoint()) == (0, TREE)


@given(st.integers(0, 400), st.characters())
def test_a_proof_in_which_any_character_is_changed_does_not_hold(place: int, character: str) -> None:
    proof = EntryProof(0, (), sign_note(TREE.text, KEY)).as_text()
    place %= len(proof)
    assume(character != proof[place])
    assert holds(proof)
    assert not holds(proof[:place] + character + proof[place + 1 :])


def test_a_proof_is_read_as_it_was_written_and_may_have_a_line_with_extra_data() -> None:
    proof = EntryProof(5, (bytes(32), bytes(range(32))), sign_note(TREE.text, KEY))
    assert read_proof(proof.as_text()) == proof
    extra = proof.as_text().replace("index", f"extra {b64encode(b'more').decode()}\nindex")
    assert read_proof(extra) == replace(proof, extra=b64encode(b"more").decode())
    assert read_proof(extra).as_text() == extra


@pytest.mark.parametrize(
    ("key", "why"),
    [
        ("", "three parts"),
        ("club.example/log+00000000", "three parts"),
        (KEY.verifier().text.replace("club", "Club"), "id does not fit"),
        (KEY.verifier().text[:-4], "not an Ed25519 key"),
        ("a b+00000000+AAAA", "without spaces"),
        (f"club.example/log+00000000+{b64encode(bytes([2]) + bytes(32)).decode()}", "not an Ed25519 key"),
        ("club.example/log+00000000+?", "not base64"),
    ],
)
def test_what_is_no_key_is_refused(key: str, why: str) -> None:
    with pytest.raises(BadKey, match=why):
        VerifierKey.read(key)


def test_a_secret_key_is_read_as_it_was_written_and_is_not_shown() -> None:
    assert SigningKey.read(KEY.text + "\n") == KEY
    assert KEY.secret.hex() not in repr(KEY)
    for wrong in (KEY.text.replace("club", "Club"), KEY.text.removeprefix("PRIVATE+"), KEY.text[:-8]):
        with pytest.raises(BadKey) as refused:
            SigningKey.read(wrong)
        assert "AQAB" not in str(refused.value)


@pytest.mark.parametrize(
    "text",
    [
        "",
        "a\n",
        "a\n\nb\n",
        "a\n\n\N{EM DASH} name\n",
        "a\n\n\N{EM DASH} name AAAAAA==\n",
        "a\tb\n\n\N{EM DASH} n AAAAAAA=\n",
        "x" * 70_000,
    ],
)
def test_what_is_no_note_is_refused(text: str) -> None:
    with pytest.raises(BadNote):
        read_note(text)


@pytest.mark.parametrize(
    "text", ["origin\n1\n", "origin\n01\nAAAA\n", "origin\n-1\nAAAA\n", "\n1\nAAAA\n", "origin\n1\nAAAA\n"]
)
def test_what_is_no_checkpoint_is_refused(text: str) -> None:
    with pytest.raises(BadNote):
        read_checkpoint(text)


def test_a_hash_has_one_way_to_be_written() -> None:
    assert read_hash("A" * 43 + "=") == bytes(32)
    for other in ("A" * 42 + "B=", "A" * 43, "A" * 44, "A" * 43 + "=\n"):
        with pytest.raises(BadNote):
            read_hash(other)
