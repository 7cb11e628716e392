"""Finds the streams of the log that are public: those whose deal's secret an event has revealed.

Pure, so that a root can be computed from a database and from a backup.
"""

import msgspec

from cadogan.server.eventlog.events import UnreadableEvent
from cadogan.server.eventlog.streams import DAYS, GAMES, RACES, VIEWS
from cadogan.server.fairness.deal_ids import revealing_stream

REVEALING_EVENTS = {DAYS: "daily_closed", RACES: "match_finished"}
"""The event that reveals the secret, by the name prefix of the stream (days and races)."""
SELF_REVEALING_EVENT = "deal_revealed"
"""The last event of a casual game, which reveals its own secret."""


class _Begun(msgspec.Struct):
    """The fields of the first event of a game, or of its views, that name the deal."""

    deal: str = ""


_begun = msgspec.json.Decoder(_Begun).decode


def revealed_by(stream: str, first: str) -> str:
    """Return the stream whose end reveals the deal of this stream. `first` is the data of this stream's first event.

    Raises UnreadableEvent if the data is not a JSON object.
    """
    if not stream.startswith((GAMES, VIEWS)):
        return stream
    try:
        return revealing_stream(_begun(first).deal) or stream
    except (msgspec.DecodeError, UnicodeError, RecursionError) as error:
        raise UnreadableEvent(f"{stream}: the data of its first event cannot be read: {error}") from None
