"""The record page's own examples hold."""

import json
import re
from pathlib import Path
from typing import Any

from msgspec import convert

from engine.cards import DOWN, card_text, parse_card
from engine.deal_plan import HAND
from engine.shuffle import draw_order
from engine.state import State
from engine.table import Table
from server.eventlog import hash_chain
from server.eventlog.events import Certificate
from server.fairness import commit_reveal
from server.fairness.certificates import certificate_seal
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


def test_the_shuffle_is_that_of_the_page() -> None:
    shown = example("shuffle")
    assert draw_order(shown["count"], bytes.fromhex(shown["seed"]), shown["label"]) == shown["order"]


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
