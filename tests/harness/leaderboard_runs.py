"""Ranked runs for leaderboards: created, appended as by a server, and ranked by a simple sort."""

from collections.abc import Iterable, Sequence
from itertools import count

from cadogan.server.core.eventlog.event_store import Append, Store
from cadogan.server.core.eventlog.projections import EntryRow, GameRow
from cadogan.server.core.ranking import BoardTotal, run_totals, sum_totals
from tests.harness.sample_events import event

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
    """Return a finished ranked run; by default it has ten points per score point."""
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


def sort_entries(entries: Iterable[EntryRow]) -> dict[str, Sorted]:
    """Compute every board of these runs by sorting, without a database or rank index."""
    boards: dict[str, list[BoardTotal]] = {}
    for total in sum_totals(total for entry in entries for total in run_totals(entry)):
        boards.setdefault(total.board, []).append(total)
    return {board: ranked(on_board) for board, on_board in boards.items()}


def ranked(on_board: Sequence[BoardTotal]) -> Sorted:
    """Return these totals with their ranks, best first."""
    ordered = sorted(on_board, key=lambda total: (*total.rank_key, total.player))
    keys = [total.rank_key for total in ordered]
    return [(1 + keys.index(total.rank_key), *_shown(total)) for total in ordered]


def _shown(total: BoardTotal) -> tuple[str, int, int, int, int]:
    return total.player, -total.deficit, total.moves, total.milliseconds, total.runs


def players(number: int) -> list[str]:
    """Return this many names."""
    return [f"player{n:03}" for n, _ in zip(count(), range(number), strict=False)]
