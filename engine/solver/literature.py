"""Shares of deals that can be won, as others have published them, beside those of our own run.

The figures are those of Charlie Blake and Ian P. Gent, *The Winnability of Klondike Solitaire and Many Other Patience
Games*, Journal of Artificial Intelligence Research 85 (2026), article 21, https://doi.org/10.1613/jair.1.17167: the
intervals of table 1, the deals of table 8. They play thoughtfully too. Only games are here whose rules are the same as
ours in their table 6, so that the shares are of the same thing; docs/winnability.md says which ones are not.
"""

from collections.abc import Iterable
from typing import NamedTuple

from cadogan.engine.solver.winnability_summary import GameSummary, Interval

_HEAD = ("game", "deals", "undecided", "can be won", "Blake and Gent", "their deals", "their undecided", "intervals")


class PublishedShare(NamedTuple):
    """The share of deals of a game that can be won, as it was published: `percent` ± `radius`, with 95 % confidence.

    Of their `deals`, `undecided` are neither won nor lost; the interval allows for both.
    """

    percent: float
    radius: float
    deals: int
    undecided: int

    @property
    def interval(self) -> Interval:
        """The interval as shares from 0 to 1."""
        return max(0.0, (self.percent - self.radius) / 100), min(1.0, (self.percent + self.radius) / 100)


BLAKE_AND_GENT = {
    "freecell": PublishedShare(99.998881, 0.000207, 10_000_000, 0),
    "golf": PublishedShare(45.109, 0.032, 10_000_000, 0),
    "klondike-draw-one": PublishedShare(90.480, 0.116, 1_000_000, 1_145),
    "klondike-draw-three": PublishedShare(81.945, 0.084, 1_000_000, 157),
    "spider-four-suits": PublishedShare(98.487, 1.513, 10_000, 269),
}
"""Their figures, by the name that the game has here."""


def overlaps(one: Interval, other: Interval) -> bool:
    """Whether two intervals have a share in common.

    >>> overlaps((0.2, 0.5), (0.5, 0.9)), overlaps((0.2, 0.4), (0.5, 0.9))
    (True, False)
    """
    return one[0] <= other[1] and other[0] <= one[1]


def literature_table(summaries: Iterable[GameSummary]) -> list[str]:
    """Return the table in Markdown, line by line: each game of the run for which a share was published."""
    lines = [f"| {' | '.join(_HEAD)} |", "| --- |" + " ---: |" * (len(_HEAD) - 2) + " --- |"]
    return lines + [
        f"| {' | '.join(_cells(one, BLAKE_AND_GENT[one.game]))} |" for one in summaries if one.game in BLAKE_AND_GENT
    ]


def _cells(ours: GameSummary, theirs: PublishedShare) -> list[str]:
    low, high = ours.can_be_won
    return [
        ours.game,
        f"{ours.deals:,}",
        f"{ours.unknown:,}",
        f"{100 * low:.1f}–{100 * high:.1f} %",
        f"{theirs.percent} ± {theirs.radius:f}".rstrip("0") + " %",
        f"{theirs.deals:,}",
        f"{theirs.undecided:,}",
        "overlap" if overlaps(ours.can_be_won, theirs.interval) else "**do not overlap**",
    ]
