"""Who attests a record: a forged one is named as such, however well its hashes fit, and a wrong key shows nothing."""

import copy
import itertools
import json
import random
from collections.abc import Sequence
from pathlib import Path
from typing import Any

import pytest
from msgspec import json as msgspec_json

from cadogan.server.subjects.audit import game_audit
from cadogan.server.subjects.audit.attestation import (
    Attestation,
    NotAttested,
    Trust,
    Witness,
    attest,
    join_trust,
    read_host,
    read_trust,
)
from cadogan.server.subjects.transparency.checkpoints import (
    Checkpoint,
    EntryProof,
    Rotation,
    pack_rotations,
    sign_rotation,
)
from cadogan.server.subjects.transparency.leaves import Ended, NextKey
from cadogan.server.subjects.transparency.notes import WITNESS, BadKey, SigningKey, cosign, sign_note, sign_text
from cadogan.server.subjects.transparency.tree import inclusion_parts, leaf_hash, tree_hash
from tests.harness.command_line import run
from tests.harness.sample_records import KINDS, Record, rules_of
from tests.harness.web_verifier import WebVerifier
from tests.server.audit.test_game_audit import chained
from tests.server.audit.test_random_forgeries import CHANGES, number_again

KEY = SigningKey("club.example/log", bytes(range(32)))
OTHER = SigningKey("club.example/log", bytes(32))
FRIEND = SigningKey("friends.example/witness", bytes(31) + b"\1")
TRUST = Trust((KEY.verifier(),), (FRIEND.verifier(WITNESS),))
NEXT = SigningKey("club.example/log", bytes([7]) * 32)
THIRD = SigningKey("club.example/log", bytes([8]) * 32)
RECORDS = [make() for _, make in sorted(KINDS.items())]
SEEN_AT = 1_800_003_600


def entry_of(record: Record) -> bytes:
    """What the log says of a game."""
    last = record["events"][-1]
    secret, head = bytes.fromhex(record["secret"]), bytes.fromhex(last["hash"])
    return Ended.of(record["stream"], last["version"], secret, head).as_bytes()


def proven(key: SigningKey = KEY, rotations: Sequence[Rotation] = (), seen_at: int = SEEN_AT) -> list[Record]:
    """The records, each with the proof that a log has it, in which these rotations come last."""
    leaves = [leaf_hash(entry_of(record)) for record in RECORDS]
    leaves += [leaf_hash(NextKey(rotation.note.as_text()).as_bytes()) for rotation in rotations]
    note = sign_note(Checkpoint(KEY.name, len(leaves), tree_hash(leaves)).text, key)
    note = note.with_signatures([cosign(note.text, FRIEND, seen_at)])
    extra = pack_rotations(rotations)
    return [
        {**copy.deepcopy(record), "proof": EntryProof(index, beside(index, leaves), note, extra).as_text()}
        for index, record in enumerate(RECORDS)
    ]


def beside(index: int, leaves: Sequence[bytes]) -> list[bytes]:
    """The hashes beside the way of an entry to the root."""
    return [tree_hash(leaves[low:high]) for low, high in inclusion_parts(index, len(leaves))]


ROTATIONS = (sign_rotation(len(RECORDS), KEY, NEXT), sign_rotation(len(RECORDS) + 1, NEXT, THIRD))


def found_in(record: Record, trust: Trust = TRUST) -> Attestation | None:
    """What the proof in a consistent record shows."""
    text = msgspec_json.encode(record)
    verdict = game_audit.verify(text)
    assert verdict.consistent, verdict.reason
    return attest(game_audit.read_record(text), verdict.hashes, trust)


def test_every_record_is_attested_by_the_host_and_witnessed() -> None:
    for number, record in enumerate(proven()):
        assert found_in(record) == Attestation(
            KEY.name,
            number,
            len(RECORDS),
            len(record["events"]),
            KEY.verifier(),
            (Witness(FRIEND.name, SEEN_AT),),
        )


@pytest.mark.parametrize("too_early", [False, True])
def test_a_witness_who_signed_before_the_game_had_ended_is_named_by_both_verifiers(
    web_verifier: WebVerifier, too_early: bool
) -> None:
    ended_at = RECORDS[0]["events"][-1]["recorded_at"] // 1000
    record = proven(seen_at=ended_at - 60 - too_early)[0]  # two clocks may differ by a minute
    host = {"keys": [KEY.verifier().text], "witnesses": [FRIEND.verifier(WITNESS).text]}
    said = web_verifier.verdict(msgspec_json.encode(record), rules_of(record["events"][0]["data"]["game"]), host)
    assert said.consistent != too_early
    if too_early:
        with pytest.raises(NotAttested, match=r"friends\.example/witness signed it at .*, and it went on until"):
            found_in(record)
    else:
        found = found_in(record)
        assert found is not None
        assert found.witnesses


def test_nothing_is_shown_to_who_trusts_no_key_of_this_log() -> None:
    record = proven()[0]
    for trust in (Trust(), Trust((), TRUST.witnesses)):
        found = found_in(record, trust)
        assert found is not None
        assert (found.key, found.witnesses) == (None, ())
    with pytest.raises(NotAttested, match="not signed by the key"):
        found_in(record, Trust((OTHER.verifier(),)))
    assert found_in(RECORDS[0]) is None


@pytest.mark.parametrize("given", [KEY, NEXT, THIRD])
def test_a_key_that_was_rotated_leads_to_the_others_in_both_directions(given: SigningKey) -> None:
    after = proven(THIRD, ROTATIONS)[0]
    found = found_in(after, Trust((given.verifier(),)))  # by what is in the record alone
    assert (found and found.key) == THIRD.verifier()
    host = Trust((), (), ROTATIONS)
    before = found_in(proven()[0], join_trust(Trust((given.verifier(),)), host))  # by what the host publishes
    assert (before and before.key) == KEY.verifier()
    assert join_trust(Trust((given.verifier(),)), host._replace(hosts=(THIRD.verifier(), KEY.verifier()))).hosts == (
        given.verifier(),
    )


def test_a_key_signs_no_tree_after_it_was_rotated_and_none_before() -> None:
    host = Trust((KEY.verifier(), NEXT.verifier()), (), ROTATIONS[:1])
    for record in (proven(KEY, ROTATIONS[:1])[0], proven(NEXT)[0]):
        with pytest.raises(NotAttested, match="which was rotated"):
            found_in(record, host)


def test_a_key_that_the_old_one_has_not_signed_is_not_trusted() -> None:
    text = ROTATIONS[0].note.text
    by_others = ROTATIONS[0]._replace(note=sign_note(text, NEXT).with_signatures([sign_text(text, THIRD)]))
    with pytest.raises(NotAttested, match="not signed by the key"):
        found_in(proven(NEXT, [by_others])[0])
    other = sign_rotation(len(RECORDS), KEY, THIRD)  # by who has got the old key
    with pytest.raises(NotAttested, match="one key has named two others"):
        found_in(proven(THIRD, [other])[0], Trust((KEY.verifier(),), (), ROTATIONS[:1]))
    with pytest.raises(BadKey, match="has not signed"):
        join_trust(Trust((KEY.verifier(),)), Trust((THIRD.verifier(),), (), ROTATIONS[:1]))
    stranger = SigningKey("other.example/log", bytes(32)), SigningKey("other.example/log", bytes(31) + b"1")
    with pytest.raises(NotAttested, match="those of another log"):
        found_in(proven(KEY, [sign_rotation(1, *stranger)])[0])


def another_player(record: Record, chance: random.Random) -> None:
    for event in record["events"]:
        if "player" in event["data"]:
            event["data"]["player"] = "somebodyelse0000"


def other_times(record: Record, chance: random.Random) -> None:
    later = chance.randrange(1, 10**9)
    for event in record["events"]:
        event["recorded_at"] += later


def another_id(record: Record, chance: random.Random) -> None:
    record["game"] = "zzzzyyyyxxxxwwww"
    record["stream"] = f"game/{record['game']}"


def without_its_end(record: Record, chance: random.Random) -> None:
    del record["events"][chance.randrange(1, len(record["events"])) :]
    number_again(record)


CONSISTENT_FORGERIES = (another_player, other_times, another_id, without_its_end)


def is_caught(record: Record) -> bool:
    """Whether a forged record is broken in itself, its proof does not hold, or nobody has signed it."""
    text = msgspec_json.encode(record)
    verdict = game_audit.verify(text)
    if not verdict.consistent:
        return True
    try:
        found = attest(game_audit.read_record(text), verdict.hashes, TRUST)
    except NotAttested:
        return True
    return found is None or found.key is None or not found.witnesses or found.version < len(verdict.hashes)


def test_a_hundred_records_that_were_forged_and_hashed_again_are_all_caught() -> None:
    chance, honest = random.Random(16), proven()
    forged = list[Record]()
    while len(forged) < 100:
        original = chance.choice(honest)
        record = copy.deepcopy(original)
        try:
            chance.choice([*CONSISTENT_FORGERIES, *CHANGES])(record, chance)
            chained(record)
        except (AttributeError, IndexError, KeyError, TypeError, ValueError):
            continue  # there is nothing of this kind to change
        if record != original:
            forged.append(record)
    assert [record for record in forged if not is_caught(record)] == []
    assert not any(map(is_caught, honest))


@pytest.mark.parametrize("forge", CONSISTENT_FORGERIES)
def test_what_only_the_log_can_show_to_be_forged_is_shown(forge: Any) -> None:
    record = proven()[0]
    forge(record, random.Random(1))
    text = msgspec_json.encode(chained(record))
    if forge is not another_id:  # of this the seed of the cards follows, in a game of a day
        assert game_audit.verify(text).consistent
    assert is_caught(record)


def test_two_runs_that_swap_their_proofs_are_both_refused() -> None:
    one, other = proven()[:2]
    one["proof"], other["proof"] = other["proof"], one["proof"]
    for record in (one, other):
        with pytest.raises(NotAttested, match="another root"):
            found_in(record)


def test_a_changed_character_anywhere_in_a_record_is_found() -> None:
    chance = random.Random(61)
    text = msgspec_json.encode(proven()[0]).decode()
    for _ in range(300):
        place = chance.randrange(len(text))
        changed = text[:place] + chance.choice('0123456789abcdefAZ+/= \\n\\"{}') + text[place + 1 :]
        if changed == text or _is_the_same_json(changed, text):
            continue
        if game_audit.verify(changed.encode()).consistent:
            assert is_caught(msgspec_json.decode(changed)), changed[max(0, place - 30) : place + 30]


def _is_the_same_json(one: str, other: str) -> bool:
    try:
        return bool(json.loads(one) == json.loads(other))
    except ValueError:
        return False


def test_the_command_says_which_of_consistent_attested_and_witnessed_hold(tmp_path: Any) -> None:
    file = tmp_path / "record.json"
    file.write_bytes(msgspec_json.encode(proven()[0]))
    keys = ["--key", KEY.verifier().text, "--key", FRIEND.verifier(WITNESS).text]
    said = run("verify", str(file), *keys)
    assert said.exit_code == 0
    assert "consistent with its rules and its seal" in said.output
    assert f"attested: entry 1 of {len(RECORDS)} in the log club.example/log" in said.output
    assert "witnessed: friends.example/witness saw this log at 2027-01-15 09:00:00+00:00" in said.output
    assert "not witnessed" in run("verify", str(file), *keys[:2]).output
    refused = run("verify", str(file), "--key", OTHER.verifier().text)
    assert (refused.exit_code, "not signed by the key of club.example/log" in refused.output) == (1, True)
    file.write_bytes(msgspec_json.encode(RECORDS[0]))
    assert "not attested: it has no proof" in run("verify", str(file), *keys).output
    wrong = run("verify", str(file), "--key", "nothing")
    assert (wrong.exit_code, "a key cannot be used" in wrong.output) == (2, True)


def test_what_a_server_says_of_its_keys_is_read_or_refused() -> None:
    assert read_host({"keys": [KEY.verifier().text], "witnesses": [FRIEND.verifier(WITNESS).text]}) == TRUST
    assert read_trust([FRIEND.verifier(WITNESS).text]) == Trust((), TRUST.witnesses)
    wrongs: tuple[Any, ...] = (None, [], {}, {"keys": "a"}, {"keys": ["a"]}, {"keys": [], "witnesses": {}})
    for wrong in wrongs:
        with pytest.raises(BadKey):
            read_host(wrong)


@pytest.mark.parametrize("text", [b"", b"{", b"\xff", b"[" * 1_000_000, b'{"keys": [' + b"9" * 5_000 + b"]}"])
def test_a_file_of_a_host_that_cannot_be_read_is_refused_by_the_command(text: bytes, tmp_path: Path) -> None:
    record, host = tmp_path / "record.json", tmp_path / "host.json"
    record.write_bytes(msgspec_json.encode(RECORDS[0]))
    host.write_bytes(text)
    refused = run("verify", str(record), "--trust", str(host))
    assert (refused.exit_code, "a key cannot be used: it is not the JSON" in refused.output) == (2, True)


@pytest.mark.parametrize("seen_at", [2**40, 2**64 - 1])
def test_a_witness_whose_clock_is_thousands_of_years_ahead_is_shown_at_the_end_of_the_year_9999(
    seen_at: int, tmp_path: Path
) -> None:
    file, host = tmp_path / "record.json", tmp_path / "host.json"
    file.write_bytes(msgspec_json.encode(proven(seen_at=seen_at)[0]))
    host.write_bytes(msgspec_json.encode({"keys": [KEY.verifier().text], "witnesses": [FRIEND.verifier(WITNESS).text]}))
    said = run("verify", str(file), "--trust", str(host))
    assert (said.exit_code, "saw this log at 9999-12-31 23:59:59+00:00" in said.output) == (0, True)


@pytest.mark.parametrize("character", "\t\v\x1c\x1f +\x85\xa0\u1680\u2003\u2028\u3000")
def test_a_name_of_a_key_that_go_refuses_is_refused_by_both_verifiers(
    web_verifier: WebVerifier, character: str
) -> None:
    record = proven()[0]
    rules, host = rules_of(record["events"][0]["data"]["game"]), {"keys": [KEY.verifier().text]}
    for name, is_name in ((f"a{character}b", False), (f"b{character}", False), ("a\u200b\ufeffb", True)):
        line = f"\N{EM DASH} {name} AAAAAAA=\n"
        signed = {**record, "proof": record["proof"] + line}
        assert web_verifier.verdict(msgspec_json.encode(signed), rules, host).consistent == is_name
        if is_name:
            assert found_in(signed)
        else:
            with pytest.raises(NotAttested, match=r"not a signature|not base64"):
                found_in(signed)


def test_both_verifiers_say_of_forged_proofs_and_records_who_attests_them(web_verifier: WebVerifier) -> None:
    chance = random.Random(1116)
    first = {"keys": [KEY.verifier().text], "witnesses": [FRIEND.verifier(WITNESS).text]}
    rotated = {**first, "keys": [NEXT.verifier().text], "rotations": [ROTATIONS[0].note.as_text()]}
    other = {**rotated, "rotations": [sign_rotation(1, KEY, THIRD).note.as_text()]}
    honest = [*proven(), *proven(NEXT, ROTATIONS[:1])[:3], *proven(THIRD, ROTATIONS)[:3]]
    records = [*honest, *RECORDS, *proven(KEY, ROTATIONS)[:3], *proven(OTHER, ROTATIONS)[:1]]
    for record in honest * 5:
        proof = record["proof"]
        place = chance.randrange(len(proof))
        records.append({**record, "proof": proof[:place] + chance.choice("0Aaz+/= \n") + proof[place + 1 :]})
    attested = set()
    for record, host in itertools.product(records, (first, rotated, other)):
        if host is not first and chance.random() < 0.7:
            continue
        text = msgspec_json.encode(record)
        theirs = web_verifier.verdict(text, rules_of(record["events"][0]["data"]["game"]), host)
        verdict = game_audit.verify(text)
        assert verdict.consistent
        try:
            found = attest(game_audit.read_record(text), verdict.hashes, read_host(host))
        except NotAttested:
            assert not theirs.consistent, text
            continue
        attested.add(found and found.key)
        assert theirs.consistent, text
        assert theirs.attested == (found is not None and found.key is not None), text
        assert theirs.witnessed == (() if found is None else tuple(witness.name for witness in found.witnesses))
    assert attested == {None, KEY.verifier(), NEXT.verifier(), THIRD.verifier()}
