"""The events of the streams `ratings` and `shields`, and the rows that follow from the first. Pure.

`docs/ratings.md` says how they are computed, and `cadogan.server.core.scoring.ratings` does it.
"""

from collections.abc import Iterable
from dataclasses import dataclass

from msgspec import Struct
from msgspec.structs import asdict

RatingKey = tuple[str, str, str]
"""A list of ratings: the evening, the pool and the kind."""


class RatedPlayer(Struct, frozen=True, omit_defaults=True):
    """What an evening changed for one player.

    `place` counts those of the same kind only, and `share` is the total of the standing, in hundredths of a per cent.
    `performance`, and the rating `before` and `after`, are hundredths. `evenings` is how many are rated with this one.
    """

    player: str
    place: int
    performance: int
    before: int
    after: int
    evenings: int
    share: int | None = None


class EveningRated(Struct, frozen=True, omit_defaults=True):
    """An evening was rated in a pool, among people or among bots (`kind`), for the first time or again.

    It replaces what was written of this evening, pool and kind before. `cause` is `contest`, or `correction` after a
    run was struck or returned, or an evening before this one has changed. `struck` are the runs of the evening that
    were struck by then, sorted. A long list is in several events with the numbers of its parts, from 1.
    """

    version: str
    evening: str
    pool: str
    kind: str
    cause: str
    changes: tuple[RatedPlayer, ...]
    struck: tuple[str, ...] = ()
    part: int | None = None


class ShieldWon(Struct, frozen=True):
    """A player has won the shield of a game in a month, or `kept` it. `sum` adds up their best three shares."""

    game: str
    month: str
    player: str
    sum: str
    kept: bool


@dataclass(frozen=True, slots=True)
class RatingRow:
    """What an evening has changed for a player in a pool, as the last list of it says. `kind` is `person` or `bot`.

    `evenings` numbers the rated evenings of the player in this pool, so the row with the largest has the rating of now.
    """

    evening: str
    pool: str
    kind: str
    player: str
    place: int
    performance: int
    before: int
    after: int
    evenings: int
    share: int | None


def project_ratings(events: Iterable[object]) -> dict[RatingKey, list[RatingRow]]:
    """Return the ratings after these events of the stream `ratings`, by evening, pool and kind."""
    lists: dict[RatingKey, list[RatingRow]] = {}
    for event in events:
        if isinstance(event, EveningRated):
            key = (event.evening, event.pool, event.kind)
            before = [] if event.part in (None, 1) else lists[key]
            lists[key] = before + [RatingRow(*key, **asdict(change)) for change in event.changes]
    return lists
