"""The record page's own examples hold."""

import json
import re
from base64 import b64decode
from datetime import UTC, datetime
from hashlib import sha256
from pathlib import Path
from typing import Any

from cryptography.hazmat.primitives.asymmetric.ed25519 import Ed25519PublicKey
from msgspec import convert

from cadogan.engine import game
from cadogan.engine.cards import DOWN, card_text, parse_card
from cadogan.engine.deal_plan import HAND
from cadogan.engine.shuffle import draw_order
from cadogan.engine.state import State
from cadogan.engine.table import Table
from cadogan.server.core.eventlog import hash_chain
from cadogan.server.core.eventlog.events import Certificate
from cadogan.server.core.fairness import commit_reveal
from cadogan.server.core.fairness.certificates import certificate_seal
from cadogan.server.core.fairness.commit_reveal import (
    chain_hash,
    daily_nonce,
    is_genuine,
    round_at,
    round_digest,
    signed_at,
)
from cadogan.server.subjects.transparency.leaves import DayEvent, Ended, Strike
from cadogan.wire.beacon import SignedRound
from tests.engine.test_deal_plan import carry_out

PAGE = (Path(__file__).parents[2] / "docs" / "record.md").read_text("utf-8")


def example(kind: str) -> dict[str, Any]:
    (block,) = re.findall(rf"```json {kind}\n(.*?)```", PAGE, re.DOTALL)
    found: dict[str, Any] = json.loads(block)
    return found


def test_the_commitment_and_the_seed_are_those_of_the_page() -> None:
    shown = example("fairness")
    secret = bytes.fromhex(shown["secret"])
    assert commit_reveal.commitment(secret) == shown["commitment"]
    assert commit_reveal.seed(shown["game"], shown["nonce"], secret).hex() == shown["seed"]


def test_the_round_of_the_beacon_is_that_of_the_page() -> None:
    shown = example("beacon")
    signed = convert(shown["beacon"], SignedRound)
    assert is_genuine(signed)
    assert (chain_hash(signed.chain), round_digest(signed)) == (shown["chain"], shown["digest"])
    assert signed.round == round_at(signed.chain, signed_at(signed)).round
    assert daily_nonce("2026-11-20.1", 7, shown["digest"]) == shown["nonce"]


def test_the_shuffle_is_that_of_the_page() -> None:
    shown = example("shuffle")
    assert draw_order(shown["count"], bytes.fromhex(shown["seed"]), shown["label"]) == shown["order"]


def test_the_numbered_deal_is_that_of_the_page() -> None:
    shown = example("numbered")
    piles = game("freecell").write_piles(game("freecell").deal(b"", shown["number"]))
    assert [piles[f"tableau.{column}"][0] for column in range(8)] == shown["first"]


def test_the_deal_is_that_of_the_page() -> None:
    shown = example("deal")
    names = [*shown["piles"], HAND]
    places = {name: index for index, name in enumerate(names)}
    start = State(((),) * len(shown["piles"]) + (tuple(parse_card(word) | DOWN for word in shown["pack"]),), (2,))
    table = Table(start, [name in shown["down"] or name == HAND for name in names])
    carry_out(table, shown["steps"], places, {"redeals": 0}, bytes.fromhex(shown["seed"]))
    assert [[card_text(number) for number in pile] for pile in table.piles] == [*shown["piles"].values(), []]
    assert table.counters == list(shown["dealt"].values())


def test_the_chain_is_that_of_the_page() -> None:
    shown = example("chain")
    event = json.loads(shown["canonical"])
    data = json.dumps(event["data"], sort_keys=True, separators=(",", ":"))
    head = (event["stream"], event["version"], event["type"], event["schema"], data, event["recorded_at"])
    assert hash_chain.canonical_bytes(*head).decode() == shown["canonical"]
    assert hash_chain.event_hash(bytes.fromhex(shown["before"]), *head).hex() == shown["hash"]


def test_the_seal_of_a_certificate_is_that_of_the_page() -> None:
    shown = example("certificate")
    certificate = convert(shown["certificate"], Certificate)
    assert certificate_seal(bytes.fromhex(shown["secret"]), certificate) == shown["seal"]


def test_the_example_of_an_entry_is_what_the_log_says_of_a_game() -> None:
    shown = example("entry")
    stream, version = "game/abcdefghijklmnop", 2
    entry = Ended.of(stream, version, bytes.fromhex(shown["secret"]), bytes.fromhex(shown["hash"])).as_bytes()
    assert entry.decode() == shown["entry"]
    assert sha256(b"\0" + entry).hexdigest() == shown["leaf"]


def test_the_example_of_an_announced_day_is_what_the_log_says_of_it() -> None:
    shown = example("announced")
    head, at = bytes.fromhex(shown["hash"]), 1763035200000
    entry = DayEvent.of("daily/2026-11-20", 1, "daily_announced", at, head, shown["commitment"]).as_bytes()
    assert entry.decode() == shown["entry"]
    assert sha256(b"\0" + entry).hexdigest() == shown["leaf"]


def test_the_example_of_a_strike_is_what_the_log_says_of_a_run_that_was_struck() -> None:
    shown = example("strike")
    assert Strike(1763640000000, "abcdefghijklmnop", True).as_bytes().decode() == shown["entry"]
    assert sha256(b"\0" + shown["entry"].encode()).hexdigest() == shown["leaf"]


def test_the_example_of_a_proof_holds_by_what_the_page_says_and_nothing_else() -> None:
    shown = example("log")
    head, _, note = shown["proof"].partition("\n\n")
    text, _, signatures = note.rpartition("\n\n")
    origin, size, root = text.split("\n")
    first, index, *hashes = head.split("\n")
    assert (first, index, size, len(hashes)) == ("c2sp.org/tlog-proof@v1", "index 2", "3", 1)
    leaf, left = bytes.fromhex(shown["leaf"]), b64decode(hashes[0])  # the third of three leaves is a right branch
    assert sha256(b"\1" + left + leaf).digest() == b64decode(root)
    keys = [shown["host"].split("+", 2), shown["witness"].split("+", 2)]
    assert keys[0][0] == origin
    for (name, id, encoded), line in zip(keys, signatures.splitlines(), strict=True):
        kind, public = b64decode(encoded)[:1], b64decode(encoded)[1:]
        assert sha256(name.encode() + b"\n" + kind + public).hexdigest()[:8] == id
        signer, signed = line.removeprefix("\N{EM DASH} ").split(" ")
        given = b64decode(signed)
        assert (signer, given[:4].hex()) == (name, id)
        message, signature = f"{text}\n", given[4:]
        if kind == b"\4":
            message = f"cosignature/v1\ntime {int.from_bytes(signature[:8])}\n{message}"
            signature = signature[8:]
        Ed25519PublicKey.from_public_bytes(public).verify(signature, message.encode())


def test_the_example_of_a_receipt_holds_by_what_the_page_says_and_nothing_else() -> None:
    shown = example("receipt")
    text, _, line = shown["receipt"].partition("\n\n")
    origin, stream, version, digest, due = text.split("\n")
    assert {"stream": stream, "version": int(version), "digest": digest} == json.loads(shown["entry"])
    due_at = datetime.strptime(due, "%Y-%m-%dT%H:%M:%SZ").replace(tzinfo=UTC).timestamp()
    assert due_at == shown["recorded_at"] / 1000 + 24 * 60 * 60
    name, _, encoded = shown["host"].split("+", 2)
    assert origin == f"{name}/receipt"
    signer, signed = line.removeprefix("\N{EM DASH} ").split(" ")
    given, key = b64decode(signed), b64decode(encoded)
    assert (signer, given[:4]) == (origin, sha256(origin.encode() + b"\n" + key).digest()[:4])
    Ed25519PublicKey.from_public_bytes(key[1:]).verify(given[4:], f"{text}\n".encode())


def test_the_example_of_a_rotation_holds_by_what_the_page_says_and_nothing_else() -> None:
    text, _, signatures = example("rotation")["rotation"].rpartition("\n\n")
    first, number, *keys = text.split("\n")
    assert (first, number, keys[0]) == ("cadogan key rotation 1", "57", example("log")["host"])
    for key, line in zip(keys, signatures.splitlines(), strict=True):
        name, id, encoded = key.split("+", 2)
        signer, signed = line.removeprefix("\N{EM DASH} ").split(" ")
        assert (signer, b64decode(signed)[:4].hex()) == (name, id)
        public = Ed25519PublicKey.from_public_bytes(b64decode(encoded)[1:])
        public.verify(b64decode(signed)[4:], f"{text}\n".encode())
