"""The lines of the bus, and how they are packed into notifications."""

from contextlib import AsyncExitStack
from secrets import token_hex

import pytest

from cadogan.server.core.cluster.bus import (
    MAX_NAME_LENGTH,
    GapLine,
    PresenceLine,
    WakeUpLine,
    decode_lines,
    encode_line,
    is_name,
    pack_lines,
)


@pytest.mark.parametrize("line", [WakeUpLine("game", 3), PresenceLine("game", "text"), GapLine()])
def test_a_line_with_one_value_more_is_unreadable(line: WakeUpLine | PresenceLine | GapLine) -> None:
    encoded = encode_line(line)
    assert decode_lines(encoded) == [line]
    assert decode_lines(encoded.removesuffix("]") + ",1]") == [None]


def test_lines_fill_a_notification_to_its_last_byte_and_no_further() -> None:
    assert pack_lines(["aaaa", "bbb"], 8) == ["aaaa\nbbb"]
    assert pack_lines(["aaaa", "bbbb"], 8) == ["aaaa", "bbbb"]


def test_a_name_has_a_largest_length() -> None:
    assert is_name("a" * MAX_NAME_LENGTH)
    assert not is_name("a" * (MAX_NAME_LENGTH + 1))


async def test_nothing_of_a_topic_is_received_any_more_when_nobody_follows_it(nats_url: str) -> None:
    from nats.aio.client import Client

    from cadogan.server.core.cluster.nats_bus import NatsLink

    server, prefix = nats_url.rpartition("/")[0], token_hex(8)
    async with AsyncExitStack() as stack:
        one, other = Client(), Client()
        for client in (one, other):
            await client.connect(server)
            stack.push_async_callback(client.close)
        sender, link = (NatsLink(client, prefix, lambda _: None) for client in (one, other))
        await link.update_subscriptions(["left", "kept"], [])
        await link.update_subscriptions([], ["left", "never followed"])
        await link.ping()  # the bus knows of it
        await sender.send({"one": ["left"], "two": ["kept"]})
        await sender.ping()
        await link.ping()
        assert other.stats["in_msgs"] == 1
