"""A game on the screen: played at one's own seat, watched at another's."""

from collections.abc import Callable
from functools import partial
from typing import ClassVar

from rich.style import Style
from rich.text import Text
from textual.app import ComposeResult
from textual.binding import Binding, BindingType
from textual.screen import Screen
from textual.widgets import Footer, Static

from clients.sdk.client import random_nonce
from clients.sdk.game import Game
from clients.terminal.app import TerminalApp, host
from clients.terminal.dialogs import Reading
from clients.terminal.formatting import counted, duration, mode_words, move_words, plain_words, status_words, verb_words
from clients.terminal.game_controller import MOST_VERBS, Seat
from clients.terminal.html_to_markdown import open_rules
from clients.terminal.opponents_bar import band_of
from clients.terminal.replay import open_replay
from clients.terminal.selection import EMPTY
from clients.terminal.styles import HELD_SIGN, TARGET_SIGN
from clients.terminal.table_view import TableView
from clients.wire import messages as wire
from clients.wire.messages import ServerMessage

KEYS = (
    ("arrows", "point at a pile"),
    ("tab", "the next pile where something can be done"),
    ("enter, space", "take a card; lay what is in hand; deal at the stock"),
    ("+ and -", "more cards, or fewer"),
    ("f", "send the card to its best place"),
    ("d", "deal, or deal again"),
    ("1 to 9", "what stands below the table"),
    ("m", "choose from every legal move"),
    ("u", "take the last move back"),
    ("esc", "let go; leave the table"),
)
"""What the keys do, for people."""
_SIGNS = (
    "The mouse takes and lays too: click and click, or drag; two clicks send a card to its best place. "
    f"What is held is yellow and marked {HELD_SIGN}, where it may go is green and marked {TARGET_SIGN}."
)


class GameScreen(Screen[None]):
    """One game: how it stands, the table, and what can be done."""

    BINDINGS: ClassVar[list[BindingType]] = [
        Binding("f", "best", "Best place"),
        Binding("d", "deal", "Deal"),
        Binding("u,backspace", "take_back", "Take back", key_display="u"),
        Binding("m", "moves", "Moves"),
        Binding("r", "rules", "Rules"),
        Binding("v", "replay", "Replay"),
        Binding("x", "resign", "Resign"),
        Binding("tab", "next(1)", "Next", show=False, priority=True),
        Binding("shift+tab", "next(-1)", "Before", show=False, priority=True),
        *(Binding(str(number + 1), f"verb({number})", show=False) for number in range(MOST_VERBS)),
        Binding("question_mark,f1", "keys", "Keys", key_display="?"),
        Binding("escape,q", "back", "Back", key_display="esc"),
    ]
    DEFAULT_CSS = """
    GameScreen .band { color: $text-muted; }
    GameScreen TableView { height: 1fr; }
    """

    def __init__(self, game: Game) -> None:
        super().__init__()
        self._game = game
        self._seat = Seat(game, self._say, self._show)
        self._stops: list[Callable[[], None]] = []

    def compose(self) -> ComposeResult:
        """How it stands, the table, what is said of it, and the keys."""
        yield Static(classes="line heading", markup=False)
        yield Static(classes="line band", markup=False)
        yield TableView(self._game.rules.layout.piles)
        yield Static(classes="line said")
        yield Footer(compact=True)

    def on_mount(self) -> None:
        """Hear the game, and carry out what is wished one after another."""
        self._stops.append(self._game.listen(self._heard))
        self._stops.append(band_of(host(self).client, self._game, self._band))
        self.set_interval(1, self._heading)
        self.run_worker(self._seat.carry_out())
        self.query_one(TableView).focus()
        self._say("")
        self._show()

    def on_unmount(self) -> None:
        """Hear nothing more."""
        for stop in self._stops:
            stop()
        self._game.close()

    def check_action(self, action: str, parameters: tuple[object, ...]) -> bool | None:
        """Whoever only watches is not offered moves."""
        if action in ("best", "deal", "take_back", "moves", "resign"):
            return self._game.session.sight == "seat"
        return True

    def _heard(self, message: ServerMessage) -> None:
        session = self._game.session
        if not isinstance(message, wire.Presence):
            self._seat.told()
        if isinstance(message, wire.GameFinished):
            self._say(self._ending())
        elif session.status == "stuck" and session.mine:
            more = "take back, or resign" if session.can_take_back else "resign"
            self._say(f"No move is left: {more} to end the game.")
        elif isinstance(message, wire.MovePlayed | wire.MoveTakenBack | wire.View):
            self._say("")
        self._show()

    def _show(self) -> None:
        session = self._game.session
        for view in self.query(TableView):
            view.show(self._seat.piles, self._seat.held, self._seat.targets)
        if session.piles is None:
            self._say("You have yet to finish this deal yourself: until then you see only how far this game is.")
        self._heading()

    def _heading(self) -> None:
        session, rules = self._game.session, self._game.rules
        if session.game is None:
            return
        title = Text(no_wrap=True, overflow="ellipsis")
        title.append(rules.name, "bold")
        if session.sight != "seat":
            title.append(f" · {session.game.player.name}")
        title.append(f" · {mode_words(session.game.mode, session.game.ranked)}")
        figures = f"score {session.score} of {rules.maximum} · {session.home} home · {counted(session.played, 'move')}"
        figures += f" · {duration(session.clock(host(self).now()))}"
        if session.watchers:
            figures += f" · {session.watchers} watching"
        if session.status != "playing":
            figures += f" · {status_words(session.status)}"
        if not self._game.connected:
            figures += " · not connected"
        title.truncate(self.size.width - len(figures) - 4, overflow="ellipsis")
        room = self.size.width - 2 - title.cell_len - len(figures)
        title.append(" " * max(2, room) + figures)
        self._write(".heading", title)

    def _band(self, line: Text) -> None:
        self._write(".band", line)
        for band in self.query(".band"):
            band.display = bool(line)

    def _say(self, sentence: str) -> None:
        """A sentence, and what can be done that joins no piles."""
        said = Text(plain_words(sentence, self._seat.roles) if sentence else "", no_wrap=True, overflow="ellipsis")
        for number, verb in enumerate(self._seat.verbs):
            said.append("   " if said else "")
            click = Style.from_meta({"@click": f"screen.verb({number})"})
            said.append(f" {number + 1} {verb_words(verb)} ", Style(reverse=True) + click)
        self._write(".said", said)

    def _write(self, where: str, text: Text) -> None:
        """Write a line, if it is there: a message may come when the screen is being put away."""
        for line in self.query(where).results(Static):
            line.update(text)

    def _ending(self) -> str:
        session = self._game.session
        ended = {"won": "Won!", "lost": "Lost.", "resigned": "Given up.", "out_of_time": "The time is up."}
        took = duration(session.clock(host(self).now()))
        figures = f"{session.home} home, {counted(session.played, 'move')}, {took}"
        return f"{ended.get(session.status, 'Over.')} {figures}. v shows it again."

    def on_table_view_pointed(self, event: TableView.Pointed) -> None:
        """Say what lies there."""
        if not self._seat.hand.picked:
            self._say(self._seat.describe(event.pile))

    def on_table_view_tapped(self, event: TableView.Tapped) -> None:
        """Take cards in hand, or lay them."""
        self._seat.tap(event.pile, event.depth)

    def on_table_view_tapped_twice(self, event: TableView.TappedTwice) -> None:
        """Send a card to its best place."""
        self._seat.twice(event.pile, event.depth)

    def on_table_view_deepened(self, event: TableView.Deepened) -> None:
        """Take more cards in hand, or fewer."""
        self._seat.more(event.step)

    def action_best(self) -> None:
        """Send the card one points at, or what is in hand, to its best place."""
        cursor = self.query_one(TableView).cursor
        if cursor is not None or self._seat.hand.picked:
            self._seat.best(*(cursor or ("", 1)))

    def action_next(self, step: int) -> None:
        """Point at the next pile where something can be done."""
        view = self.query_one(TableView)
        pile = self._seat.next(view.cursor[0] if view.cursor else None, step)
        if pile is not None:
            view.point_at(pile)

    def action_deal(self) -> None:
        """Deal, or deal again."""
        self._seat.deal()

    def action_verb(self, number: int) -> None:
        """Do what the button of that number says."""
        if number < len(self._seat.verbs):
            self._seat.wish(self._seat.verbs[number])

    def action_take_back(self) -> None:
        """Take the last move back."""
        self._seat.take_back()

    def action_moves(self) -> None:
        """Choose from all legal moves."""
        host(self).attempt(self._choose)

    def action_resign(self) -> None:
        """Give the game up."""
        if self._game.session.mine:
            host(self).attempt(self._resign)

    def action_rules(self) -> None:
        """Read the rules."""
        host(self).attempt(partial(open_rules, host(self), self._game.rules.slug))

    def action_replay(self) -> None:
        """Look at the game move by move."""
        host(self).attempt(partial(open_replay, host(self), self._game.id))

    def action_keys(self) -> None:
        """Say what the keys do."""
        keys = "\n".join(f"- **{key}**: {what}" for key, what in KEYS)
        self.app.push_screen(Reading(f"# Keys\n\n{keys}\n\n{_SIGNS}"))

    def action_back(self) -> None:
        """Let go of what is in hand, else leave the table."""
        if self._seat.hand.picked:
            self._seat.hold(EMPTY)
        else:
            self.dismiss()

    async def _choose(self) -> None:
        moves = self._game.moves
        if not moves:
            self._say("There is no move.")
            return
        chosen = await host(self).choose("Every legal move", *(move_words(move) for move in moves))
        if chosen is not None:
            self._seat.wish(moves[chosen].text)

    async def _resign(self) -> None:
        if await host(self).choose("Give this game up?", "Play on", "Give it up") == 1:
            self._seat.resign()


async def open_game(app: TerminalApp, id: str) -> None:
    """Sit down at a game, or watch it. Raises RefusalError or Unreachable."""
    await app.push_screen(GameScreen(await app.client.game(id)))


async def deal(app: TerminalApp, slug: str) -> None:
    """Play a deal of one's own. Raises RefusalError or Unreachable."""
    sealed = await app.client.seal_deal(slug)
    await open_game(app, (await app.client.begin_game(sealed.deal, random_nonce())).game.id)
