"""The replay of a game, move by move, with its analysis."""

from bisect import bisect_left, bisect_right
from collections.abc import Awaitable, Callable
from typing import ClassVar

from rich.text import Text
from textual.app import ComposeResult
from textual.binding import Binding, BindingType
from textual.widgets import Static

from cadogan.sdk.moves import parse_move
from cadogan.sdk.session import UNKNOWN, apply_message
from cadogan.terminal.app import terminal_app
from cadogan.terminal.dialogs import TextDialog
from cadogan.terminal.formatting import format_deal_level, format_move, format_player, format_status
from cadogan.terminal.game.steps_screen import Step, StepsScreen, winning_line_steps
from cadogan.terminal.game.verdicts import describe_position, describe_progress, draw_strip, find_losses, verdict_at
from cadogan.terminal.words import t
from cadogan.wire import messages as wire
from cadogan.wire.analysis import Analysis
from cadogan.wire.bodies import Replay, RulesPage
from cadogan.wire.results import Attestation

OpenGame = Callable[[str], Awaitable[None]]
"""Opens the game with this id."""


def replay_steps(replay: Replay) -> list[Step]:
    """Return every position of a game."""
    session = apply_message(UNKNOWN, replay.dealt, 0)
    started_at = replay.dealt.game.started_at
    found = [Step(t("replay.deal"), session, 0)]
    for message in replay.messages:
        session = apply_message(session, message, 0)
        match message:
            case wire.MovePlayed():
                words = format_move(parse_move(message.move, session.piles or {}))
                found.append(Step(words, session, max(0, message.at - started_at)))
            case wire.MoveTakenBack():
                found.append(Step(t("replay.taken_back"), session, max(0, message.at - started_at)))
            case wire.GameFinished():
                words = t("terminal.the_end", status=format_status(message.result))
                found.append(Step(words, session, message.milliseconds))
    return found


def describe_attestation(found: Attestation) -> str:
    """Return the attestation of a game's record in words: the server's check, the log entry and the witnesses."""
    entry = found.entry
    if entry is None:
        return f"{t('check.by_server')} {t('check.not_logged')}"
    logged = t("check.logged", number=entry.number + 1, size=entry.size, origin=entry.origin, signer=entry.key)
    names = ", ".join(witness.name for witness in entry.witnesses)
    witnessed = t("check.witnessed", names=names) if names else t("audit.not_witnessed")
    return f"{t('check.by_server')} {logged} {witnessed}"


class ReplayScreen(StepsScreen):
    """The screen that steps through a game, shows where it could still be won, and begins games from its positions.

    `open_game` opens such a game.
    """

    KEYS = (
        *StepsScreen.KEYS,
        ("a", "terminal.key_analyse"),
        ("n N", "terminal.key_losses"),
        ("w", "terminal.key_way"),
        ("p", "terminal.key_play_on"),
        ("c", "terminal.key_check"),
        ("esc", "terminal.back"),
    )
    BINDINGS: ClassVar[list[BindingType]] = [
        Binding("a,A", "analyse", "terminal.analyse", key_display="a"),
        Binding("n", "next_loss(1)", "terminal.next_loss"),
        Binding("N", "next_loss(-1)", "terminal.previous", show=False),
        Binding("w,W", "winning_line", "terminal.way", key_display="w"),
        Binding("p,P", "play_on", "terminal.play_on", key_display="p"),
        Binding("c,C", "check", "check.title", show=False),
    ]
    DEFAULT_CSS = "ReplayScreen .analysis { display: none; } ReplayScreen.analysed .analysis { display: block; }"

    def __init__(self, replay: Replay, rules: RulesPage, open_game: OpenGame) -> None:
        card = replay.dealt.game
        super().__init__(rules, format_player(card.player), replay_steps(replay))
        self._game, self._day, self._slot = card.id, card.day, card.slot
        self._deal_level = ""
        self._open_game = open_game
        self._analysis: Analysis | None = None

    def compose(self) -> ComposeResult:
        """Show the verdicts above the bar, and the verdict on the position below it."""
        *above, message, footer = super().compose()
        yield from above
        yield Static(classes="line analysis verdicts", markup=False)
        yield message
        yield Static(classes="line analysis position", markup=False)
        yield footer

    def check_action(self, action: str, parameters: tuple[object, ...]) -> bool | None:
        """Hide the keys that need an analysis, or a position that can be won."""
        match action:
            case "next_loss":
                return bool(self._losses)
            case "winning_line":
                return self._analysis is not None and verdict_at(self._analysis, self._version) == "won"
        return True

    def show_position(self) -> None:
        """Show the position, and its verdict."""
        super().show_position()
        if self._analysis is not None:
            versions = [step.session.version for step in self.steps]
            strip = draw_strip(self._analysis, versions, self.column, self.bar_width)
            strip.append(f" {describe_progress(self._analysis, self._losses)}")
            strip.append(f" {self._deal_level}")
            self.query_one(".verdicts", Static).update(strip)
            said = describe_position(self._analysis, self._version, self.index in self._losses)
            self.query_one(".position", Static).update(Text(said, no_wrap=True, overflow="ellipsis"))
        self.refresh_bindings()

    def show_deal_level(self, words: str) -> None:
        """Show the difficulty of this deal, beside the analysis."""
        self._deal_level = words
        self.show_position()

    def show_analysis(self, analysis: Analysis) -> None:
        """Show the current state of the analysis."""
        self._analysis = analysis
        self.add_class("analysed")
        self.show_position()

    def action_analyse(self) -> None:
        """Request the analysis, and show it at every change."""
        terminal_app(self).run_in_background(self._analyse, name="analysis", owner=self)

    def action_next_loss(self, step: int) -> None:
        """Go to the next move (`step` 1) with which a win was lost, or to the previous one (-1)."""
        losses = self._losses
        place = bisect_right(losses, self.index) if step > 0 else bisect_left(losses, self.index) - 1
        if 0 <= place < len(losses):
            self.go_to(losses[place])

    def action_winning_line(self) -> None:
        """Show a winning line from this position."""
        terminal_app(self).run_in_background(self._show_winning_line)

    def action_play_on(self) -> None:
        """Begin a new game from this position, and open it."""
        terminal_app(self).run_in_background(self._play_on)

    def action_check(self) -> None:
        """Show the attestation of the game's record."""
        terminal_app(self).run_in_background(self._show_attestation)

    @property
    def _version(self) -> int:
        """The version of the game in this position. The end of a game counts as the version before it."""
        over = self.index > 0 and self.steps[self.index].session.over
        return self.steps[self.index - 1 if over else self.index].session.version

    @property
    def _losses(self) -> list[int]:
        """The numbers of the positions at which a win was lost."""
        versions = [step.session.version for step in self.steps]
        return [] if self._analysis is None else find_losses(self._analysis, versions)

    async def _analyse(self) -> None:
        if self._day is not None:
            deals = (await terminal_app(self).client.show_daily(self._day)).deals
            self.show_deal_level(" ".join(format_deal_level(deal) for deal in deals if deal.slot == self._slot))
        async for analysis in terminal_app(self).client.follow_analysis(self._game):
            self.show_analysis(analysis)

    async def _show_attestation(self) -> None:
        found = await terminal_app(self).client.show_attestation(self._game)
        await self.app.push_screen(TextDialog(f"# {t('check.title')}\n\n{describe_attestation(found)}"))

    async def _show_winning_line(self) -> None:
        start, place = self.steps[self.index].session, self.index
        winning_line = await terminal_app(self).client.show_way(self._game, self._version)
        title = t("terminal.way_from", move=place)
        await self.app.push_screen(StepsScreen(self.rules, title, winning_line_steps(start, winning_line.steps)))

    async def _play_on(self) -> None:
        begun = await terminal_app(self).client.play_on(self._game, self._version)
        await self._open_game(begun.game.id)
