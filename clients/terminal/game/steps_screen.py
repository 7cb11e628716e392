"""A screen that steps through positions: those of a replay, or of a winning line."""

from collections.abc import Iterable, Sequence
from typing import ClassVar, NamedTuple

from rich.text import Text
from textual.app import ComposeResult
from textual.binding import Binding, BindingType
from textual.timer import Timer
from textual.widgets import Footer, Static

from cadogan.sdk.moves import parse_move
from cadogan.sdk.session import Session, apply_winning_step
from cadogan.terminal.dialogs import KeysDialog
from cadogan.terminal.formatting import format_duration, format_move, format_score
from cadogan.terminal.game.table_view import TableView
from cadogan.terminal.translated_screen import TranslatedScreen
from cadogan.terminal.words import t
from cadogan.wire.analysis import WayStep
from cadogan.wire.bodies import RulesPage

SECONDS_PER_MOVE = (2.0, 1.0, 0.5, 0.2, 0.08)
"""The speeds at which moves are played automatically, from the slowest to the fastest."""
MIN_BAR_WIDTH = 8


class Step(NamedTuple):
    """One position: its move in words, its session, and the milliseconds since the deal, if known."""

    words: str
    session: Session
    milliseconds: int | None


def winning_line_steps(start: Session, winning_line: Iterable[WayStep]) -> list[Step]:
    """Return the positions of a winning line, from its first position."""
    steps = [Step(t("terminal.way_start"), start, None)]
    for one in winning_line:
        session = apply_winning_step(steps[-1].session, one)
        steps.append(Step(format_move(parse_move(one.move, session.piles or {})), session, None))
    return steps


class StepsScreen(TranslatedScreen):
    """Steps through positions, or plays their moves automatically. `title` is the heading."""

    KEYS: ClassVar[tuple[tuple[str, str], ...]] = (
        ("← →", "terminal.key_step"),
        ("terminal.key_pages", "terminal.key_ten_steps"),
        ("terminal.key_ends", "terminal.key_first_last"),
        ("terminal.key_space", "terminal.key_run"),
        ("+ -", "terminal.key_speed"),
    )
    """The keys: each as its sign or a text key of its name, and a text key of its description."""
    BINDINGS: ClassVar[list[BindingType]] = [
        Binding("left,h", "step(-1)", "terminal.previous", priority=True, key_display="←"),
        Binding("right,l", "step(1)", "terminal.next", priority=True, key_display="→"),
        Binding("pageup", "step(-10)", "terminal.previous", priority=True, show=False),
        Binding("pagedown", "step(10)", "terminal.next", priority=True, show=False),
        Binding("home", "step(-100000)", "replay.deal", priority=True, show=False),
        Binding("end", "step(100000)", "terminal.end", priority=True, show=False),
        Binding("space", "run", "replay.play", priority=True),
        Binding("plus,equals_sign", "change_speed(1)", "terminal.faster", priority=True, show=False),
        Binding("minus", "change_speed(-1)", "terminal.slower", priority=True, show=False),
        Binding("question_mark,f1", "keys", "terminal.keys", key_display="?"),
        Binding("escape,q", "dismiss", "terminal.back", key_display="esc"),
    ]
    DEFAULT_CSS = "StepsScreen TableView { height: 1fr; }"

    def __init__(self, rules: RulesPage, title: str, steps: Sequence[Step]) -> None:
        super().__init__()
        self.rules = rules
        self.steps = steps
        self.index = 0
        """The number of the position that is shown."""
        self._title = title
        self._speed = 2
        self._timer: Timer | None = None

    def compose(self) -> ComposeResult:
        """Show the heading, the table, the move, and the keys."""
        yield Static(classes="line heading", markup=False)
        table = TableView(self.rules)
        table.can_focus = False
        yield table
        yield Static(classes="line message", markup=False)
        yield Footer(compact=True)

    def on_mount(self) -> None:
        """Show the first position."""
        self.show_position()

    def on_resize(self) -> None:
        """Redraw the parts that depend on the width."""
        self.show_position()

    @property
    def bar_width(self) -> int:
        """The width of the bar that shows which position this is, in columns."""
        return max(MIN_BAR_WIDTH, self.size.width // 2)

    def column(self, index: int) -> int:
        """Return the column of the bar in which a position is."""
        return round((self.bar_width - 1) * index / max(1, len(self.steps) - 1))

    def show_position(self) -> None:
        """Show the position, and the texts about it."""
        words, session, at = self.steps[self.index]
        self.query_one(TableView).show(session.piles or {})
        parts = [
            self._title,
            t("replay.time_of", now=self.index, end=len(self.steps) - 1),
            t("terminal.score", score=format_score(session.score, self.rules.maximum)),
            t("terminal.home", count=session.home),
            *([] if at is None else [format_duration(at)]),
        ]
        heading = Text(no_wrap=True, overflow="ellipsis").append(self.rules.name, "bold")
        self.query_one(".heading", Static).update(heading.append("".join(f" · {part}" for part in parts)))
        done = self.column(self.index)
        bar = "━" * done + "╺" + "─" * (self.bar_width - 1 - done)
        self.query_one(".message", Static).update(Text(f"{bar} {words}", no_wrap=True, overflow="ellipsis"))

    def go_to(self, index: int) -> None:
        """Show the position with this number; the first or the last one if there is none."""
        self.index = max(0, min(index, len(self.steps) - 1))
        self.show_position()
        if self.index == len(self.steps) - 1:
            self._stop()

    def action_step(self, step: int) -> None:
        """Go forward by `step` positions, or back if it is negative."""
        self.go_to(self.index + step)

    def action_run(self) -> None:
        """Start or stop playing automatically."""
        if self._timer is not None:
            self._stop()
            return
        if self.index == len(self.steps) - 1:
            self.index = 0
        self._timer = self.set_interval(SECONDS_PER_MOVE[self._speed], lambda: self.action_step(1))

    def action_change_speed(self, step: int) -> None:
        """Play faster (`step` 1) or slower (-1)."""
        self._speed = max(0, min(self._speed + step, len(SECONDS_PER_MOVE) - 1))
        if self._timer is not None:
            self._stop()
            self.action_run()

    def action_keys(self) -> None:
        """Show the list of keys."""
        self.app.push_screen(KeysDialog(self.KEYS))

    def _stop(self) -> None:
        if self._timer is not None:
            self._timer.stop()
            self._timer = None
