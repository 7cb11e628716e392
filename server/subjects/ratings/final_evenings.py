"""The evenings that are rated: which are final, which of their runs are struck, and who has which place in them."""

import asyncio
from collections.abc import Collection
from typing import Any, NamedTuple

from msgspec.structs import replace
from sqlalchemy import select

from cadogan.server.core.database.connections import Database
from cadogan.server.core.database.statements import among
from cadogan.server.core.database.tables import contests, events, games, strikes
from cadogan.server.core.eventlog.streams import id_of
from cadogan.server.core.scoring.forms import Contest, Evening, Placed, ShieldRun, Struck
from cadogan.server.core.scoring.sessions import read_shares
from cadogan.server.core.scoring.standing import score_evening
from cadogan.server.subjects.evenings.evening_events import KEY, Finalised
from cadogan.server.subjects.evenings.evening_state import EveningState
from cadogan.server.subjects.evenings.evenings import Evenings

MIN_DEALS = 2
"""Valid deals without which an evening is not rated."""
_FINALISED = select(events.c.stream, events.c.recorded_at).where(
    among(events.c.stream, "streams"), events.c.type == Finalised.name
)
_DEALS = select(games.c.id, games.c.deal).where(among(games.c.id, "games"))


class FinalEvening(NamedTuple):
    """An evening whose standing is final since `at`, with the ids of its struck runs, sorted."""

    id: str
    at: int
    struck: tuple[str, ...]


class FinalEvenings:
    """The final evenings in a database, as one node knows them."""

    def __init__(self, database: Database, evenings: Evenings) -> None:
        self._database = database
        self._evenings = evenings
        self._final_at: dict[str, int] = {}

    async def read(self) -> list[FinalEvening]:
        """Return all evenings with a final standing, in the order of becoming final."""
        over = select(contests.c.id).where(contests.c.competition == KEY, contests.c.state == "over")
        known = self._final_at
        unknown = {row.id for row in await self._database.fetch(over)} - known.keys()
        if unknown:
            streams = {"streams": [f"{KEY}/{id}" for id in unknown]}
            known |= {id_of(row.stream): row.recorded_at for row in await self._database.fetch(_FINALISED, streams)}
        for id in sorted(unknown - known.keys()):
            if (at := (await self._evenings.get(id)).finalised_at) is not None:
                known[id] = at
        struck = await self._struck()
        found = [FinalEvening(id, at, tuple(sorted(struck.get(id, ())))) for id, at in known.items()]
        return sorted(found, key=lambda one: (one.at, one.id))

    async def contest(self, evening: FinalEvening) -> Contest:
        """Return the places of an evening without its struck runs; no places if it is not rated."""
        state, _, answer = await self._score(evening)
        return read_contest(state, answer, evening.at)

    async def runs(self, since: int, until: int) -> list[ShieldRun]:
        """Return the counted runs of people, with their shares, in evenings that became final between two moments.

        Only evenings that are scored by matchpoints have shares.
        """
        found: list[ShieldRun] = []
        for evening in await self.read():
            if since <= evening.at <= until:
                state, form, answer = await self._score(evening)
                if state.is_by_matchpoints:
                    found += read_runs(form, answer)
        return found

    async def shares(self, id: str, struck: Collection[str]) -> dict[str, str]:
        """Return the score of each person in the first stage of an evening, as fractions, without these runs.

        Only evenings that are scored by matchpoints have shares, and void ones have none.
        """
        state = await self._evenings.read_state(id)
        if not state.is_by_matchpoints:
            return {}
        form = await self._evenings.make_form(state)
        left_out = [Struck(run, 0) for run in struck]
        answer = await asyncio.to_thread(score_evening, replace(form, struck=left_out))
        return read_shares(form, answer)

    async def struck_among(self, evening: FinalEvening, struck: Collection[str]) -> set[str]:
        """Return the runs of evenings among these struck runs."""
        state = await self._evenings.read_state(evening.id)
        runs = await self._evenings.runs_of(state, state.rounds) if struck else {}
        return {run.game for run in runs.values()} & {*struck}

    async def _score(self, evening: FinalEvening) -> tuple[EveningState, Evening, dict[str, Any]]:
        """Return an evening, what it is scored from, and its standing without the struck runs."""
        state = await self._evenings.read_state(evening.id)
        form = await self._evenings.make_form(state)
        answer = await asyncio.to_thread(score_evening, form)
        return state, form, answer.get("corrected", answer)

    async def _struck(self) -> dict[str, Collection[str]]:
        found: dict[str, set[str]] = {}
        struck = [row.game_id for row in await self._database.fetch(select(strikes.c.game_id))]
        rows = await self._database.fetch(_DEALS, {"games": struck}) if struck else ()
        for row in rows:
            if row.deal.startswith(f"{KEY}-"):
                found.setdefault(evening_of(row.deal), set()).add(row.id)
        return {**found}


def evening_of(deal: str) -> str:
    """Return the id of the evening that a deal belongs to.

    >>> evening_of("evening-aaaabbbbccccdddd-2")
    'aaaabbbbccccdddd'
    """
    return deal.removeprefix(f"{KEY}-").rpartition("-")[0]


def read_contest(state: EveningState, answer: dict[str, Any], at: int) -> Contest:
    """Return an evening as it is rated, from the answer of the scoring; without places if it is not rated."""
    fields = answer["standings"]
    valid = _levels_of_valid_deals(state, fields[0]) if fields else []
    family = valid[0] if len({*valid}) == 1 else None
    is_rated = state.plan.rated and len(valid) >= MIN_DEALS
    places = [
        Placed(
            player=row["player"],
            place=row["place"],
            kind=state.entrants[row["player"]].kind,
            share=int(row["shown"].replace(".", "")) if state.is_by_matchpoints else None,
        )
        for field in fields
        for row in field["rows"]
    ]
    return Contest(contest=state.id, at=at, places=places if is_rated else [], family=family)


def _levels_of_valid_deals(state: EveningState, field: dict[str, Any]) -> list[str]:
    """Return the levels of the deals that are not void; in an arena all deals are valid."""
    if state.is_arena:
        return [one.level for one in state.rounds]
    levels = {one.deal: one.level for one in state.rounds}
    return [levels[one["deal"]] for stage in field["stages"] for one in stage["deals"] if one["void"] is None]


def read_runs(form: Evening, answer: dict[str, Any]) -> list[ShieldRun]:
    """Return the runs of people in a standing, each with its share and how many runs its deal has."""
    games_of = {one.deal: one.game for one in form.rounds}
    ended_at = {one.run: one.ended_at for one in form.runs}
    people = {one.player for one in form.entrants if one.kind == "person"}
    stages = [stage for field in answer["standings"] for stage in field["stages"]]
    return [
        ShieldRun(
            game=games_of[score["deal"]],
            player=score["player"],
            share=score["value"],
            n=next(one["n"] for one in stage["deals"] if one["deal"] == score["deal"]),
            ended_at=ended_at[score["run"]],
        )
        for stage in stages
        for score in stage["scores"]
        if score["how"] == "played" and score["player"] in people
    ]
