"""The topics to which a client can subscribe, and who is subscribed to each on this node.

A game and a race are topics under the names of their streams. The progress of a day's runs has the same topic as on the
bus (`cadogan.server.cluster.bus.day_topic`). A leaderboard is the topic `board/<its name>`, and the analysis of a game
`analysis/<its id>`. The chat of a group is the topic `talk/<its id>`.
"""

from cadogan.server.eventlog.streams import game_stream, race_stream
from cadogan.server.games.visibility import AccessLevel
from cadogan.server.realtime.connection import Channel, Viewer

ANALYSES = "analysis/"
BOARDS = "board/"
TALKS = "talk/"


def game_topic(game_id: str) -> str:
    """Return the topic of a game's steps."""
    return game_stream(game_id)


def race_topic(race_id: str) -> str:
    """Return the topic of a race."""
    return race_stream(race_id)


def analysis_topic(game_id: str) -> str:
    """Return the topic of the analysis of a game."""
    return ANALYSES + game_id


def board_topic(board: str) -> str:
    """Return the topic of a leaderboard's changes."""
    return BOARDS + board


def talk_topic(group: str) -> str:
    """Return the topic of a group's chat."""
    return TALKS + group


class Subscribers:
    """The subscribers of one topic on this node, by access level."""

    __slots__ = ("by_access_level",)

    def __init__(self) -> None:
        self.by_access_level = {
            access_level: Channel(is_charged=access_level is not AccessLevel.SEAT) for access_level in AccessLevel
        }

    @property
    def is_empty(self) -> bool:
        """Whether there are no subscribers."""
        return not any(channel.viewers for channel in self.by_access_level.values())

    @property
    def spectators(self) -> list[Viewer]:
        """The spectators in the order of their subscription, without the player's own connections."""
        return [
            viewer
            for access_level in (AccessLevel.BOARD, AccessLevel.PROGRESS)
            for viewer in self.by_access_level[access_level].viewers
        ]

    def __len__(self) -> int:
        return sum(len(channel.viewers) for channel in self.by_access_level.values())

    def send(self, framed: bytes) -> None:
        """Send the same frame to all subscribers, at any access level."""
        for channel in self.by_access_level.values():
            channel.send(framed)
