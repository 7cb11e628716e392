"""One's seat at a game: what is in hand, what is wished, and what is said of it. Nothing here knows the screen."""

import asyncio
from collections.abc import Awaitable, Callable

from clients.sdk.errors import ClientError
from clients.sdk.game import Game
from clients.sdk.moves import Verb, best_move, can_pick
from clients.sdk.session import Faces, predict_piles
from clients.terminal.formatting import describe_pile
from clients.terminal.selection import EMPTY, Hand, Table

MOST_WAITING = 8
"""So many wishes are kept while the server is silent."""
MOST_VERBS = 9

Command = Callable[[], Awaitable[None]]


class Seat:
    """Whoever sits at a game, or looks on. `say` gets sentences, an empty one for none; `changed` hears of the hand."""

    def __init__(self, game: Game, say: Callable[[str], None], changed: Callable[[], None]) -> None:
        self.game = game
        self.hand = EMPTY
        self.roles: dict[str, str] = {place.name: place.role for place in game.rules.layout.piles}
        self._say = say
        self._changed = changed
        self._wishes: asyncio.Queue[Command] = asyncio.Queue(MOST_WAITING)
        self._foreseen: dict[str, Faces] | None = None

    @property
    def piles(self) -> dict[str, Faces]:
        """The cards as they lie; while a plain move is on its way, as they will lie."""
        return self.game.piles if self._foreseen is None else self._foreseen

    @property
    def table(self) -> Table:
        """The position as hands need it."""
        return Table(self.game.moves, self.piles, self.roles)

    @property
    def verbs(self) -> list[str]:
        """The legal moves that join no piles."""
        return [move.text for move in self.game.moves if isinstance(move, Verb)][:MOST_VERBS]

    @property
    def held(self) -> dict[str, int]:
        """The piles in hand, and how many cards deep."""
        one = len(self.hand.picked) == 1
        return dict.fromkeys(self.hand.picked, self.hand.count if one else 1)

    @property
    def targets(self) -> list[str]:
        """Where what is in hand may go."""
        return list(self.table.targets(self.hand)) if self.hand.picked else []

    def describe(self, pile: str) -> str:
        """What lies on a pile, in words."""
        return describe_pile(pile, self.piles.get(pile, ()))

    def told(self) -> None:
        """The server has told how the game stands: foresee nothing more, and let go of what is not there any more."""
        self._foreseen = None
        if not self.game.session.mine or not all(self.game.piles.get(pile) for pile in self.hand.picked):
            self.hand = EMPTY

    def hold(self, hand: Hand) -> None:
        """Have this in hand."""
        self.hand = hand
        self._say("")
        self._changed()

    def tap(self, pile: str, depth: int) -> None:
        """Take cards in hand, lay them, or deal."""
        if not self.game.session.mine:
            return
        before = self.hand
        tapped = self.table.tap(before, pile, depth)
        self.hold(tapped.hand)
        if text := tapped.play or tapped.attempt:
            self.wish(text)
        elif not tapped.hand.picked and not before.picked:
            self._say(f"Nothing to take: {self.describe(pile)}.")

    def best(self, pile: str, depth: int) -> None:
        """Send a card to its best place; what is in hand, if there is anything."""
        if not self.game.session.mine:
            return
        table = self.table
        if len(self.hand.picked) == 1:
            pile, depth = self.hand.picked[0], self.hand.count
        if (action := table.stock_action(pile)) and not can_pick(table.moves, pile):
            self.wish(action)
            return
        filled = {name for name, cards in table.piles.items() if cards}
        move = best_move(table.moves, pile, table.grasp(pile, depth).count, self.roles, filled)
        self.hold(EMPTY)
        if move is None:
            self._say(f"No one place is best: {self.describe(pile)}.")
        else:
            self.wish(move.text)

    def twice(self, pile: str, depth: int) -> None:
        """Send a card that was tapped twice to its best place; a stock has dealt twice by then, and that is all."""
        if self.table.stock_action(pile) is None:
            self.best(pile, depth)

    def more(self, step: int) -> None:
        """Have more cards of the pile in hand, or fewer."""
        self.hold(self.table.more(self.hand, step))

    def next(self, here: str | None, step: int) -> str | None:
        """The next pile where something can be done: a target of what is in hand, else one to take from."""
        table, goals = self.table, self.targets
        if not self.hand.picked:
            goals = [pile for pile in self.roles if can_pick(table.moves, pile) or table.stock_action(pile)]
        piles = [pile for pile in self.roles if pile in goals]
        if not piles:
            return None
        return piles[(piles.index(here) + step) % len(piles) if here in piles else 0]

    def deal(self) -> None:
        """Deal, or deal again."""
        verb = next((verb for verb in ("deal", "redeal") if verb in self.verbs), None)
        if verb is not None:
            self.wish(verb)
        else:
            self._say("There is nothing to deal.")

    def wish(self, move: str) -> None:
        """Wish a move played."""
        legal = next((one for one in self.game.moves if one.text == move), None)
        if legal is not None and self._wishes.empty():
            self._foreseen = predict_piles(self.piles, legal)
        self.hold(EMPTY)
        self._put(lambda: self.game.play(move))

    def take_back(self) -> None:
        """Wish the last move taken back."""
        self.hold(EMPTY)
        self._put(self.game.take_back)

    def resign(self) -> None:
        """Wish the game ended here."""
        self._put(self.game.resign)

    async def carry_out(self) -> None:
        """Carry out one wish after another, for ever; when one is refused the others are forgotten."""
        while True:
            wish = await self._wishes.get()
            try:
                await wish()
            except ClientError as error:
                while not self._wishes.empty():
                    self._wishes.get_nowait()
                self.told()
                self._changed()
                self._say(str(error))

    def _put(self, wish: Command) -> None:
        if not self._wishes.full():
            self._wishes.put_nowait(wish)
