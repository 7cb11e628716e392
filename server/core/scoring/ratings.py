"""The list of ratings: what each evening, and each correction, changes."""

from bisect import bisect_left
from collections.abc import Iterable, Iterator, Mapping, Sequence
from math import floor, sqrt
from typing import Any, Literal, NamedTuple

from msgspec.structs import replace

from cadogan.server.core.scoring.deals import id_order
from cadogan.server.core.scoring.elo_mmr import PlayerRating, hundredths, performances
from cadogan.server.core.scoring.forms import Contest, Placed, Ratings

VERSION = "elo-mmr@1"
MIN_PLAYERS = 4
PROVISIONAL_BELOW = 6
ALL = "all"
KINDS = ("person", "bot")
Change = dict[str, Any]
Players = dict[tuple[str, str, str], PlayerRating]
"""By pool, kind and player."""


def rate(form: Ratings) -> dict[str, Any]:
    """Return all rating events in the order in which they are written, and the table after them."""
    steps: list[tuple[int, int, bytes, Contest]] = [(one.at, 0, id_order(one.contest), one) for one in form.contests]
    contests = {one.contest: one for one in form.contests}
    steps += [
        (one.at, 1, id_order(one.contest), replace(contests[one.contest], places=one.places))
        for one in form.corrections
    ]
    now: dict[str, Contest] = {}
    written: Lists = {}
    players: Players = {}
    events: list[dict[str, Any]] = []
    for at, _, _, contest in sorted(steps, key=lambda step: step[:3]):
        now[contest.contest] = contest
        players = {}
        for rated in rate_again([*now.values()], written, players):
            written[rated.key] = rated.changes
            events.append({"at": at, **rated.key._asdict(), "cause": rated.cause, "changes": rated.changes})
    return {"format": "cadogan rating table 1", "version": VERSION, "events": events, "table": [*_table(players)]}


class ListKey(NamedTuple):
    """The key of one list of a contest: its pool and its kind."""

    contest: str
    pool: str
    kind: str


class Rated(NamedTuple):
    """A list that is to be written, since it is new (`contest`) or differs from the one written (`correction`)."""

    key: ListKey
    cause: Literal["contest", "correction"]
    changes: list[Change]


Lists = dict[ListKey, list[Change]]


def rate_again(contests: Iterable[Contest], written: Lists, players: Players) -> Iterator[Rated]:
    """Rate these contests in their order, and yield each list that differs from the one that was written.

    As long as the places of a pool are those of the written lists, their performances are taken from there. `players`
    is filled with everybody's ratings.
    """
    differs = set[tuple[str, str]]()
    pools: dict[str, set[str]] = {}
    for key in written:
        pools.setdefault(key.contest, set()).add(key.pool)
    for contest in sorted(contests, key=lambda one: (one.at, id_order(one.contest))):
        for key in _keys(contest, pools.get(contest.contest, ())):
            placed, known = _placed(contest, key), written.get(key, [])
            if (key.pool, key.kind) not in differs:
                if [(one.player, one.place, one.share) for one in placed] == [*map(_place_of, known)]:
                    _remember(key, known, players)
                    continue
                differs.add((key.pool, key.kind))
            changes = _rate_list(key, placed, players) if placed else []
            if changes != known:
                yield Rated(key, "correction" if key in written else "contest", changes)


def _keys(contest: Contest, written: Iterable[str]) -> Iterator[ListKey]:
    """Return the possible lists of a contest: of all evenings, of its level, and those written for another level."""
    for pool in dict.fromkeys((ALL, contest.family or ALL, *sorted(written))):
        for kind in KINDS:
            yield ListKey(contest.contest, pool, kind)


def _placed(contest: Contest, key: ListKey) -> list[Placed]:
    """Return the players who count in a list, by place and id, with recomputed places; empty if it is not rated."""
    own = [one for one in contest.places if one.kind == key.kind] if key.pool in (ALL, contest.family) else []
    own.sort(key=lambda one: (one.place, id_order(one.player)))
    if len(own) < MIN_PLAYERS or own[0].place == own[-1].place:
        return []
    places = [one.place for one in own]
    return [replace(one, place=bisect_left(places, one.place) + 1) for one in own]


def _place_of(change: Change) -> tuple[str, int, int | None]:
    return change["player"], change["place"], change.get("share")


def _remember(key: ListKey, changes: Iterable[Change], players: Players) -> None:
    for change in changes:
        rating = players.setdefault((key.pool, key.kind, change["player"]), PlayerRating())
        rating.drift()
        rating.remember(change["performance"] / 100, change["after"] / 100)


def _rate_list(key: ListKey, placed: Sequence[Placed], players: Players) -> list[Change]:
    ratings = {one.player: players.setdefault((key.pool, key.kind, one.player), PlayerRating()) for one in placed}
    before = {name: hundredths(rating.mu) for name, rating in ratings.items()}
    for rating in ratings.values():
        rating.drift()
    found = performances([(ratings[one.player].mu, ratings[one.player].variance, one.place) for one in placed])
    rounded = {place: hundredths(value) for place, value in found.items()}
    changes: list[Change] = []
    for one in placed:
        rating = ratings[one.player]
        rating.add(rounded[one.place] / 100)
        change: Change = {
            "player": one.player,
            "place": one.place,
            "performance": rounded[one.place],
            "before": before[one.player],
            "after": hundredths(rating.mu),
            "evenings": rating.evenings,
        }
        changes.append(change if one.share is None else change | {"share": one.share})
    return changes


def _table(players: Mapping[tuple[str, str, str], PlayerRating]) -> Iterator[dict[str, Any]]:
    ordered = sorted(
        players.items(), key=lambda item: (id_order(item[0][0]), item[0][1], -item[1].mu, id_order(item[0][2]))
    )
    for (pool, kind, player), rating in ordered:
        yield {
            "pool": pool,
            "kind": kind,
            "player": player,
            "rating": hundredths(rating.mu),
            "shown": floor(rating.mu + 0.5),
            "sigma": hundredths(sqrt(rating.variance)),
            "evenings": rating.evenings,
            "provisional": rating.evenings < PROVISIONAL_BELOW,
        }
