"""The list of ratings: what each evening, and each correction, changes."""

from collections.abc import Iterator, Mapping, Sequence
from math import floor, sqrt
from typing import Any

from cadogan.server.core.scoring.deals import id_order
from cadogan.server.core.scoring.elo_mmr import PlayerRating, hundredths, performances
from cadogan.server.core.scoring.forms import Contest, Placed, Ratings

VERSION = "elo-mmr@1"
LEAST_PLAYERS = 4
PROVISIONAL_BELOW = 6
ALL = "all"
KINDS = ("person", "bot")
Change = dict[str, Any]
ListKey = tuple[str, str, str]
"""Contest, pool and kind."""
Lists = dict[ListKey, list[Change]]
Players = dict[tuple[str, str, str], PlayerRating]
"""By pool, kind and player."""


def rate(form: Ratings) -> dict[str, Any]:
    """Return all rating events in the order in which they are written, and the table after them."""
    steps: list[tuple[int, int, bytes, str, list[Placed] | None]] = [
        (one.at, 0, id_order(one.contest), one.contest, None) for one in form.contests
    ]
    steps += [(one.at, 1, id_order(one.contest), one.contest, one.places) for one in form.corrections]
    contests = {one.contest: one for one in form.contests}
    places = {one.contest: one.places for one in form.contests}
    rated: list[Contest] = []
    written: Lists = {}
    players: Players = {}
    events: list[dict[str, Any]] = []
    for at, is_correction, _, name, corrected in sorted(steps, key=lambda step: step[:3]):
        if corrected is not None:
            places[name] = corrected
            players, lists = {}, Lists()
            for contest in rated:
                lists |= _rate_one(contest, places[contest.contest], players)
            for contest in rated:
                for key in _keys(contest):
                    if lists.get(key) != written.get(key):
                        events.append(_event(at, key, "correction", lists.get(key, [])))
            written = lists
        else:
            rated.append(contests[name])
            found = _rate_one(contests[name], places[name], players)
            events += [_event(at, key, "contest", found[key]) for key in _keys(contests[name]) if key in found]
            written |= found
        del is_correction
    return {"format": "cadogan rating table 1", "version": VERSION, "events": events, "table": [*_table(players)]}


def _keys(contest: Contest) -> Iterator[ListKey]:
    for pool in dict.fromkeys((ALL, contest.family or ALL)):
        for kind in KINDS:
            yield contest.contest, pool, kind


def _event(at: int, key: ListKey, cause: str, changes: list[Change]) -> dict[str, Any]:
    return {"at": at, "contest": key[0], "pool": key[1], "kind": key[2], "cause": cause, "changes": changes}


def _rate_one(contest: Contest, places: Sequence[Placed], players: Players) -> Lists:
    lists: Lists = {}
    for key in _keys(contest):
        own = sorted((placed for placed in places if placed.kind == key[2]), key=lambda placed: placed.place)
        if len(own) >= LEAST_PLAYERS and own[0].place != own[-1].place:
            lists[key] = _rate_list(key, own, players)
    return lists


def _rate_list(key: ListKey, own: Sequence[Placed], players: Players) -> list[Change]:
    place: dict[str, int] = {}
    for number, placed in enumerate(own, 1):
        above = own[number - 2] if number > 1 else None
        place[placed.player] = place[above.player] if above and above.place == placed.place else number
    ratings = {name: players.setdefault((key[1], key[2], name), PlayerRating()) for name in place}
    before = {name: hundredths(rating.mu) for name, rating in ratings.items()}
    for rating in ratings.values():
        rating.drift()
    found = performances([(rating.mu, rating.variance, place[name]) for name, rating in ratings.items()])
    rounded = {number: hundredths(value) for number, value in found.items()}
    changes = []
    for name, rating in ratings.items():
        rating.add(rounded[place[name]] / 100)
        changes.append(
            {
                "player": name,
                "place": place[name],
                "performance": rounded[place[name]],
                "before": before[name],
                "after": hundredths(rating.mu),
                "evenings": rating.evenings,
            }
        )
    return sorted(changes, key=lambda change: (change["place"], id_order(change["player"])))


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
