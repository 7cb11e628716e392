"""What is sent over a bus stays what it is: no text becomes structure, and what is refused keeps nothing back."""

import asyncio
from collections.abc import AsyncIterator, Callable, Collection

import asyncpg
import pytest
from msgspec import json

from cadogan.server.core.cluster.bus import MAX_LINE_BYTES, MAX_PRESENCE_BYTES, Lines, PresenceLine, encode_line
from cadogan.server.core.cluster.choose_bus import CHANNEL
from cadogan.server.core.cluster.remote_bus import Link, LinkFactory, OnLost, OnText, RemoteBus
from cadogan.server.core.live.presence import MAX_NAMES, NodePresence
from cadogan.server.core.metrics import Metrics
from cadogan.server.core.username_rules import MAX_NAME_LENGTH
from tests.harness.bus_listeners import BusListener, BusNodes
from tests.harness.databases import SERVER, new_name
from tests.harness.patience import soon

NO_NAMES = ("", "\0", "a\0", "a b", "a\nb", 'a\n["wake","game",99]', "*", ">", "a.>", "a..b", "\ud800", "é", "x" * 1000)
NO_TEXTS = ("\ud800", "x" * (MAX_PRESENCE_BYTES + 1), "\0" * MAX_PRESENCE_BYTES)


def dropped(metrics: Metrics, why: str) -> float | None:
    """How many lines a node has dropped for this reason."""
    return metrics.registry.get_sample_value("cadogan_bus_dropped_total", {"why": why})


async def test_what_cannot_be_sent_is_dropped_and_counted_and_keeps_nothing_back(remote_bus_nodes: BusNodes) -> None:
    one, two = await remote_bus_nodes.ready(), await remote_bus_nodes.ready()
    await remote_bus_nodes.follow(two, "game")
    for name in NO_NAMES:
        one.bus.subscribe(name)
        one.wake(name, 1)
        one.wake("game", 1, [name])
        one.say(name, "text")
    for text in NO_TEXTS:
        one.say("game", text)
    one.wake("game", -1)
    one.wake("game", 2)
    await two.wait_for_wake_up("game", 2)
    assert (two.wake_ups, two.presence_messages) == ([("game", 2)], [])
    assert dropped(remote_bus_nodes.metrics[one], "unsendable") == 4 * len(NO_NAMES) + len(NO_TEXTS) + 1
    assert not remote_bus_nodes.metrics[one].registry.get_sample_value("cadogan_bus_reconnects_total")


async def test_a_text_arrives_as_it_is_whatever_it_looks_like(remote_bus_nodes: BusNodes) -> None:
    one, two = await remote_bus_nodes.ready(), await remote_bus_nodes.ready()
    await remote_bus_nodes.follow(two, "game")
    text = 'a\n["wake","game",99]\r\n["gap"]\0\u2028\x85"\\ game 99 =🂡'
    two.gaps.clear()
    one.say("game", text)
    one.wake("game", 2)
    await two.wait_until(lambda: bool(two.presence_messages) and bool(two.wake_ups))
    assert (two.presence_messages, two.wake_ups, two.gaps) == ([("game", text)], [("game", 2)], [])


async def test_lines_of_somebody_else_are_dropped_and_counted(postgresql_url: str) -> None:
    nodes = BusNodes("postgresql", postgresql_url)
    one = await nodes.ready()
    somebody = await asyncpg.connect(postgresql_url)
    try:
        for text in ("game 99", "[]", '["wake","a b",3]', '["wake","game",3,4]', '["presence","game"]', "\x7f"):
            await somebody.execute("SELECT pg_notify($1, $2)", CHANNEL, text)
        await somebody.execute("SELECT pg_notify($1, $2)", CHANNEL, 'junk\n["wake","game",2]')
        await one.wait_for_wake_up("game", 2)
    finally:
        await somebody.close()
    assert (one.wake_ups, one.presence_messages) == ([("game", 2)], [])
    assert dropped(nodes.metrics[one], "unreadable") == 7
    await nodes.close()


@pytest.fixture
async def narrow_database(postgresql_url: str) -> AsyncIterator[str]:
    """A PostgreSQL database whose encoding has no playing cards."""
    name = new_name()
    server = await asyncpg.connect(f"{SERVER}/postgres")
    await server.execute(f"CREATE DATABASE \"{name}\" TEMPLATE template0 ENCODING 'LATIN1' LOCALE 'C'")
    yield f"{SERVER}/{name}"
    await server.execute(f'DROP DATABASE "{name}" WITH (FORCE)')
    await server.close()


async def test_a_line_that_the_server_refuses_is_dropped_alone(narrow_database: str) -> None:
    nodes = BusNodes("postgresql", narrow_database)
    one, two = await nodes.ready(), await nodes.ready()
    for number in range(20):
        one.say(str(number), "\U0001f0a1" if number in (3, 17) else "Zoë")
        one.wake(str(number), 2)
    await two.wait_until(lambda: len(two.wake_ups) == 20 and len(two.presence_messages) == 18)
    assert dropped(nodes.metrics[one], "refused") == 2
    assert not nodes.metrics[one].registry.get_sample_value("cadogan_bus_reconnects_total")
    await nodes.close()


def test_the_most_and_longest_names_fit_into_one_line() -> None:
    for letter in ("\U0001f0a1", '"', "\\"):
        present = NodePresence("0123456789abcdef", 10**9, (letter * MAX_NAME_LENGTH,) * MAX_NAMES)
        text = json.encode(present).decode()
        assert len(encode_line(PresenceLine("a" * 16, text)).encode()) <= MAX_LINE_BYTES


class BreakingLink:
    """A connection that breaks in the middle of its first send; `meanwhile` is done before."""

    def __init__(self, meanwhile: Callable[[], None]) -> None:
        self.sent: list[Lines] = []
        self.meanwhile = meanwhile
        self.arrived = asyncio.Event()

    async def connect(self, on_text: OnText, on_lost: OnLost) -> Link:
        return self

    async def update_subscriptions(self, added: Collection[str], removed: Collection[str]) -> Collection[str]:
        return ()

    async def send(self, lines: Lines) -> None:
        self.sent.append(lines)
        if len(self.sent) == 1:
            self.meanwhile()
            raise ConnectionResetError
        self.arrived.set()

    async def ping(self) -> None:
        return None

    async def close(self) -> None:
        return None


async def test_what_waits_again_after_an_outage_never_replaces_what_is_newer() -> None:
    def play_on() -> None:
        node.wake("game", 7)
        node.wake("other", 2)
        node.say("game", "new")

    link = BreakingLink(play_on)
    connect: LinkFactory = link.connect
    node = BusListener(RemoteBus(connect, Metrics()))
    node.wake("game", 6, ["ended"])
    node.wake("other", 3)
    node.say("game", "old")
    node.say("third", "kept")
    node.bus.start()
    await asyncio.wait_for(link.arrived.wait(), soon())
    assert {line: set(topics) for line, topics in link.sent[-1].items()} == {
        '["wake","game",7]': {"game", "ended"},
        '["wake","other",3]': {"other"},
        '["presence","game","new"]': {"game"},
        '["presence","third","kept"]': {"third"},
    }
    await node.bus.close()
