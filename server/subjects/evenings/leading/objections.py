"""Objections of entrants, while the standing is provisional; the leader answers them (`leading`)."""

from typing import TYPE_CHECKING

from cadogan.server.core.errors import BadMessage, Conflict, Forbidden, NotFound, TooMany
from cadogan.server.core.eventlog.events import CompetitionEvent
from cadogan.server.subjects.evenings.evening_events import ObjectionRaised
from cadogan.server.subjects.evenings.evening_state import EveningState
from cadogan.wire import evenings as wire
from cadogan.wire.values import Player

if TYPE_CHECKING:
    from cadogan.server.subjects.evenings.evenings import Evenings

MAX_OPEN = 3
"""The maximum number of objections of one entrant that have no answer."""


async def raise_objection(
    evenings: "Evenings", id: str, player: Player, wanted: wire.NewObjection, objection: str
) -> EveningState:
    """Object to a run or a round of an evening, under this id; one with this id is raised once.

    Raises NotFound for an unknown evening or run, BadMessage unless it is about either a run or a round, Forbidden for
    who has not entered, Conflict unless the standing is provisional or for the same objection again, and TooMany.
    """
    state = await evenings.get(id)
    if (wanted.run is None) == (wanted.round is None):
        raise BadMessage("An objection is about a run or about a round.")
    if wanted.run is not None and await evenings.find_run(state, wanted.run) is None:
        raise NotFound("There is no such game.")
    if wanted.round is not None and state.round(wanted.round) is None:
        raise NotFound("There is no such round.")
    event = ObjectionRaised(objection, player.id, wanted.run, wanted.round)
    return await evenings.write(id, lambda now: _decide(now, event))


def _decide(state: EveningState, event: ObjectionRaised) -> list[CompetitionEvent]:
    if event.objection in state.objections:
        return []
    if event.player not in state.entrants:
        raise Forbidden("Only who has entered the evening may object.")
    if not may_object(state, event.player):
        raise Conflict("Objections are possible while the standing is provisional.")
    own = [one for one in state.objections.values() if one.raised.player == event.player]
    if any((one.raised.run, one.raised.round) == (event.run, event.round) for one in own):
        raise Conflict("You have objected to this already.")
    if sum(one.answered is None for one in own) >= MAX_OPEN:
        raise TooMany("You have {count} objections that have no answer yet.", count=MAX_OPEN)
    return [event]


def may_object(state: EveningState, player: str) -> bool:
    """Return whether a player may object now: an entrant, while the standing is provisional."""
    return state.phase == "provisional" and player in state.entrants
