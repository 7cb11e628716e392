"""The screen of one game, for its player and for spectators."""

from collections.abc import Callable
from functools import partial
from typing import ClassVar

from rich.cells import cell_len
from rich.style import Style
from rich.text import Text
from textual.app import ComposeResult
from textual.binding import Binding, BindingType
from textual.widgets import Footer, Static

from cadogan.sdk.client import random_nonce
from cadogan.sdk.errors import NoWinnableDeal
from cadogan.sdk.game import Game
from cadogan.terminal.app import TerminalApp, terminal_app
from cadogan.terminal.dialogs import KeysDialog
from cadogan.terminal.formatting import (
    format_duration,
    format_error,
    format_mode,
    format_move,
    format_player,
    format_score,
    format_status,
    format_verb,
)
from cadogan.terminal.game.game_controller import MAX_VERBS, GameController
from cadogan.terminal.game.opponents_bar import watch_opponents
from cadogan.terminal.game.replay import ReplayScreen
from cadogan.terminal.game.selection import NO_SELECTION
from cadogan.terminal.game.steps_screen import StepsScreen, winning_line_steps
from cadogan.terminal.game.styles import SELECTED_SIGN, TARGET_SIGN
from cadogan.terminal.game.table_view import TableView
from cadogan.terminal.game.verdicts import describe_verdict
from cadogan.terminal.rules_dialog import open_rules
from cadogan.terminal.translated_screen import TranslatedScreen
from cadogan.terminal.words import capitalize, t
from cadogan.wire import messages as wire
from cadogan.wire.analysis import Winnability
from cadogan.wire.messages import ServerMessage


class GameScreen(TranslatedScreen):
    """One game: the heading, the opponents, the table, a message and the verbs, and the keys."""

    BINDINGS: ClassVar[list[BindingType]] = [
        Binding("f", "best", "terminal.best"),
        Binding("d", "deal", "moves.verb_deal"),
        Binding("u,backspace", "take_back", "seat.take_back", key_display="u"),
        Binding("a", "finish", "seat.finish", show=False),
        Binding("h", "hint", "hint.hint"),
        Binding("w", "winnable", "terminal.winnable", show=False),
        Binding("m", "moves", "stats.moves"),
        Binding("r", "rules", "stage.rules"),
        Binding("n", "again", "again.again", show=False),
        Binding("v", "replay", "ending.replay", show=False),
        Binding("x", "resign", "seat.resign"),
        Binding("tab", "next(1)", "terminal.next", show=False, priority=True),
        Binding("shift+tab", "next(-1)", "terminal.previous", show=False, priority=True),
        *(Binding(str(number + 1), f"verb({number})", show=False) for number in range(MAX_VERBS)),
        Binding("question_mark,f1", "keys", "terminal.keys", key_display="?"),
        Binding("escape,q", "back", "terminal.back", key_display="esc"),
    ]
    KEYS: ClassVar[tuple[tuple[str, str], ...]] = (
        ("terminal.key_arrows", "terminal.key_point"),
        ("tab", "terminal.key_next"),
        ("terminal.key_enter", "terminal.key_select"),
        ("+ -", "terminal.key_count"),
        ("f", "seat.key_best"),
        ("d", "terminal.key_deal"),
        ("terminal.key_digits", "terminal.key_verbs"),
        ("a", "terminal.key_finish"),
        ("h", "terminal.key_hint"),
        ("w", "terminal.key_winnable"),
        ("m", "terminal.key_moves"),
        ("u", "terminal.key_take_back"),
        ("n", "terminal.key_again"),
        ("v", "terminal.key_replay"),
        ("esc", "terminal.key_back"),
    )
    DEFAULT_CSS = """
    GameScreen .opponents { color: $text-muted; }
    GameScreen TableView { height: 1fr; }
    GameScreen .message { height: auto; min-height: 1; max-height: 3; padding: 0 1; }
    """

    def __init__(self, game: Game) -> None:
        super().__init__()
        self.game = game
        self._controller = GameController(game, self._show_message, self._show_game)
        self._stops: list[Callable[[], None]] = []
        self._winnability: Winnability | None = None
        """The server's last answer whether this game can be won."""

    def compose(self) -> ComposeResult:
        """Show the parts below each other."""
        yield Static(classes="line heading", markup=False)
        yield Static(classes="line opponents", markup=False)
        yield TableView(self.game.rules)
        yield Static(classes="message")
        yield Footer(compact=True)

    def on_mount(self) -> None:
        """Follow the game and its opponents, and start to send commands."""
        self._stops.append(self.game.listen(self._receive))
        self._stops.append(watch_opponents(terminal_app(self).client, self.game, self._show_opponents))
        self.set_interval(1, self._show_heading)
        self.run_worker(self._controller.run_commands())
        self.query_one(TableView).focus()
        self._show_message("")
        self._show_game()

    def on_unmount(self) -> None:
        """Stop following, and close the game."""
        for stop in self._stops:
            stop()
        self.game.close()

    def check_action(self, action: str, parameters: tuple[object, ...]) -> bool | None:
        """Hide the keys for moves from spectators."""
        if action in ("best", "deal", "take_back", "finish", "hint", "moves", "resign"):
            return self.game.session.sight == "seat"
        if action == "again":
            game = self.game.session.game if self.game.session.sight == "seat" else None
            return game is not None and not (game.ranked or game.race or game.competition)
        if action == "winnable":
            return self.game.session.mine and self.game.session.may_ask_if_winnable
        return True

    def _receive(self, message: ServerMessage) -> None:
        session = self.game.session
        if isinstance(message, Winnability):
            self._show_winnability(message)
            return
        if not isinstance(message, wire.Presence):
            self._controller.update()
        if isinstance(message, wire.GameFinished):
            self._show_message(self._result_text())
            if session.sight == "seat":
                app = terminal_app(self)
                app.run_in_background(lambda: app.keep_receipt(self.game.id))
        elif session.status == "stuck" and session.mine:
            score = format_score(session.score, self.game.rules.maximum)
            self._show_message(f"{t('seat.dead_end', score=score)} {t('terminal.stuck_keys')}")
        elif isinstance(message, wire.MovePlayed | wire.MoveTakenBack | wire.View):
            self._show_message(t("terminal.offers_finish") if session.finish else "")
        self._show_game()

    def _show_game(self) -> None:
        session = self.game.session
        for view in self.query(TableView):
            view.show(self._controller.piles, self._controller.selected, self._controller.targets)
        if session.piles is None:
            self._show_message(t("terminal.covered"))
        self._show_heading()

    def _show_heading(self) -> None:
        session, rules = self.game.session, self.game.rules
        if session.game is None:
            return
        title = Text(no_wrap=True, overflow="ellipsis")
        title.append(rules.name, "bold")
        if session.sight != "seat":
            title.append(f" · {format_player(session.game.player)}")
        title.append(f" · {format_mode(session.game)}")
        parts = [
            t("terminal.score", score=format_score(session.score, rules.maximum)),
            t("terminal.home", count=session.home),
            t("common.moves", count=session.played),
            format_duration(session.clock(terminal_app(self).now())),
        ]
        if session.watchers:
            parts.append(t("seat.watching", count=session.watchers))
        if session.status != "playing":
            parts.append(format_status(session.status))
        if not self.game.connected:
            parts.append(t("shell.offline"))
        figures = " · ".join(parts)
        title.truncate(self.size.width - cell_len(figures) - 4, overflow="ellipsis")
        room = self.size.width - 2 - title.cell_len - cell_len(figures)
        title.append(" " * max(2, room) + figures)
        self._write(".heading", title)

    def _show_opponents(self, line: Text) -> None:
        self._write(".opponents", line)
        for bar in self.query(".opponents"):
            bar.display = bool(line)

    def _show_message(self, sentence: str) -> None:
        """Show a sentence, and the verbs as buttons."""
        line = Text(capitalize(sentence))
        for number, verb in enumerate(self._controller.verbs):
            line.append("   " if line else "")
            click = Style.from_meta({"@click": f"screen.verb({number})"})
            line.append(f" {number + 1} {format_verb(verb)} ", Style(reverse=True) + click)
        self._write(".message", line)

    def _show_winnability(self, said: Winnability) -> None:
        if said.version != self.game.session.version:
            return
        self._winnability = said
        if said.verdict is None:
            searching = t("terminal.winnable_searching", count=said.ahead or 0)
            self._show_message(t("winnable.unattended") if said.unattended else searching)
        else:
            further = t("terminal.shows_way") if said.steps else ""
            if said.moves_since_won:
                further = t("terminal.take_back_to_won", count=said.moves_since_won)
            self._show_message(f"{describe_verdict(said.verdict)} {further}".strip())

    def _write(self, where: str, text: Text) -> None:
        """Set the text of a line. Does nothing while the screen is closing."""
        for line in self.query(where).results(Static):
            line.update(text)

    def _result_text(self) -> str:
        session = self.game.session
        took = format_duration(session.clock(terminal_app(self).now()))
        in_race = session.game is not None and session.game.race is not None
        score = format_score(session.score, self.game.rules.maximum)
        figure = t("terminal.home", count=session.home) if in_race else score
        figures = f"{figure}, {t('common.moves', count=session.played)}, {took}"
        return f"{capitalize(format_status(session.status))}: {figures}. {t('terminal.shows_again')}"

    def on_table_view_cursor_moved(self, event: TableView.CursorMoved) -> None:
        """Describe the pile at the cursor."""
        if not self._controller.selection.piles:
            self._show_message(self._controller.describe(event.pile))

    def on_table_view_tapped(self, event: TableView.Tapped) -> None:
        """Select cards, or move them."""
        self._controller.tap(event.pile, event.depth)

    def on_table_view_double_tapped(self, event: TableView.DoubleTapped) -> None:
        """Move a card to its best target."""
        self._controller.double_tap(event.pile, event.depth)

    def on_table_view_count_changed(self, event: TableView.CountChanged) -> None:
        """Select more cards, or fewer."""
        self._controller.change_count(event.step)

    def action_best(self) -> None:
        """Move the selected cards, or those at the cursor, to their best target."""
        cursor = self.query_one(TableView).cursor
        if cursor is not None or self._controller.selection.piles:
            self._controller.play_best_move(*(cursor or ("", 1)))

    def action_next(self, step: int) -> None:
        """Move the cursor to the next pile with a possible action."""
        view = self.query_one(TableView)
        pile = self._controller.next_pile(view.cursor[0] if view.cursor else None, step)
        if pile is not None:
            view.point_at(pile)

    def action_deal(self) -> None:
        """Deal, or redeal."""
        self._controller.deal()

    def action_verb(self, number: int) -> None:
        """Play the verb with this index."""
        if number < len(self._controller.verbs):
            self._controller.play(self._controller.verbs[number])

    def action_take_back(self) -> None:
        """Take back the last move."""
        self._controller.take_back()

    def action_finish(self) -> None:
        """Play the rest of the game, if nothing is left to decide."""
        self._controller.finish()

    def action_hint(self) -> None:
        """Show a hint."""
        self._controller.show_hint()

    def action_winnable(self) -> None:
        """Ask whether the game can still be won. If the answer has arrived and has a winning line, show it."""
        said = self._winnability
        if said is not None and said.version == self.game.session.version and said.steps:
            steps = winning_line_steps(self.game.session, said.steps)
            self.app.push_screen(StepsScreen(self.game.rules, t("terminal.way_here"), steps))
        else:
            terminal_app(self).run_in_background(self.game.ask_if_winnable, name="winnable", owner=self)

    def action_moves(self) -> None:
        """Let the player choose from a list of all legal moves."""
        terminal_app(self).run_in_background(self._choose)

    def action_resign(self) -> None:
        """Resign the game, or finish it if no move is left, after a confirmation."""
        if self.game.session.mine:
            terminal_app(self).run_in_background(self._resign)

    def action_again(self) -> None:
        """Ask whether to deal the same cards again, or new ones. Dealing the same cards resigns an unfinished game."""
        terminal_app(self).run_in_background(self._begin_again)

    def action_rules(self) -> None:
        """Show the rules."""
        terminal_app(self).run_in_background(partial(open_rules, terminal_app(self), self.game.rules.slug))

    def action_replay(self) -> None:
        """Show the replay of the game."""
        terminal_app(self).run_in_background(partial(open_replay, terminal_app(self), self.game.id))

    def action_keys(self) -> None:
        """Show the list of keys."""
        mouse = t("terminal.mouse", selected=SELECTED_SIGN, target=TARGET_SIGN)
        self.app.push_screen(KeysDialog(self.KEYS, mouse))

    def action_back(self) -> None:
        """Clear the selection; without one, leave the game."""
        if self._controller.selection.piles:
            self._controller.select(NO_SELECTION)
        else:
            self.dismiss()

    async def _choose(self) -> None:
        moves = self.game.moves
        if not moves:
            self._show_message(t("table.status_stuck"))
            return
        chosen = await terminal_app(self).choose(t("moves.possible", count=len(moves)), *map(format_move, moves))
        if chosen is not None:
            self._controller.play(moves[chosen].text)

    async def _begin_again(self) -> None:
        game, app = self.game.session.game, terminal_app(self)
        assert game is not None
        restart = t("again.restart" if self.game.session.over else "again.restart_giving_up")
        chosen = await app.choose(t("again.question"), restart, t("again.new_deal"), t("again.winnable_deal"))
        if chosen == 0:
            if not self.game.session.over:
                await self.game.resign()
            if game.mode == "practice" and game.day is not None and game.slot is not None:
                begun = await app.client.enter_daily(game.day, game.slot, practice=True)
            else:
                begun = await app.client.play_deal(game.deal)
            await open_game(app, begun.game.id)
        elif chosen == 1:
            await deal(app, game.rules)
        elif chosen == 2:
            await deal_winnable(app, game.rules)

    async def _resign(self) -> None:
        question = (t("seat.resign_question"), t("seat.no_go_on"), t("seat.resign"))
        if self.game.session.status == "stuck":
            question = (t("terminal.finish_question"), t("seat.no_go_on"), t("seat.finish_here"))
        if await terminal_app(self).choose(*question) == 1:
            self._controller.resign()


async def open_game(app: TerminalApp, id: str) -> None:
    """Open a game, to play it or to watch it. Raises RefusalError or Unreachable."""
    await app.push_screen(GameScreen(await app.client.game(id)))


async def deal(app: TerminalApp, slug: str) -> None:
    """Begin a casual game by the rules with this slug, and open it. Raises RefusalError or Unreachable.

    If the game has numbered deals, the player is asked for a number; without one the cards are random.
    """
    number = None
    if (most := (await app.client.rules(slug)).deal.numbers) > 0:
        answer = await app.ask(t("rules.number_words", most=most), f"{t('rules.number')} ({t('rules.left_to_chance')})")
        if answer is None:
            return
        digits = answer[0].strip()
        if digits and not (digits.isdecimal() and 1 <= int(digits) <= most):
            app.notify(t("terminal.no_such_number", most=most))
            return
        number = int(digits) if digits else None
    sealed = await app.client.seal_deal(slug)
    await open_game(app, (await app.client.begin_game(sealed.deal, random_nonce(), number)).game.id)


async def deal_winnable(app: TerminalApp, slug: str) -> None:
    """Begin a casual game with a deal that can be won, and open it; if none is found in time, offer any deal.

    Raises RefusalError or Unreachable.
    """
    app.notify(t("rules.searching"))
    sealed = await app.client.seal_deal(slug)
    try:
        begun = await app.client.begin_game(sealed.deal, random_nonce(), winnable=True)
    except NoWinnableDeal as refusal:
        chosen = await app.choose(format_error(refusal), t("again.any_deal"), t("again.try_again"))
        if chosen is not None:
            await (deal, deal_winnable)[chosen](app, slug)
    else:
        await open_game(app, begun.game.id)


async def open_replay(app: TerminalApp, id: str) -> None:
    """Show the replay of a game. Raises SpoilerEmbargo, another RefusalError, or Unreachable."""
    replay = await app.client.replay_game(id)
    rules = await app.client.rules(replay.dealt.game.rules)
    await app.push_screen(ReplayScreen(replay, rules, partial(open_game, app)))
