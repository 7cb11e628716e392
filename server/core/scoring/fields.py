"""One field of an evening as it was scored, and how its numbers are shown."""

from fractions import Fraction
from typing import NamedTuple

from cadogan.server.core.scoring.deals import ScoredDeal
from cadogan.server.core.scoring.forms import InvalidForm
from cadogan.server.core.scoring.places import Ranked


class ScoredField(NamedTuple):
    """One field of an evening: its stages, and the players as they rank in the first one and at the end.

    `n` are the largest numbers of counted runs on a deal, by stage.
    """

    name: str
    first: list[ScoredDeal]
    final: list[ScoredDeal]
    n: dict[str, int]
    first_ranked: list[Ranked]
    final_ranked: list[Ranked]

    @property
    def decides(self) -> str:
        """The stage whose result determines the final standing."""
        return "final" if self.final_ranked else "first"


def shown(value: Fraction, scoring: str) -> str:
    """Return hundredths of a per cent, or of a place, rounded half up."""
    hundredths = (value * (100 if scoring == "places" else 10_000) + Fraction(1, 2)).__floor__()
    sign, hundredths = ("-", -hundredths) if hundredths < 0 else ("", hundredths)
    return f"{sign}{hundredths // 100}.{hundredths % 100:02}"


def fraction(value: Fraction) -> str:
    """Return a fraction as text. Raises InvalidForm for one with thousands of digits, which no real runs give."""
    try:
        return f"{value.numerator}/{value.denominator}"
    except ValueError:
        raise InvalidForm("the sums of its shares have too many digits") from None
