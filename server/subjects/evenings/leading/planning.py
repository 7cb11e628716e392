"""The plan of an evening: which games it has, and when its rounds open and close."""

from collections.abc import Sequence
from hashlib import sha256
from itertools import cycle, islice
from typing import TYPE_CHECKING, Literal

from cadogan import engine
from cadogan.engine import UnknownGame
from cadogan.engine.difficulty.levels import LEVELS, Level
from cadogan.engine.difficulty.published import is_certified_soon, level_of
from cadogan.server.core.errors import BadMessage, Conflict, NotFound
from cadogan.server.core.scoring.forms import Best, EveningSettings, Final
from cadogan.server.subjects.evenings.cards.evening_cards import plan_search
from cadogan.server.subjects.evenings.evening_events import PlannedRound
from cadogan.server.subjects.evenings.evening_state import EveningState
from cadogan.wire.evenings import ChangeEvening, NewEvening

if TYPE_CHECKING:
    from cadogan.server.subjects.evenings.cards.evening_deals import EveningDeals

FINAL_PAUSE_SECONDS = 300
"""Seconds before a final, if the pause between rounds is shorter."""
DEALS_PER_MINUTE = 2
MAX_DEALS = 240
"""The most deals of an arena. Who takes half a minute for each plays the last one when two hours are up."""
MAX_AHEAD_MILLISECONDS = 366 * 24 * 3600 * 1000
Times = tuple[tuple[int, int], ...]


def choose_games(wanted: NewEvening, id: str) -> list[tuple[str, Level]]:
    """Return the game of each round, with its level. They follow from the id of the evening where none is named.

    In an arena those that are named take turns. Raises NotFound for a game that does not exist, and BadMessage if there
    are not as many names as rounds.
    """
    count = count_deals(wanted)
    if wanted.games is not None:
        names = [*islice(cycle(wanted.games), count)] if wanted.arena_minutes is not None else wanted.games
        if len(names) != count:
            raise BadMessage("Name one game for each of the {count} rounds.", count=count)
        try:
            return [(engine.game(slug).slug, level_of(slug)) for slug in names]
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


def not_in_arena() -> BadMessage:
    """Return the error for a setting that only evenings with rounds have."""
    return BadMessage(
        "An arena has no rounds, pauses, final, freeze, teams, certified deals or adjusted scores: leave this out."
    )


def count_deals(wanted: NewEvening) -> int:
    """Return how many deals an evening has: one for each round, or in an arena two for each minute, up to a bound."""
    if wanted.arena_minutes is not None:
        return min(MAX_DEALS, DEALS_PER_MINUTE * wanted.arena_minutes)
    return wanted.rounds + (wanted.final.rounds if wanted.final else 0)


async def plan_rounds(deals: "EveningDeals", wanted: NewEvening, id: str) -> tuple[PlannedRound, ...]:
    """Seal the deals of a wanted evening, and return its rounds. Raises as `choose_games`."""
    games, rounds = choose_games(wanted, id), list[PlannedRound]()
    stages: list[Literal["first", "final"]] = ["first"] * len(games)
    if wanted.arena_minutes is not None:
        times = plan_times(wanted.starts_at, stages[:1], wanted.arena_minutes * 60, 0) * len(games)
    else:
        stages[wanted.rounds :] = ["final"] * (len(games) - wanted.rounds)
        times = plan_times(wanted.starts_at, stages, wanted.seconds, wanted.pause)
    sealed = await deals.seal_all(id, [game for game, _ in games])
    planned = zip(sealed, stages, games, times, strict=True)
    for number, (deal, stage, (game, level), (opens_at, closes_at)) in enumerate(planned, 1):
        search = None if wanted.arena_minutes is not None else plan_search(game, wanted.certified)
        rounds.append(PlannedRound(number, stage, deal.id, game, level, deal.commitment, opens_at, closes_at, search))
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
    """Return the times of all rounds after a change; None if it changes none.

    Raises BadMessage for another length of an arena: how many deals are sealed follows from it.
    """
    if (wanted.starts_at, wanted.seconds, wanted.pause) == (None, None, None):
        return None
    first = state.rounds[0]
    if state.is_arena:
        if wanted.starts_at is None or (wanted.seconds, wanted.pause) != (None, None):
            raise not_in_arena()
        return ((wanted.starts_at, wanted.starts_at + first.closes_at - first.opens_at),)
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
    """Return the scoring of a requested evening.

    Raises BadMessage for a final without exactly one way to qualify, and for settings that an arena does not have.
    """
    final = wanted.final
    if wanted.arena_minutes is not None:
        has_rounds = final is not None or wanted.freeze or wanted.time_counts or wanted.scoring != "matchpoints"
        if has_rounds or wanted.teams is not None or wanted.certified:
            raise not_in_arena()
        return EveningSettings(kind="arena", bots=wanted.bots)
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
