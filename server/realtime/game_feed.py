"""The feed of a game: each committed step is sent to all subscribers, as one message for each access level.

The topic of a game is the name of its stream (`cadogan.server.realtime.topics`).
"""

from collections.abc import Sequence

from cadogan.server.games.commits import Committed
from cadogan.server.games.game_messages import message_for, messages_for
from cadogan.server.games.game_state import Step
from cadogan.server.games.visibility import AccessLevel
from cadogan.server.realtime.connection import Viewer, frame
from cadogan.server.realtime.hub import Hub
from cadogan.wire.codec import encode


class GameFeed:
    """Sends the steps of games on one node."""

    def __init__(self, hub: Hub) -> None:
        self._hub = hub

    def on_commit(self, committed: Committed) -> None:
        """Send the steps to all subscribers of the game. The deal is not sent, because nobody can be subscribed yet."""
        channels = self._hub.subscribers(committed.state.stream).by_access_level
        watched = [access_level for access_level, channel in channels.items() if channel.viewers]
        for step in committed.steps:
            if step.before is None:
                continue
            for access_level, message in messages_for(step, watched):
                channels[access_level].send(frame(encode(message)))

    def answer(self, viewer: Viewer, steps: Sequence[Step], *, again: bool = False) -> None:
        """Answer the player whose command caused these steps, unless `on_commit` has sent them to this connection.

        A command that was sent `again` gets its first answer on the connection that sent it.
        """
        if not again and viewer.topics.get(steps[-1].after.stream) is AccessLevel.SEAT:
            return
        for step in steps:
            viewer.write(frame(encode(message_for(step, AccessLevel.SEAT))))
