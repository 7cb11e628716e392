"""Leaderboards: the list of all, and a live screen for each."""

from collections.abc import Callable
from datetime import date
from functools import partial

from rich.text import Text

from cadogan.sdk.errors import ClientError
from cadogan.terminal.app import Action, TerminalApp, terminal_app
from cadogan.terminal.formatting import (
    format_duration,
    format_level,
    format_month,
    format_player,
    format_rank,
    format_status,
)
from cadogan.terminal.game.game_screen import open_replay
from cadogan.terminal.list_screen import ListPanel, ListScreen, Row, make_row
from cadogan.terminal.words import capitalize, t
from cadogan.wire.messages import ServerMessage
from cadogan.wire.values import BoardEntry

SHOWN_PLACES = 100
"""How many places of a leaderboard are shown."""


async def load_leaderboards(panel: ListPanel) -> None:
    """Show the leaderboards of today, of longer periods and of each game."""
    app = terminal_app(panel)
    daily = await app.client.show_daily()
    day = date.fromisoformat(daily.day)
    year, week, _ = day.isocalendar()
    names = [(t("bar.today"), f"day:{daily.day}")]
    for deal in daily.deals:
        game = await app.rules_name(deal.rules)
        title = t("calendar.deal", level=format_level(deal.level), game=game)
        names.append((f"{t('bar.today')}, {title}", f"deal:{deal.deal}"))
    names += [
        (t("terminal.this_week"), f"week:{year}-W{week:02}"),
        (capitalize(format_month(day.month)), f"month:{day:%Y-%m}"),
        (t("boards.all_time"), "all"),
    ]
    names += [(card.name, f"game:{card.slug}") for card in (await app.rules_by_slug()).values()]
    rows = [make_row(title, action=partial(open_leaderboard, app, board, title)) for title, board in names]
    panel.fill(Text(t("terminal.choose_board")), rows)


async def open_leaderboard(app: TerminalApp, board: str, title: str) -> None:
    """Show the leaderboard with this name."""
    await app.push_screen(LeaderboardScreen(board, title))


class LeaderboardScreen(ListScreen):
    """One leaderboard: the best places and the player's own. It is loaded again when it changes."""

    def __init__(self, board: str, title: str) -> None:
        super().__init__()
        self._board = board
        self._title = title
        self._stop: Callable[[], None] | None = None

    def on_mount(self) -> None:
        """Watch the leaderboard."""
        self._stop = terminal_app(self).client.watch_board(self._board, self._receive)

    def on_unmount(self) -> None:
        """Stop watching."""
        if self._stop is not None:
            self._stop()

    async def load(self, panel: ListPanel) -> None:
        """Show the places."""
        app = terminal_app(panel)
        board = await app.client.show_board(self._board, limit=SHOWN_PLACES)
        rows = [make_place_row(entry, self._replay_action(app, entry)) for entry in board.entries]
        if board.you is not None and board.you not in board.entries:
            rows.append(make_place_row(board.you, self._replay_action(app, board.you)))
        places = f"{t('boards.in_all', total=board.total)}." if board.total else t("boards.empty")
        heading = Text(self._title, "bold").append(f"\n{places}", "not bold")
        if board.you is not None:
            rank = t("boards.your_rank", rank=format_rank(board.you.rank), total=board.total)
            heading.append(f" {rank}", "not bold")
        panel.fill(heading, rows)

    def _replay_action(self, app: TerminalApp, entry: BoardEntry) -> Action | None:
        return None if entry.game is None else partial(open_replay, app, entry.game)

    def _receive(self, message: ServerMessage | ClientError) -> None:
        if not isinstance(message, ClientError):
            self.reload()


def make_place_row(entry: BoardEntry, action: Action | None) -> Row:
    """Return a place as a row. `action` is run when it is chosen."""
    cells: list[tuple[str, int] | str] = [(f"{entry.rank:>4}", 6), (format_player(entry.player), 26)]
    if entry.points is not None:
        cells.append((f"{t('terminal.points', count=entry.points):>14}", 16))
        cells.append((t("deals.runs", count=entry.runs or 0), 14))
    elif entry.score is not None:
        cells.append((f"{entry.score:>5}", 8))
        cells.append((format_status(entry.result or ""), 18))
    cells += [(f"{t('common.moves', count=entry.moves):>12}", 14), f"{format_duration(entry.milliseconds):>9}"]
    return make_row(*cells, action=action)
