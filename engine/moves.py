"""A move, and the text that stands for it.

Every move of every game has one of these forms::

    tableau.0/foundation.2      the top card goes there
    tableau.2/tableau.5/3       the top three cards go together
    grid.1+grid.4               these top cards are taken off together
    cell.0~cell.8               these top cards change places
    deal, redeal                the next action of the stock
    play/navy.3                 a verb that only this game has, with the piles it names
"""

from collections.abc import Sequence
from typing import NamedTuple

from cadogan.engine.errors import UnreadableMove
from cadogan.engine.translatable_text import translatable

TRANSFER = "/"
"""The verb of a move from one pile to another."""


class Move(NamedTuple):
    """A move of one game; ``str(move)`` is its text, and `cadogan.engine.game.Game.move` reads it back.

    `verb` is ``/`` for cards that go from one pile to another, ``+``, ``~`` or a word. `piles` are pile indices, in
    the order in which they are written. `cards` is the number of cards that go together.
    """

    verb: str
    piles: tuple[int, ...]
    cards: int
    text: str

    def __str__(self) -> str:
        return self.text


def write_move(verb: str, piles: tuple[int, ...], count: int, names: Sequence[str]) -> Move:
    """Make a move with its text; `names` are the names of the piles by index.

    >>> str(write_move(TRANSFER, (0, 1), 3, ["tableau.2", "tableau.5"]))
    'tableau.2/tableau.5/3'
    """
    words = [names[pile] for pile in piles]
    if verb == TRANSFER:
        text = "/".join(words) if count == 1 else "/".join([*words, str(count)])
    elif verb in ("+", "~"):
        text = verb.join(words)
    else:
        text = f"{verb}/{'+'.join(words)}" if words else verb
    return Move(verb, piles, count, text)


def parse_move(text: str, names: Sequence[str], indices: dict[str, int], verbs: frozenset[str]) -> Move:
    """Read a move; the inverse of `write_move`.

    `names` are the names of the piles by index, `indices` the indices by name, `verbs` the verbs that are words.
    Raises UnreadableMove when the text is no move, names a pile or a verb that the game does not have, or is not
    written exactly as `write_move` writes it.
    """
    parts = text.split("/")
    for sign in ("+", "~"):
        if sign in text and len(parts) == 1:
            return _check_text(text, write_move(sign, _parse_piles(text, text.split(sign), indices), 1, names))
    if parts[0] in verbs:
        if len(parts) > 2:
            raise UnreadableMove(
                translatable(
                    "{text} is no move: after {first} at most one part may follow",
                    text=repr(text),
                    first=repr(parts[0]),
                )
            )
        piles = _parse_piles(text, parts[1].split("+"), indices) if len(parts) == 2 else ()
        return _check_text(text, write_move(parts[0], piles, 1, names))
    if len(parts) == 3 and parts[2].isdecimal() and len(parts[2]) < 4:
        return _check_text(text, write_move(TRANSFER, _parse_piles(text, parts[:2], indices), int(parts[2]), names))
    if len(parts) == 2:
        return _check_text(text, write_move(TRANSFER, _parse_piles(text, parts, indices), 1, names))
    shown = ", ".join(["tableau.0/foundation.1", *sorted(verbs)])
    raise UnreadableMove(
        translatable("{text} is no move: write it like one of {examples}", text=repr(text), examples=shown)
    )


def _parse_piles(text: str, words: Sequence[str], indices: dict[str, int]) -> tuple[int, ...]:
    for word in words:
        if word not in indices:
            raise UnreadableMove(
                translatable("{text} is no move: this game has no pile {word}", text=repr(text), word=repr(word))
            )
    return tuple(indices[word] for word in words)


def _check_text(text: str, move: Move) -> Move:
    if move.text != text:
        raise UnreadableMove(
            translatable("{text} is no move: write it as {right}", text=repr(text), right=repr(move.text))
        )
    return move
