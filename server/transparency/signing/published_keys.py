"""The public keys that a server publishes: everything needed to check its log."""

from collections.abc import Collection, Sequence
from typing import Any

from cadogan.server.transparency.checkpoints import read_checkpoint
from cadogan.server.transparency.signing.host_key import HostKey
from cadogan.server.transparency.signing.keys import WITNESS, VerifierKey
from cadogan.server.transparency.signing.rotations import Rotation
from cadogan.server.transparency.transparency_log import TransparencyLog


async def publish_keys(log: TransparencyLog, own: HostKey, witnesses: Collection[str]) -> dict[str, Any] | None:
    """Return the content of `/.well-known/cadogan.json`; None if the server has no key.

    A rotated key is read from the log, also on a node that does not have the new file yet. `witnesses` are the public
    keys of the witnesses that are requested to sign the log. Raises KeyUnusable.
    """
    head, found = await log.head(), own.find()
    rotations = () if head is None else await log.rotations(read_checkpoint(head.text).origin)
    if not rotations and found is None:
        return None
    key = rotations[-1].new if rotations or found is None else found.verifier()
    as_witness = None if found is None else found.witness().verifier(WITNESS)
    return describe_host(key, rotations, as_witness, witnesses)


def describe_host(
    key: VerifierKey,
    rotations: Sequence[Rotation] = (),
    witness: VerifierKey | None = None,
    witnesses: Collection[str] = (),
) -> dict[str, Any]:
    """Return the published form of a host's keys.

    `key` is the current key, to which the rotations lead. `witness` is the key with which the host signs as a witness
    for other logs, if it has one; `witnesses` are the public keys of the witnesses of its own log.
    """
    host: dict[str, Any] = {
        "origin": key.name,
        "log": "/log/",
        "keys": [key.text, *(rotation.old.text for rotation in reversed(rotations))],
        "rotations": [rotation.note.as_text() for rotation in rotations],
        "witnesses": [*witnesses],
    }
    return host if witness is None else {**host, "witness": {"url": "/witness", "key": witness.text}}
