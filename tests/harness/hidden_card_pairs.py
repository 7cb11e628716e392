"""Pairs of games that differ only in what a viewer may not see.

Ids, times, secrets and commitments are equal in both, so every difference comes from the cards.
"""

import random
from collections.abc import Iterator, Sequence
from typing import NamedTuple

from msgspec.structs import replace

from cadogan.server.core.eventlog.events import GameDealt
from cadogan.server.core.games import game_state
from cadogan.server.core.games.game_state import Command, GameState, Step
from cadogan.server.subjects.known_rules import known_rules
from cadogan.wire.messages import Play, Resign, TakeBack
from tests.harness import game_steps
from tests.harness.game_steps import DAY, GAME, SECRET, START

TAKE_BACK, RESIGN = "take back", "resign"
SWAPS = 12
"""The number of exchanges of two hidden cards."""
CHANNELS = 10
"""The number of legal moves tried, to find two with the same visible result."""


class Story(NamedTuple):
    """What is dealt, and the actions that follow: moves as text, or one of the words above."""

    dealt: GameDealt
    done: tuple[str, ...]


GamePair = tuple[Story, Story]


def daily(slug: str) -> GameDealt:
    """Return the first deal of the day."""
    return game_steps.dealt(slug, DAY)


def casual(slug: str) -> GameDealt:
    """Return a casual deal."""
    return game_steps.dealt(slug)


def command(game: GameState, done: str) -> Command:
    """Return an action as a client's command."""
    if done == RESIGN:
        return Resign(id="r", game=game.id, version=game.version)
    if done == TAKE_BACK:
        return TakeBack(id="t", game=game.id, version=game.version)
    return Play(id="p", game=game.id, version=game.version, move=done)


def unseen(dealt: GameDealt, choices: Sequence[int], chance: random.Random) -> GamePair:
    """Return two games with the same moves whose cards differ only where they stay face down throughout."""
    done = tuple(_chosen(dealt, choices))
    other = dealt
    for _ in range(SWAPS):
        swapped = _with_two_hidden_exchanged(other, chance)
        if all(_seen(one) == _seen(two) for one, two in _side_by_side(dealt, swapped, done)):
            other = swapped
    return Story(dealt, done), Story(other, done)


def alike_in_progress(dealt: GameDealt, secret: bytes, choices: Sequence[int]) -> GamePair:
    """Return two games with different cards and moves, whose public progress is equal."""
    cards = game_steps.dealt(dealt.game, dealt.day, secret)
    other = replace(dealt, piles=cards.piles, counters=cards.counters)
    one, two = _begun(dealt), _begun(other)
    done: list[tuple[str, str]] = []
    for choice in choices:
        if _progress(one) != _progress(two) or one.over:
            break
        ways, other_ways = _channels(one, choice), _channels(two, choice)
        common = [progress for progress in ways if progress in other_ways]
        if not common:
            break
        progress = common[choice % len(common)]
        done.append((ways[progress], other_ways[progress]))
        one, two = (_after(game, what) for game, what in zip((one, two), done[-1], strict=True))
    if _progress(one) != _progress(two):
        other, done = dealt, []
    return Story(dealt, tuple(one for one, _ in done)), Story(other, tuple(two for _, two in done))


def giving_up(pair: GamePair) -> GamePair:
    """Return the same pair with each unfinished game resigned."""
    one, two = pair
    return (one, two) if _last(one).over else (_given_up(one), _given_up(two))


def _given_up(story: Story) -> Story:
    return story._replace(done=(*story.done, RESIGN))


def _begun(dealt: GameDealt) -> GameState:
    return game_state.deal(GAME, dealt, SECRET, START, known_rules())[-1].after


def _after(game: GameState, done: str) -> GameState:
    return _steps(game, done)[-1].after


def _steps(game: GameState, done: str) -> list[Step]:
    return game_state.decide(game, command(game, done), game.changed_at + 1000)


def _last(story: Story) -> GameState:
    game = _begun(story.dealt)
    for done in story.done:
        game = _after(game, done)
    return game


def _chosen(dealt: GameDealt, choices: Sequence[int]) -> Iterator[str]:
    game = _begun(dealt)
    for choice in choices:
        moves = list(game.position.legal)
        if game.over:
            return
        if game.can_take_back and (choice % 8 == 7 or not moves):
            done = TAKE_BACK
        elif moves:
            done = moves[choice % len(moves)]
        else:
            return
        yield done
        game = _after(game, done)


def _side_by_side(dealt: GameDealt, other: GameDealt, done: Sequence[str]) -> Iterator[tuple[GameState, GameState]]:
    one, two = _begun(dealt), _begun(other)
    yield one, two
    for what in done:
        one, two = _after(one, what), _after(two, what)
        yield one, two


def _seen(game: GameState) -> tuple[object, ...]:
    """Return everything that viewers at the table see."""
    state = game.position.state
    return game.version, game.rules.view(state), game.rules.write_counters(state)


def _progress(game: GameState) -> tuple[object, ...]:
    """Return everything visible to a viewer who has yet to play the deal."""
    home = game.rules.home(game.position.state)
    return game.version, home, game.position.score, game.moves, game.status


def _channels(game: GameState, choice: int) -> dict[tuple[object, ...], str]:
    """Return possible actions by the progress that they lead to; one for each progress."""
    moves = list(game.position.legal)
    start = choice % max(1, len(moves))
    ways = {_progress(_after(game, move)): move for move in [*moves[start:], *moves[:start]][:CHANNELS]}
    if game.can_take_back and choice % 3 == 0:
        ways = {_progress(_after(game, TAKE_BACK)): TAKE_BACK}
    return ways


def _with_two_hidden_exchanged(dealt: GameDealt, chance: random.Random) -> GameDealt:
    hidden = [(name, n) for name, cards in dealt.piles.items() for n, card in enumerate(cards) if card.startswith("-")]
    if len(hidden) < 2:
        return dealt
    (pile, place), (other_pile, other_place) = chance.sample(hidden, 2)
    piles = {name: list(cards) for name, cards in dealt.piles.items()}
    one, other = piles[pile][place], piles[other_pile][other_place]
    piles[pile][place], piles[other_pile][other_place] = other, one
    return replace(dealt, piles=piles)
