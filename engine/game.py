"""The kernel: one game, ready to play.

Only `Game.legal_moves` decides what is legal: for playing, for hints, for the end of a game and for replays. A game
uses no clock, no randomness and no I/O; its shuffles are drawn from the seed it is given.
"""

from collections import Counter
from collections.abc import Iterable, Sequence
from functools import cached_property
from typing import Literal, NamedTuple

from cadogan.engine.arrangement import SHAPES, Arrangement, arrange
from cadogan.engine.cards import DOWN, FACE, card_text, parse_card
from cadogan.engine.declaration import Declaration, Step
from cadogan.engine.effects import Effect, parse_effect, write_effect
from cadogan.engine.errors import BrokenEffect, IllegalMove, UnknownDeal, UnreadablePosition, WrongDeclaration
from cadogan.engine.illegal_reasons import explain_illegal_move
from cadogan.engine.layout import PileLayout
from cadogan.engine.move_generation import compile_action, compile_route, compile_special, pile_indices
from cadogan.engine.moves import TRANSFER, Move, parse_move, write_move
from cadogan.engine.state import State, pick
from cadogan.engine.table import Table
from cadogan.engine.view import PileView, view_pile

Status = Literal["playing", "stuck", "won"]


class Played(NamedTuple):
    """The result of a move: its effects, the position after it, and whether it revealed something to the player."""

    effects: tuple[Effect, ...]
    state: State
    revealed: bool


class Game:
    """One game, ready to play. Get it from `cadogan.engine.game`; it never changes."""

    def __init__(self, slug: str, declaration: Declaration, page: str = "") -> None:
        self.slug = slug
        """Its name in URLs and files, such as ``besieged-city``."""
        self.declaration = declaration
        self.name = declaration.name
        self.summary = declaration.summary
        self.page = page
        """The rules for players, in English, as Markdown."""
        self.rules_version = declaration.rules_version
        self.maximum = declaration.maximum
        self.packs = max(Counter(declaration.pack).values())
        """How many packs of cards it needs."""
        self.piles: tuple[str, ...] = tuple(
            group.name if group.count == 1 else f"{group.name}.{number}"
            for group in declaration.groups
            for number in range(group.count)
        )
        """The name of every pile, by its index."""
        self.counters: tuple[str, ...] = tuple(counter.name for counter in declaration.counters)
        self._pile_index = {name: index for index, name in enumerate(self.piles)}
        self._counter_index = {name: index for index, name in enumerate(self.counters)}
        self._face_down = tuple(group.face_down for group in declaration.groups for _ in group)
        self._stock = frozenset(index for group in declaration.groups if group.role == "stock" for index in group)
        self._home = pick([index for group in declaration.groups if group.role == "foundation" for index in group])
        self._moves: dict[str, Move] = {}
        self._check_declaration()
        self._compile()

    def _check_declaration(self) -> None:
        starts = [group.start for group in self.declaration.groups]
        if starts != [sum(group.count for group in self.declaration.groups[:at]) for at in range(len(starts))]:
            raise WrongDeclaration(f"{self.slug}: groups must be numbered by lay_out, once, in their order")
        if len(self._pile_index) != len(self.piles):
            raise WrongDeclaration(f"{self.slug}: two piles share a name")

    def _compile(self) -> None:
        declaration = self.declaration
        routes = [(route.forced, compile_route(route, declaration, self._intern)) for route in declaration.routes]
        specials = [(special.forced, compile_special(special, self._intern)) for special in declaration.specials]
        self._forced = [offer for forced, offer in routes + specials if forced]
        self._unforced = [offer for forced, offer in routes + specials if not forced]
        self._unforced += [compile_action(action, self._intern) for action in declaration.actions]
        self._actions: dict[str, Step] = {action.verb: action.play for action in declaration.actions}
        self._specials = {special.verb: special.play for special in declaration.specials}
        self._verbs = frozenset(self._actions) | frozenset(self._specials) - {"+", "~"}
        self._plays = {
            (source, target): route.play
            for route in declaration.routes
            if route.play
            for source in pile_indices(route.source)
            for target in pile_indices(route.target)
        }

    def _intern(self, verb: str, piles: tuple[int, ...], count: int) -> Move:
        move = write_move(verb, piles, count, self.piles)
        return self._moves.setdefault(move.text, move)

    @property
    def layout(self) -> tuple[PileLayout, ...]:
        """Where each pile lies (`cadogan.engine.layout`)."""
        placed = []
        for group in self.declaration.groups:
            for number, index in enumerate(group):
                x, y, *turn = group.place(number)
                spread = group.spread(number) if callable(group.spread) else group.spread
                placed.append(
                    PileLayout(self.piles[index], group.name, group.role, x, y, turn[0] if turn else 0, spread)
                )
        return tuple(placed)

    @cached_property
    def layouts(self) -> dict[str, Arrangement]:
        """The layouts for tables of other shapes, by the name of the shape (`cadogan.engine.arrangement`)."""
        pictures = {"tall": self.declaration.tall, "wide": self.declaration.wide}
        return {shape.name: arrange(self.layout, shape, pictures[shape.name]) for shape in SHAPES}

    def deal(self, seed: bytes, number: int | None = None) -> State:
        """Return the first position of the deal with this seed of 32 bytes, or of the deal with this number.

        Raises UnknownDeal if the game has no deal with this number.
        """
        declaration = self.declaration
        steps = declaration.deal
        if number is not None:
            if declaration.numbered is None:
                raise UnknownDeal(f"the deals of {self.slug} have no numbers")
            steps = (declaration.numbered(number), *steps[1:])
        in_hand = tuple(number | DOWN for number in declaration.pack)
        start = State(((),) * len(self.piles) + (in_hand,), tuple(counter.start for counter in declaration.counters))
        table = Table(start, (*self._face_down, True), seed)
        for step in steps:
            step(table)
        if table.piles.pop():
            raise WrongDeclaration(f"{self.slug}: the deal leaves cards in hand")
        return table.state()

    def legal_moves(self, state: State) -> list[Move]:
        """Return every move that the rules allow in this position, also when the game is won."""
        offered = self.forced_moves(state)
        if not offered:
            for offer in self._unforced:
                offer(state, offered)
        return offered

    def forced_moves(self, state: State) -> list[Move]:
        """Return the forced moves: while there are any, no other move is legal."""
        offered: list[Move] = []
        for offer in self._forced:
            offer(state, offered)
        return offered

    def move(self, text: str) -> Move:
        """Read a move. Raises UnreadableMove when the text is no move of this game in any position."""
        return self._moves.get(text) or parse_move(text, self.piles, self._pile_index, self._verbs)

    def play(self, state: State, move: Move, seed: bytes = b"") -> Played:
        """Play a move; `seed` is that of the deal, and shuffles are drawn from it.

        Raises IllegalMove, with the reason, unless `legal_moves` lists the move.
        """
        legal = self.legal_moves(state)
        if move not in legal:
            forced = self.forced_moves(state)
            raise IllegalMove(explain_illegal_move(self.declaration, self.piles, state, move, legal, forced))
        return self.play_legal(state, move, seed)

    def play_legal(self, state: State, move: Move, seed: bytes = b"") -> Played:
        """Play a move without checking that it is legal: it must come from `legal_moves` of this position."""
        table = self._carry_out(state, move, seed)
        return Played(tuple(table.effects), table.state(), table.revealed)

    def successor(self, state: State, move: Move, seed: bytes = b"") -> State:
        """Return only the position after `play_legal`, in less time.

        For a plain move from one pile to another without automatic effects, no effect is created.
        """
        verb, piles, count, _ = move
        if verb != TRANSFER or self.declaration.automatic or piles in self._plays:
            return self._carry_out(state, move, seed).state()
        source, target = piles
        laid = list(state.piles)
        pile = laid[source]
        moved = pile[-count:]
        if self._face_down[target]:
            moved = tuple([card | DOWN for card in moved])
        elif max(moved) >= DOWN:
            moved = tuple([card & FACE for card in moved])
        laid[source] = pile[:-count]
        laid[target] += moved
        return State(tuple(laid), state.counters)

    def _carry_out(self, state: State, move: Move, seed: bytes) -> Table:
        """Return the table after a legal move and its automatic effects."""
        table = Table(state, self._face_down, seed)
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
        return table

    def fold(self, state: State, effects: Iterable[Effect]) -> State:
        """Return the position after these effects, without applying the rules.

        Raises BrokenEffect if an effect is impossible in its position.
        """
        return self._fold_on_table(state, effects).state()

    def fold_and_reveal(self, state: State, effects: Iterable[Effect]) -> tuple[State, bool]:
        """Return the results of `fold` and `reveals` for these effects, in half the time."""
        table = self._fold_on_table(state, effects)
        return table.state(), table.revealed

    def reveals(self, state: State, effects: Iterable[Effect]) -> bool:
        """Whether these effects revealed something to the player: a face-down card turned up, or a shuffle."""
        return self._fold_on_table(state, effects).revealed

    def _fold_on_table(self, state: State, effects: Iterable[Effect]) -> Table:
        table = Table(state, self._face_down)
        try:
            for effect in effects:
                table.apply(effect)
        except IndexError:
            raise BrokenEffect("an effect names a pile or a card that is not there") from None
        return table

    def score(self, state: State) -> int:
        """The score by the rules; it grows with progress."""
        return self.declaration.score(state)

    def home(self, state: State) -> int:
        """How many cards are home: the only progress of an unfinished game that others may know."""
        if self.declaration.home is not None:
            return self.declaration.home(state)
        return sum(map(len, self._home(state.piles)))

    def won(self, state: State) -> bool:
        """Whether the game is won."""
        return self.declaration.won(state)

    def status(self, state: State, legal: Sequence[Move] | None = None) -> Status:
        """Return ``won``, ``stuck`` (no move is legal, or the rules call the game lost) or ``playing``.

        Pass the legal moves of the position as `legal` if they are known, to avoid computing them again.
        """
        if self.declaration.won(state):
            return "won"
        if not (self.legal_moves(state) if legal is None else legal):
            return "stuck"
        lost = self.declaration.lost
        return "stuck" if lost is not None and lost(state) else "playing"

    def view(self, state: State) -> dict[str, PileView]:
        """Return what a person may see: the view of each pile, by its name (`cadogan.engine.view`)."""
        return {name: view_pile(pile) for name, pile in zip(self.piles, state.piles, strict=True)}

    def effect_text(self, effect: Effect) -> str:
        """Write an effect as it is stored (`cadogan.engine.effects`)."""
        return write_effect(effect, self.piles, self.counters)

    def public_effect_text(self, effect: Effect) -> str:
        """Write an effect as it may be sent: without the order of a shuffle."""
        return write_effect(effect, self.piles, self.counters, public=True)

    def parse_effect(self, text: str) -> Effect:
        """Read a stored effect; the inverse of `effect_text`. Raises BrokenEffect when it is none of this game."""
        return parse_effect(text, self._pile_index, self._counter_index)

    def write_piles(self, state: State) -> dict[str, list[str]]:
        """Write every card of the position, hidden ones too: for the log and for test vectors, never for a player."""
        return {
            name: [card_text(number) for number in pile]
            for name, pile in zip(self.piles, state.piles, strict=True)
            if pile
        }

    def write_counters(self, state: State) -> dict[str, int]:
        """Write the counters of the position, by name."""
        return dict(zip(self.counters, state.counters, strict=True))

    def read_state(self, piles: dict[str, list[str]], counters: dict[str, int] | None = None) -> State:
        """Read a position; piles that are not named are empty, counters that are not named have their first values.

        Raises UnreadablePosition, which names the pile, counter or card that this game does not have.
        """
        laid: list[tuple[int, ...]] = [()] * len(self.piles)
        for name, words in piles.items():
            if name not in self._pile_index:
                raise UnreadablePosition(f"{self.slug} has no pile {name!r}")
            index = self._pile_index[name]
            down = DOWN if index in self._stock else 0
            laid[index] = tuple(parse_card(word) | down for word in words)
        values = [counter.start for counter in self.declaration.counters]
        for name, value in (counters or {}).items():
            if name not in self._counter_index:
                raise UnreadablePosition(f"{self.slug} has no counter {name!r}")
            values[self._counter_index[name]] = value
        return State(tuple(laid), tuple(values))
