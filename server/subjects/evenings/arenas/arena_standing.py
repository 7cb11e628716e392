"""The standing of an arena as its pages show it, and the sheet of one player. Pure."""

from collections.abc import Callable, Collection, Mapping
from itertools import count
from typing import Any, Literal

from msgspec import convert
from msgspec.structs import replace

from cadogan.server.core.scoring.arena import arena_standings, read_sheets
from cadogan.server.core.scoring.forms import Evening
from cadogan.server.core.scoring.standing import score_evening, struck_at
from cadogan.server.subjects.evenings.evening_runs import RoundRun
from cadogan.server.subjects.evenings.evening_state import EveningState
from cadogan.wire import arenas as wire
from cadogan.wire.evening_standings import EveningStanding
from cadogan.wire.values import Player

NameOf = Callable[[str], Player]
"""Returns a player, by id, under the name that the evening shows."""


def make_arena_standing(state: EveningState, form: Evening, now: int, name_of: NameOf) -> EveningStanding:
    """Return the standing of an arena at this moment. `form` has every run that is over.

    While the arena is open, who has ended a run is in it.
    """
    kind: Literal["live", "provisional", "final", "void"] = "live" if state.ended_at is None else "provisional"
    fields, corrected = list[wire.ArenaField](), None
    if state.voided is not None:
        kind = "void"
    elif state.ended_at is None:
        struck = struck_at(form, None)
        fields = _read_fields(arena_standings(form, struck)[0], form, struck, name_of)
    else:
        kind = "final" if state.finalised else "provisional"
        answer = score_evening(form)
        fields = _read_fields(answer["standings"], form, struck_at(form, form.finalised_at), name_of)
        if "corrected" in answer:
            corrected = _read_fields(answer["corrected"]["standings"], form, struck_at(form, None), name_of)
    return EveningStanding(
        evening=state.id,
        state=kind,
        at=now,
        version=state.version,
        fields=[],
        rounds=[],
        digest=state.finalised.digest if state.finalised else None,
        arena=fields,
        corrected_arena=corrected,
    )


def _read_fields(
    standings: Collection[Mapping[str, Any]], form: Evening, struck: Collection[str], name_of: NameOf
) -> list[wire.ArenaField]:
    """Return the fields of a scored standing, with the current streak of each player."""
    sheets = read_sheets(form, struck)[0]
    return [
        wire.ArenaField(
            field=one["field"],
            rows=[
                convert(row | {"player": name_of(row["player"]), "streak": sheets[row["player"]].streak}, wire.ArenaRow)
                for row in one["rows"]
            ],
        )
        for one in standings
    ]


def make_sheet(state: EveningState, form: Evening, player: Player) -> wire.ArenaSheet:
    """Return the runs of a player that are over, each with its points as it counts now."""
    struck = struck_at(form, None)
    sheets, refused = read_sheets(form, struck)
    numbers = {one.deal: one for one in state.rounds}
    sheet = sheets.get(player.id)
    pairs = [*zip(sheet.runs, sheet.points, strict=True)] if sheet else []
    pairs += [(one.run, None) for one in refused if one.run.player == player.id]
    return wire.ArenaSheet(
        evening=state.id,
        player=player,
        runs=[
            wire.ArenaRun(
                number=numbers[run.deal].round,
                rules=numbers[run.deal].game,
                game=run.run,
                result=run.result,
                score=run.score,
                moves=run.moves,
                milliseconds=run.milliseconds,
                points=points,
                counts=run.run not in struck and (points is not None or run.result == "out_of_time"),
            )
            for run, points in pairs
        ],
    )


def counted_runs(form: Evening) -> set[str]:
    """Return the ids of the runs of an arena that are neither struck nor refused."""
    struck = struck_at(form, None)
    return {run.run for sheet in read_sheets(form, struck)[0].values() for run in sheet.runs} - struck


def make_arena(state: EveningState, runs: Mapping[tuple[str, int], RoundRun]) -> wire.Arena:
    """Return an arena with these runs, by player and number of the deal, as everybody is shown it."""
    first, finished = state.rounds[0], sum(run.found.finished is not None for run in runs.values())
    return wire.Arena(
        opens_at=first.opens_at,
        closes_at=first.closes_at,
        deals=len(state.rounds),
        games=[*dict.fromkeys(one.game for one in state.rounds)],
        playing=len(runs) - finished,
        finished=finished,
        next=1,
    )


def with_own_runs(arena: wire.Arena, runs: Mapping[tuple[str, int], RoundRun], player: str) -> wire.Arena:
    """Return an arena as this player sees it: with their unfinished run, and the number of their next deal."""
    following = next(number for number in count(1) if (player, number) not in runs)
    last = runs.get((player, following - 1))
    if last is not None and last.found.finished is None:
        return replace(arena, next=last.round.round, own=last.game)
    return replace(arena, next=following if following <= arena.deals else None)


def make_deals(state: EveningState, own: Mapping[int, str]) -> wire.ArenaDeals:
    """Return the deals of an arena; `own` are the games of a player's runs, by the number of the deal."""
    return wire.ArenaDeals(
        evening=state.id,
        deals=[
            wire.ArenaDeal(
                number=one.round,
                game=one.game,
                level=one.level,
                deal=one.deal,
                commitment=one.commitment,
                secret=state.secrets.get(one.round),
                own=own.get(one.round),
            )
            for one in state.rounds
        ],
    )
