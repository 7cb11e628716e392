"""The standing of an evening as its pages show it: live, provisional, final. Pure."""

from bisect import bisect_left, bisect_right
from collections.abc import Mapping, Sequence
from fractions import Fraction
from typing import Any, Literal, NamedTuple

from msgspec import convert
from msgspec.structs import replace

from cadogan.server.core.ranking import ranks
from cadogan.server.core.scoring.deals import Accepted, Key, run_key
from cadogan.server.core.scoring.fields import fraction, shown
from cadogan.server.core.scoring.forms import Evening, Run
from cadogan.server.core.scoring.standing import field_names, players_of, score_evening, struck_at, voided_by
from cadogan.server.core.scoring.teams import rank_teams_at
from cadogan.server.core.scoring.virtual import Share, shares_at, total_of
from cadogan.server.subjects.evenings.arenas.arena_standing import NameOf, counted_runs, make_arena_standing
from cadogan.server.subjects.evenings.evening_state import EveningState
from cadogan.wire import evening_standings as wire

Rows = Sequence[Mapping[str, Any]]


def make_standing(state: EveningState, form: Evening, now: int, name_of: NameOf) -> wire.EveningStanding:
    """Return the standing at this moment, as everybody may see it.

    `form` has every run that is over. Until the last round has closed the standing is live: an open round counts for
    those who have ended it. A frozen one leaves the last round out.
    """
    if state.is_arena:
        return make_arena_standing(state, form, now, name_of)
    numbers = {one.deal: one.round for one in form.rounds}
    void = sorted(state.void_rounds)
    if state.voided is not None:
        return _standing(state, "void", now, [], void)
    if state.ended_at is None or state.is_frozen:
        kind: Literal["live", "provisional"] = "live" if state.ended_at is None else "provisional"
        fields, teams = _live_fields(state, form, now, name_of)
        return replace(_standing(state, kind, now, fields, void), teams=read_teams(teams, state))
    answer = score_evening(form)
    if answer["state"] == "void":
        return _standing(state, "provisional", now, [], void)
    fields = read_fields(answer, numbers, form.settings.scoring, name_of)
    rules = {numbers[deal["deal"]] for one in answer["standings"] for stage in one["stages"] for deal in stage["deals"]
             if deal["void"] is not None}  # fmt: skip
    found = _standing(state, "final" if state.finalised else "provisional", now, fields, sorted({*void, *rules}))
    corrected = answer.get("corrected")
    return replace(
        found,
        digest=state.finalised.digest if state.finalised else None,
        corrected=None if corrected is None else read_fields(corrected, numbers, form.settings.scoring, name_of),
        teams=read_teams(answer["teams"], state),
        corrected_teams=None if corrected is None else read_teams(corrected["teams"], state),
        reveal=answer.get("reveal"),
        form=_form_rows(corrected or answer, name_of),
    )


def _form_rows(answer: Mapping[str, Any], name_of: NameOf) -> list[wire.FormRow] | None:
    """Return who was better than predicted, the best first; None before the evening is rated."""
    rows = answer.get("form")
    return rows and [convert(row | {"player": name_of(row["player"])}, wire.FormRow) for row in rows]


def read_fields(
    answer: Mapping[str, Any], numbers: Mapping[str, int], scoring: str, name_of: NameOf
) -> list[wire.EveningField]:
    """Return the fields of an answer of the scoring, with the shares of each row. `numbers` are the rounds by deal."""
    fields = []
    for one in answer["standings"]:
        counts = {deal["deal"]: deal["n"] for stage in one["stages"] for deal in stage["deals"]}
        shares: dict[str, list[wire.EveningShare]] = {}
        for score in (score for stage in one["stages"] for score in stage["scores"]):
            above, _, below = score["value"].partition("/")
            share = wire.EveningShare(
                round=numbers[score["deal"]],
                how=score["how"],
                value=score["value"],
                shown=shown(Fraction(int(above), int(below)), scoring),
                matchpoints=score["M"],
                n=counts[score["deal"]] if score["how"] == "played" else None,
                run=score["run"],
            )
            shares.setdefault(score["player"], []).append(share)
        rows = [
            convert(
                row | {"player": name_of(row["player"]), "shares": shares.get(row["player"], [])},
                wire.EveningRow,
            )
            for row in one["rows"]
        ]
        fields.append(wire.EveningField(field=one["field"], rows=rows))
    return fields


def read_teams(rows: Rows, state: EveningState) -> list[wire.TeamRow]:
    """Return the standing of the teams under their names."""
    names = state.team_names
    return [convert({**row, "name": names[row["team"]]}, wire.TeamRow) for row in rows]


def _standing(
    state: EveningState,
    kind: Literal["live", "provisional", "final", "void"],
    now: int,
    fields: list[wire.EveningField],
    void: list[int],
) -> wire.EveningStanding:
    rounds = sorted({share.round for one in fields for row in one.rows for share in row.shares})
    return wire.EveningStanding(
        evening=state.id,
        state=kind,
        at=now,
        version=state.version,
        fields=fields,
        rounds=rounds,
        void_rounds=void,
        frozen=state.is_frozen,
    )


def _live_fields(state: EveningState, form: Evening, now: int, name_of: NameOf) -> tuple[list[wire.EveningField], Rows]:
    """Return the current standings of the fields, and the teams for scoring."""
    hidden = state.deciding_round if state.is_frozen else None
    if state.finalists is not None and state.opened > len(state.first_stage):
        return _live_final(form, name_of, state.closed if hidden is None else hidden.round - 1)
    at = now if hidden is None else hidden.opens_at - 1
    struck, void = struck_at(form, None), voided_by(form, None)
    fields: list[wire.EveningField] = []
    teams: Rows = []
    for name in field_names(form):
        shares = shares_at(form, struck, void, at, name)
        if shares:
            fields.append(wire.EveningField(field=convert(name, _FieldName), rows=_live_rows(form, shares, name_of)))
        if name != "bots":
            values = {player: {deal: one.value for deal, one in known.items()} for player, known in shares.items()}
            teams = rank_teams_at(form, values, {player: total_of(known) for player, known in shares.items()}, at)
    return fields, teams


_FieldName = Literal["people", "bots", "all"]


def _live_final(form: Evening, name_of: NameOf, until: int) -> tuple[list[wire.EveningField], Rows]:
    """Return the standing during the final, with its rounds that have closed."""
    known = replace(
        form,
        rounds=[one for one in form.rounds if one.round <= until],
        runs=[run for run in form.runs if run.deal in {one.deal for one in form.rounds if one.round <= until}],
        settings=replace(form.settings, freeze=False),
    )
    answer = score_evening(known)
    numbers = {one.deal: one.round for one in form.rounds}
    return read_fields(answer, numbers, form.settings.scoring, name_of), answer["teams"]


def _live_rows(form: Evening, shares: Mapping[str, Mapping[str, Share]], name_of: NameOf) -> list[wire.EveningRow]:
    scoring = form.settings.scoring
    totals = {player: total_of(known) for player, known in shares.items()}
    sign = 1 if scoring == "places" else -1
    ordered = sorted(totals, key=lambda player: (sign * totals[player], player.encode()))
    numbers = {one.deal: one.round for one in form.rounds}
    runs = {(run.deal, run.player): run.run for run in form.runs}
    rows: list[wire.EveningRow] = []
    for place, player in zip(ranks([totals[one] for one in ordered]), ordered, strict=True):
        found = [
            wire.EveningShare(
                round=numbers[deal],
                how=convert(share.how, _How),
                value=fraction(share.value),
                shown=shown(share.value, scoring),
                matchpoints=share.matchpoints,
                n=share.n,
                run=runs.get((deal, player)) if share.how == "played" else None,
            )
            for deal, share in sorted(shares[player].items(), key=lambda pair: numbers[pair[0]])
        ]
        rows.append(
            wire.EveningRow(
                place=place,
                order=place,
                player=name_of(player),
                total=fraction(totals[player]),
                shown=shown(totals[player], scoring),
                shares=found,
                runs=sum(share.how == "played" for share in found),
                reason="shared" if rows and rows[-1].place == place else "total",
            )
        )
    return rows


_How = Literal["played", "adjusted", "not_opened"]


class _Ranked(NamedTuple):
    run: Run
    field: str
    counts: bool


def make_runs(state: EveningState, form: Evening, number: int, name_of: NameOf) -> wire.EveningRuns:
    """Return the runs of a closed round or deal, the best first, with how many of their field each has beaten."""
    one = state.rounds[number - 1]
    if state.is_arena:
        counted = counted_runs(form)
    else:
        accepted = Accepted(form, struck_at(form, None))
        accepted.accept_final(form.qualified or ())
        counted = {run.run for run in accepted.runs.get(one.deal, {}).values()}
    field_of = {player: name for name in field_names(form) for player in players_of(form, name)}
    runs = [_Ranked(run, field_of.get(run.player, ""), run.run in counted) for run in form.runs if run.deal == one.deal]
    time_counts = form.settings.time_counts
    keys = {ranked.run.run: run_key(ranked.run, time_counts=time_counts) for ranked in runs}
    fields: dict[str, list[Key]] = {}
    for ranked in sorted(runs, key=lambda ranked: keys[ranked.run.run]):
        if ranked.counts:
            fields.setdefault(ranked.field, []).append(keys[ranked.run.run])

    def compare(ranked: _Ranked) -> tuple[int, int]:
        field, key = fields[ranked.field], keys[ranked.run.run]
        first_worse = bisect_right(field, key)
        return len(field) - first_worse, first_worse - bisect_left(field, key) - 1

    shown_runs = []
    for ranked in sorted(runs, key=lambda one: (not one.counts, keys[one.run.run], one.run.run)):
        run = ranked.run
        beaten, equal = compare(ranked) if ranked.counts else (0, 0)
        shown_runs.append(
            wire.EveningRun(
                game=run.run,
                player=name_of(run.player),
                result=run.result,
                score=run.score,
                moves=run.moves,
                milliseconds=run.milliseconds,
                beaten=beaten,
                equal=equal,
                counts=ranked.counts,
            )
        )
    return wire.EveningRuns(evening=state.id, round=number, game=one.game, runs=shown_runs)
