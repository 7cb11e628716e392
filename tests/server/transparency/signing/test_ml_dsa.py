"""Cosignatures by ML-DSA-44: they count where the library knows them, and are skipped and named where it does not."""

import json
from pathlib import Path

import pytest
from msgspec import json as msgspec_json

from cadogan.server.config import Settings
from cadogan.server.config_sources import read_settings
from cadogan.server.subjects.audit import game_audit
from cadogan.server.subjects.audit.attestation import NotAttested, Trust, Witness, attest, read_trust
from cadogan.server.subjects.transparency import ml_dsa
from cadogan.server.subjects.transparency.checkpoints import Checkpoint, read_proof
from cadogan.server.subjects.transparency.notes import (
    WITNESS,
    BadKey,
    BadNote,
    Note,
    VerifierKey,
    read_note,
    sign_note,
)
from tests.harness.command_line import run
from tests.harness.ml_dsa_witness import MlDsaWitness
from tests.harness.sample_records import Record
from tests.harness.web_verifier import verify_in_node
from tests.server.audit.test_attestation import FRIEND, KEY, SEEN_AT, proven

LATER = SEEN_AT + 600
CHECKPOINT = Checkpoint("club.example/log", 5, bytes(range(32)))


@pytest.fixture(scope="module")
def witness() -> MlDsaWitness:
    """A witness whose key is made here."""
    return MlDsaWitness()


def seen_by(witness: MlDsaWitness, at_seconds: int = LATER, index: int = 0) -> Record:
    """A record whose log this witness has seen, too."""
    record = proven()[index]
    proof = read_proof(record["proof"])
    note = proof.note.with_signatures([witness.cosign(proof.note.text, at_seconds)])
    return {**record, "proof": proof.as_text().replace(proof.note.as_text(), note.as_text())}


def attested(record: Record, witness: MlDsaWitness) -> tuple[tuple[Witness, ...], tuple[str, ...]]:
    """The witnesses that count, and those that were skipped."""
    text = msgspec_json.encode(record)
    trust = Trust((KEY.verifier(),), (FRIEND.verifier(WITNESS), witness.key))
    found = attest(game_audit.read_record(text), game_audit.verify(text).hashes, trust)
    assert found is not None
    return found.witnesses, found.skipped


def test_a_witness_signs_name_time_origin_size_and_root_and_no_other_line(witness: MlDsaWitness) -> None:
    signed = witness.cosign(CHECKPOINT.text, LATER)
    for text in (CHECKPOINT.text, f"{CHECKPOINT.text}an extension\n"):
        assert Note(text, (signed,)).is_signed_by(witness.key)
    others = [
        CHECKPOINT._replace(origin="club.example/other").text,
        CHECKPOINT._replace(size=6).text,
        CHECKPOINT._replace(root=bytes(32)).text,
        "no checkpoint\n",
    ]
    for text in others:
        with pytest.raises(BadNote, match="does not fit the text"):
            Note(text, (signed,)).is_signed_by(witness.key)
    for place in (7, 8, 2427):
        value = bytearray(signed.value)
        value[place] ^= 1
        with pytest.raises(BadNote, match="does not fit the text"):
            Note(CHECKPOINT.text, (signed._replace(value=bytes(value)),)).is_signed_by(witness.key)
    alias = witness.key._replace(name="another.example/witness")
    with pytest.raises(BadNote, match="does not fit the text"):
        Note(CHECKPOINT.text, (signed._replace(name=alias.name, id=alias.id),)).is_signed_by(alias)


def test_a_time_that_no_clock_shows_is_signed_by_nobody(witness: MlDsaWitness) -> None:
    for at, is_signed in ((2**63 - 1, True), (2**63, False)):
        note = Note(CHECKPOINT.text, (witness.cosign(CHECKPOINT.text, at),))
        if is_signed:
            assert note.is_signed_by(witness.key)
        else:
            with pytest.raises(BadNote):
                note.is_signed_by(witness.key)


def test_a_key_is_read_as_it_was_written_and_only_whole(witness: MlDsaWitness) -> None:
    assert VerifierKey.read(witness.key.text) == witness.key
    assert read_trust([witness.key.text]) == Trust((), (witness.key,))
    for wrong in (witness.key._replace(public=witness.public[:-1]), witness.key._replace(kind=WITNESS)):
        with pytest.raises(BadKey):
            VerifierKey.read(wrong.text)


def test_a_note_with_its_signature_is_read_as_it_was_written(witness: MlDsaWitness) -> None:
    note = sign_note(CHECKPOINT.text, KEY).with_signatures([witness.cosign(CHECKPOINT.text, LATER)])
    assert read_note(note.as_text()) == note


def test_who_has_signed_by_ml_dsa_is_a_witness_as_any_other(witness: MlDsaWitness) -> None:
    assert attested(seen_by(witness), witness) == ((Witness(FRIEND.name, SEEN_AT), Witness(witness.name, LATER)), ())
    with pytest.raises(NotAttested, match=r"quantum\.example/witness signed it at"):
        attested(seen_by(witness, 1), witness)


def test_a_signature_that_says_nothing_about_the_time_counts_for_nothing(witness: MlDsaWitness) -> None:
    assert attested(seen_by(witness, 0), witness) == ((Witness(FRIEND.name, SEEN_AT),), ())


def test_where_the_library_does_not_know_ml_dsa_the_witness_is_skipped_and_named(
    witness: MlDsaWitness, monkeypatch: pytest.MonkeyPatch, tmp_path: Path
) -> None:
    file = tmp_path / "record.json"
    file.write_bytes(msgspec_json.encode(seen_by(witness)))
    command = ["verify", str(file), "--key", KEY.verifier().text, "--key", witness.key.text]
    assert f"witnessed: {witness.name} saw this log at" in run(*command).output
    monkeypatch.setattr(ml_dsa, "is_known", lambda: False)
    assert attested(seen_by(witness), witness) == ((Witness(FRIEND.name, SEEN_AT),), (witness.name,))
    told = run(*command)
    assert told.exit_code == 0
    assert f"not checked: {witness.name} signed by ML-DSA-44" in told.output
    assert f"witnessed: {witness.name}" not in told.output
    assert json.loads(run(*command, "--json").output)["skipped"] == [witness.name]
    state = str(tmp_path / "state.json")
    watched = run("monitor", "http://127.0.0.1:1", "--state", state, "--key", witness.key.text)
    assert f"not checked: signatures of {witness.name}" in watched.output


def test_the_browsers_verifier_skips_and_names_it(witness: MlDsaWitness, tmp_path: Path) -> None:
    record, host = tmp_path / "record.json", tmp_path / "host.json"
    record.write_bytes(msgspec_json.encode(seen_by(witness)))
    keys = [FRIEND.verifier(WITNESS).text, witness.key.text]
    host.write_text(json.dumps({"keys": [KEY.verifier().text], "witnesses": keys}))
    code, said = verify_in_node(record, "--trust", host)
    assert (code, said["consistent"], said["attested"] is not None) == (0, True, True)
    assert [one["name"] for one in said["witnessed"]] == [FRIEND.name]
    assert said["skipped"] == [witness.name]


def test_a_server_asks_such_a_witness_only_if_it_can_check_the_answer(
    witness: MlDsaWitness, monkeypatch: pytest.MonkeyPatch
) -> None:
    asked = f"https://quantum.example#{witness.key.text}"
    assert read(asked).witnesses == (asked,)
    monkeypatch.setattr(ml_dsa, "is_known", lambda: False)
    with pytest.raises(ValueError, match="knows ML-DSA-44"):
        read(asked)


def read(witness: str) -> Settings:
    """The settings of a server that asks this witness."""
    return read_settings({"CADOGAN_WITNESSES": witness})
