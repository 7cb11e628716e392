"""Examples of form and ratings (`cadogan.wire.examples`)."""

from cadogan.wire import ratings
from cadogan.wire.game_examples import GUEST
from cadogan.wire.house_examples import ADA, DEALT_AT
from cadogan.wire.values import Value

_WEEK = 7 * 86_400_000

RATING_EXAMPLES: tuple[Value, ...] = (
    ratings.PlayerForm(
        player=ADA,
        pools=[
            ratings.PoolForm(
                pool="all",
                evenings=2,
                rating=1_713,
                provisional=True,
                share=5_833,
                history=[
                    ratings.RatedEvening(
                        evening="k3v7q2m5x4c6z2ab",
                        title="Thursday at the club",
                        at=DEALT_AT,
                        place=1,
                        performance=1_808,
                        rating=1_758,
                        share=6_667,
                    ),
                    ratings.RatedEvening(at=DEALT_AT + _WEEK, place=3, performance=1_424, rating=1_713, share=5_000),
                ],
            )
        ],
    ),
    ratings.RatingList(
        pool="all",
        players=[
            ratings.RatingRow(rank=1, player=ADA, rating=1_713, evenings=12, share=5_833),
            ratings.RatingRow(rank=2, player=GUEST, rating=1_424, evenings=1, provisional=True, share=3_333),
        ],
    ),
)
"""One example of each body."""
