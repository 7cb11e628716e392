"""The chain of hashes that binds each event of a stream to all before it.

An event's canonical bytes are the JSON object of its data, time, schema, stream, type and version, keys in that order,
no space between tokens; its hash is SHA-256 over the hash before it and those bytes. The first event stands on 32 zero
bytes. While cards are hidden no hash is shown to anyone: a chain over hidden cards would let a guess at them be tested.
"""

from hashlib import sha256

from server.eventlog.event_store import NewEvent
from server.eventlog.events import Event, written

START = bytes(32)
"""What stands before the first event."""


def canonical(stream: str, version: int, kind: str, schema: int, data: str, recorded_at: int) -> bytes:
    """The bytes that are hashed. `data` is canonical JSON already; names are plain ASCII and need no escapes."""
    return (
        f'{{"data":{data},"recorded_at":{recorded_at},"schema":{schema},'
        f'"stream":"{stream}","type":"{kind}","version":{version}}}'
    ).encode()


def link(before: bytes, stream: str, version: int, kind: str, schema: int, data: str, recorded_at: int) -> bytes:
    """The hash of an event, 32 bytes, given the hash of the one before it."""
    return sha256(before + canonical(stream, version, kind, schema, data, recorded_at)).digest()


def seal(before: bytes, stream: str, version: int, event: Event, recorded_at: int) -> NewEvent:
    """The event as it goes into the log as `version` of its stream, after the event whose hash is `before`."""
    kind, schema, data = written(event)
    digest = link(before, stream, version, kind, schema, data, recorded_at)
    return NewEvent(version, kind, schema, data, recorded_at, digest)
