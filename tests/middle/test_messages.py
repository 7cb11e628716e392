"""What is said about a game: nothing hidden, and enough."""

import random
from typing import Any

import pytest
from hypothesis import given, settings
from hypothesis import strategies as st
from msgspec.structs import replace

from clients.wire.codec import encode
from server import messages, sitting
from server.events import DealRevealed, GameDealt
from server.refusals import RefusalError
from server.sitting import Sitting, Step
from server.standing import Sight
from tests.middle import tables
from tests.middle.tables import ANN, DAY, GAME, SECRET, START, as_read, at_random, begin, choose, played, resign

GAMES = ("besieged-city", "carpet", "klondike", "maze", "maze-wraparound", "olga", "quatorze", "red-and-black")
CHOICES = st.lists(st.integers(0, 1000), max_size=40)
Seen = dict[str, Any]


def view(game: Sitting, sight: Sight) -> Seen:
    return as_read(messages.view(game, sight, ANN, now=START))


def after(seen: Seen, message: Seen) -> Seen:
    """What a client knows that had this view and was told this."""
    now = {**seen, "version": message["version"]}
    match message["type"]:
        case "move_played" | "move_taken_back":
            now["piles"] = {**seen["piles"], **message["piles"]}
            now |= {key: message[key] for key in ("counters", "score", "home", "moves", "status")}
            now |= {key: message[key] for key in ("legal", "can_take_back") if key in message}
        case "game_finished":
            now |= {"status": message["result"], "clock": message["milliseconds"], "active": message["active"]}
            if "legal" in seen:
                now |= {"legal": [], "can_take_back": False}
    now["game"] = {**seen["game"], "status": now["status"]}
    return now


@settings(derandomize=True, deadline=None, max_examples=120)
@given(st.sampled_from(GAMES), CHOICES, st.sampled_from([None, DAY]), st.booleans())
def test_an_old_view_and_the_messages_since_are_the_fresh_view(
    slug: str, choices: list[int], day: str | None, gives_up: bool
) -> None:
    steps = played(slug, choices, day)
    if gives_up and not steps[-1].after.over:
        steps += resign(steps[-1].after)
    for sight in (Sight.SEAT, Sight.BOARD):
        for since in {1, len(steps) // 2 or 1, len(steps)}:
            seen = view(steps[since - 1].after, sight)
            for step in steps[since:]:
                seen = after(seen, as_read(messages.push(step, sight)))
            assert seen == view(steps[-1].after, sight)


@settings(derandomize=True, deadline=None, max_examples=40)
@given(st.sampled_from(GAMES), CHOICES)
def test_what_is_told_after_reading_the_log_is_what_was_told_at_once(slug: str, choices: list[int]) -> None:
    before: Sitting | None = None
    for step in played(slug, choices):
        again = sitting.follow(before, GAME, SECRET, step.sealed, step.command)
        before = again.after
        if step.before is not None:
            for sight in Sight:
                assert encode(messages.push(again, sight)) == encode(messages.push(step, sight))


def with_hidden_cards_changed(dealt: GameDealt, chance: random.Random) -> GameDealt:
    """The deal that differs in the cards that lie face down, and in nothing else."""
    hidden = [card for cards in dealt.piles.values() for card in cards if card.startswith("-")]
    chance.shuffle(hidden)
    piles = {
        name: [hidden.pop() if card.startswith("-") else card for card in cards] for name, cards in dealt.piles.items()
    }
    return replace(dealt, piles=piles)


def everything_said(steps: list[Step]) -> list[bytes]:
    """All that player and spectators are sent of these steps, fresh views after each included."""
    said = []
    for step in steps:
        for sight in Sight:
            if step.before is not None:
                said.append(encode(messages.push(step, sight)))
            said.append(encode(messages.view(step.after, sight, ANN, now=START)))
        said.append(encode(messages.progress(step.after, ANN).at(START)))
    return said


def refusals(game: Sitting, moves: list[str]) -> list[str]:
    """What is answered to moves that are not legal now."""
    said = []
    for move in moves:
        if move not in game.position.legal:
            with pytest.raises(RefusalError) as refused:
                tables.play(game, move)
            said.append(f"{refused.value.code} {refused.value.message}")
    return said


@settings(derandomize=True, deadline=None, max_examples=150)
@given(st.sampled_from(GAMES), CHOICES, st.integers(0, 1 << 32), st.sampled_from([None, DAY]))
def test_deals_that_differ_in_hidden_cards_say_the_same_until_a_card_is_turned(
    slug: str, choices: list[int], seed: int, day: str | None
) -> None:
    dealt = tables.dealt(slug, day)
    other_dealt = with_hidden_cards_changed(dealt, random.Random(seed))
    one = sitting.deal(GAME, dealt, SECRET, START)
    other = sitting.deal(GAME, other_dealt, SECRET, START)
    assert everything_said(one) == everything_said(other)
    known = list(one[-1].after.game._moves)[:: max(1, len(one[-1].after.game._moves) // 20)]
    for choice in choices:
        steps, other_steps = choose(one[-1].after, choice), choose(other[-1].after, choice)
        if not steps or showed(steps):
            break
        assert everything_said(steps) == everything_said(other_steps)
        assert refusals(steps[-1].after, known) == refusals(other_steps[-1].after, known)
        one, other = steps, other_steps


def showed(steps: list[Step]) -> bool:
    """Whether a card was turned or the deal revealed."""
    past = steps[0].after.past
    turned = past is not None and past.revealed
    return turned or any(isinstance(step.event, DealRevealed) for step in steps)


def test_the_games_above_have_hidden_cards_to_change() -> None:
    changed = [
        slug for slug in GAMES if with_hidden_cards_changed(tables.dealt(slug), random.Random(1)) != tables.dealt(slug)
    ]
    assert {"klondike", "red-and-black", "carpet"} <= set(changed)


@pytest.mark.parametrize("slug", GAMES)
def test_nobody_is_told_the_secret_a_hash_or_a_seed_of_an_open_game(slug: str) -> None:
    steps = at_random(slug, 2, 30, DAY)
    said = b"".join(everything_said(steps)).decode()
    hashes = [step.sealed.hash.hex() for step in steps]
    assert not any(secret in said for secret in (SECRET.hex(), steps[0].after.seed.hex(), *hashes))


@pytest.mark.parametrize("slug", GAMES)
def test_whoever_sees_the_meter_is_told_of_no_card_and_no_pile(slug: str) -> None:
    steps = at_random(slug, 2, 10, DAY)
    for step in steps[1:]:
        told = as_read(messages.push(step, Sight.METER))
        assert told == {"type": "advanced", "game": GAME, "version": step.after.version}
    seen = view(steps[-1].after, Sight.METER)
    assert not {"piles", "counters", "legal", "can_take_back"} & set(seen)


def test_only_the_seat_hears_the_command_and_the_legal_moves() -> None:
    step = tables.play(begin("klondike")[-1].after, "deal")[0]
    seat, board = (as_read(messages.push(step, sight)) for sight in (Sight.SEAT, Sight.BOARD))
    assert set(seat) - set(board) == {"command", "legal", "can_take_back"}


def test_only_the_piles_that_changed_are_sent() -> None:
    step = tables.play(begin("klondike")[-1].after, "deal")[0]
    assert set(as_read(messages.push(step, Sight.BOARD))["piles"]) == {"stock", "waste"}


def test_the_order_of_a_shuffle_is_cut_off_from_what_is_sent() -> None:
    game = begin("klondike")[-1].after
    assert messages._public(game, ("redealt waste:2 1,0", "redealt waste:2 kept", "moved waste stock 1")) == [
        "redealt waste:2",
        "redealt waste:2 kept",
        "moved waste stock 1",
    ]
