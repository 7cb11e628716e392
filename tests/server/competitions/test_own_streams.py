"""The streams of a competition in the memory of several nodes over one log."""

import asyncio
from collections.abc import AsyncIterator, Collection, Iterator, Sequence
from contextlib import contextmanager
from typing import Self

import pytest
import structlog
from msgspec.structs import replace
from structlog.testing import LogCapture

from cadogan.server.core.cluster.bus import LocalBus
from cadogan.server.core.eventlog.commits import CommitPublisher
from cadogan.server.core.eventlog.event_store import StoredEvent
from cadogan.server.core.eventlog.events import CompetitionEvent, register_events
from cadogan.server.core.games import own_streams
from cadogan.server.core.games.competition import Competition
from cadogan.server.core.games.competition_rules import GameOutline
from cadogan.server.core.games.game_state import GameState
from cadogan.server.core.games.own_streams import StreamCommitted, StreamedCompetition
from cadogan.server.core.games.stream_state import StreamState
from tests.harness.memory_store import MemoryStore
from tests.server.competitions.duplicate.rules import DuplicateRules, MatchEnded, MatchOpened, RoundOpened

DAY = 86_400_000
BROKEN, AWAY, SOUND = (letter * 16 for letter in "abc")


class Match(StreamState, frozen=True, kw_only=True):
    """A match of one round, which begins at `starts_at`."""

    game: str = ""
    starts_at: int | None = None

    @property
    def due_at(self) -> int | None:
        return self.starts_at

    def apply(self, event: CompetitionEvent, at: int) -> Self:
        match event:
            case MatchOpened():
                return replace(self, game=event.game, starts_at=event.starts_at)
            case _:
                return replace(self, starts_at=None)


class Matches(StreamedCompetition[Match]):
    """Matches, of which those of one game cannot begin."""

    rules = DuplicateRules()
    state_class = Match

    async def advance(self, state: Match, at: int) -> Sequence[CompetitionEvent]:
        if state.game == "broken":
            raise ValueError(state.game)
        return [RoundOpened()]

    async def is_public(self, game: GameOutline) -> bool:
        return False

    async def require_open(self, game: GameState, now: int) -> None:
        """The time of no game is limited."""


class Log(MemoryStore):
    """A log that cannot read the streams that are `away`, and counts its reads and the questions what has ended."""

    def __init__(self) -> None:
        super().__init__()
        self.away: Collection[str] = ()
        self.questions = self.reads = 0

    async def read(self, stream: str, after: int = 0, limit: int | None = None) -> list[StoredEvent]:
        if stream in self.away:
            raise ConnectionRefusedError
        return await super().read(stream, after, limit)

    async def read_later(self, stream: str, after: int) -> list[StoredEvent]:
        self.reads += 1
        await asyncio.sleep(0)  # while a database reads, others go on
        return await super().read_later(stream, after)

    async def find_ended(self, streams: Collection[str]) -> set[str]:
        self.questions += 1
        return await super().find_ended(streams)


class Node:
    """A node over a log, and what its matches have published: their ids, their versions, and whether cards may show."""

    def __init__(self, store: Log) -> None:
        self.store, self.commits, self.bus, self.clocks, self.at = store, CommitPublisher(), LocalBus(), self, 1_000
        self.published: list[tuple[str, int, bool]] = []
        self.commits.subscribe(StreamCommitted, self.note)
        self.matches = Matches(self)

    def now(self) -> int:
        return self.at

    async def agree(self) -> bool:
        return True

    def note(self, committed: StreamCommitted) -> None:
        self.published.append((committed.state.id, committed.state.version, committed.is_end))

    async def open(self, id: str, *events: CompetitionEvent, game: str = "klondike") -> None:
        await self.matches.begin(id, MatchOpened(game, (), self.at + DAY, 60), *events)

    async def wake_up(self, id: str, version: int) -> None:
        self.matches.on_wake_up(id, version)
        await self.matches.wait_until_idle()


@pytest.fixture
async def nodes() -> AsyncIterator[list[Node]]:
    """Three nodes over one log."""
    register_events(DuplicateRules.key, DuplicateRules.events)
    store = Log()
    several = [Node(store) for _ in range(3)]
    yield several
    for node in several:
        await node.matches.close()


@contextmanager
def logging() -> Iterator[LogCapture]:
    """What is logged of streams, however logging is configured."""
    capture = LogCapture()
    with pytest.MonkeyPatch.context() as patch:
        logger = structlog.wrap_logger(None, [capture], structlog.make_filtering_bound_logger(0))
        patch.setattr(own_streams, "log", logger)
        yield capture


@pytest.mark.parametrize("is_read_before", [False, True])
async def test_a_change_by_another_node_is_published_although_the_stream_was_not_in_memory(
    nodes: list[Node], is_read_before: bool
) -> None:
    first, second, _ = nodes
    await first.open(SOUND, RoundOpened())
    if is_read_before:
        await second.matches.get(SOUND)
    assert second.published == []
    for _ in range(2):
        await second.wake_up(SOUND, 2)
    assert second.published == [(SOUND, 2, True)]
    assert first.published == [(SOUND, 2, False)]


async def test_a_stream_in_which_the_clock_has_nothing_to_do_stays_in_memory(nodes: list[Node]) -> None:
    node = nodes[0]
    await node.open(SOUND, RoundOpened())
    node.at += DAY
    await node.open(AWAY)
    assert node.matches.cached(SOUND) is not None


async def test_of_a_crowd_that_asks_when_something_is_due_only_the_first_one_reads_the_log(nodes: list[Node]) -> None:
    node = nodes[0]
    await node.open(SOUND)
    node.at += DAY
    before = node.store.reads
    states = await asyncio.gather(*(node.matches.get(SOUND) for _ in range(20)))
    assert {state.version for state in states} == {2}
    assert node.store.reads - before <= 2


async def test_streams_that_cannot_be_read_or_advanced_do_not_stop_the_others(nodes: list[Node]) -> None:
    first, second, third = nodes
    for id, game in ((BROKEN, "broken"), (AWAY, "klondike"), (SOUND, "klondike")):
        await first.open(id, game=game)
    first.store.away = [f"duplicate/{AWAY}"]
    for node in (first, second):
        node.at += DAY
        with logging() as logged:
            await node.matches.run_due()
        assert [(line["event"], line["task"], line["stream"]) for line in logged.entries] == [
            ("background_task_failed", "Matches.run_due", f"duplicate/{BROKEN}"),
            ("background_task_retried", "Matches.run_due", f"duplicate/{AWAY}"),
        ]
    assert [event.type for event in await first.store.read(f"duplicate/{SOUND}")][1:] == ["duplicate_round_opened"]
    first.store.away = ()
    for node in (second, third):
        node.at = first.at
        await node.matches.run_due()
        assert [(id, version) for id, version, _ in node.published if id == AWAY][-1:] == [(AWAY, 2)]
    assert {id for id, _, _ in third.published} == {BROKEN, AWAY, SOUND}


async def test_the_streams_that_have_not_ended_are_found_with_one_question(nodes: list[Node]) -> None:
    first, second, _ = nodes
    await first.open(BROKEN, RoundOpened(), MatchEnded())
    await first.open(AWAY)
    await first.open(SOUND)
    for _ in range(2):
        await second.matches.run_due()
    assert second.published == [(AWAY, 1, True), (SOUND, 1, True)]
    assert first.store.questions == 1


def test_a_competition_that_does_not_say_when_its_deals_are_public_cannot_be_made() -> None:
    class Forgetful(Competition):
        rules = DuplicateRules()

    with pytest.raises(TypeError, match="is_public"):
        Forgetful()  # type: ignore[abstract]
