"""Examples of form, ratings and seasons (`cadogan.wire.examples`)."""

from cadogan.wire import ratings, seasons
from cadogan.wire.admin_examples import ADA, DEALT_AT
from cadogan.wire.game_examples import GUEST
from cadogan.wire.values import Value

_WEEK = 7 * 86_400_000
_WEEKS = ["2026-W48", "2026-W49"]
_BEGINS_AT = 1_795_392_000_000
_LISTED = seasons.ListedSeason(
    id=_WEEKS[0], weeks=_WEEKS, begins_at=_BEGINS_AT, ends_at=_BEGINS_AT + 2 * _WEEK, closed=False
)
_SEASON_SETTINGS = seasons.SeasonSettings(on=True, weeks=2)

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
    _SEASON_SETTINGS,
    seasons.SeasonList(settings=_SEASON_SETTINGS, seasons=[_LISTED]),
    seasons.Season(
        id=_LISTED.id,
        weeks=_WEEKS,
        begins_at=_LISTED.begins_at,
        ends_at=_LISTED.ends_at,
        closes_at=_LISTED.ends_at + 86_400_000,
        closed=False,
        least_sessions=10,
        demotion=True,
        own=2,
        divisions=[
            seasons.SeasonDivision(
                division=2,
                rows=[
                    seasons.SeasonRow(
                        place=1, player=ADA, score=5_833, weeks=[6_667, 5_000], sessions=11, active=True, moves="up"
                    )
                ],
            ),
            seasons.SeasonDivision(
                division=1,
                rows=[seasons.SeasonRow(place=1, player=GUEST, score=0, weeks=[0, 0], sessions=0, active=False)],
            ),
        ],
    ),
)
"""One example of each body."""
