"""What must hold for every game of the registry.

A game whose recorded files are missing fails, and the message says how to write them. CONTRIBUTING.md, "Add a game",
has the whole way.
"""

import json
from itertools import islice
from pathlib import Path

import pytest

from cadogan import engine
from cadogan.engine import Game, IllegalMove, State, UnreadableMove
from cadogan.engine.cards import DOWN, FACE, card_text
from cadogan.engine.state import pack_state, unpack_state
from cadogan.engine.vectors import check_vector
from tests.games import record, wins
from tests.games.every_game import HoldsOnAWalk, Walks, in_every_game
from tests.games.walks import draw, eager_walk, random_walk, scattered, seed

WALKS = 6
"""How many deals of every game are walked through: the first by each test, the others by a heavy one."""
SCATTERED = 10
"""How many positions that no play leads to are tried with each walk."""
FEWEST_WORDS_OF_A_PAGE = 150
on_a_walk = Walks()


@on_a_walk.in_every_game
def test_no_card_is_lost_or_duplicated(game: Game, number: int) -> None:
    whole = sorted(game.declaration.pack)
    for _, move, played in random_walk(game, number, 120):
        assert sorted(card & FACE for pile in played.state.piles for card in pile) == whole, str(move)


@on_a_walk.in_every_game
def test_folding_the_effects_gives_the_same_state_and_reveals_the_same(game: Game, number: int) -> None:
    for state, _, played in random_walk(game, number, 120):
        texts = [game.effect_text(effect) for effect in played.effects]
        effects = [game.parse_effect(each) for each in texts]
        assert tuple(effects) == played.effects
        assert game.fold(state, effects) == played.state
        assert game.reveals(state, effects) == played.revealed
        assert game.fold_and_reveal(state, effects) == (played.state, played.revealed)
        assert unpack_state(pack_state(played.state), len(game.piles)) == played.state


@on_a_walk.in_every_game
def test_every_legal_move_is_playable_and_reads_back(game: Game, number: int) -> None:
    for state, _, _ in random_walk(game, number, 40):
        legal = game.legal_moves(state)
        assert len(set(legal)) == len(legal)
        for move in legal:
            assert game.move(str(move)) == move
        for move in legal[:: len(legal) // 40 + 1]:
            game.play(state, move, seed(number))


@on_a_walk.in_every_game
def test_the_next_position_is_the_same_whether_or_not_the_effects_are_asked_for(game: Game, number: int) -> None:
    salt = seed(number)
    states = [state for state, _, _ in random_walk(game, number, 40)] + [scattered(game, number)]
    for state in states:
        legal = game.legal_moves(state)
        for move in legal[:: len(legal) // 40 + 1]:
            assert game.successor(state, move, salt) == game.play_legal(state, move, salt).state, str(move)


@pytest.mark.slow
@on_a_walk.in_every_game
def test_only_a_legal_move_is_playable(game: Game, number: int) -> None:
    known: set[str] = set()
    for state, _, _ in islice(random_walk(game, number, 40), 0, None, 2):
        legal = set(map(str, game.legal_moves(state)))
        names = [game.piles[draw(len(game.piles), number, len(known), part)] for part in range(2)]
        tried = {*sorted(known)[:20], "deal", "redeal", "/".join(names), "/".join([*names, "2"]), "+".join(names)}
        for move in sorted(tried - legal):
            with pytest.raises((IllegalMove, UnreadableMove)):
                game.play(state, game.move(move), seed(number))
        known |= legal


@on_a_walk.in_every_game
def test_the_view_hides_every_face_down_card(game: Game, number: int) -> None:
    for _, _, played in random_walk(game, number, 60):
        shown = [part for pile in game.view(played.state).values() for part in pile]
        up = [card_text(card) for pile in played.state.piles for card in pile if not card & DOWN]
        assert sorted(part for part in shown if isinstance(part, str)) == sorted(up)
        assert sum(part for part in shown if isinstance(part, int)) == len(game.declaration.pack) - len(up)


@on_a_walk.in_every_game
def test_hidden_cards_do_not_influence_what_is_legal_or_shown(game: Game, number: int) -> None:
    for _, _, played in random_walk(game, number, 40):
        other = _with_hidden_cards_changed(played.state, number)
        assert game.legal_moves(other) == game.legal_moves(played.state)
        assert game.view(other) == game.view(played.state)
        assert game.status(other) == game.status(played.state)
        assert (game.score(other), game.home(other)) == (game.score(played.state), game.home(played.state))


def _with_hidden_cards_changed(state: State, number: int) -> State:
    hidden = [card for pile in state.piles for card in pile if card & DOWN]
    turn = draw(len(hidden), number) if hidden else 0
    others = iter(hidden[turn:] + hidden[:turn])
    piles = tuple(tuple(next(others) if card & DOWN else card for card in pile) for pile in state.piles)
    return State(piles, state.counters)


@pytest.mark.slow
@on_a_walk.in_every_game
def test_the_stock_lies_face_down_and_a_refusal_names_no_hidden_card(game: Game, number: int) -> None:
    words = {card: card_text(card) for card in game.declaration.pack}
    for state, _, _ in islice(random_walk(game, number, 30), 0, None, 3):
        hidden = {words[card & FACE] for pile in state.piles for card in pile if card & DOWN}
        hidden -= {card_text(card) for pile in state.piles for card in pile if not card & DOWN}
        if not hidden:
            continue
        legal = set(map(str, game.legal_moves(state)))
        for source in game.piles[:12]:
            for target in game.piles[-12:]:
                if source != target and f"{source}/{target}" not in legal:
                    with pytest.raises(IllegalMove) as refusal:
                        game.play(state, game.move(f"{source}/{target}"))
                    assert not hidden & set(str(refusal.value).split())


@pytest.mark.slow
@on_a_walk.in_every_game
def test_the_score_stays_within_its_maximum_and_a_won_game_is_complete(game: Game, number: int) -> None:
    for _, _, played in eager_walk(game, number, 80):
        assert game.score(played.state) <= game.maximum
        if game.won(played.state):
            assert game.status(played.state) == "won"
            assert game.score(played.state) == game.maximum


@in_every_game
def test_the_same_seed_gives_the_same_game(game: Game) -> None:
    first, again = ([played for _, _, played in random_walk(game, 3, 60)] for _ in range(2))
    assert first == again
    assert game.deal(seed(1)) != game.deal(seed(2))


@in_every_game
def test_every_pile_has_its_place_on_the_table(game: Game) -> None:
    drawn = [(pile.name, pile.role, pile.spread.direction) for pile in game.layout]
    assert [name for name, _, _ in drawn] == list(game.piles)
    assert {role for _, role, _ in drawn} <= {"stock", "waste", "foundation", "tableau", "reserve", "discard"}
    assert {way for _, _, way in drawn} <= {"none", "down", "right", "left", "up"}


def read_recorded(path: Path) -> str:
    """Read a file that was recorded of a game; a missing one fails the test with the way to write it."""
    if not path.exists():
        shown = "/".join(path.parts[-4:])
        raise AssertionError(
            f"{shown} is missing. Write it with `python -m tests.games.record {path.stem}`, read it, compare it with"
            ' the rules, and commit it (CONTRIBUTING.md, "Add a game").'
        )
    return path.read_text("utf-8")


def changed(path: Path) -> str:
    """What to do when a game no longer does what was recorded of it."""
    return (
        f"{path.stem} no longer does what {'/'.join(path.parts[-4:])} says. If the rules were meant to change, raise"
        f" the rules_version of the game, run `python -m tests.games.record {path.stem}` and read the difference."
    )


@in_every_game
def test_positions_with_known_answers_hold(game: Game) -> None:
    vectors = json.loads(read_recorded(record.VECTORS / f"{game.slug}.json"))
    more = record.MORE_VECTORS / f"{game.slug}.json"
    vectors += json.loads(more.read_text("utf-8")) if more.exists() else []
    assert vectors
    drafts = [vector["name"] for vector in vectors if vector["name"].startswith(record.DRAFT)]
    assert drafts == [], f"compare these vectors of {game.slug} with its rules, and give each a name of its own"
    assert [(vector["name"], found) for vector in vectors if (found := check_vector(vector, game))] == []


@on_a_walk.in_every_game
def test_a_position_that_no_play_leads_to_is_played_without_an_error(game: Game, number: int) -> None:
    for scatter in range(SCATTERED * number, SCATTERED * (number + 1)):
        state = scattered(game, scatter)
        assert game.status(state) in ("playing", "stuck", "won")
        assert game.score(state) <= game.maximum
        for move in game.legal_moves(state):
            played = game.play(state, move, seed(scatter))
            assert game.fold(state, played.effects) == played.state
            game.legal_moves(played.state)


@in_every_game
def test_the_transcript_is_unchanged(game: Game) -> None:
    path = record.TRANSCRIPTS / f"{game.slug}.txt"
    assert read_recorded(path) == record.transcript(game), changed(path)


@pytest.mark.slow
@in_every_game
def test_the_node_counts_are_unchanged(game: Game) -> None:
    path = record.NODES / f"{game.slug}.json"
    assert json.loads(read_recorded(path)) == record.node_counts(game), changed(path)


@in_every_game
def test_the_game_can_be_won_with_its_highest_score(game: Game) -> None:
    win = json.loads(read_recorded(wins.WINS / f"{game.slug}.json"))
    number = win.get("deal", 0)
    state = game.read_state(win["piles"], win["vars"]) if "piles" in win else game.deal(seed(number))
    assert sorted(card & FACE for pile in state.piles for card in pile) == sorted(game.declaration.pack)
    assert not game.won(state)
    for move in win["moves"]:
        state = game.play(state, game.move(move), seed(number)).state
    assert game.won(state)
    assert game.score(state) == game.maximum


@in_every_game
def test_the_page_of_rules_is_complete(game: Game) -> None:
    page = f"engine/games/{game.slug.replace('-', '_')}.md"
    headings = [line for line in game.page.splitlines() if line.startswith("#")]
    wanted = [f"# {game.name}", "## Setup", "## Aim", "## Play", "## Score", "## Rulings", "## History"]
    assert headings == wanted, f"{page} needs these headings, in this order"
    assert len(game.page.split()) > FEWEST_WORDS_OF_A_PAGE, f"{page} is too short to teach the game"


@pytest.mark.heavy
@pytest.mark.parametrize("holds", on_a_walk.all.values(), ids=lambda holds: holds.__name__.removeprefix("test_"))
def test_five_more_walks_through_every_game_show_the_same(holds: HoldsOnAWalk) -> None:
    for game in engine.all_games().values():
        for number in range(1, WALKS):
            holds(game, number)


def test_a_failure_has_the_error_of_each_game_that_fails() -> None:
    def holds(game: Game) -> None:
        assert game.slug not in ("golf", "klondike")

    with pytest.raises(ExceptionGroup, match="golf, klondike") as failed:
        in_every_game(holds)()
    assert [error.__notes__ for error in failed.value.exceptions] == [["golf"], ["klondike"]]
