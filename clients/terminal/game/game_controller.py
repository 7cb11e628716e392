"""The player's actions in a game: the selection, the queue of commands, and messages to the player.

It does not depend on the screen.
"""

import asyncio
from collections.abc import Awaitable, Callable

from cadogan.sdk.errors import ClientError
from cadogan.sdk.game import Game
from cadogan.sdk.moves import Joint, Transfer, Verb, best_move, can_pick
from cadogan.sdk.session import Faces, predict_piles
from cadogan.terminal.formatting import describe_pile, format_error, format_move
from cadogan.terminal.game.selection import NO_SELECTION, Position, Selection
from cadogan.terminal.words import t

MAX_WAITING_COMMANDS = 8
"""The maximum number of queued commands. More are ignored."""
MAX_VERBS = 9
"""The maximum number of verbs that are offered: one for each digit key."""

Command = Callable[[], Awaitable[object]]


class GameController:
    """Controls one game, for its player or for a spectator.

    `show_message` gets sentences for the player, an empty one to clear the last. `on_change` is called when the piles
    or the selection have changed.
    """

    def __init__(self, game: Game, show_message: Callable[[str], None], on_change: Callable[[], None]) -> None:
        self.game = game
        self.selection = NO_SELECTION
        self.roles: dict[str, str] = {place.name: place.role for place in game.rules.layout.piles}
        self._show_message = show_message
        self._on_change = on_change
        self._commands: asyncio.Queue[Command] = asyncio.Queue(MAX_WAITING_COMMANDS)
        self._predicted_piles: dict[str, Faces] | None = None

    @property
    def piles(self) -> dict[str, Faces]:
        """The cards to show: the present ones, or the predicted ones after a simple move that is queued."""
        return self.game.piles if self._predicted_piles is None else self._predicted_piles

    @property
    def position(self) -> Position:
        """The position to select cards in."""
        return Position(self.game.moves, self.piles, self.roles)

    @property
    def verbs(self) -> list[str]:
        """The legal moves that are not about selected cards, like `deal`."""
        return [move.text for move in self.game.moves if isinstance(move, Verb)][:MAX_VERBS]

    @property
    def selected(self) -> dict[str, int]:
        """The selected piles, each with the number of selected cards."""
        one = len(self.selection.piles) == 1
        return dict.fromkeys(self.selection.piles, self.selection.count if one else 1)

    @property
    def targets(self) -> list[str]:
        """The piles to which the selected cards may go."""
        return list(self.position.find_targets(self.selection)) if self.selection.piles else []

    def describe(self, pile: str) -> str:
        """Return a description of the cards on a pile."""
        return describe_pile(pile, self.piles.get(pile, ()))

    def update(self) -> None:
        """React to a change of the game: drop the prediction, and the selection if its cards have moved."""
        self._predicted_piles = None
        if not self.game.session.mine or not all(self.game.piles.get(pile) for pile in self.selection.piles):
            self.selection = NO_SELECTION

    def select(self, selection: Selection) -> None:
        """Replace the selection."""
        self.selection = selection
        self._show_message("")
        self._on_change()

    def tap(self, pile: str, depth: int) -> None:
        """Tap a card: select it, move the selected cards there, or deal. The top card of a pile has depth 1."""
        if not self.game.session.mine:
            return
        before = self.selection
        result = self.position.tap(before, pile, depth)
        self.select(result.selection)
        if move := result.legal_move or result.illegal_move:
            self.play(move)
        elif not result.selection.piles and not before.piles:
            self._show_message(t("terminal.nothing_to_take", pile=self.describe(pile)))

    def double_tap(self, pile: str, depth: int) -> None:
        """Move a card to its best target. It does nothing on a stock, where the two taps have dealt twice already."""
        if self.position.stock_move(pile) is None:
            self.play_best_move(pile, depth)

    def play_best_move(self, pile: str, depth: int) -> None:
        """Move the selected cards, else the cards of this pile down to this depth, to their best target."""
        if not self.game.session.mine:
            return
        position = self.position
        if len(self.selection.piles) == 1:
            pile, depth = self.selection.piles[0], self.selection.count
        if (stock_move := position.stock_move(pile)) and not can_pick(position.moves, pile):
            self.play(stock_move)
            return
        filled = {name for name, cards in position.piles.items() if cards}
        move = best_move(position.moves, pile, position.select(pile, depth).count, self.roles, filled)
        self.select(NO_SELECTION)
        if move is None:
            self._show_message(t("terminal.no_best_place", pile=self.describe(pile)))
        else:
            self.play(move.text)

    def change_count(self, step: int) -> None:
        """Select more (`step` 1) or fewer (-1) cards of the selected pile."""
        self.select(self.position.change_count(self.selection, step))

    def next_pile(self, current: str | None, step: int) -> str | None:
        """Return the next (`step` 1) or previous (-1) pile to point at: a target, or without a selection one to tap."""
        position, useful = self.position, self.targets
        if not self.selection.piles:
            useful = [pile for pile in self.roles if can_pick(position.moves, pile) or position.stock_move(pile)]
        piles = [pile for pile in self.roles if pile in useful]
        if not piles:
            return None
        return piles[(piles.index(current) + step) % len(piles) if current in piles else 0]

    def deal(self) -> None:
        """Deal, or redeal."""
        verb = next((verb for verb in ("deal", "redeal") if verb in self.verbs), None)
        if verb is not None:
            self.play(verb)
        else:
            self._show_message(t("terminal.nothing_to_deal"))

    def play(self, move: str) -> None:
        """Queue a move. If it is a simple one and the queue is empty, the piles show its result at once."""
        legal = next((one for one in self.game.moves if one.text == move), None)
        if legal is not None and self._commands.empty():
            self._predicted_piles = predict_piles(self.piles, legal)
        self.select(NO_SELECTION)
        self._queue(lambda: self.game.play(move))

    def take_back(self) -> None:
        """Queue taking back the last move."""
        self.select(NO_SELECTION)
        self._queue(self.game.take_back)

    def finish(self) -> None:
        """Queue playing the rest of the game, if nothing is left to decide; otherwise say so."""
        self.select(NO_SELECTION)
        if self.game.session.finish is None:
            self._show_message(t("terminal.no_finish"))
        else:
            self._queue(self.game.finish)

    def show_hint(self) -> None:
        """Queue a request for a hint, and show the hint by selecting its cards, and in words."""
        self._queue(self._show_hint)

    async def _show_hint(self) -> None:
        text = await self.game.hint()
        move = next((move for move in self.game.moves if move.text == text), None)
        if move is None:
            self._show_message(t("hint.none"))
            return
        match move:
            case Transfer(source=source, count=count):
                self.select(Selection((source,), count))
            case Joint(piles=piles):
                self.select(Selection(piles[:1], 1))
        self._show_message(t("hint.move", move=format_move(move)))

    def resign(self) -> None:
        """Queue resigning the game."""
        self._queue(self.game.resign)

    async def run_commands(self) -> None:
        """Send the queued commands one after another, for ever. If one is refused, the others are dropped."""
        while True:
            command = await self._commands.get()
            try:
                await command()
            except ClientError as error:
                while not self._commands.empty():
                    self._commands.get_nowait()
                self.update()
                self._on_change()
                self._show_message(format_error(error, self.roles))

    def _queue(self, command: Command) -> None:
        if not self._commands.full():
            self._commands.put_nowait(command)
