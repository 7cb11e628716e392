"""Writing to sockets: frames, slow readers, and crowds."""

import asyncio
import socket
from collections.abc import AsyncIterator
from contextlib import asynccontextmanager, suppress

import pytest
from structlog.testing import capture_logs
from websockets.frames import Frame, Opcode

from cadogan.server.core.event_loop import Coalescer
from cadogan.server.core.games.visibility import AccessLevel
from cadogan.server.core.live.connection import WRITES_PER_SLICE, Channel, Viewer, close_frame, frame
from cadogan.server.core.live.hub import Hub
from cadogan.server.core.rate_limits import TokenBucket
from cadogan.wire.codec import FELL_BEHIND


class Pipe:
    """A socket that takes frames until it is full, and then says so."""

    def __init__(self) -> None:
        self.taken: list[bytes] = []
        self.writing_paused = False
        self.closed = False
        self.room = asyncio.Event()
        self.ended = asyncio.Event()

    def write(self, data: bytes) -> None:
        assert not self.closed
        self.taken.append(data)

    def close(self) -> None:
        self.closed = True
        self.ended.set()

    abort = close

    def is_closing(self) -> bool:
        return self.closed

    def get_write_buffer_size(self) -> int:
        return sum(map(len, self.taken))

    async def drained(self) -> None:
        await self.room.wait()

    def drain(self) -> None:
        """Take again."""
        self.writing_paused = False
        self.room.set()


class Audience:
    """A viewer at the end of a pipe, and what happened to it."""

    def __init__(self, sight: AccessLevel = AccessLevel.BOARD) -> None:
        self.pipe = Pipe()
        self.fell_behind = 0
        self.refreshed = asyncio.Event()
        self.viewer = Viewer("ann", self.pipe, self.pipe, self.pipe.drained, self.refresh, self.count)
        self.viewer.topics["game/game"] = sight

    async def refresh(self, viewer: Viewer) -> None:
        viewer.write(b"fresh view")
        self.refreshed.set()

    def count(self) -> None:
        self.fell_behind += 1


@pytest.mark.parametrize("size", [0, 1, 125, 126, 65_535, 65_536, 200_000])
def test_a_frame_is_what_the_protocol_says(size: int) -> None:
    payload = b"x" * size
    assert frame(payload) == Frame(Opcode.TEXT, payload).serialize(mask=False)


def test_a_close_frame_is_what_the_protocol_says() -> None:
    assert close_frame(FELL_BEHIND, "too slow") == Frame(Opcode.CLOSE, (4001).to_bytes(2) + b"too slow").serialize(
        mask=False
    )


async def test_a_slow_spectator_loses_messages_and_gets_one_fresh_view_when_it_has_drained() -> None:
    slow = Audience()
    slow.viewer.push(b"1")
    slow.pipe.writing_paused = True
    for message in (b"2", b"3", b"4"):
        slow.viewer.push(message)
    assert (slow.pipe.taken, slow.viewer.is_behind, slow.fell_behind) == ([b"1"], True, 1)
    slow.pipe.drain()
    await slow.refreshed.wait()
    slow.viewer.push(b"5")
    assert slow.pipe.taken == [b"1", b"fresh view", b"5"]


async def test_the_log_tells_when_a_spectator_fell_behind_and_what_it_missed() -> None:
    slow = Audience()
    slow.pipe.writing_paused = True
    with capture_logs() as logged:
        for message in (b"1", b"2", b"3"):
            slow.viewer.push(message)
        slow.pipe.drain()
        await slow.refreshed.wait()
        await asyncio.sleep(0)
    fell, caught_up = logged
    assert (fell["event"], fell["player"], fell["topics"], fell["then"]) == (
        "viewer_fell_behind",
        "ann",
        ["game/game"],
        "fresh view",
    )
    assert (caught_up["event"], caught_up["dropped_messages"]) == ("viewer_caught_up", 3)
    assert fell["connection"] == caught_up["connection"]


async def test_the_log_tells_when_a_fresh_view_could_not_be_sent() -> None:
    async def fail(viewer: Viewer) -> None:
        raise RuntimeError("no database")

    pipe = Pipe()
    viewer = Viewer("ann", pipe, pipe, pipe.drained, fail, lambda: None)
    pipe.writing_paused = True
    with capture_logs() as logged:
        viewer.push(b"1")
        pipe.drain()
        await pipe.ended.wait()
    assert [entry["event"] for entry in logged] == ["viewer_fell_behind", "no_fresh_view"]


async def test_a_slow_player_is_disconnected_with_the_code_to_resume() -> None:
    slow = Audience(AccessLevel.SEAT)
    slow.pipe.writing_paused = True
    slow.viewer.push(b"1")
    slow.viewer.push(b"2")
    assert slow.pipe.taken == [close_frame(FELL_BEHIND, "too slow: connect again and resume")]
    assert slow.pipe.closed


async def test_while_its_address_is_in_debt_a_spectator_gets_no_pushes_that_cost_and_then_a_fresh_view() -> None:
    dear, seconds = Audience(), [0.0]
    address = dear.viewer.address = TokenBucket(rate=1000, burst=1, clock=lambda: seconds[0])
    with capture_logs() as logged:
        for message in (b"1", b"2", b"3"):
            dear.viewer.push(message, price=1.0)
        dear.viewer.push(b"own")
        assert (dear.pipe.taken, dear.fell_behind) == ([b"1", b"2", b"own"], 1)
        assert address.is_in_debt()
        seconds[0] = 1.0
        await dear.refreshed.wait()
        await asyncio.sleep(0)
    assert [entry["event"] for entry in logged] == ["viewer_held_back", "viewer_caught_up"]
    assert dear.pipe.taken == [b"1", b"2", b"own", b"fresh view"]
    dear.viewer.push(b"own")
    assert dear.pipe.taken[-1] == b"own"


async def test_a_viewer_whose_address_is_in_debt_and_that_reads_too_slowly_gets_one_fresh_view() -> None:
    dear, seconds = Audience(), [0.0]
    dear.viewer.address = TokenBucket(rate=1000, burst=0, clock=lambda: seconds[0])
    dear.viewer.push(b"1", price=1.0)
    dear.viewer.push(b"2", price=1.0)
    dear.pipe.writing_paused = True
    dear.viewer.push(b"3")
    assert dear.viewer.is_behind
    seconds[0] = 1.0
    dear.pipe.drain()
    await dear.refreshed.wait()
    assert dear.pipe.taken == [b"1", b"fresh view"]
    assert not dear.viewer.is_behind


async def test_a_client_that_reads_nothing_for_long_is_disconnected(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr("cadogan.server.core.live.connection.DRAIN_TIMEOUT_SECONDS", 0.01)
    spectator, asker = Audience(), Audience()
    for slow in (spectator, asker):
        slow.pipe.writing_paused = True
    spectator.viewer.push(b"1")
    with pytest.raises(ConnectionError):
        await asker.viewer.drained()
    await spectator.pipe.ended.wait()
    assert asker.pipe.closed
    assert not spectator.refreshed.is_set()


async def test_nothing_is_written_to_a_socket_that_is_gone() -> None:
    gone = Audience()
    gone.pipe.close()
    gone.viewer.push(b"1")
    gone.viewer.write(b"2")
    assert (gone.pipe.taken, gone.viewer.is_behind) == ([], False)


async def test_one_slow_or_disconnected_viewer_does_not_delay_the_others() -> None:
    channel = Channel()
    slow, gone, quick = Audience(), Audience(), Audience()
    slow.pipe.writing_paused = True
    gone.pipe.close()
    channel.viewers = dict.fromkeys([slow.viewer, gone.viewer, quick.viewer])
    channel.send(b"1")
    assert quick.pipe.taken == [b"1"]
    slow.viewer.forget()


async def test_a_large_audience_is_sent_to_in_slices_in_order_and_newcomers_get_only_later_messages() -> None:
    channel = Channel()
    crowd = [Audience() for _ in range(WRITES_PER_SLICE * 2 + 1)]
    channel.viewers = dict.fromkeys(one.viewer for one in crowd)
    channel.send(b"1")
    newcomer = Audience()
    channel.viewers[newcomer.viewer] = None
    channel.send(b"2")
    assert not crowd[0].pipe.taken
    for _ in range(10):
        await asyncio.sleep(0)
    assert all(one.pipe.taken == [b"1", b"2"] for one in crowd)
    assert newcomer.pipe.taken == [b"2"]


async def test_no_message_overtakes_those_that_wait_even_if_the_audience_has_become_small() -> None:
    channel = Channel()
    crowd = [Audience() for _ in range(WRITES_PER_SLICE * 2)]
    channel.viewers = dict.fromkeys(one.viewer for one in crowd)
    channel.send(b"1")
    channel.viewers = {crowd[-1].viewer: None}
    channel.send(b"2")
    for _ in range(10):
        await asyncio.sleep(0)
    assert crowd[-1].pipe.taken == [b"1", b"2"]


async def test_other_tasks_run_between_the_slices_of_a_large_audience() -> None:
    channel = Channel()
    crowd = [Audience() for _ in range(WRITES_PER_SLICE * 4)]
    channel.viewers = dict.fromkeys(one.viewer for one in crowd)
    channel.send(b"1")
    received = []
    while not crowd[-1].pipe.taken:
        await asyncio.sleep(0)
        received.append(sum(1 for one in crowd if one.pipe.taken))
    assert received == [WRITES_PER_SLICE, WRITES_PER_SLICE * 2, WRITES_PER_SLICE * 3, WRITES_PER_SLICE * 4]


async def test_a_disconnected_viewer_has_no_subscriptions() -> None:
    hub = Hub(Coalescer())
    one = Audience()
    one.viewer.topics.clear()
    hub.subscribe(one.viewer, "game/game", AccessLevel.BOARD)
    hub.remove(one.viewer)
    hub.subscribe(one.viewer, "game/game", AccessLevel.BOARD)
    hub.subscribe(one.viewer, "day/2026-11-20")
    assert not hub.has_subscribers("game/game")
    assert not hub.has_subscribers("day/2026-11-20")


class Flow(asyncio.Protocol):
    """The flow control of a real transport."""

    def __init__(self) -> None:
        self.writing_paused = False
        self.resumed = asyncio.Event()

    def pause_writing(self) -> None:
        self.writing_paused = True

    def resume_writing(self) -> None:
        self.writing_paused = False
        self.resumed.set()

    async def drained(self) -> None:
        await self.resumed.wait()


@asynccontextmanager
async def real_socket() -> AsyncIterator[tuple[asyncio.Transport, Flow, socket.socket]]:
    """A transport and the other end of its socket."""
    ours, theirs = socket.socketpair()
    theirs.setblocking(False)
    transport, flow = await asyncio.get_running_loop().create_connection(Flow, sock=ours)
    transport.set_write_buffer_limits(high=64 * 1024)
    try:
        yield transport, flow, theirs
    finally:
        theirs.close()
        transport.abort()


async def test_a_real_socket_whose_reader_sleeps_fills_and_recovers_when_it_reads() -> None:
    refreshed = asyncio.Event()

    async def refresh(viewer: Viewer) -> None:
        refreshed.set()

    async with real_socket() as (transport, flow, theirs):
        viewer = Viewer("ann", transport, flow, flow.drained, refresh, lambda: None)
        message = frame(b"x" * 8000)
        for _ in range(1000):
            viewer.push(message)
        assert viewer.is_behind
        assert transport.get_write_buffer_size() < 64 * 1024 + 2 * len(message)
        while not refreshed.is_set():
            with suppress(BlockingIOError):
                theirs.recv(1 << 20)
            await asyncio.sleep(0)
        assert not viewer.is_behind
