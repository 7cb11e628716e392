"""Ratings by Elo-MMR (Ebtekar and Liu, arXiv 2101.00400), with logistic performances and ties split.

The constants are those of `docs/ratings.md`. Every value that is stored is an integer in hundredths, so that two
machines agree.
"""

from collections import Counter
from collections.abc import Callable, Iterable, Sequence
from functools import partial
from math import floor, pi, sqrt, tanh

C = pi / sqrt(3)
NEWCOMER_RATING = 1500.0
NEWCOMER_VARIANCE = 350.0**2
BETA_SQUARED = 38_400.0
DRIFT_SQUARED = 1_280.0
_BETA = sqrt(BETA_SQUARED)
_SPAN = 10_000.0
"""A root lies within so many points of the ratings: the first of n newcomers performs 222·ln n above them."""
_PRECISION = 1e-10
_MOST_STEPS = 200
_Term = tuple[tuple[float, float], float]
"""What one rating adds to an equation: the rating, the slope of its curve, and its weight."""


def sigma_squared(evenings: int) -> float:
    """Return the variance of a rating after this many evenings."""
    variance = NEWCOMER_VARIANCE
    for _ in range(evenings):
        variance = 1 / (1 / (variance + DRIFT_SQUARED) + 1 / BETA_SQUARED)
    return variance


def hundredths(value: float) -> int:
    """Return a value in hundredths, rounded half up."""
    return floor(value * 100 + 0.5)


class PlayerRating:
    """The rating of one player in one pool: `mu`, the variance, and the stored past performances."""

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
        """Update the rating with the performance of an evening."""
        self.remember(performance, self.mu)
        gathered: dict[float, float] = {}
        for value, weight in self.past:
            gathered[value] = gathered.get(value, 0.0) + weight
        slope = C / (2 * _BETA)

        def balance(x: float) -> tuple[float, float]:
            total, growth = self.weight * (x - self.mean), self.weight
            for value, weight in gathered.items():
                share = tanh(slope * (x - value))
                total += weight * _BETA * C * share
                growth += weight * _BETA * C * slope * (1 - share * share)
            return total, growth

        self.mu = hundredths(find_root(balance, [self.mean, *gathered], self.mu)) / 100

    def remember(self, performance: float, mu: float) -> None:
        """Add the performance of an evening after which the rating is already known."""
        self.past.append((performance, 1 / BETA_SQUARED))
        self.variance = 1 / (1 / self.variance + 1 / BETA_SQUARED)
        self.evenings += 1
        self.mu = mu


def performances(field: Sequence[tuple[float, float, int]]) -> dict[int, float]:
    """Return the performance of each place of a field, given as rating, variance and place of each entrant.

    What all entrants add to the equation of a place is the same function for every place; only the equals count twice,
    and how many are better and worse is a constant. So entrants of equal rating and variance are one term, and each
    place begins its search at the root of the place before.
    """
    slopes = {variance: C / (2 * sqrt(variance + BETA_SQUARED)) for _, variance, _ in field}
    equals: dict[int, Counter[tuple[float, float]]] = {}
    for mu, variance, place in field:
        equals.setdefault(place, Counter())[mu, slopes[variance]] += 1
    everybody: Counter[tuple[float, float]] = Counter()
    for own in equals.values():
        everybody.update(own)
    terms = _weighed(everybody)
    ratings = [mu for mu, _ in everybody]
    wins = sum(weight for _, weight in terms)
    found: dict[int, float] = {}
    start, step = max(ratings), 0.0
    for place in sorted(equals):
        own_terms = _weighed(equals[place])
        own_weight = sum(weight for _, weight in own_terms)
        root = find_root(partial(_balance, terms + own_terms, wins - own_weight), ratings, start + step)
        step = root - start if found else 0.0
        found[place] = start = root
        wins -= 2 * own_weight
    return found


def _weighed(entrants: Counter[tuple[float, float]]) -> list[_Term]:
    """Return the terms of these entrants, given by rating and slope: each weighs 1/δ, and its slope is C/2δ."""
    return [((mu, slope), 2 * slope / C * count) for (mu, slope), count in entrants.items()]


def _balance(terms: list[_Term], wins: float, x: float) -> tuple[float, float]:
    """Return the left side of the equation of a performance, and its derivative."""
    total, growth = -wins, 0.0
    for (mu, slope), weight in terms:
        share = tanh(slope * (x - mu))
        total += weight * share
        growth += weight * slope * (1 - share * share)
    return total, growth


def find_root(function: Callable[[float], tuple[float, float]], around: Iterable[float], start: float) -> float:
    """Return the root of an increasing function, which returns its value and derivative.

    Newton's method from `start`; a step outside the bracket is replaced by bisection.
    """
    values = [*around]
    low, high = min(values) - _SPAN, max(values) + _SPAN
    x = start
    for _ in range(_MOST_STEPS):
        value, growth = function(x)
        low, high = (x, high) if value < 0 else (low, x)
        following = x - value / growth if growth > 0 else low
        if not low < following < high:
            following = (low + high) / 2
        if abs(following - x) < _PRECISION:
            return following
        x = following
    return x
