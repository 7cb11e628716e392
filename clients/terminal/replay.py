"""A game move by move."""

from typing import ClassVar

from rich.text import Text
from textual.app import ComposeResult
from textual.binding import Binding, BindingType
from textual.screen import Screen
from textual.timer import Timer
from textual.widgets import Footer, Static

from clients.sdk.moves import parse_move
from clients.sdk.session import UNKNOWN, Session, apply_message
from clients.terminal.app import TerminalApp
from clients.terminal.formatting import duration, move_words, status_words
from clients.terminal.table_view import TableView
from clients.wire import messages as wire
from clients.wire.bodies import Replay, RulesPage

PACES = (2.0, 1.0, 0.5, 0.2, 0.08)
"""Seconds for a move, from the slowest to the quickest."""


def positions(replay: Replay) -> list[tuple[str, Session, int]]:
    """Every position of a game: how it came about, what it is, and when it was, in milliseconds since the deal."""
    session = apply_message(UNKNOWN, replay.dealt, 0)
    begun = replay.dealt.game.started_at
    found = [("The deal", session, 0)]
    for message in replay.messages:
        session = apply_message(session, message, 0)
        match message:
            case wire.MovePlayed():
                words = move_words(parse_move(message.move, session.piles or {}))
                found.append((words, session, max(0, message.at - begun)))
            case wire.MoveTakenBack():
                found.append(("Taken back", session, max(0, message.at - begun)))
            case wire.GameFinished():
                found.append((f"The end: {status_words(message.result)}", session, message.milliseconds))
    return found


class ReplayScreen(Screen[None]):
    """Steps through a game, or lets it run."""

    BINDINGS: ClassVar[list[BindingType]] = [
        Binding("left,h", "step(-1)", "Back", priority=True, key_display="←"),
        Binding("right,l", "step(1)", "On", priority=True, key_display="→"),
        Binding("pageup", "step(-10)", "Ten back", priority=True, show=False),
        Binding("pagedown", "step(10)", "Ten on", priority=True, show=False),
        Binding("home", "step(-100000)", "Deal", priority=True, key_display="home"),
        Binding("end", "step(100000)", "End", priority=True, key_display="end"),
        Binding("space", "run", "Run", priority=True),
        Binding("plus,equals_sign", "pace(1)", "Quicker", priority=True, key_display="+"),
        Binding("minus", "pace(-1)", "Slower", priority=True, key_display="-"),
        Binding("escape,q", "dismiss", "Leave", key_display="esc"),
    ]
    DEFAULT_CSS = "ReplayScreen TableView { height: 1fr; }"

    def __init__(self, replay: Replay, rules: RulesPage) -> None:
        super().__init__()
        self._card = replay.dealt.game
        self._rules = rules
        self._positions = positions(replay)
        self._place = 0
        self._pace = 2
        self._timer: Timer | None = None

    def compose(self) -> ComposeResult:
        """Whose game, the table, the move, and the keys."""
        yield Static(classes="line heading", markup=False)
        table = TableView(self._rules.layout.piles)
        table.can_focus = False
        yield table
        yield Static(classes="line said", markup=False)
        yield Footer()

    def on_mount(self) -> None:
        """Begin at the deal."""
        self.action_step(0)

    def action_step(self, step: int) -> None:
        """Go so many positions on, or back."""
        self._place = max(0, min(self._place + step, len(self._positions) - 1))
        words, session, at = self._positions[self._place]
        self.query_one(TableView).show(session.piles or {})
        title = Text(no_wrap=True, overflow="ellipsis").append(self._rules.name, "bold")
        title.append(f" · {self._card.player.name} · {self._place} of {len(self._positions) - 1}")
        title.append(f" · score {session.score} of {self._rules.maximum} · {session.home} home · {duration(at)}")
        self.query_one(".heading", Static).update(title)
        self.query_one(".said", Static).update(f"{self._bar()} {words}")
        if self._place == len(self._positions) - 1:
            self._stop()

    def action_run(self) -> None:
        """Let it run, or stop it."""
        if self._timer is not None:
            self._stop()
            return
        if self._place == len(self._positions) - 1:
            self._place = 0
        self._timer = self.set_interval(PACES[self._pace], lambda: self.action_step(1))

    def action_pace(self, step: int) -> None:
        """Run quicker, or slower."""
        self._pace = max(0, min(self._pace + step, len(PACES) - 1))
        if self._timer is not None:
            self._stop()
            self.action_run()

    def _stop(self) -> None:
        if self._timer is not None:
            self._timer.stop()
            self._timer = None

    def _bar(self) -> str:
        width = 24
        done = round(width * self._place / max(1, len(self._positions) - 1))
        return "━" * done + "╺" + "─" * (width - done)


async def open_replay(app: TerminalApp, id: str) -> None:
    """Look at a game move by move. Raises RefusalError, as while its cards are not for all to see, or Unreachable."""
    replay = await app.client.replay_game(id)
    await app.push_screen(ReplayScreen(replay, await app.client.rules(replay.dealt.game.rules)))
