"""The hash chain: every event of a stream holds a hash that covers the event and all events before it.

The canonical bytes of an event are a JSON object with the keys data, recorded_at, schema, stream, type and version, in
this order and without spaces. The hash of an event is SHA-256 over the hash of the previous event followed by these
bytes; the first event follows 32 zero bytes.

While cards are hidden, hashes are secret: they would allow a guess of the hidden cards to be verified.
"""

from hashlib import sha256

from cadogan.server.core.eventlog.event_store import NewEvent
from cadogan.server.core.eventlog.events import Event, encode_event

START_HASH = bytes(32)
"""The hash before the first event of a stream."""


def canonical_bytes(stream: str, version: int, kind: str, schema: int, data: str, recorded_at: int) -> bytes:
    """Return the bytes of an event that are hashed.

    `data` must be canonical JSON already; `stream` and `kind` must be ASCII without characters that JSON escapes.
    """
    return (
        f'{{"data":{data},"recorded_at":{recorded_at},"schema":{schema},'
        f'"stream":"{stream}","type":"{kind}","version":{version}}}'
    ).encode()


def event_hash(
    previous: bytes, stream: str, version: int, kind: str, schema: int, data: str, recorded_at: int
) -> bytes:
    """Return the hash of an event, 32 bytes; `previous` is the hash of the event before it."""
    return sha256(previous + canonical_bytes(stream, version, kind, schema, data, recorded_at)).digest()


def chain_event(previous: bytes, stream: str, version: int, event: Event, recorded_at: int) -> NewEvent:
    """Return the event to append to its stream, with the hash that chains it to the previous event.

    `previous` is the hash of the previous event, `recorded_at` is in milliseconds since 1970.
    """
    kind, schema, data = encode_event(event)
    digest = event_hash(previous, stream, version, kind, schema, data, recorded_at)
    return NewEvent(version, kind, schema, data, recorded_at, digest)
