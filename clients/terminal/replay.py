"""The replay of a game, move by move."""

from typing import ClassVar

from rich.text import Text
from textual.app import ComposeResult
from textual.binding import Binding, BindingType
from textual.timer import Timer
from textual.widgets import Footer, Static

from clients.sdk.moves import parse_move
from clients.sdk.session import UNKNOWN, Session, apply_message
from clients.terminal.app import TerminalApp
from clients.terminal.formatting import format_duration, format_move, format_player, format_score, format_status
from clients.terminal.table_view import TableView
from clients.terminal.translated_screen import TranslatedScreen
from clients.terminal.words import t
from clients.wire import messages as wire
from clients.wire.bodies import Replay, RulesPage

SECONDS_PER_MOVE = (2.0, 1.0, 0.5, 0.2, 0.08)
"""The speeds of a running replay, from the slowest to the fastest."""


def replay_positions(replay: Replay) -> list[tuple[str, Session, int]]:
    """Return every position of a game: the move in words, the session after it, and milliseconds since the deal."""
    session = apply_message(UNKNOWN, replay.dealt, 0)
    started_at = replay.dealt.game.started_at
    found = [(t("replay.deal"), session, 0)]
    for message in replay.messages:
        session = apply_message(session, message, 0)
        match message:
            case wire.MovePlayed():
                words = format_move(parse_move(message.move, session.piles or {}))
                found.append((words, session, max(0, message.at - started_at)))
            case wire.MoveTakenBack():
                found.append((t("replay.taken_back"), session, max(0, message.at - started_at)))
            case wire.GameFinished():
                found.append(
                    (t("terminal.the_end", status=format_status(message.result)), session, message.milliseconds)
                )
    return found


class ReplayScreen(TranslatedScreen):
    """Steps through a game, or plays its moves automatically."""

    BINDINGS: ClassVar[list[BindingType]] = [
        Binding("left,h", "step(-1)", "terminal.previous", priority=True, key_display="←"),
        Binding("right,l", "step(1)", "terminal.next", priority=True, key_display="→"),
        Binding("pageup", "step(-10)", "terminal.previous", priority=True, show=False),
        Binding("pagedown", "step(10)", "terminal.next", priority=True, show=False),
        Binding("home", "step(-100000)", "replay.deal", priority=True, key_display="home"),
        Binding("end", "step(100000)", "terminal.end", priority=True, key_display="end"),
        Binding("space", "run", "replay.play", priority=True),
        Binding("plus,equals_sign", "change_speed(1)", "terminal.faster", priority=True, key_display="+"),
        Binding("minus", "change_speed(-1)", "terminal.slower", priority=True, key_display="-"),
        Binding("escape,q", "dismiss", "terminal.back", key_display="esc"),
    ]
    DEFAULT_CSS = "ReplayScreen TableView { height: 1fr; }"

    def __init__(self, replay: Replay, rules: RulesPage) -> None:
        super().__init__()
        self._card = replay.dealt.game
        self._rules = rules
        self._positions = replay_positions(replay)
        self._index = 0
        self._speed = 2
        self._timer: Timer | None = None

    def compose(self) -> ComposeResult:
        """Show the heading, the table, the move, and the keys."""
        yield Static(classes="line heading", markup=False)
        table = TableView(self._rules)
        table.can_focus = False
        yield table
        yield Static(classes="line message", markup=False)
        yield Footer()

    def on_mount(self) -> None:
        """Show the deal."""
        self.action_step(0)

    def action_step(self, step: int) -> None:
        """Go forward by `step` positions, or back if it is negative."""
        self._index = max(0, min(self._index + step, len(self._positions) - 1))
        words, session, at = self._positions[self._index]
        self.query_one(TableView).show(session.piles or {})
        title = Text(no_wrap=True, overflow="ellipsis").append(self._rules.name, "bold")
        place = t("replay.time_of", now=self._index, end=len(self._positions) - 1)
        score = t("terminal.score", score=format_score(session.score, self._rules.maximum))
        title.append(f" · {format_player(self._card.player)} · {place} · {score}")
        title.append(f" · {t('terminal.home', count=session.home)} · {format_duration(at)}")
        self.query_one(".heading", Static).update(title)
        self.query_one(".message", Static).update(f"{self._progress_bar()} {words}")
        if self._index == len(self._positions) - 1:
            self._stop()

    def action_run(self) -> None:
        """Start or stop playing automatically."""
        if self._timer is not None:
            self._stop()
            return
        if self._index == len(self._positions) - 1:
            self._index = 0
        self._timer = self.set_interval(SECONDS_PER_MOVE[self._speed], lambda: self.action_step(1))

    def action_change_speed(self, step: int) -> None:
        """Play faster (`step` 1) or slower (-1)."""
        self._speed = max(0, min(self._speed + step, len(SECONDS_PER_MOVE) - 1))
        if self._timer is not None:
            self._stop()
            self.action_run()

    def _stop(self) -> None:
        if self._timer is not None:
            self._timer.stop()
            self._timer = None

    def _progress_bar(self) -> str:
        width = 24
        done = round(width * self._index / max(1, len(self._positions) - 1))
        return "━" * done + "╺" + "─" * (width - done)


async def open_replay(app: TerminalApp, id: str) -> None:
    """Show the replay of a game. Raises SpoilerEmbargo, another RefusalError, or Unreachable."""
    replay = await app.client.replay_game(id)
    await app.push_screen(ReplayScreen(replay, await app.client.rules(replay.dealt.game.rules)))
