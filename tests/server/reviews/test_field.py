"""What runs of one deal say together, on made-up verdicts: where it was lost, what parted the runs, the best line."""

from collections.abc import Sequence

from cadogan import engine
from cadogan.engine import Move
from cadogan.engine.solver.solution import Verdict
from cadogan.server.subjects.analysis.findings import AnalysedRun, Findings, Run, SearchedPosition
from cadogan.server.subjects.reviews.field import FieldRun, Line, Place, Review, Stretch, review_runs

RULES = engine.game("yukon")
SEED = bytes(32)
DEAL = RULES.deal(SEED)


def choose(*choices: int) -> list[Move]:
    """The moves of a run that plays the legal move of this number, counted anew in each position."""
    state, moves = DEAL, list[Move]()
    for choice in choices:
        moves.append(RULES.legal_moves(state)[choice])
        state = RULES.play_legal(state, moves[-1], SEED).state
    return moves


def run(game: str, choices: Sequence[int], *, won: bool = False, **verdicts: Verdict) -> FieldRun:
    """A run with verdicts on some of its positions: `after_3="lost"`, or `from_0=` with the line that was found."""
    searched = [SearchedPosition(int(name[6:]), verdict, 1, ()) for name, verdict in verdicts.items()]
    played = choose(*choices)
    analysed = Run(RULES, SEED, DEAL, [*played], [*range(len(played) + 1)])
    return FieldRun(game, won, AnalysedRun(analysed, Findings(tuple(searched))))


def review(*runs: FieldRun, certified: Sequence[str] = ()) -> Review:
    found = list[Review]()
    for _ in review_runs(runs, certified, found):
        pass
    return found[0]


def test_the_moves_with_which_most_runs_lost_it_are_told_in_stretches_of_ten() -> None:
    firsts = [0] * 13
    told = review(
        run("a", [1, 0], after_1="won", after_2="lost"),
        run("b", firsts, after_11="won", after_12="lost"),
        run("c", [*firsts[:11], 1, 0], after_11="won", after_12="lost"),
    )
    assert told.stretch == Stretch(11, 20, 2, 3)


def test_a_run_whose_analysis_leaves_a_gap_says_nothing_of_where_it_was_lost() -> None:
    told = review(run("a", [0, 0, 0, 0], after_1="won", after_3="lost"))
    assert (told.stretch, told.parting, told.to_try) == (None, None, None)
    assert (told.positions, told.decided, told.lost) == (5, 4, 1)


def test_a_verdict_of_one_run_holds_for_the_same_position_of_another() -> None:
    told = review(run("a", [0, 0, 1]), run("b", [0, 0, 0], after_2="won", after_3="lost"), run("c", [0, 0, 0]))
    assert told.stretch == Stretch(1, 10, 2, 2)
    assert told.to_try == Place("b", 3, 2, 2)


def test_the_parting_is_the_position_that_a_winner_left_by_another_move_than_most_losers() -> None:
    losers = [run(name, [0, 0, 0], after_3="lost") for name in ("a", "b")]
    elsewhere = run("c", [1, 0], after_1="won", after_2="lost")
    told = review(run("w", [0, 0, 1], won=True), *losers, elsewhere)
    assert told.parting is not None
    assert told.to_try == told.parting.place == Place("a", 3, 2, 2)
    assert told.parting.won == 1
    losing, winning = choose(0, 0, 0)[-1].text, choose(0, 0, 1)[-1].text
    assert (told.parting.losing_move, told.parting.winning_move) == (losing, winning)


def test_a_false_loss_in_one_run_takes_nothing_from_those_that_were_won() -> None:
    losers = [run(name, [0, 0, 0], after_3="lost") for name in ("a", "b")]
    winner, liar = run("w", [0, 0, 1], won=True), run("c", [1, 0], after_0="lost")
    assert review(winner, *losers, liar).parting == review(winner, *losers).parting
    assert review(liar, *losers, winner).parting == review(winner, *losers).parting


def test_no_parting_is_told_where_no_winner_came() -> None:
    told = review(run("w", [1, 0], won=True), run("a", [0, 0], after_1="won", after_2="lost"))
    assert told.parting is None
    assert told.to_try == Place("a", 2, 1, 1)


def test_the_best_line_is_the_shortest_of_those_played_and_those_certified() -> None:
    winner, other = run("w", [0, 0, 1], won=True), run("a", [0])
    played = tuple(move.text for move in choose(0, 0, 1))
    assert review(other, winner).best == Line(played, "run", "w")
    assert review(other, winner, certified=["any"] * 3).best == Line(played, "run", "w")
    assert review(other, winner, certified=["any"] * 2).best == Line(("any", "any"), "certificate", "a")
    assert review(other).best is None
    assert review(certified=["any"]).best is None, "without a run there is nothing to show it on"
