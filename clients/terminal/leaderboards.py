"""Boards: the lists of them, and each as it changes."""

from collections.abc import Callable
from datetime import date
from functools import partial

from rich.text import Text

from clients.sdk.errors import ClientError
from clients.terminal.app import Act, TerminalApp, host
from clients.terminal.formatting import counted, duration, status_words
from clients.terminal.list_screen import Listing, ListScreen, Row, row
from clients.terminal.replay import open_replay
from clients.wire.messages import ServerMessage
from clients.wire.values import BoardEntry

SHOWN = 100
"""Places that are shown."""


async def load_boards(listing: Listing) -> None:
    """The boards of today and of longer times, and of each game."""
    app = host(listing)
    daily = await app.client.show_daily()
    day = date.fromisoformat(daily.day)
    year, week, _ = day.isocalendar()
    named = [("Today", f"day:{daily.day}")]
    for deal in daily.deals:
        named.append((f"Today's {deal.level} deal, {await app.name_of(deal.rules)}", f"deal:{deal.deal}"))
    named += [
        ("This week", f"week:{year}-W{week:02}"),
        (f"{day:%B}", f"month:{day:%Y-%m}"),
        ("Of all time", "all"),
    ]
    cards = sorted((await app.rules_cards()).values(), key=lambda card: card.name)
    named += [(card.name, f"game:{card.slug}") for card in cards]
    rows = [row(title, act=partial(open_board, app, board, title)) for title, board in named]
    listing.fill(Text("Choose a board."), rows)


async def open_board(app: TerminalApp, board: str, title: str) -> None:
    """Look at a board."""
    await app.push_screen(BoardScreen(board, title))


class BoardScreen(ListScreen):
    """One board: the best places, and one's own. It is read again whenever it changes."""

    def __init__(self, board: str, title: str) -> None:
        super().__init__()
        self._board = board
        self._title = title
        self._stop: Callable[[], None] | None = None

    def on_mount(self) -> None:
        """Hear of its changes."""
        self._stop = host(self).client.watch_board(self._board, self._heard)

    def on_unmount(self) -> None:
        """Hear no more of them."""
        if self._stop is not None:
            self._stop()

    async def load(self, listing: Listing) -> None:
        """The places."""
        app = host(listing)
        board = await app.client.show_board(self._board, limit=SHOWN)
        rows = [place(entry, self._see(app, entry)) for entry in board.entries]
        if board.you is not None and board.you not in board.entries:
            rows.append(place(board.you, self._see(app, board.you)))
        heading = Text(self._title, "bold").append(f"\n{counted(board.total, 'place')}.", "not bold")
        if board.you is not None:
            heading.append(f" You are number {board.you.rank}.", "not bold")
        listing.fill(heading, rows)

    def _see(self, app: TerminalApp, entry: BoardEntry) -> Act | None:
        return None if entry.game is None else partial(open_replay, app, entry.game)

    def _heard(self, message: ServerMessage | ClientError) -> None:
        if not isinstance(message, ClientError):
            self.again()


def place(entry: BoardEntry, act: Act | None) -> Row:
    """One place as a line."""
    cells: list[tuple[str, int] | str] = [(f"{entry.rank:>4}", 6), (entry.player.name, 26)]
    if entry.points is not None:
        cells.append((f"{entry.points:>7} points", 16))
        cells.append((counted(entry.runs or 0, "run"), 10))
    elif entry.score is not None:
        cells.append((f"{entry.score:>5}", 8))
        cells.append((status_words(entry.result or ""), 14))
    cells += [(f"{entry.moves:>5} moves", 14), f"{duration(entry.milliseconds):>9}"]
    return row(*cells, act=act)
