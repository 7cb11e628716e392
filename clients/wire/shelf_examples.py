"""Examples of the shelf of games, and of the statistics of each game (`cadogan.wire.examples`)."""

from msgspec.structs import asdict

from cadogan.wire import bodies, shelf, winnability
from cadogan.wire.values import Value

RULES_CARD = bodies.RulesCard(
    slug="klondike",
    name="Klondike",
    summary="Seven columns, built down in alternating colours.",
    packs=1,
    rules_version=1,
    maximum=52,
)

SHELF_EXAMPLES: tuple[Value, ...] = (
    shelf.Shelf(
        games=[
            shelf.ShelfGame(
                **asdict(RULES_CARD),
                shelf="book",
                level="stern",
                also_known_as=["Solitaire"],
                picture=shelf.Picture(width=7.6, height=2.9, drawn=[[0, 0, 0, 2], [1.1, 0, 0, 0], [0, 1.3, 0, 1]]),
                minutes=6,
                measured=False,
                played=40,
                won=3,
            )
        ]
    ),
    winnability.WinnabilityTable(
        solver=4,
        games=[
            winnability.GameWinnability(
                slug="klondike",
                name="Canfield or Klondike",
                level="stern",
                rules_version=1,
                deals=100,
                budget=10_000,
                won=winnability.Verdicts(deals=30, low=0.2189, high=0.3958),
                lost=winnability.Verdicts(deals=10, low=0.0552, high=0.1744),
                unknown=winnability.Verdicts(deals=60, low=0.502, high=0.6906),
                can_be_won=winnability.Interval(low=0.2189, high=0.9448),
                nodes=10_000,
                nodes_per_second=20_000,
                seconds=0.5,
                moves=106,
            )
        ],
    ),
)
