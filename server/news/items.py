"""News items: an event of the house, with ids, and its text and data with names, in a language."""

from collections.abc import Sequence
from datetime import UTC, datetime
from typing import Any, Literal, NamedTuple

from msgspec import Struct

from cadogan.engine import UnknownGame
from cadogan.engine.rule_pages import read_rule_page
from cadogan.server.core.words import words_in
from cadogan.wire.webhooks import Topic

Kind = Topic | Literal["test"]


class Place(Struct, frozen=True):
    """A place on the board of a day, or in a race; `figure` is the points, or the score."""

    rank: int
    player: str
    figure: int


class Item(Struct, frozen=True):
    """A news item. `about` is a day, or the id of a race or a report; `games` are slugs, `players` ids.

    A report has its `reason` and the id of its `run`, if any; `count` is the number of findings.
    """

    kind: Kind
    about: str
    at: int
    games: tuple[str, ...] = ()
    players: tuple[str, ...] = ()
    places: tuple[Place, ...] = ()
    reason: str = ""
    run: str = ""
    count: int = 0

    @property
    def id(self) -> str:
        """The item's id, the same on every node, so that it is sent only once."""
        return f"{self.kind}/{self.about}"


class RenderedItem(NamedTuple):
    """An item with names: a text for people, and the data for programs."""

    text: str
    data: dict[str, Any]


def render_item(item: Item, names: dict[str, str], house: str, origin: str, language: str) -> RenderedItem:
    """Return an item with names. `names` are the players' names by id; `origin` is the base of the server's URLs.

    The text is in the language of this tag; the data does not depend on the language.
    """
    words = words_in(language).news
    said = {"house": house, "day": item.about, "games": ", ".join(game_name(slug, language) for slug in item.games)}
    places = [{"rank": one.rank, "player": names[one.player], "figure": one.figure} for one in item.places]
    data: dict[str, Any] = {"house": house}
    match item.kind:
        case "day_opened":
            url = f"{origin}/daily/{item.about}"
            data |= {"day": item.about, "games": list(item.games)}
            lines = [words.day_opened.format(**said)]
        case "day_closed":
            url = f"{origin}/board/{item.about}"
            data |= {"day": item.about, "games": list(item.games), "top": places}
            lines = [words.day_closed.format(**said), *_lines(places, words.points)]
        case "race_started":
            url = f"{origin}/race/{item.about}"
            players = [names[player] for player in item.players]
            data |= {"race": item.about, "games": list(item.games), "players": players}
            lines = [words.race_started.format(**said, players=", ".join(players))]
        case "race_ended":
            url = f"{origin}/race/{item.about}"
            data |= {"race": item.about, "games": list(item.games), "results": places}
            lines = [words.race_ended.format(**said), *_lines(places, words.cards_home)]
        case "report_made":  # without the player's name: only moderators may see the subject of a report
            url = f"{origin}/house?part=reports"
            data |= {"report": item.about, "about": "run" if item.run else "player", "reason": item.reason}
            sentence = words.run_reported if item.run else words.player_reported
            lines = [sentence.format(**said, reason=words.reasons.get(item.reason, item.reason))]
        case "findings_made":
            url = f"{origin}/house?part=findings&day={item.about}"
            data |= {"day": item.about, "count": item.count}
            lines = [words.found[item.count != 1].format(**said, count=item.count)]
        case _:
            url = f"{origin}/"
            lines = [words.test.format(**said)]
    data["url"] = url
    data["at"] = datetime.fromtimestamp(item.at // 1000, UTC).isoformat().replace("+00:00", "Z")
    return RenderedItem("\n".join([*lines, url] if origin else lines), data)


def game_name(slug: str, language: str) -> str:
    """Return the name of a game in a language; its slug, if this version of the server does not have the game."""
    try:
        return read_rule_page(slug, language).name
    except UnknownGame:
        return slug


def _lines(places: Sequence[dict[str, Any]], unit: str) -> list[str]:
    return [f"{one['rank']}. {one['player']} ({one['figure']} {unit})" for one in places]
