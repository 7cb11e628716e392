"""One game: what commands do, what is refused, and how it ends."""

import pytest
from msgspec.structs import replace

from cadogan import engine
from cadogan.server.core.errors import (
    BadMove,
    GameOver,
    IllegalMove,
    NothingToTakeBack,
    StaleVersion,
    TakeBackRevealed,
    TooMany,
)
from cadogan.server.core.eventlog.event_store import StreamIncomplete
from cadogan.server.core.eventlog.events import (
    ChallengeSpoiled,
    DealRevealed,
    GameFinished,
    MovePlayed,
    MoveTakenBack,
    UnreadableEvent,
)
from cadogan.server.core.games import game_state
from cadogan.server.core.games.game_state import GameState, Step
from cadogan.server.subjects.known_rules import known_rules
from cadogan.wire.messages import Play, Resign
from tests.harness import game_steps
from tests.harness.game_steps import DAY, GAME, SECRET, START, at_random, begin, play, resign, take_back, won


def new_game(slug: str = "klondike", day: str | None = None) -> GameState:
    return begin(slug, day)[-1].after


def test_a_legal_move_gives_one_event_with_its_effects() -> None:
    game = new_game()
    move = next(iter(game.position.legal))
    (step,) = play(game, move)
    assert isinstance(step.event, MovePlayed)
    assert step.event.move == move
    assert step.after.version == 2
    assert step.after.moves == 1
    assert step.command == "c"


def test_deciding_and_folding_the_log_give_the_same_position() -> None:
    for slug in engine.slugs():
        steps = at_random(slug, 5, 60)
        folded = game_state.fold(GAME, SECRET, [step.sealed for step in steps], known_rules())
        last = steps[-1].after
        assert folded.position.state == last.position.state
        assert (folded.version, folded.head, folded.moves) == (last.version, last.head, last.moves)
        assert (folded.status, folded.past, folded.changed_at) == (last.status, last.past, last.changed_at)
        assert folded.home_at == last.home_at


@pytest.mark.parametrize("missing", [2, 5])
def test_a_game_cannot_be_folded_without_one_of_its_events(missing: int) -> None:
    events = [step.sealed for step in at_random("klondike", 5, 8) if step.sealed.version != missing]
    with pytest.raises(StreamIncomplete, match=rf"event {missing} of"):
        game_state.fold(GAME, SECRET, events, known_rules())


def test_an_illegal_move_is_refused_and_says_why_and_at_which_version() -> None:
    game = new_game()
    with pytest.raises(IllegalMove, match=r"\w") as refused:
        play(game, "foundation.0/tableau.0")
    assert refused.value.version == 1


def test_a_game_at_the_limit_takes_only_what_ends_it() -> None:
    game = replace(new_game(), version=game_state.MAX_VERSION)
    with pytest.raises(TooMany, match="give it up") as refused:
        game_state.require_room(game, play(game, next(iter(game.position.legal))))
    assert refused.value.version == game_state.MAX_VERSION
    game_state.require_room(game, resign(game))
    *_, (before, event) = [(step.before, step.event) for step in won() if isinstance(step.event, MovePlayed)]
    assert before is not None
    assert isinstance(event, MovePlayed)
    almost_won = replace(before, version=game_state.MAX_VERSION)
    game_state.require_room(almost_won, play(almost_won, event.move))


def test_a_text_that_is_no_move_is_refused() -> None:
    with pytest.raises(BadMove):
        play(new_game(), "jump/over")


def test_a_command_against_an_older_version_is_refused_with_the_present_one() -> None:
    game = new_game()
    later = play(game, next(iter(game.position.legal)))[-1].after
    with pytest.raises(StaleVersion) as refused:
        game_state.decide(later, Play(id="c", game=GAME, version=1, move="deal"), START)
    assert refused.value.version == 2


def test_a_move_taken_back_leaves_the_position_and_keeps_the_count() -> None:
    game = new_game()
    after = play(game, next(iter(game.position.legal)))[-1].after
    (step,) = take_back(after)
    assert isinstance(step.event, MoveTakenBack)
    assert step.after.position.state == game.position.state
    assert (step.after.moves, step.after.version) == (1, 3)
    assert not step.after.can_take_back


def test_every_move_of_a_casual_game_may_be_taken_back_to_the_deal() -> None:
    steps = at_random("klondike", 3, 12)
    game = steps[-1].after
    while game.can_take_back:
        game = take_back(game)[-1].after
    assert game.position.state == steps[0].after.position.state


def test_a_game_knows_since_when_as_many_cards_are_home() -> None:
    since, home = START, 0
    for step in won():
        game = step.after
        if game.position.home != home:
            since, home = step.sealed.recorded_at, game.position.home
        assert game.home_at == since
    assert (home, since > START) == (52, True)


def test_nothing_can_be_taken_back_before_a_move() -> None:
    with pytest.raises(NothingToTakeBack):
        take_back(new_game())


def test_in_a_ranked_game_only_a_revealing_move_cannot_be_taken_back() -> None:
    game = new_game("klondike", DAY)
    shows, shows_nothing = revealing_somewhere(game)
    with pytest.raises(TakeBackRevealed):
        take_back(shows)
    assert take_back(shows_nothing)[-1].after.moves == shows_nothing.moves


def revealing_somewhere(game: GameState) -> tuple[GameState, GameState]:
    """Games after a move that showed a card, and after one that did not."""
    found: dict[bool, GameState] = {}
    for choice in range(200):
        steps = game_steps.choose(game, choice * 8)
        if game.over or not steps:
            break
        game = steps[0].after
        if isinstance(steps[0].event, MovePlayed) and not game.over and game.past is not None:
            found[game.past.revealed] = game
        if len(found) == 2:
            return found[True], found[False]
    raise AssertionError("the game showed no card")


def test_resigning_ends_a_casual_game_and_reveals_its_deal() -> None:
    finished, revealed = resign(new_game())
    assert finished.event == GameFinished("resigned", new_game().position.score, 0, 0, 1000, 1000)
    assert finished.command == "r"
    assert revealed.event == DealRevealed(SECRET.hex())
    assert revealed.after.status == "resigned"


def test_the_deal_of_a_daily_is_not_revealed_with_its_end() -> None:
    assert [type(step.event) for step in resign(new_game("klondike", DAY))] == [GameFinished]


def test_a_ranked_run_that_is_given_up_before_its_first_move_does_not_count() -> None:
    begun = new_game("klondike", DAY)
    moved = game_steps.choose(begun, 0)[0].after
    spoiled = game_state.spoil(begun, begun.changed_at).after
    for game, counts in ((begun, False), (moved, True), (spoiled, True), (new_game(), True)):
        finished = resign(game)[0].event
        assert isinstance(finished, GameFinished)
        assert finished.counts is counts


def test_a_won_game_ends_by_itself_in_the_same_append() -> None:
    steps = game_steps.won(DAY)
    assert [type(step.event) for step in steps[-2:]] == [MovePlayed, GameFinished]
    finished = steps[-1].event
    assert isinstance(finished, GameFinished)
    assert (finished.result, finished.moves) == ("won", steps[-1].after.moves)
    assert finished.milliseconds == steps[-1].after.changed_at - START


def test_a_ranked_game_is_lost_when_no_move_and_no_take_back_is_left() -> None:
    last = last_of_a_lost_game()
    assert isinstance(last.event, GameFinished)
    assert last.event.result == "lost"


def last_of_a_lost_game() -> Step:
    for seed in range(300):
        step = at_random("klondike", seed, 150, DAY)[-1]
        if step.after.status == "lost":
            return step
    raise AssertionError("no game was lost")


def test_a_casual_game_without_moves_is_stuck_and_may_be_taken_back() -> None:
    game = game_steps.stuck()[-1].after
    assert take_back(game)[-1].after.status == "playing"


def test_a_game_that_is_ended_where_no_move_is_left_is_lost_as_of_its_last_move_and_not_resigned() -> None:
    game = game_steps.stuck()[-1].after
    finished, revealed = game_state.decide(game, Resign(id="r", game=GAME, version=game.version), 2 * START)
    assert isinstance(finished.event, GameFinished)
    assert (finished.event.result, finished.command) == ("lost", "r")
    assert finished.event.milliseconds == game.changed_at - START
    assert finished.event.active == game.active
    assert {finished.sealed.recorded_at, revealed.sealed.recorded_at} == {game.changed_at}
    assert game_state.end_at_dead_end(revealed.after) == []
    assert game_state.end_at_dead_end(take_back(game)[-1].after) == []


@pytest.mark.parametrize("command", [resign, take_back, lambda game: play(game, "deal")])
def test_a_finished_game_takes_no_commands(command: object) -> None:
    over = resign(new_game())[-1].after
    with pytest.raises(GameOver):
        command(over)  # type: ignore[operator]


def test_a_clock_set_back_does_not_let_a_games_time_run_backwards() -> None:
    game = new_game()
    move = next(iter(game.position.legal))
    (step,) = game_state.decide(game, Play(id="c", game=GAME, version=1, move=move), START - 5000)
    assert step.after.changed_at == START


def test_a_refused_command_changes_nothing() -> None:
    game = new_game()
    before = (game.version, game.head, game.position.state)
    with pytest.raises(BadMove):
        play(game, "nonsense")
    assert (game.version, game.head, game.position.state) == before


def test_a_log_that_does_not_begin_with_a_deal_is_unreadable() -> None:
    steps = at_random("klondike", 1, 3)
    with pytest.raises(UnreadableEvent):
        game_state.fold(GAME, SECRET, [step.sealed for step in steps[1:]], known_rules())
    with pytest.raises(UnreadableEvent):
        game_state.fold(GAME, SECRET, [], known_rules())


def test_a_spoiled_run_is_not_ranked_and_what_it_showed_may_be_taken_back() -> None:
    shows, _ = revealing_somewhere(new_game("klondike", DAY))
    step = game_state.spoil(shows, shows.changed_at + 5)
    assert step.event == ChallengeSpoiled(shows.player, shows.dealt.deal)
    assert (step.after.ranked, step.after.can_take_back) == (False, True)
    assert take_back(step.after)[-1].after.moves == shows.moves
    again = game_state.apply(shows, GAME, SECRET, step.sealed, None, known_rules()).after
    assert (again.ranked, again.head, again.version) == (False, step.after.head, step.after.version)


@pytest.mark.parametrize(("waits", "active"), [((), 0), ((1000, 2000), 3000), ((59_999, 60_001, 10**9), 179_999)])
def test_at_most_a_minute_of_each_wait_counts_as_active(waits: tuple[int, ...], active: int) -> None:
    game = new_game("klondike")
    for wait in waits[:-1]:
        move = next(iter(game.position.legal))
        command = Play(id="c", game=GAME, version=game.version, move=move)
        game = game_state.decide(game, command, game.changed_at + wait)[-1].after
    ended = game_state.decide(game, Resign(id="r", game=GAME, version=game.version), game.changed_at + sum(waits[-1:]))
    finished = ended[0].event
    assert isinstance(finished, GameFinished)
    assert (finished.active, finished.milliseconds) == (active, sum(waits))


def test_a_game_state_shows_no_secret_when_printed() -> None:
    game = new_game()
    assert SECRET.hex() not in repr(game)
    assert repr(game) == f"GameState({GAME!r}, version=1)"
