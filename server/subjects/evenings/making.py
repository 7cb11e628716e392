"""Making evenings and matches within the limits of each maker, also when many are made at the same moment."""

from collections.abc import Awaitable, Callable, Sequence

from cadogan.server.core.errors import Conflict, TooMany
from cadogan.server.core.event_loop import OneAtATime
from cadogan.server.core.eventlog.events import CompetitionEvent
from cadogan.server.subjects.evenings.evening_state import EveningState
from cadogan.server.subjects.evenings.evenings import Evenings


class Making:
    """Begins evenings, one after another for each maker on this node."""

    def __init__(self, evenings: Evenings) -> None:
        self._evenings = evenings
        self._one_at_a_time = OneAtATime()

    async def begin(
        self,
        maker: str,
        id: str,
        require_place: Callable[[], Awaitable[None]],
        plan: Callable[[], Awaitable[Sequence[CompetitionEvent]]],
    ) -> EveningState:
        """Create an evening with the events that `plan` returns, if its creator may have another one.

        `require_place` raises Conflict or TooMany if there is none, and does not count the evening with this id. It is
        called once more when the evening is in the log: if others were made on another node meanwhile, this one is
        withdrawn.
        """
        async with self._one_at_a_time.of(maker):
            await require_place()
            state = await self._evenings.begin(id, *await plan())
            try:
                await require_place()
            except (Conflict, TooMany):
                await self._evenings.withdraw(id, maker)
                raise
            return state
