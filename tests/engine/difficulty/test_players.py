"""The two players who do not think ahead, and what is measured with them."""

from cadogan import engine
from cadogan.engine.difficulty.measure import measure_simple_play
from cadogan.engine.difficulty.players import MAX_MOVES, careless, greedy, play_deal
from cadogan.engine.solver import Solution, solve
from cadogan.engine.solver.winnability import deal_seed

CAESAR, KLONDIKE, NATION = (engine.game(slug) for slug in ("caesar", "klondike", "nation"))


def test_the_greedy_player_takes_a_move_that_raises_the_score_most() -> None:
    for number in range(20):
        seed = deal_seed("nation", number)
        state = NATION.deal(seed)
        scores = {move: NATION.score(NATION.play(state, move, seed).state) for move in NATION.legal_moves(state)}
        best = max(scores.values())
        chosen = greedy(NATION, state, {state}, seed)
        assert chosen
        if best > NATION.score(state):
            assert {scores[move] for move in chosen} == {best}


def test_the_greedy_player_never_comes_back_to_a_position() -> None:
    seed = deal_seed("caesar", 0)
    state = CAESAR.deal(seed)
    after = {CAESAR.play(state, move, seed).state for move in CAESAR.legal_moves(state)}
    assert greedy(CAESAR, state, {state, *after}, seed) == []
    assert set(careless(CAESAR, state, {state, *after}, seed)) == set(CAESAR.legal_moves(state))


def test_a_players_game_ends_the_same_way_whenever_it_is_repeated() -> None:
    for player in (careless, greedy):
        runs = [play_deal(KLONDIKE, deal_seed("klondike", number), player) for number in range(10)]
        assert runs == [play_deal(KLONDIKE, deal_seed("klondike", number), player) for number in range(10)]
        assert len(set(runs)) > 1


def test_careless_play_ends_with_the_same_scores_in_every_version() -> None:
    scores = [play_deal(KLONDIKE, deal_seed("klondike", number), careless).score for number in range(10)]
    assert scores == [-37, -7, -27, -42, -37, -42, -17, -32, -12, -32]


def test_greedy_play_wins_every_caesar_and_careless_play_hardly_any_of_its_500_moves() -> None:
    seeds = [deal_seed("caesar", number) for number in range(5)]
    assert all(play_deal(CAESAR, seed, greedy).won for seed in seeds)
    assert not all(play_deal(CAESAR, seed, careless).won for seed in seeds)
    assert MAX_MOVES == 500


def test_a_measurement_counts_wins_scores_and_first_moves_that_still_win() -> None:
    measured = measure_simple_play(CAESAR, deals=3, searched=2, nodes=300)
    assert (measured.game, measured.deals, measured.greedy, measured.score) == ("caesar", 3, 3, 1.0)
    assert 0 < measured.first_moves_won <= measured.first_moves <= 20
    assert measured == measure_simple_play(CAESAR, deals=3, searched=2, nodes=300)


def test_the_search_that_is_named_searches_the_first_moves() -> None:
    asked = list[int]()

    def search(game: engine.Game, state: engine.State, seed: bytes, nodes: int) -> Solution:
        asked.append(nodes)
        return solve(game, state, seed, nodes)

    measured = measure_simple_play(CAESAR, deals=1, searched=1, nodes=300, search=search)
    assert asked == [300] * len(asked)
    assert len(asked) >= measured.first_moves > 0


def test_a_deal_that_is_not_won_has_no_first_move_that_wins() -> None:
    measured = measure_simple_play(KLONDIKE, deals=1, searched=3, nodes=50)
    assert (measured.first_moves_won, measured.first_moves > 0) == (0, True)
