"""A third verifier of the log, written from `docs/record.md` alone, without code of the server or the web client.

It checks the hash chain of a record, that its entry is in a log signed by a host, which witnesses signed that log, and
that one checkpoint of a log extends another one, by the log's tiles. It checks nothing else in a record.

    Refused     a check failed; the message says which
"""

import json
from base64 import b64decode, b64encode
from collections.abc import Callable
from hashlib import sha256
from typing import Any

from cryptography.exceptions import InvalidSignature
from cryptography.hazmat.primitives.asymmetric.ed25519 import Ed25519PublicKey

HOST, WITNESS = 1, 4
Key = tuple[str, bytes, int, bytes]
"""The name of a key, its id, its kind, and its 32 bytes."""


class Refused(Exception):
    """A record or a log failed a check."""


def require(holds: bool, what: str) -> None:
    """Raise Refused unless `holds` is true."""
    if not holds:
        raise Refused(what)


def canonical(value: Any) -> bytes:
    """The canonical JSON of a value."""
    return json.dumps(value, sort_keys=True, separators=(",", ":"), ensure_ascii=False).encode()


def read_base64(text: str) -> bytes:
    """Decode base64; only the canonical encoding is accepted."""
    try:
        found = b64decode(text, validate=True)
    except ValueError:
        raise Refused("not base64") from None
    require(b64encode(found).decode() == text, "base64 in another way than it should be")
    return found


def read_number(text: str) -> int:
    """Parse a number of entries, in decimal."""
    require(text.isascii() and text.isdigit() and str(int(text)) == text, "not a number")
    return int(text)


def read_hash(text: str) -> bytes:
    """Decode a hash from base64."""
    found = read_base64(text)
    require(len(found) == 32, "not a hash")
    return found


def read_key(text: str) -> Key:
    """Parse a public key."""
    name, id, encoded = text.split("+", 2)
    raw = read_base64(encoded)
    require(sha256(name.encode() + b"\n" + raw).digest()[:4].hex() == id, "the id of a key does not fit it")
    return name, bytes.fromhex(id), raw[0], raw[1:]


def last_hash(record: dict[str, Any]) -> tuple[int, bytes]:
    """Return the version and the hash of the last event of a record, computed from all events."""
    before = bytes(32)
    for version, event in enumerate(record["events"], 1):
        hashed = {name: event[name] for name in ("version", "type", "schema", "data", "recorded_at")}
        before = sha256(before + canonical({**hashed, "stream": record["stream"]})).digest()
        require((event["version"], event["hash"]) == (version, before.hex()), f"the chain breaks at event {version}")
    return len(record["events"]), before


def leaf_of(record: dict[str, Any]) -> bytes:
    """Return the leaf hash for a whole record."""
    version, head = last_hash(record)
    digest = sha256(b"cadogan/logged/1\0" + bytes.fromhex(record["secret"]) + head).hexdigest()
    entry = canonical({"digest": digest, "stream": record["stream"], "version": version})
    return sha256(b"\0" + entry).digest()


def node(left: bytes, right: bytes) -> bytes:
    """The hash of a node."""
    return sha256(b"\1" + left + right).digest()


def half(count: int) -> int:
    """Return the size of the left branch: the largest power of two below `count`."""
    size = 1
    while size * 2 < count:
        size *= 2
    return size


def climb(leaf: bytes, number: int, size: int, hashes: list[bytes]) -> bytes:
    """Return the root above a leaf, given the hashes of a proof."""
    require(0 <= number < size, "the tree has no such entry")
    if size == 1:
        require(not hashes, "the proof has too many hashes")
        return leaf
    require(bool(hashes), "the proof has too few hashes")
    left = half(size)
    if number < left:
        return node(climb(leaf, number, left, hashes[:-1]), hashes[-1])
    return node(hashes[-1], climb(leaf, number - left, size - left, hashes[:-1]))


def signers(note: str, keys: list[Key]) -> dict[str, int | None]:
    """Return which of these keys signed a note, by name, and for witnesses the time."""
    text, empty, lines = note.rpartition("\n\n")
    require(bool(empty) and lines.endswith("\n"), "a note ends with its signatures")
    found: dict[str, int | None] = {}
    for line in lines.removesuffix("\n").split("\n"):
        parts = line.split(" ")
        require(len(parts) == 3 and parts[0] == "\N{EM DASH}" and is_name(parts[1]), "no signature")
        name, signature = parts[1], read_base64(parts[2])
        require(len(signature) > 4, "a signature is too short")
        for key_name, id, kind, public in keys:
            if (name, signature[:4]) != (key_name, id):
                continue
            message, value, at = text + "\n", signature[4:], None
            if kind == WITNESS:
                at, value = int.from_bytes(value[:8]), value[8:]
                message = f"cosignature/v1\ntime {at}\n{message}"
            try:
                Ed25519PublicKey.from_public_bytes(public).verify(value, message.encode())
            except InvalidSignature:
                raise Refused(f"the signature of {name} does not fit") from None
            found[name] = at
    return found


def is_name(name: str) -> bool:
    """Return whether a key may have this name."""
    return bool(name) and not any(one.isspace() or one < " " or one == "+" for one in name)


def read_checkpoint(note: str) -> tuple[str, int, bytes]:
    """Parse the origin, the number of entries and the root of a checkpoint."""
    lines = note.partition("\n\n")[0].split("\n")
    require(len(lines) >= 3 and all(lines), "a checkpoint has three lines")
    return lines[0], read_number(lines[1]), read_hash(lines[2])


def verify(record: dict[str, Any], keys: list[str]) -> tuple[int, int, dict[str, int | None]]:
    """Return the number of a record's entry, the size of the log, and which of these keys signed it. Raises Refused."""
    head, _, note = record["proof"].partition("\n\n")
    first, *lines = head.split("\n")
    require(first == "c2sp.org/tlog-proof@v1", "this is no proof")
    if lines and lines[0].startswith("extra "):
        del lines[0]
    require(bool(lines) and lines[0].startswith("index "), "the proof names no entry")
    number = read_number(lines[0].removeprefix("index "))
    origin, size, root = read_checkpoint(note)
    hashes = [read_hash(line) for line in lines[1:]]
    require(climb(leaf_of(record), number, size, hashes) == root, "the proof leads to another root")
    signed = signers(note, [read_key(key) for key in keys])
    require(origin in signed, "the host has not signed the log")
    return number, size, signed


def root_of(size: int, tile: Callable[[str], bytes]) -> bytes:
    """Return the root over the first `size` entries, from the tiles with the leaf hashes."""

    def over(leaves: list[bytes]) -> bytes:
        left = half(len(leaves))
        return leaves[0] if len(leaves) == 1 else node(over(leaves[:left]), over(leaves[left:]))

    leaves: list[bytes] = []
    for number in range(-(-size // 256)):
        width = min(256, size - 256 * number)
        hashes = tile(tile_path("0", number, width))
        leaves += [hashes[at : at + 32] for at in range(0, 32 * width, 32)]
    return over(leaves) if leaves else sha256().digest()


def tile_path(kind: str, number: int, width: int) -> str:
    """Return the path of a tile under `/log/tile/`; `kind` is its level, or `entries`."""
    digits = str(number)
    digits = digits.zfill(-(-len(digits) // 3) * 3)
    groups = [digits[at : at + 3] for at in range(0, len(digits), 3)]
    name = "/".join([*(f"x{group}" for group in groups[:-1]), groups[-1]])
    return f"{kind}/{name}" + (f".p/{width}" if width < 256 else "")
