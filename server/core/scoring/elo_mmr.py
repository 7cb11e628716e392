"""Ratings by Elo-MMR (Ebtekar and Liu, arXiv 2101.00400), with logistic performances and ties split.

The constants are those of `docs/ratings.md`. Every value that is stored is an integer in hundredths, so that two
machines agree.
"""

from collections import Counter
from collections.abc import Callable, Iterable, Sequence
from math import floor, pi, sqrt, tanh

C = pi / sqrt(3)
NEWCOMER_RATING = 1500.0
NEWCOMER_VARIANCE = 350.0**2
BETA_SQUARED = 38_400.0
DRIFT_SQUARED = 1_280.0
_BETA = sqrt(BETA_SQUARED)
_SPAN = 6_000.0
"""A root lies within so many points of the terms, and is bracketed further if not."""
_PRECISION = 1e-10


def sigma_squared(evenings: int) -> float:
    """Return the variance of a rating after so many evenings."""
    variance = NEWCOMER_VARIANCE
    for _ in range(evenings):
        variance = 1 / (1 / (variance + DRIFT_SQUARED) + 1 / BETA_SQUARED)
    return variance


def hundredths(value: float) -> int:
    """Return a value in hundredths, rounded half up."""
    return floor(value * 100 + 0.5)


class PlayerRating:
    """The rating of one player in one pool: `mu`, the variance, and what is remembered of past performances."""

    __slots__ = ("evenings", "mean", "mu", "past", "variance", "weight")

    def __init__(self) -> None:
        self.mu = NEWCOMER_RATING
        self.variance = NEWCOMER_VARIANCE
        self.mean = NEWCOMER_RATING
        self.weight = 1 / NEWCOMER_VARIANCE
        self.past: list[tuple[float, float]] = []
        self.evenings = 0

    def drift(self) -> None:
        """Let the time before an evening pass."""
        later = self.variance + DRIFT_SQUARED
        kept = self.variance / later
        own = kept * self.weight
        moved = (1 - kept) * (self.weight + sum(weight for _, weight in self.past))
        self.mean = (own * self.mean + moved * self.mu) / (own + moved)
        self.weight = kept * (own + moved)
        self.past = [(performance, kept * kept * weight) for performance, weight in self.past]
        self.variance = later

    def add(self, performance: float) -> None:
        """Take in the performance of an evening."""
        self.past.append((performance, 1 / BETA_SQUARED))
        gathered: dict[float, float] = {}
        for value, weight in self.past:
            gathered[value] = gathered.get(value, 0.0) + weight
        terms = [*gathered.items()]

        def slope(x: float) -> float:
            return self.weight * (x - self.mean) + sum(
                weight * _BETA * C * tanh(C * (x - value) / (2 * _BETA)) for value, weight in terms
            )

        self.mu = hundredths(find_root(slope, [self.mean, *gathered])) / 100
        self.variance = 1 / (1 / self.variance + 1 / BETA_SQUARED)
        self.evenings += 1


def performances(field: Sequence[tuple[float, float, int]]) -> dict[int, float]:
    """Return the performance of each place of a field, given as rating, variance and place of each entrant."""
    terms = Counter((mu, variance, place) for mu, variance, place in field)
    known = [(mu, sqrt(variance + BETA_SQUARED), place, count) for (mu, variance, place), count in terms.items()]

    def of_place(own: int) -> float:
        def balance(x: float) -> float:
            total = 0.0
            for mu, delta, place, count in known:
                value = tanh(C * (x - mu) / (2 * delta))
                sign = (place > own) - (place < own)
                total += count * ((2 * value if place == own else value) - sign) / delta
            return total

        return find_root(balance, [mu for mu, *_ in known])

    return {place: of_place(place) for place in sorted({place for _, _, place in field})}


def find_root(function: Callable[[float], float], around: Iterable[float]) -> float:
    """Return the root of a function that grows, by bisection."""
    values = [*around]
    low, high = min(values) - _SPAN, max(values) + _SPAN
    while function(low) > 0:
        low -= high - low
    while function(high) < 0:
        high += high - low
    while high - low > _PRECISION:
        middle = (low + high) / 2
        if middle in (low, high):
            break
        if function(middle) < 0:
            low = middle
        else:
            high = middle
    return (low + high) / 2
