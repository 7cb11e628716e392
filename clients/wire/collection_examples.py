"""Examples of a collection, and of the summary for a returning player (`cadogan.wire.examples`)."""

from cadogan.wire import collection
from cadogan.wire.admin_examples import ADA, DEALT_AT, GAME
from cadogan.wire.game_examples import DAILY, DAILY_DEAL, DAY, GUEST
from cadogan.wire.results import Place
from cadogan.wire.values import BoardEntry, Value

WIN = collection.Win(game=GAME, at=DEALT_AT + 301_000, score=52, moves=117, milliseconds=301_000)
FIRST = BoardEntry(rank=1, player=GUEST, points=1_250, moves=117, milliseconds=301_000, runs=1)
SECOND = BoardEntry(rank=2, player=ADA, points=640, moves=71, milliseconds=185_000, runs=1)

COLLECTION_EXAMPLES: tuple[Value, ...] = (
    collection.Collection(
        player=ADA,
        month="2026-11",
        games=[
            collection.CollectedGame(
                rules="klondike", maximum=52, played=12, won=5, best_score=52, first_win=WIN, best_win=WIN
            ),
        ],
        shields=[collection.Shield(rules="klondike", sum=2.5)],
        held=[collection.HeldShield(rules="klondike", month="2026-10", sum=2.25)],
        badges=[
            collection.Badge(kind="only_win", day=DAY, rules="klondike", game=GAME, runs=17),
            collection.Badge(kind="first_win", day=DAY, rules="klondike", game=GAME),
            collection.Badge(kind="all_levels", day="2026-11-19"),
            collection.Badge(kind="streak", day="2026-11-18", days=7),
        ],
    ),
    collection.Returning(
        day=DAY,
        deals=[
            collection.FieldOfDeal(
                slot=1,
                deal=DAILY_DEAL,
                rules="klondike",
                maximum=52,
                runs=17,
                won=4,
                best_score=52,
                yours=collection.OwnYesterday(
                    game=GAME, result="lost", score=23, points=640, place=Place(rank=5, total=17, behind=12)
                ),
            )
        ],
        points=640,
        streak=4,
        best_streak=9,
        place=Place(rank=5, total=21, behind=16),
        boards=[collection.Glance(among="friends", total=2, entries=[FIRST, SECOND], you=SECOND)],
        friends=[
            collection.FriendRun(
                player=GUEST,
                day=DAY,
                deal=DAILY_DEAL,
                rules="klondike",
                game="b2e4s6t3r5u7n2aa",
                result="won",
                score=52,
                maximum=52,
            )
        ],
        today=DAILY.deals,
    ),
)
