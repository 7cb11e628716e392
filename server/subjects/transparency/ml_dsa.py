"""Cosignatures of witnesses by ML-DSA-44, which a quantum computer does not break (C2SP `tlog-cosignature`, FIPS 204).

What is signed is no text, as with Ed25519, but the structure `cosigned_message`: it has the name of the witness, and of
the checkpoint only its three lines. Earlier versions of the library `cryptography`, or of OpenSSL, do not know ML-DSA.

>>> cosigned_message("w", 1, "log\\n5\\n" + "A" * 43 + "=\\n")[:16]
b'subtree/v1\\n\\x00\\x01w\\x00\\x00'
>>> cosigned_message("w", 1, "no checkpoint") is None
True
"""

import re
from base64 import b64decode, b64encode
from functools import cache

from cryptography.exceptions import InvalidSignature, UnsupportedAlgorithm

try:
    from cryptography.hazmat.primitives.asymmetric.mldsa import MLDSA44PublicKey
except ImportError:  # an earlier version of the library
    MLDSA44PublicKey = None  # type: ignore[assignment, misc]

PUBLIC_KEY_BYTES = 1312
MAX_SECONDS = 2**63 - 1
"""The latest time that a cosignature may have, in seconds since 1970."""
_LABEL = b"subtree/v1\n\0"
_CHECKPOINT = re.compile(r"([^\n]+)\n(0|[1-9][0-9]{0,18})\n([A-Za-z0-9+/]{43}=)\n")


@cache
def is_known() -> bool:
    """Return whether the installed library `cryptography` can check these signatures."""
    try:
        return MLDSA44PublicKey is not None and bool(MLDSA44PublicKey.from_public_bytes(bytes(PUBLIC_KEY_BYTES)))
    except UnsupportedAlgorithm:
        return False


def cosigned_message(name: str, at_seconds: int, text: str) -> bytes | None:
    """Return the message that the witness of this name signs for a checkpoint, seen at this time in seconds since 1970.

    None if there is no such message: the text is no checkpoint, or a name or the time is too large.
    """
    found = _CHECKPOINT.match(text)
    if found is None or at_seconds > MAX_SECONDS:
        return None
    origin, size, root = found[1].encode(), int(found[2]), b64decode(found[3])
    witness = name.encode()
    if len(origin) > 255 or not 0 < len(witness) <= 255 or size >= 2**64 or b64encode(root).decode() != found[3]:
        return None
    start = bytes(8)
    names = (bytes([len(one)]) + one for one in (witness, origin))
    return _LABEL + next(names) + at_seconds.to_bytes(8) + next(names) + start + size.to_bytes(8) + root


def has_signed(public: bytes, signature: bytes, message: bytes) -> bool:
    """Return whether it is the signature of this message by this key.

    Raises `cryptography.exceptions.UnsupportedAlgorithm` where the library does not know ML-DSA: ask `is_known` before.
    """
    if MLDSA44PublicKey is None:
        raise UnsupportedAlgorithm("the library cryptography does not know ML-DSA")
    try:
        MLDSA44PublicKey.from_public_bytes(public).verify(signature, message)
    except (InvalidSignature, ValueError):
        return False
    return True
