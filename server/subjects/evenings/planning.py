"""The plan of an evening: which games it has, and when its rounds open and close."""

from collections.abc import Sequence
from hashlib import sha256
from typing import TYPE_CHECKING, Literal

from cadogan import engine
from cadogan.engine import UnknownGame
from cadogan.engine.difficulty.levels import LEVELS, Level
from cadogan.engine.difficulty.published import is_certified_soon, level_of
from cadogan.server.core.errors import BadMessage, Conflict, NotFound
from cadogan.server.core.scoring.forms import Best, EveningSettings, Final
from cadogan.server.subjects.evenings.evening_events import PlannedRound
from cadogan.server.subjects.evenings.evening_state import EveningState
from cadogan.wire.evenings import ChangeEvening, NewEvening

if TYPE_CHECKING:
    from cadogan.server.subjects.evenings.evenings import Evenings

FINAL_PAUSE_SECONDS = 300
"""Seconds before a final, if the pause between rounds is shorter."""
MAX_AHEAD_MILLISECONDS = 366 * 24 * 3600 * 1000
Times = tuple[tuple[int, int], ...]


def choose_games(wanted: NewEvening, id: str) -> list[tuple[str, Level]]:
    """Return the game of each round, with its level. They follow from the id of the evening where none is named.

    Raises NotFound for a game that does not exist, and BadMessage if there are not as many names as rounds.
    """
    count = wanted.rounds + (wanted.final.rounds if wanted.final else 0)
    if wanted.games is not None:
        if len(wanted.games) != count:
            raise BadMessage("Name one game for each of the {count} rounds.", count=count)
        try:
            return [(engine.game(slug).slug, level_of(slug)) for slug in wanted.games]
        except UnknownGame:
            raise NotFound("There are no rules with this name.") from None
    chosen: list[tuple[str, Level]] = []
    for number in range(count):
        level = LEVELS[number % len(LEVELS)] if wanted.level == "mixed" else wanted.level
        fitting = [slug for slug in engine.slugs() if level_of(slug) == level and is_certified_soon(slug)]
        unused = [slug for slug in fitting if (slug, level) not in chosen]
        drawn = min(unused or fitting, key=lambda slug: sha256(f"{id}/{number}/{slug}".encode()).digest())
        chosen.append((drawn, level))
    return chosen


async def plan_rounds(evenings: "Evenings", wanted: NewEvening, id: str) -> tuple[PlannedRound, ...]:
    """Seal the deals of a wanted evening, and return its rounds. Raises as `choose_games`."""
    games = choose_games(wanted, id)
    stages: list[Literal["first", "final"]] = [
        "first" if number < wanted.rounds else "final" for number in range(len(games))
    ]
    times = plan_times(wanted.starts_at, stages, wanted.seconds, wanted.pause)
    rounds = []
    for number, (stage, (game, level), (opens_at, closes_at)) in enumerate(zip(stages, games, times, strict=True), 1):
        deal = await evenings.seal_deal(id, number, game)
        rounds.append(PlannedRound(number, stage, deal.id, game, level, deal.commitment, opens_at, closes_at))
    return tuple(rounds)


def plan_times(starts_at: int, stages: Sequence[str], seconds: int, pause: int) -> Times:
    """Return when each round opens and closes; `stages` has one for each round.

    >>> plan_times(0, ("first", "first"), 600, 60)
    ((0, 600000), (660000, 1260000))
    """
    times: list[tuple[int, int]] = []
    for number, stage in enumerate(stages):
        is_before_final = number > 0 and stage != stages[number - 1]
        gap = max(pause, FINAL_PAUSE_SECONDS) if is_before_final else pause
        opens_at = times[-1][1] + gap * 1000 if times else starts_at
        times.append((opens_at, opens_at + seconds * 1000))
    return tuple(times)


def change_times(state: EveningState, wanted: ChangeEvening) -> Times | None:
    """Return the times of all rounds after a change; None if it changes none."""
    if (wanted.starts_at, wanted.seconds, wanted.pause) == (None, None, None):
        return None
    first = state.rounds[0]
    seconds = wanted.seconds or (first.closes_at - first.opens_at) // 1000
    old_pause = (state.rounds[1].opens_at - first.closes_at) // 1000 if len(state.rounds) > 1 else 60
    starts_at = first.opens_at if wanted.starts_at is None else wanted.starts_at
    return plan_times(starts_at, [one.stage for one in state.rounds], seconds, wanted.pause or old_pause)


def require_ahead(starts_at: int, now: int) -> None:
    """Raise Conflict if an evening cannot begin at that moment."""
    if starts_at < now:
        raise Conflict("An evening cannot begin before it is announced.")
    if starts_at > now + MAX_AHEAD_MILLISECONDS:
        raise Conflict("An evening begins within a year.")


def read_settings(wanted: NewEvening) -> EveningSettings:
    """Return how a wanted evening is scored. Raises BadMessage for a final without, or with two, ways to reach it."""
    final = wanted.final
    if final is not None and (final.best is None) == (final.share is None):
        raise BadMessage("A final has either best or share.")
    return EveningSettings(
        scoring=wanted.scoring,
        time_counts=wanted.time_counts,
        bots=wanted.bots,
        trophy=wanted.trophy,
        freeze=wanted.freeze,
        teams=None if wanted.teams is None else Best(wanted.teams.best),
        final=None if final is None else Final(final.best, final.share, final.rounds, final.carry),
    )
