"""A virtual evening, in its stream `virtual/<evening>/<person>`, and the rules of its games. Pure.

Somebody plays the first stage of a final evening later, against the runs of then. The stream tells of it; or it says
only that the person was shown cards of the evening, so that they cannot play it any more.
"""

from collections.abc import Iterable
from typing import ClassVar, Self

from msgspec import Struct
from msgspec.structs import replace

from cadogan.server.core import ids
from cadogan.server.core.eventlog.events import CompetitionEvent, Event, GameDealt, UnreadableEvent
from cadogan.server.core.eventlog.projections import ContestRow
from cadogan.server.core.fairness.commit_reveal import (
    COMPETITION_DIGITS,
    beacon_digits,
    competition_deal_id,
    is_candidate_nonce,
)
from cadogan.server.core.games.competition_rules import CompetitionRules
from cadogan.server.core.games.stream_state import StreamState
from cadogan.server.subjects.evenings.evening_events import KEY as EVENING
from cadogan.server.subjects.evenings.evening_rules import find_wrong_about

KEY = "virtual"


class VirtualRound(Struct, frozen=True):
    """A round that can be played, on the clock of the player. Times are milliseconds since 1970, UTC."""

    round: int
    deal: str
    opens_at: int
    closes_at: int


class VirtualOpened(CompetitionEvent, frozen=True):
    """A player begins an evening. Its void rounds are left out; the first round began at `starts_at`."""

    name: ClassVar[str] = "virtual_opened"
    player: str
    starts_at: int
    rounds: tuple[VirtualRound, ...]


class VirtualRoundClosed(CompetitionEvent, frozen=True):
    """The time of a round is up: the run of it is over."""

    name: ClassVar[str] = "virtual_round_closed"
    round: int


class VirtualFinished(CompetitionEvent, frozen=True):
    """The last round is over. The player would have had this `place` of so many; None if no deal was opened.

    `total` is an exact fraction.
    """

    name: ClassVar[str] = "virtual_finished"
    reveals: ClassVar[bool] = True
    place: int | None = None
    of: int | None = None
    total: str | None = None


class VirtualDealSeen(CompetitionEvent, frozen=True):
    """A signed-in player was shown cards of a deal of the evening, by the game with this id."""

    name: ClassVar[str] = "virtual_deal_seen"
    player: str
    deal: str
    by: str


class VirtualState(StreamState, frozen=True, kw_only=True):
    """The virtual evening of one person. `closed` is the number of closed rounds."""

    opened: VirtualOpened | None = None
    closed: int = 0
    finished: VirtualFinished | None = None
    seen: VirtualDealSeen | None = None

    @property
    def evening(self) -> str:
        """The id of the evening."""
        return self.id.partition("/")[0]

    @property
    def goes_on(self) -> bool:
        """Whether it has begun and is not over."""
        return self.opened is not None and self.finished is None

    @property
    def rounds(self) -> tuple[VirtualRound, ...]:
        """The rounds that can be played; none before it has begun."""
        return () if self.opened is None else self.opened.rounds

    @property
    def due_at(self) -> int | None:
        return self.rounds[self.closed].closes_at if self.goes_on else None

    def round(self, number: int) -> VirtualRound | None:
        """Return the round with this number; None if it cannot be played."""
        return next((one for one in self.rounds if one.round == number), None)

    def open_round(self, now: int) -> VirtualRound | None:
        """Return the round that is open at this moment; None if none is."""
        return next((one for one in self.rounds if one.opens_at <= now < one.closes_at), None)

    def list_row(self) -> ContestRow | None:
        """Return the row by which a starting node finds unfinished virtual evenings. The interface never lists it."""
        if self.opened is None:
            return None
        state = "on" if self.goes_on else "over"
        player, starts_at, ends_at = self.opened.player, self.opened.starts_at, self.rounds[-1].closes_at
        return ContestRow(self.id, KEY, "", player, None, "link", state, starts_at, ends_at)

    def apply(self, event: CompetitionEvent, at: int) -> Self:
        match event:
            case VirtualOpened():
                return replace(self, opened=event)
            case VirtualRoundClosed():
                return replace(self, closed=self.closed + 1)
            case VirtualFinished():
                return replace(self, finished=event)
            case VirtualDealSeen():
                return replace(self, seen=event)
        raise UnreadableEvent(f"{event.name} is no event of a virtual evening")


def virtual_game_of(secret: bytes, deal: str, player: str) -> str:
    """Return the id of a player's virtual run of the deal with this id."""
    return ids.derive_id(secret, KEY, deal, player)


class VirtualRules(CompetitionRules):
    """The rules of the runs, as in an evening. Each continues a run of then from its deal: no statistics have it."""

    key = KEY
    events = (VirtualOpened, VirtualRoundClosed, VirtualFinished, VirtualDealSeen)

    def earliest_timeout(self, dealt: GameDealt, ranked: bool) -> int | None:
        """Return 0: the stream has the time."""
        return 0

    def tells_origin(self, over: bool) -> bool:
        return over

    def list_stream(self, stream: str, events: Iterable[tuple[Event, int]]) -> ContestRow | None:
        state = VirtualState(stream=stream)
        for event, at in events:
            if isinstance(event, CompetitionEvent):
                state = state.apply(event, at)
        return state.list_row()

    def draws_from_beacon(self, dealt: GameDealt) -> bool:
        return beacon_digits(dealt.nonce) is not None

    def find_fault(self, dealt: GameDealt) -> str | None:
        deal = competition_deal_id(EVENING, dealt.about or "")
        if (dealt.day, dealt.slot, dealt.race, dealt.ranked) != (None, None, None, False):
            return "a virtual run has no day, no slot and no race, and is not ranked"
        if dealt.origin is None or dealt.origin.version != 1:
            return "a virtual run continues a run of the evening from its deal"
        has_nonce = is_candidate_nonce(dealt.nonce, deal, COMPETITION_DIGITS)
        if dealt.deal != deal or not has_nonce:
            return f"the name and the nonce of this deal are {deal!r}"
        return find_wrong_about(dealt)
