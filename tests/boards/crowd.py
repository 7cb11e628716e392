"""Runs for boards: entries made by hand, appended as a server appends them, and the boards by plain sorting."""

from collections.abc import Iterable, Sequence
from itertools import count

from server.eventlog.event_store import Append, Store
from server.eventlog.projections import EntryRow, GameRow
from server.leaderboards.ranking import Place, add_up, places
from tests.store.appends import event

DAY = "2026-11-20"
Sorted = list[tuple[int, str, int, int, int, int]]
"""Rank, player, score or points, moves, milliseconds, runs."""


def run(
    player: str,
    score: int = 52,
    moves: int = 80,
    milliseconds: int = 61_000,
    *,
    day: str = DAY,
    slot: int = 1,
    rules: str = "maze",
    points: int | None = None,
) -> EntryRow:
    """A finished ranked run; it is worth ten points for each of its score unless that is said."""
    return EntryRow(
        game_id=f"{player}:{day}.{slot}",
        deal=f"{day}.{slot}",
        day=day,
        slot=slot,
        rules=rules,
        player=player,
        result="lost",
        score=score,
        points=max(0, 10 * score) if points is None else points,
        moves=moves,
        milliseconds=milliseconds,
        active=milliseconds,
        finished_at=1_795_176_000_000,
    )


async def finish(store: Store, entry: EntryRow) -> None:
    """Append the end of the run, with its rows."""
    game = GameRow(
        id=entry.game_id,
        game=entry.rules,
        player=entry.player,
        deal=entry.deal,
        day=entry.day,
        slot=entry.slot,
        match=None,
        ranked=True,
        status=entry.result,
        score=entry.score,
        moves=entry.moves,
        milliseconds=entry.milliseconds,
        started_at=1,
        finished_at=entry.finished_at,
    )
    await store.append(Append(f"game/{entry.game_id}", None, (event(1),), (game, entry)))


def by_sorting(entries: Iterable[EntryRow]) -> dict[str, Sorted]:
    """Every board that these runs are on, found without a database or a bucket."""
    boards: dict[str, list[Place]] = {}
    for place in add_up(place for entry in entries for place in places(entry)):
        boards.setdefault(place.board, []).append(place)
    return {board: ranked(on_board) for board, on_board in boards.items()}


def ranked(on_board: Sequence[Place]) -> Sorted:
    """These places with their ranks, best first."""
    ordered = sorted(on_board, key=lambda place: (*place.standing, place.player))
    standings = [place.standing for place in ordered]
    return [(1 + standings.index(place.standing), *_shown(place)) for place in ordered]


def _shown(place: Place) -> tuple[str, int, int, int, int]:
    return place.player, -place.deficit, place.moves, place.milliseconds, place.runs


def players(number: int) -> list[str]:
    """So many names."""
    return [f"player{n:03}" for n, _ in zip(count(), range(number), strict=False)]
