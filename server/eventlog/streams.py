"""The names of the streams: what kind of thing each stream tells of, and which one.

    game/<game>               one player's game
    match/<race>              a race, from its opening to its end
    daily/<day>               a day, from its announcement to its close
    watched/<deal>/<player>   what a player was shown of other players' games of a deal
    house                     what hosts and moderators have done, the only stream of its kind

The names are stored with every event and go into every hash, so they never change. A race's streams say `match`, as
races were called when the first of them was stored.
"""

GAMES = "game/"
RACES = "match/"
DAYS = "daily/"
VIEWS = "watched/"
HOUSE = "house"


def game_stream(game_id: str) -> str:
    """Return the stream of a game's events.

    >>> game_stream("aaaabbbbccccdddd")
    'game/aaaabbbbccccdddd'
    """
    return GAMES + game_id


def race_stream(race_id: str) -> str:
    """Return the stream of a race's events."""
    return RACES + race_id


def day_stream(day: str) -> str:
    """Return the stream of a day's events.

    >>> day_stream("2026-11-20")
    'daily/2026-11-20'
    """
    return DAYS + day


def view_stream(deal: str, player: str) -> str:
    """Return the stream of what a player was shown of a deal."""
    return f"{VIEWS}{deal}/{player}"


def id_of(stream: str) -> str:
    """Return what the stream's name says after its kind.

    >>> id_of("game/aaaabbbbccccdddd")
    'aaaabbbbccccdddd'
    """
    return stream.partition("/")[2]
