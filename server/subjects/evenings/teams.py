"""The teams of an evening: their names, and who may be in which one."""

from typing import TYPE_CHECKING

from cadogan.server.core import username_rules
from cadogan.server.core.errors import BadMessage, Conflict, Forbidden, NotFound
from cadogan.server.core.eventlog.events import CompetitionEvent
from cadogan.server.subjects.evenings.evening_events import TeamAssigned
from cadogan.server.subjects.evenings.evening_state import EveningState
from cadogan.wire import evenings as wire
from cadogan.wire.values import Player

if TYPE_CHECKING:
    from cadogan.server.app import Server  # has the evenings and their leaders


def read_team_names(wanted: wire.NewEvening) -> tuple[str, ...]:
    """Return the names of the teams of a wanted evening; none without teams.

    Raises BadMessage for a name that is not allowed or that two teams have, and where shares cannot be summed.
    """
    if wanted.teams is None:
        return ()
    if wanted.scoring == "places":
        raise BadMessage("Teams need the scoring matchpoints or points.")
    names = tuple([username_rules.normalize_group(name) for name in wanted.teams.names])
    if len({username_rules.name_key(name) for name in names}) < len(names):
        raise BadMessage("Two teams have the same name.")
    return names


async def assign_team(server: "Server", id: str, by: Player, player: str, team: str | None) -> EveningState:
    """Put an entrant of an evening into a team, or into none, as the entrant or as who leads the evening.

    Raises NotFound for an unknown evening, team or entrant, Forbidden for anybody else, and Conflict once the entrant
    has opened a deal: from then on the team is fixed.
    """
    evenings = server.evenings
    state = await evenings.get(id)
    if player != by.id and not await server.evening_leading.may_lead(state, by):
        raise Forbidden("Only the leader of the evening may do this, or a host or moderator.")
    begun = state.rounds[: state.opened]
    has_opened = bool(await evenings.runs_of(state, begun, [player]))

    def decide(now: EveningState) -> list[CompetitionEvent]:
        require_team(now, team)
        entrant = now.entrants.get(player)
        if entrant is None:
            raise NotFound("This player has not entered the evening.")
        if entrant.team_at(None) == team:
            return []
        if has_opened or now.ended_at is not None or now.is_over:
            raise Conflict("A team is fixed once its player has opened a deal.")
        return [TeamAssigned(player, by.id, team)]

    return await evenings.write(id, decide)


def require_team(state: EveningState, team: str | None) -> None:
    """Raise Conflict if an evening has no teams, and NotFound if it has no team with this id; None is no team."""
    if not state.plan.teams:
        raise Conflict("This evening has no teams.")
    if team is not None and team not in state.team_names:
        raise NotFound("There is no such team.")
