"""What is said about a game: nothing hidden, and enough."""

import random
from typing import Any

import pytest
from hypothesis import given, settings
from hypothesis import strategies as st
from msgspec.structs import replace

from cadogan.server.core.errors import RefusalError
from cadogan.server.core.eventlog.events import DealRevealed, GameDealt, MovePlayed
from cadogan.server.core.games import game_messages, game_state
from cadogan.server.core.games.game_state import GameState, Step
from cadogan.server.core.games.position import Position
from cadogan.server.core.games.visibility import AccessLevel
from cadogan.server.subjects.known_rules import known_rules
from cadogan.wire.codec import encode
from tests.harness import game_steps
from tests.harness.game_steps import ANN, DAY, GAME, SECRET, START, as_read, at_random, begin, choose, played, resign

GAMES = ("besieged-city", "carpet", "klondike", "maze", "maze-wraparound", "olga", "quatorze", "red-and-black")
CHOICES = st.lists(st.integers(0, 1000), max_size=40)
Seen = dict[str, Any]


def view(game: GameState, sight: AccessLevel) -> Seen:
    return as_read(game_messages.view(game, sight, ANN, now=START))


def after(seen: Seen, message: Seen) -> Seen:
    """What a client knows that had this view and was told this."""
    now = {**seen, "version": message["version"]}
    match message["type"]:
        case "move_played" | "move_taken_back":
            now["piles"] = {**seen["piles"], **message["piles"]}
            now |= {key: message[key] for key in ("counters", "score", "home", "moves", "status")}
            now.pop("finish", None)
            now |= {key: message[key] for key in ("legal", "can_take_back", "finish") if key in message}
        case "game_finished":
            now |= {"status": message["result"], "clock": message["milliseconds"], "active": message["active"]}
            if "legal" in seen:
                now |= {"legal": [], "can_take_back": False}
                now.pop("finish", None)
        case "challenge_spoiled":
            now |= {key: message[key] for key in ("can_take_back",) if key in message}
            now["game"] = {**seen["game"], "ranked": False}
    now["game"] = {**now["game"], "status": now["status"]}
    return now


@settings(derandomize=True, deadline=None, max_examples=120)
@given(st.sampled_from(GAMES), CHOICES, CHOICES, st.sampled_from([None, DAY]), st.booleans(), st.booleans())
def test_an_old_view_plus_the_messages_since_equals_the_fresh_view(
    slug: str, choices: list[int], more: list[int], day: str | None, is_spoiled: bool, gives_up: bool
) -> None:
    steps = played(slug, choices, day)
    if is_spoiled and steps[-1].after.ranked and not steps[-1].after.over:
        steps.append(game_state.spoil(steps[-1].after, steps[-1].after.changed_at + 1000))
        for choice in more:
            steps += choose(steps[-1].after, choice)
    if gives_up and not steps[-1].after.over:
        steps += resign(steps[-1].after)
    for sight in (AccessLevel.SEAT, AccessLevel.BOARD):
        for since in {1, len(steps) // 2 or 1, len(steps)}:
            seen = view(steps[since - 1].after, sight)
            for step in steps[since:]:
                seen = after(seen, as_read(game_messages.message_for(step, sight)))
            assert seen == view(steps[-1].after, sight)


@settings(derandomize=True, deadline=None, max_examples=40)
@given(st.sampled_from(GAMES), CHOICES)
def test_messages_made_from_the_log_equal_those_sent_live(slug: str, choices: list[int]) -> None:
    before: GameState | None = None
    for step in played(slug, choices):
        again = game_state.apply(before, GAME, SECRET, step.sealed, step.command, known_rules())
        before = again.after
        if step.before is not None:
            for sight in AccessLevel:
                assert encode(game_messages.message_for(again, sight)) == encode(game_messages.message_for(step, sight))


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
        for sight in AccessLevel:
            if step.before is not None:
                said.append(encode(game_messages.message_for(step, sight)))
            said.append(encode(game_messages.view(step.after, sight, ANN, now=START)))
        said.append(encode(game_messages.progress_of(step.after, ANN).at(START)))
    return said


def refusals(game: GameState, moves: list[str]) -> list[str]:
    """What is answered to moves that are not legal now."""
    said = []
    for move in moves:
        if move not in game.position.legal:
            with pytest.raises(RefusalError) as refused:
                game_steps.play(game, move)
            said.append(f"{refused.value.code} {refused.value.message}")
    return said


@settings(derandomize=True, deadline=None, max_examples=150)
@given(st.sampled_from(GAMES), CHOICES, st.integers(0, 1 << 32), st.sampled_from([None, DAY]))
def test_deals_that_differ_in_hidden_cards_send_the_same_until_a_card_is_turned(
    slug: str, choices: list[int], seed: int, day: str | None
) -> None:
    dealt = game_steps.dealt(slug, day)
    other_dealt = with_hidden_cards_changed(dealt, random.Random(seed))
    one = game_state.deal(GAME, dealt, SECRET, START, known_rules())
    other = game_state.deal(GAME, other_dealt, SECRET, START, known_rules())
    assert everything_said(one) == everything_said(other)
    known = game_steps.moves_to_try(one[-1].after, 20)
    for choice in choices:
        steps, other_steps = choose(one[-1].after, choice), choose(other[-1].after, choice)
        if not steps or showed(steps):
            break
        assert everything_said(steps) == everything_said(other_steps)
        assert refusals(steps[-1].after, known) == refusals(other_steps[-1].after, known)
        one, other = steps, other_steps


@settings(derandomize=True, deadline=None, max_examples=60)
@given(st.sampled_from(GAMES), CHOICES, st.integers(0, 1 << 32))
def test_a_player_who_is_shown_a_deal_receives_nothing_about_its_hidden_cards(
    slug: str, choices: list[int], seed: int
) -> None:
    dealt = game_steps.dealt(slug, DAY)
    one = game_state.deal(GAME, dealt, SECRET, START, known_rules())[-1].after
    other = game_state.deal(GAME, with_hidden_cards_changed(dealt, random.Random(seed)), SECRET, START, known_rules())[
        -1
    ].after
    for choice in choices:
        steps, other_steps = choose(one, choice), choose(other, choice)
        if not steps or showed(steps) or steps[-1].after.over:
            break
        one, other = steps[-1].after, other_steps[-1].after
    if not one.over:
        assert everything_said([game_state.spoil(one, START)]) == everything_said([game_state.spoil(other, START)])


@settings(derandomize=True, deadline=None, max_examples=100)
@given(st.sampled_from(GAMES), CHOICES, st.binary(min_size=32, max_size=32), st.booleans())
def test_deals_with_the_same_progress_send_the_same_bytes_to_viewers_of_the_meter(
    slug: str, choices: list[int], secret: bytes, is_spoiled: bool
) -> None:
    one = game_state.deal(GAME, game_steps.dealt(slug, DAY), SECRET, START, known_rules())
    altered = replace(game_steps.dealt(slug, DAY, secret), commitment=one[0].after.dealt.commitment)
    other = game_state.deal(GAME, altered, secret, START, known_rules())
    compared = 0
    for choice in [*choices, 0]:
        if progress_of(one) == progress_of(other):
            assert progress_messages(one) == progress_messages(other)
            compared += 1
        steps, other_steps = choose(one[-1].after, choice), choose(other[-1].after, choice)
        if not steps or not other_steps:
            break
        one, other = steps, other_steps
    if is_spoiled and not one[-1].after.over and not other[-1].after.over:
        one, other = [game_state.spoil(one[-1].after, START)], [game_state.spoil(other[-1].after, START)]
        if progress_of(one) == progress_of(other):
            assert progress_messages(one) == progress_messages(other)
    assert compared or slug not in ("klondike", "olga", "red-and-black")


def progress_of(steps: list[Step]) -> tuple[object, ...]:
    """All that may be known of a game by whoever has yet to play its deal."""
    game = steps[-1].after
    finished = game.finished and (game.finished.milliseconds, game.finished.active)
    return (
        game.version,
        game.rules.home(game.position.state),
        game.position.score,
        game.moves,
        game.status,
        game.ranked,
        len(steps),
        game.changed_at,
        finished,
    )


def progress_messages(steps: list[Step]) -> list[bytes]:
    """All that whoever sees the meter is sent of these steps."""
    said = [encode(game_messages.message_for(step, AccessLevel.PROGRESS)) for step in steps if step.before is not None]
    after = steps[-1].after
    said.append(encode(game_messages.view(after, AccessLevel.PROGRESS, ANN, now=START + 90_000)))
    said.append(encode(game_messages.progress_of(after, ANN).at(START + 90_000)))
    said.append(encode(game_messages.live_game(after, ANN, START + 90_000)))
    return said


def showed(steps: list[Step]) -> bool:
    """Whether a card was turned or the deal revealed."""
    past = steps[0].after.past
    turned = past is not None and past.revealed
    return turned or any(isinstance(step.event, DealRevealed) for step in steps)


def test_the_games_above_have_hidden_cards_to_change() -> None:
    changed = [
        slug
        for slug in GAMES
        if with_hidden_cards_changed(game_steps.dealt(slug), random.Random(1)) != game_steps.dealt(slug)
    ]
    assert {"klondike", "red-and-black", "carpet"} <= set(changed)


@pytest.mark.parametrize("slug", GAMES)
def test_no_message_has_the_secret_a_hash_or_a_seed_of_an_open_game(slug: str) -> None:
    steps = at_random(slug, 2, 30, DAY)
    said = b"".join(everything_said(steps)).decode()
    hashes = [step.sealed.hash.hex() for step in steps]
    assert not any(secret in said for secret in (SECRET.hex(), steps[0].after.seed.hex(), *hashes))


@pytest.mark.parametrize("slug", GAMES)
def test_a_viewer_of_the_meter_receives_no_card_and_no_pile(slug: str) -> None:
    steps = at_random(slug, 2, 10, DAY)
    for step in steps[1:]:
        advanced = as_read(game_messages.message_for(step, AccessLevel.PROGRESS))
        assert advanced == {"type": "advanced", "game": GAME, "version": step.after.version}
    seen = view(steps[-1].after, AccessLevel.PROGRESS)
    assert not {"piles", "counters", "legal", "can_take_back"} & set(seen)


def test_only_the_player_receives_the_command_and_the_legal_moves() -> None:
    step = game_steps.play(begin("klondike")[-1].after, "deal")[0]
    seat, board = (as_read(game_messages.message_for(step, sight)) for sight in (AccessLevel.SEAT, AccessLevel.BOARD))
    assert set(seat) - set(board) == {"command", "legal", "can_take_back"}


def test_only_the_piles_that_changed_are_sent() -> None:
    step = game_steps.play(begin("klondike")[-1].after, "deal")[0]
    assert set(as_read(game_messages.message_for(step, AccessLevel.BOARD))["piles"]) == {"stock", "waste"}


def test_the_order_of_a_shuffle_is_cut_off_from_what_is_sent() -> None:
    effects = ("redealt waste:2 1,0", "redealt waste:2 kept", "moved waste stock 1")
    step = game_steps.play(begin("klondike")[-1].after, "deal")[0]._replace(event=MovePlayed("deal", effects))
    sent = as_read(game_messages.message_for(step, AccessLevel.BOARD))["effects"]
    assert sent == ["redealt waste:2", "redealt waste:2 kept", "moved waste stock 1"]


def test_the_player_is_told_how_the_game_finishes_by_itself_and_nobody_else() -> None:
    steps = begin("klondike")
    rules, first = steps[0].after.rules, steps[0].after
    home = {f"foundation.{n}": [rank + suit for rank in "A23456789TJQ"] for n, suit in enumerate("SHDC")}
    nearly = rules.read_state({**home, **{f"tableau.{n}": [f"K{suit}"] for n, suit in enumerate("SHDC")}})
    game = replace(first, position=Position(rules, nearly))
    assert view(game, AccessLevel.SEAT)["finish"] == "tableau.0/foundation.0"
    assert "finish" not in view(game, AccessLevel.BOARD)
    (step,) = game_steps.play(game, "tableau.2/foundation.2")
    told = dict(game_messages.messages_for(step, AccessLevel))
    assert as_read(told[AccessLevel.SEAT])["finish"] == "tableau.0/foundation.0"
    assert "finish" not in as_read(told[AccessLevel.BOARD])
    for _ in range(3):
        step = game_steps.play(step.after, step.after.position.finish[0].text)[0]
    assert step.after.status == "won"
    assert "finish" not in as_read(game_messages.message_for(step, AccessLevel.SEAT))
