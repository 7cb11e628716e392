"""The kernel: one game made ready to play.

`Game.legal_moves` alone decides what is legal: for playing, hints, the end of a game and replays. A game knows no
clock, no chance and no I/O; what it shuffles is drawn from the seed it is given.
"""

from collections import Counter
from collections.abc import Iterable, Sequence
from typing import Literal, NamedTuple

from engine import effects as effect_text
from engine import moves as move_text
from engine.cards import DOWN, card, text
from engine.declaration import Declaration, Step
from engine.effects import Effect
from engine.errors import BrokenEffect, IllegalMove, UnreadablePosition, WrongDeclaration
from engine.illegal_reasons import explain_illegal_move
from engine.layout import PileLayout
from engine.move_generation import compile_action, compile_route, compile_special, indices
from engine.moves import TRANSFER, Move
from engine.state import State
from engine.table import Table
from engine.view import PileView, view_pile

Status = Literal["playing", "stuck", "won"]


class Played(NamedTuple):
    """What a move did: its effects, the position it led to, and whether it showed the player something new."""

    effects: tuple[Effect, ...]
    state: State
    revealed: bool


class Game:
    """One game of the book, ready to play. Get it from `engine.game`; it never changes."""

    def __init__(self, slug: str, declaration: Declaration, page: str = "") -> None:
        self.slug = slug
        """The file name of its rule sheet: ``besieged-city``."""
        self.declaration = declaration
        self.name = declaration.name
        self.summary = declaration.summary
        self.page = page
        """The rules for players, in Markdown."""
        self.rules_version = declaration.rules_version
        self.maximum = declaration.maximum
        self.packs = max(Counter(declaration.pack).values())
        """How many packs it takes."""
        self.piles: tuple[str, ...] = tuple(
            group.name if group.count == 1 else f"{group.name}.{number}"
            for group in declaration.groups
            for number in range(group.count)
        )
        """Every pile's name, by its index."""
        self.counters: tuple[str, ...] = tuple(counter.name for counter in declaration.counters)
        self._pile_index = {name: index for index, name in enumerate(self.piles)}
        self._counter_index = {name: index for index, name in enumerate(self.counters)}
        self._lies_down = tuple(group.lies_down for group in declaration.groups for _ in group)
        self._stock = frozenset(index for group in declaration.groups if group.role == "stock" for index in group)
        self._home = frozenset(index for group in declaration.groups if group.role == "foundation" for index in group)
        self._moves: dict[str, Move] = {}
        self._check()
        self._compile()

    def _check(self) -> None:
        starts = [group.start for group in self.declaration.groups]
        if starts != [sum(group.count for group in self.declaration.groups[:at]) for at in range(len(starts))]:
            raise WrongDeclaration(f"{self.slug}: groups must be numbered by lay_out, once, in their order")
        if len(self._pile_index) != len(self.piles):
            raise WrongDeclaration(f"{self.slug}: two piles share a name")

    def _compile(self) -> None:
        declaration = self.declaration
        routes = [(route.forced, compile_route(route, declaration, self._intern)) for route in declaration.routes]
        specials = [(special.forced, compile_special(special, self._intern)) for special in declaration.specials]
        self._forced = [rule for forced, rule in routes + specials if forced]
        self._rules = [rule for forced, rule in routes + specials if not forced]
        self._rules += [compile_action(action, self._intern) for action in declaration.actions]
        self._actions: dict[str, Step] = {action.verb: action.play for action in declaration.actions}
        self._specials = {special.verb: special.play for special in declaration.specials}
        self._verbs = frozenset(self._actions) | frozenset(self._specials) - {"+", "~"}
        self._plays = {
            (source, target): route.play
            for route in declaration.routes
            if route.play
            for source in indices(route.source)
            for target in indices(route.target)
        }

    def _intern(self, verb: str, piles: tuple[int, ...], count: int) -> Move:
        move = move_text.write(verb, piles, count, self.piles)
        return self._moves.setdefault(move.text, move)

    @property
    def layout(self) -> tuple[PileLayout, ...]:
        """Where every pile lies (`engine.layout`)."""
        placed = []
        for group in self.declaration.groups:
            for number, index in enumerate(group):
                x, y, *turn = group.place(number)
                spread = group.spread(number) if callable(group.spread) else group.spread
                placed.append(
                    PileLayout(self.piles[index], group.name, group.role, x, y, turn[0] if turn else 0, spread)
                )
        return tuple(placed)

    def deal(self, seed: bytes) -> State:
        """The first position of the deal that this seed gives."""
        declaration = self.declaration
        in_hand = tuple(number | DOWN for number in declaration.pack)
        start = State(((),) * len(self.piles) + (in_hand,), tuple(counter.start for counter in declaration.counters))
        table = Table(start, (*self._lies_down, True), seed)
        for step in declaration.deal:
            step(table)
        if table.piles.pop():
            raise WrongDeclaration(f"{self.slug}: the deal leaves cards in hand")
        return table.state()

    def legal_moves(self, state: State) -> list[Move]:
        """Every move that the rules allow in this position, won or not."""
        offered = self._forced_moves(state)
        if not offered:
            for rule in self._rules:
                rule(state, offered)
        return offered

    def _forced_moves(self, state: State) -> list[Move]:
        offered: list[Move] = []
        for rule in self._forced:
            rule(state, offered)
        return offered

    def move(self, text: str) -> Move:
        """Read a move. Raises UnreadableMove when it is none of this game's, whatever the position."""
        return self._moves.get(text) or move_text.read(text, self.piles, self._pile_index, self._verbs)

    def play(self, state: State, move: Move, seed: bytes = b"") -> Played:
        """Play a move; shuffles are drawn from the seed.

        Raises IllegalMove, saying why, unless `legal_moves` lists the move.
        """
        legal = self.legal_moves(state)
        if move not in legal:
            forced = self._forced_moves(state)
            raise IllegalMove(explain_illegal_move(self.declaration, self.piles, state, move, legal, forced))
        return self.play_legal(state, move, seed)

    def play_legal(self, state: State, move: Move, seed: bytes = b"") -> Played:
        """The same for a caller who took the move from `legal_moves` of this very position."""
        table = Table(state, self._lies_down, seed)
        verb, piles, count, _ = move
        if verb == TRANSFER:
            source, target = piles
            special = self._plays.get((source, target)) if self._plays else None
            if special is None:
                table.move(source, target, count)
            else:
                special(table, source, target)
        elif verb in self._actions:
            self._actions[verb](table)
        else:
            self._specials[verb](table, piles)
        for step in self.declaration.automatic:
            step(table)
        return Played(tuple(table.effects), table.state(), table.revealed)

    def fold(self, state: State, effects: Iterable[Effect]) -> State:
        """The position after these effects, without asking the rules. Raises BrokenEffect if they cannot be."""
        return self._folded(state, effects).state()

    def reveals(self, state: State, effects: Iterable[Effect]) -> bool:
        """Whether these effects turned a face-down card up or shuffled."""
        return self._folded(state, effects).revealed

    def _folded(self, state: State, effects: Iterable[Effect]) -> Table:
        table = Table(state, self._lies_down)
        try:
            for effect in effects:
                table.apply(effect)
        except IndexError:
            raise BrokenEffect("an effect names a pile or a card that is not there") from None
        return table

    def score(self, state: State) -> int:
        """The score by the sheet; it grows with progress."""
        return self.declaration.score(state)

    def home(self, state: State) -> int:
        """How many cards are home: what others may know of an unfinished game."""
        if self.declaration.home is not None:
            return self.declaration.home(state)
        return sum(len(state.piles[index]) for index in self._home)

    def won(self, state: State) -> bool:
        """Whether the game is won."""
        return self.declaration.won(state)

    def status(self, state: State, legal: Sequence[Move] | None = None) -> Status:
        """``won``, ``stuck`` (no move is legal, or the sheet calls it lost) or ``playing``.

        `legal` saves asking for the legal moves again.
        """
        if self.declaration.won(state):
            return "won"
        if not (self.legal_moves(state) if legal is None else legal):
            return "stuck"
        lost = self.declaration.lost
        return "stuck" if lost is not None and lost(state) else "playing"

    def view(self, state: State) -> dict[str, PileView]:
        """What a person may see: each pile by name (`engine.view`)."""
        return {name: view_pile(pile) for name, pile in zip(self.piles, state.piles, strict=True)}

    def effect_text(self, effect: Effect) -> str:
        """The effect as it is stored (`engine.effects`)."""
        return effect_text.write(effect, self.piles, self.counters)

    def public_effect_text(self, effect: Effect) -> str:
        """The effect as it may be sent: without the order of a shuffle."""
        return effect_text.write(effect, self.piles, self.counters, public=True)

    def parse_effect(self, text: str) -> Effect:
        """The inverse of `effect_text`. Raises BrokenEffect."""
        return effect_text.read(text, self._pile_index, self._counter_index)

    def write_piles(self, state: State) -> dict[str, list[str]]:
        """Every card of the position, hidden ones too: for the log and for test positions, never for a player."""
        return {
            name: [text(number) for number in pile] for name, pile in zip(self.piles, state.piles, strict=True) if pile
        }

    def write_counters(self, state: State) -> dict[str, int]:
        """The counters by name."""
        return dict(zip(self.counters, state.counters, strict=True))

    def read_state(self, piles: dict[str, list[str]], counters: dict[str, int] | None = None) -> State:
        """A position from text; piles not named are empty, counters not named have their starting values.

        Raises UnreadablePosition naming the pile, counter or card that this game does not have.
        """
        laid: list[tuple[int, ...]] = [()] * len(self.piles)
        for name, words in piles.items():
            if name not in self._pile_index:
                raise UnreadablePosition(f"{self.slug} has no pile {name!r}")
            index = self._pile_index[name]
            down = DOWN if index in self._stock else 0
            laid[index] = tuple(card(word) | down for word in words)
        values = [counter.start for counter in self.declaration.counters]
        for name, value in (counters or {}).items():
            if name not in self._counter_index:
                raise UnreadablePosition(f"{self.slug} has no counter {name!r}")
            values[self._counter_index[name]] = value
        return State(tuple(laid), tuple(values))
