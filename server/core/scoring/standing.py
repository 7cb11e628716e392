"""The standing of an evening: the answer to its JSON, with digest, reveal, form, and the corrected standing."""

from collections.abc import Collection, Mapping, Sequence
from fractions import Fraction
from hashlib import sha256
from typing import Any

import msgspec

from cadogan.server.core.scoring.arena import arena_standings
from cadogan.server.core.scoring.deals import Accepted, Refused, ScoredDeal, id_order, rounds_of, score_stage
from cadogan.server.core.scoring.fields import ScoredField, fraction, shown
from cadogan.server.core.scoring.form import find_form
from cadogan.server.core.scoring.forms import Evening, Final
from cadogan.server.core.scoring.places import Ranked, rank_stage
from cadogan.server.core.scoring.teams import rank_teams

Answer = dict[str, Any]
FORMAT = "cadogan standing 1"
LABEL = b"cadogan/evening/1\0"
DIGESTED = ("evening", "version", "state", "standings", "teams")
_encode = msgspec.json.Encoder(order="sorted").encode
CARRIED = {"none": Fraction(0), "half": Fraction(1, 2), "all": Fraction(1)}


def score_evening(evening: Evening) -> Answer:
    """Return the standing of an evening, final or void."""
    in_time, now = struck_at(evening, evening.finalised_at), struck_at(evening, None)
    answer = _standing(evening, in_time)
    if now != in_time:
        answer["corrected"] = _standing(evening, now)
    return answer


def struck_at(evening: Evening, at: int | None) -> set[str]:
    """Return the runs that are struck at this moment; with None, those that are still struck."""
    return {one.run for one in evening.struck if one.holds(at)}


def _standing(evening: Evening, struck: Collection[str]) -> Answer:
    if evening.settings.kind == "arena":
        standings, is_void, refused = arena_standings(evening, struck)
        teams: list[Answer] = []
        extra: Answer = {}
    else:
        accepted, fields = score_fields(evening, struck)
        is_void = _is_void(evening, accepted, fields)
        standings = [_field_answer(evening, field) for field in fields]
        teams = rank_teams(evening, fields)
        extra = {} if is_void else _extra(evening, fields, struck)
        refused = sorted(accepted.refused, key=_refused_order)
    answer: Answer = {
        "format": FORMAT,
        "evening": evening.evening,
        "version": "arena@1" if evening.settings.kind == "arena" else "duplicate@1",
        "state": "void" if is_void else "final",
        "standings": [] if is_void else standings,
        "teams": [] if is_void else teams,
        "refused": [
            {"run": one.run.run, "deal": one.run.deal, "player": one.run.player, "why": one.why} for one in refused
        ],
    }
    if not is_void:
        answer["digest"] = digest(answer)
    return answer | extra


def _refused_order(refused: Refused) -> tuple[bytes, ...]:
    run = refused.run
    return id_order(run.deal), id_order(run.player), id_order(run.run)


def digest(answer: Mapping[str, Any]) -> str:
    """Return the digest of a standing, in hex."""
    return sha256(LABEL + _encode({name: answer[name] for name in DIGESTED})).hexdigest()


def field_names(evening: Evening) -> tuple[str, ...]:
    """Return the fields of an evening: who is compared with each other."""
    return {"none": ("people",), "apart": ("people", "bots"), "mixed": ("all",)}[evening.settings.bots]


def players_of(evening: Evening, field: str) -> set[str]:
    """Return the entrants that belong to a field."""
    kinds = {"people": ("person",), "bots": ("bot",), "all": ("person", "bot")}[field]
    return {entrant.player for entrant in evening.entrants if entrant.kind in kinds}


def voided_by(evening: Evening, at: int | None) -> dict[str, str]:
    """Return the deals that the leader has voided until this moment; None is the final standing."""
    until = evening.finalised_at if at is None else at
    return {one.deal: "leader" for one in evening.voided if until is None or one.at <= until}


def score_fields(evening: Evening, struck: Collection[str]) -> tuple[Accepted, list[ScoredField]]:
    """Score each field of an evening that has somebody in its standing."""
    accepted = Accepted(evening, struck)
    final = rounds_of(evening, "final") if evening.settings.final else []
    qualified = _qualified(evening, final[0].opens_at) if final else set()
    accepted.accept_final(qualified)
    fields = [
        _score_field(evening, accepted, field, qualified, has_final=bool(final)) for field in field_names(evening)
    ]
    return accepted, [field for field in fields if field is not None]


def _qualified(evening: Evening, opens_at: int) -> set[str]:
    """Return who is in the final: as the evening names them, or as the first stage stood when the final opened."""
    if evening.qualified is not None:
        return {*evening.qualified}
    return {player for players in qualified_by_field(evening, opens_at).values() for player in players}


def qualified_by_field(evening: Evening, opens_at: int) -> dict[str, set[str]]:
    """Return the players who reach the final in each field, by the standing of the first stage when the final opens."""
    accepted, found, cut = (
        Accepted(evening, struck_at(evening, opens_at)),
        dict[str, set[str]](),
        evening.settings.final,
    )
    assert cut is not None
    for name in field_names(evening):
        field = _score_field(evening, accepted, name, frozenset(), has_final=False, at=opens_at)
        if field is not None:
            found[name] = _through(field.first_ranked, cut)
    return found


def _through(ranked: Sequence[Ranked], cut: Final) -> set[str]:
    share = cut.share
    count = max(2, cut.best or 0 if share is None else -(-len(ranked) * share[0] // share[1]))
    last = ranked[min(count, len(ranked)) - 1].order
    return {row.player for row in ranked if row.order <= last}


def _score_field(
    evening: Evening,
    accepted: Accepted,
    name: str,
    qualified: Collection[str],
    *,
    has_final: bool,
    at: int | None = None,
) -> ScoredField | None:
    players, first_rounds = players_of(evening, name), rounds_of(evening, "first")
    standing = {player for one in first_rounds for player in accepted.runs.get(one.deal, {}) if player in players}
    if not standing:
        return None
    voided = voided_by(evening, at)
    n, first = score_stage(evening, accepted, first_rounds, standing, len(standing), voided)
    sums = {player: _sum(first, player) for player in standing}
    valid = sum(deal.is_valid for deal in first)
    totals = {player: sums[player] / valid if valid else Fraction(0) for player in standing}
    first_ranked, largest = rank_stage(totals, first, evening.settings), {"first": n}
    final: list[ScoredDeal] = []
    final_ranked: list[Ranked] = []
    if has_final:
        finalists = standing & {*qualified}
        largest["final"], final = score_stage(
            evening, accepted, rounds_of(evening, "final"), finalists, len(standing), voided
        )
        if valid_final := sum(deal.is_valid for deal in final):
            cut = evening.settings.final
            carried = CARRIED[cut.carry if cut else "none"]
            weight = valid_final + carried * valid
            both = {player: (_sum(final, player) + carried * sums[player]) / weight for player in finalists}
            final_ranked = rank_stage(both, final, evening.settings)
    return ScoredField(name, first, final, largest, first_ranked, final_ranked)


def _sum(deals: Sequence[ScoredDeal], player: str) -> Fraction:
    return sum((deal.scores[player].value for deal in deals if deal.is_valid), Fraction(0))


def _is_void(evening: Evening, accepted: Accepted, fields: Sequence[ScoredField]) -> bool:
    if not fields:
        return True
    valid = sum(deal.is_valid for deal in fields[0].first)
    return 2 * valid < len(fields[0].first)


def _field_answer(evening: Evening, field: ScoredField) -> Answer:
    stages = [_stage_answer("first", field.n["first"], field.first)]
    if "final" in field.n:
        stages.append(_stage_answer("final", field.n["final"], field.final))
    return {"field": field.name, "stages": stages, "rows": _rows(evening, field)}


def _stage_answer(stage: str, n: int, deals: Sequence[ScoredDeal]) -> Answer:
    scores = [
        {
            "deal": deal.deal,
            "player": player,
            "run": score.run.run if score.run else None,
            "how": score.how,
            "M": score.matchpoints,
            "value": fraction(score.value),
        }
        for deal in deals
        if deal.is_valid
        for player, score in sorted(deal.scores.items(), key=lambda pair: id_order(pair[0]))
    ]
    return {
        "stage": stage,
        "N": n,
        "scores": scores,
        "deals": [{"deal": deal.deal, "void": deal.void, "n": deal.n} for deal in deals],
    }


def _rows(evening: Evening, field: ScoredField) -> list[Answer]:
    through = {row.player for row in field.final_ranked}
    rest = [row for row in field.first_ranked if row.player not in through]
    rows = [_row(evening, "final", row) for row in field.final_ranked]
    if not through:
        return [_row(evening, "first", row) for row in rest]
    for number, row in enumerate(rest):
        above = rest[number - 1] if number else None
        place = rows[-1]["place"] if above and above.total == row.total else len(rows) + 1
        order = rows[-1]["order"] if above and above.order == row.order else len(rows) + 1
        rows.append(_row(evening, "first", row) | {"place": place, "order": order, "winner": False})
    return rows


def _row(evening: Evening, stage: str, row: Ranked) -> Answer:
    return {
        "stage": stage,
        "order": row.order,
        "place": row.place,
        "player": row.player,
        "total": fraction(row.total),
        "shown": shown(row.total, evening.settings.scoring),
        "runs": row.runs,
        "reason": row.reason,
        "head_to_head": row.head_to_head,
        "tops": row.tops,
        "moves": None if row.moves is None else fraction(row.moves),
        "winner": (row.order if evening.settings.trophy else row.place) == 1,
    }


def _extra(evening: Evening, fields: Sequence[ScoredField], struck: Collection[str]) -> Answer:
    extra: Answer = {}
    if evening.ratings is not None:
        people = next((field for field in fields if field.name == "people"), None)
        extra["form"] = find_form(evening, people) if people else []
    if evening.settings.freeze:
        extra["reveal"] = _reveal(evening, fields[0], struck)
    return extra


def _reveal(evening: Evening, field: ScoredField, struck: Collection[str]) -> list[str]:
    """Return the order in which the frozen rows are revealed, from the bottom, as ICPC's resolver does."""
    deals, ranked = (field.final, field.final_ranked) if field.final_ranked else (field.first, field.first_ranked)
    if not deals[-1].is_valid or sum(deal.is_valid for deal in deals) < 2:
        return []
    true = {row.player: row.total for row in ranked}
    now = _frozen_totals(evening, field, struck)
    sign = 1 if evening.settings.scoring == "places" else -1
    sealed, found = {*true}, list[str]()
    while sealed:
        lowest = max(sealed, key=lambda player: (sign * now[player], id_order(player)))
        sealed.remove(lowest)
        now[lowest] = true[lowest]
        found.append(lowest)
    return found


def _frozen_totals(evening: Evening, field: ScoredField, struck: Collection[str]) -> dict[str, Fraction]:
    """Return the totals of the stage that decides without its last round."""
    stage = field.decides
    last = rounds_of(evening, stage)[-1]
    without = msgspec.structs.replace(
        evening,
        rounds=[one for one in evening.rounds if one.round != last.round],
        runs=[run for run in evening.runs if run.deal != last.deal],
        qualified=[row.player for row in field.final_ranked] if stage == "final" else evening.qualified,
    )
    _, fields = score_fields(without, struck)
    again = next(one for one in fields if one.name == field.name)
    ranked = again.final_ranked if stage == "final" else again.first_ranked
    return {row.player: Fraction(0) for row in field.first_ranked} | {row.player: row.total for row in ranked}
