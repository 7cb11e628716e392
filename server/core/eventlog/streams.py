"""The names of the streams: the kind of aggregate, and its id.

    game/<game>               one player's game
    match/<race>              a race, from its opening to its end
    daily/<day>               a day, from its announcement to its close
    watched/<deal>/<player>   which other players' games of a deal a player has seen
    house                     the acts of hosts and moderators, the only stream of its kind
    ratings                   what each evening has changed in the ratings, the only stream of its kind
    season/<season>           a season, named by its group if it has one, and its first week: its members, its end
    shields                   who has won the shield of each game and month, the only stream of its kind

The names are stored with every event and are part of every hash, so they never change. A race's streams are named
`match`, the old word for races.
"""

GAMES = "game/"
RACES = "match/"
DAYS = "daily/"
VIEWS = "watched/"
HOUSE = "house"
RATINGS = "ratings"
SHIELDS = "shields"
SEASONS = "season/"


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


def entry_name(type: str, id: str) -> str:
    """Return the name under which the log keeps an event of a day or a competition that is not its end.

    It takes the place of a stream's name there: an entry with the name `daily/<day>` means that the day has closed.

    >>> entry_name("daily_announced", "2026-11-20")
    'daily_announced/2026-11-20'
    """
    return f"{type}/{id}"


def view_stream(deal: str, player: str) -> str:
    """Return the stream of the views that a player had of games of a deal."""
    return f"{VIEWS}{deal}/{player}"


def season_stream(season: str) -> str:
    """Return the stream of a season's events.

    >>> season_stream("2026-W48")
    'season/2026-W48'
    >>> season_stream("aaaabbbbccccdddd-2026-W48")  # that of a group
    'season/aaaabbbbccccdddd-2026-W48'
    """
    return SEASONS + season


def id_of(stream: str) -> str:
    """Return the part of the stream's name after its kind.

    >>> id_of("game/aaaabbbbccccdddd")
    'aaaabbbbccccdddd'
    """
    return stream.partition("/")[2]
