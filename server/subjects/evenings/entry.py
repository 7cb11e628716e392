"""Who may enter an evening and come back to it, and how an entrant leaves."""

from cadogan.server.core import ids
from cadogan.server.core.errors import Conflict
from cadogan.server.core.eventlog.events import CompetitionEvent
from cadogan.server.subjects.evenings.evening_events import Left, Voided
from cadogan.server.subjects.evenings.evening_state import EveningState
from cadogan.wire.values import Player

MAX_ENTRANTS = 10_000


def perhaps_the_same(state: EveningState, player: str, person: str) -> set[str]:
    """Return the other entrants who may be the same person as a player: bots, and the owner of a bot."""
    return {one for one in state.entrants if one != player and (ids.is_bot(one) or one == person)}


def require_entry(state: EveningState, player: Player) -> None:
    """Raise Conflict if a player may not enter an evening, or not come back to it."""
    if state.is_over or state.ended_at is not None:
        raise Conflict("This evening is over.")
    if not state.is_entry_open:
        raise Conflict("Entry has not opened yet.")
    if player.bot and state.settings.bots == "none":
        raise Conflict("This evening is for people only.")
    if player.id in state.entrants:
        return
    if state.match is not None:
        require_place_in_match(state, player)
        return
    if state.closed >= state.latest_entry:
        raise Conflict("It is too late to begin this evening.")
    if len(state.entrants) >= MAX_ENTRANTS:
        raise Conflict("This evening is full.")


def require_place_in_match(state: EveningState, player: Player) -> None:
    """Raise Conflict if a player may not accept a match."""
    assert state.match is not None
    if state.match.opponent not in (None, player.id):
        raise Conflict("This match is for somebody else.")
    if not state.waits_for_opponent:
        raise Conflict("Somebody else has accepted this match.")


def leave(state: EveningState, player: str, secrets: dict[str, str]) -> list[CompetitionEvent]:
    """Return the events by which a player leaves; before a match begins, by which it is declined or withdrawn."""
    if state.is_over:
        return []
    if state.match is not None and not state.opened:
        if player in state.entrants:
            return [Voided("withdrawn", player, secrets)]
        return [Voided("declined", player, secrets)] if player == state.match.opponent else []
    return [Left(player)] if state.is_in(player) else []
