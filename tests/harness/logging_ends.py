"""Appending ended streams to the transparency log of a running server, without waiting for it."""

from cadogan.server.app import Server
from cadogan.server.subjects.transparency.notes import VerifierKey
from cadogan.server.subjects.transparency.sequencer import Sequencer

DAY_ENTRIES = 9
"""The entries in the log of a new server: today and the next seven days were announced, and today was opened."""


async def log_ends(server: Server) -> VerifierKey:
    """Append every stream that has ended; return the public half of the host key."""
    await Sequencer(server.transparency, server.host_key).append_all()
    return server.host_key.get().verifier()
