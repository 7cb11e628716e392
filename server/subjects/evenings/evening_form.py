"""The scoring input of an evening (docs/scoring.md), made from its stream and its runs. Pure."""

from collections.abc import Iterable

from cadogan.server.core.eventlog.events import GameFinished
from cadogan.server.core.scoring import forms
from cadogan.server.subjects.evenings.evening_events import PlannedRound
from cadogan.server.subjects.evenings.evening_state import EveningState


def make_run(
    game: str, one: PlannedRound, player: str, opened_at: int, finished: GameFinished, ended_at: int
) -> forms.Run:
    """Return a run that is over as it is scored. Both times are milliseconds since 1970."""
    return forms.Run(
        run=game,
        deal=one.deal,
        player=player,
        opened_at=opened_at,
        ended_at=ended_at,
        result=finished.result,
        score=finished.score,
        points=finished.points,
        moves=finished.moves,
        milliseconds=finished.milliseconds,
    )


def struck_of(state: EveningState) -> list[forms.Struck]:
    """Return the strikes of an evening that is final, as its stream has them."""
    at = state.changed_at if state.finalised_at is None else state.finalised_at
    in_time = state.finalised.struck if state.finalised else ()
    later = None if state.corrected_at is None else max(state.corrected_at, at + 1)  # after it in the log
    struck = [forms.Struck(run, at, returned_at=None if run in state.struck else later) for run in in_time]
    return [*struck, *(forms.Struck(run, later or at) for run in state.struck if run not in in_time)]


def form_of(
    state: EveningState, runs: Iterable[forms.Run], struck: Iterable[forms.Struck], finalised_at: int | None
) -> forms.Evening:
    """Return the scoring input of an evening with these runs and struck runs. All deals of a void evening are void."""
    runs = sorted(runs, key=lambda run: (run.opened_at, run.run))
    opened_at = {run.player: run.opened_at for run in reversed(runs)}  # the first one of each player
    period = (state.rounds[0].opens_at, state.rounds[0].closes_at) if state.is_arena else (None, None)
    voided = dict(state.void_rounds)
    if state.voided is not None:
        voided = {one.round: (state.changed_at, state.voided.reason) for one in state.rounds} | voided
    return forms.Evening(
        format="cadogan evening 1",
        evening=state.id,
        settings=state.settings,
        rounds=[
            forms.Round(one.round, one.stage, one.deal, one.opens_at, one.closes_at, one.game, one.level)
            for one in (() if state.is_arena else state.rounds)
        ],
        entrants=state.scored_entrants(opened_at),
        runs=runs,
        outages=[*state.outages],
        voided=[forms.Voided(state.rounds[number - 1].deal, when, why) for number, (when, why) in voided.items()],
        struck=[*struck],
        qualified=None if state.finalists is None else [*state.finalists],
        finalised_at=finalised_at,
        opens_at=period[0],
        closes_at=period[1],
        deals=[one.deal for one in state.rounds] if state.is_arena else [],
    )
