"""One example of every body about analyses, lent machines, puzzles and reviews (`examples` has all others)."""

from cadogan.wire import analysis, lent_work, puzzles, reviews
from cadogan.wire.admin_examples import ADA, DEALT_AT, GAME
from cadogan.wire.game_examples import DAY, DEAL
from cadogan.wire.values import Value

WAY_STEP = analysis.WayStep(
    move="tableau.0/foundation.1",
    effects=["moved tableau.0 foundation.1 1"],
    piles={"tableau.0": [], "foundation.1": ["AH"]},
    counters={},
    score=1,
    home=1,
)
ANALYSIS = analysis.Analysis(
    game=GAME,
    state="working",
    solver=4,
    nodes=20_000,
    verdicts=["won", "won", "lost", None],
    losses=[3],
    choices=[analysis.Choices(version=2, keeping=1, losing=3, unknown=0)],
)
ANALYSIS_EXAMPLES: tuple[Value, ...] = (
    ANALYSIS,
    analysis.Way(game=GAME, version=2, steps=[WAY_STEP]),
    analysis.Comparison(
        common_moves=1,
        verdict="won",
        runs=[
            analysis.ComparedRun(game=GAME, result="lost", score=23, moves=112, version=3, verdict="lost", losses=[3]),
            analysis.ComparedRun(
                game="b2e4s6t3r5u7n2aa", result="won", score=52, moves=117, version=3, verdict="won", losses=[]
            ),
        ],
    ),
    analysis.PlayOn(version=2),
    lent_work.TakeWork(solver=6),
    lent_work.LentWork(
        work=lent_work.LentGame(
            id="w2o4r6k3w5o7r2kk",
            game=GAME,
            rules="klondike",
            rules_version=1,
            solver=6,
            seed="ab" * 32,
            piles=[[51, 3], []],
            counters=[0],
            moves=["deal", None, "deal"],
            seconds=30,
        )
    ),
    lent_work.SubmitWork(
        after=0,
        steps=[
            lent_work.SearchStep(
                position=2,
                decided=[lent_work.Decided(verdict="won", nodes=312, line=["deal", "tableau.3/foundation.0"])],
            )
        ],
    ),
    lent_work.WorkState(id="w2o4r6k3w5o7r2kk", steps=1, done=False),
    puzzles.PuzzleDays(days=["2026-11-20", "2026-11-19"]),
    puzzles.Puzzle(
        day=DAY,
        rules="klondike",
        state="open",
        closes_at=DEALT_AT + 600_000_000,
        moves=36,
        line=22,
        tried=5,
        solved=1,
        board=[puzzles.PuzzleLine(rank=1, player=ADA, tries=2, moves=24)],
        days=[DAY],
        your=puzzles.OwnTries(tries=1, solved=False, given_up=False, game=GAME),
    ),
    reviews.DayReview(
        day=DAY,
        state="done",
        deals=[
            reviews.DealReview(
                slot=1,
                deal=DEAL,
                rules="klondike",
                level="gentle",
                runs=9,
                won=2,
                field=[1, 2, 0, 0, 1, 0, 3, 0, 0, 0, 2],
                looked_at=7,
                analysed=7,
                positions=612,
                decided=540,
                losses=reviews.Losses(first=31, last=40, runs=4, known=6),
                parting=reviews.Parting(
                    game=GAME,
                    version=38,
                    moves=36,
                    lost=3,
                    losing_move="tableau.0/tableau.1",
                    winning_move="deal",
                    won=2,
                ),
                to_try=reviews.Trial(game=GAME, version=38, moves=36, lost=3),
                best=reviews.BestLine(moves=98, source="certificate", game=GAME),
            )
        ],
    ),
)
