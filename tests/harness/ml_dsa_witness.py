"""A witness that signs by ML-DSA-44, written from C2SP `tlog-cosignature` and without the code that is tested."""

from __future__ import annotations

import struct
from hashlib import sha256

import pytest
from cryptography.exceptions import UnsupportedAlgorithm

from cadogan.server.subjects.transparency.checkpoints import read_checkpoint
from cadogan.server.subjects.transparency.notes import ML_DSA_WITNESS, Signature, VerifierKey
from tests.harness import databases


class MlDsaWitness:
    """Signs checkpoints with a new key. The test is skipped where the library does not know ML-DSA."""

    def __init__(self, name: str = "quantum.example/witness") -> None:
        try:
            from cryptography.hazmat.primitives.asymmetric import mldsa

            self._key = mldsa.MLDSA44PrivateKey.generate()
        except (ImportError, UnsupportedAlgorithm):
            leave_out = pytest.fail if databases.REQUIRED else pytest.skip
            leave_out("needs a library cryptography that knows ML-DSA")
        self.name = name
        self.public = self._key.public_key().public_bytes_raw()

    @property
    def key(self) -> VerifierKey:
        """The key by which its signatures are checked."""
        return VerifierKey(self.name, ML_DSA_WITNESS, self.public)

    def cosign(self, text: str, at_seconds: int) -> Signature:
        """Return its signature of the text of a checkpoint, seen at this time in seconds since 1970."""
        origin, size, root = read_checkpoint(text)
        names = [struct.pack("B", len(one)) + one for one in (self.name.encode(), origin.encode())]
        message = b"subtree/v1\n\0" + names[0] + struct.pack(">Q", at_seconds) + names[1] + struct.pack(">QQ", 0, size)
        id = sha256(self.name.encode() + b"\n\x06" + self.public).digest()[:4]
        return Signature(self.name, id, struct.pack(">Q", at_seconds) + self._key.sign(message + root))
