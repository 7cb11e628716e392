"""The doctor's judgement: from what was found of a deployment, what is fine, what is doubtful and what to do.

Nothing here asks anything of anybody; `server.operations.doctor_probes` does the asking.
"""

from collections.abc import Mapping, Sequence
from enum import StrEnum
from typing import NamedTuple

from server.config import Settings
from server.database.connections import MAX_OVERFLOW, POOL_SIZE

DRIFT = 1_000
"""Milliseconds by which a clock may differ before it is worth a word."""
SKEW = 10_000
"""Milliseconds by which it may not differ: so long a day's close waits for the runs of other nodes."""
SLOW = 1_000
"""Milliseconds within which a wake-up should have come back."""
A_NODE = POOL_SIZE + MAX_OVERFLOW + 1
"""The most connections of one node: its pool's, and the bus's."""
LITTLE = 1 << 30
VERY_LITTLE = 1 << 26


class State(StrEnum):
    """How bad it is."""

    FINE = "fine"
    DOUBTFUL = "doubtful"
    WRONG = "wrong"


class Finding(NamedTuple):
    """What one check found, and what to do about it."""

    check: str
    state: State
    says: str
    advice: str = ""


def fine(check: str, says: str) -> Finding:
    """Nothing to be done."""
    return Finding(check, State.FINE, says)


def doubtful(check: str, says: str, advice: str) -> Finding:
    """It works, and may not for ever, or not as one thinks."""
    return Finding(check, State.DOUBTFUL, says, advice)


def wrong(check: str, says: str, advice: str) -> Finding:
    """It does not work, or loses something."""
    return Finding(check, State.WRONG, says, advice)


def tables(found: str | None, wanted: str | None) -> Finding:
    """The revision of the tables against that of this version."""
    if found == wanted:
        return fine("tables", f"they are those of this version, {wanted}")
    if found is None:
        return wrong("tables", "there are none", "run `cadogan migrate`, or `cadogan import` for a backup")
    return wrong("tables", f"they are at revision {found}, this version needs {wanted}", "run `cadogan migrate`")


def clock(ours: int, databases: int, newest: int | None) -> Finding:
    """This machine's time against the database's, and against that of the newest event; in milliseconds."""
    advice = "let every machine keep its time by NTP"
    if newest is not None and newest - ours > SKEW:
        ahead = (newest - ours) / 1000
        return wrong("clock", f"the log's newest event is {ahead:.0f} s ahead of this machine", advice)
    apart = abs(ours - databases)
    if apart > SKEW:
        return wrong("clock", f"it is {apart / 1000:.0f} s apart from the database's", advice)
    if apart > DRIFT:
        return doubtful("clock", f"it is {apart / 1000:.1f} s apart from the database's", advice)
    return fine("clock", f"it is {apart} ms apart from the database's")


def durability_of_sqlite(synchronous: int, journal: str) -> Finding:
    """Whether an SQLite commit is on the disk when it returns; `synchronous` as the pragma has it."""
    if synchronous < 2:
        return wrong("durability", f"synchronous is {synchronous}", "use this server's own connections: they set FULL")
    if journal != "wal":
        advice = "put the file on a local disk: over a network SQLite has no write-ahead log, and no safe locks"
        return wrong("durability", f"the journal is {journal}, not wal", advice)
    return fine("durability", "a commit is on the disk when it is acknowledged")


def durability_of_postgresql(settings: Mapping[str, str]) -> Finding:
    """The same of PostgreSQL, by its settings."""
    off = [name for name in ("fsync", "full_page_writes") if settings[name] == "off"]
    if settings["synchronous_commit"] == "off":
        off.append("synchronous_commit")
    if off:
        advice = "turn it on in postgresql.conf: without it a power cut takes acknowledged moves, or the database"
        return wrong("durability", f"{' and '.join(off)} off", advice)
    return fine("durability", "a commit is on the disk when it is acknowledged")


def connections(most: int, reserved: int, others: int) -> Finding:
    """How many nodes fit into PostgreSQL's connections, of which `others` are in use by other programs."""
    nodes = (most - reserved - others) // A_NODE
    says = f"max_connections is {most}, {others} are others'; a node takes up to {A_NODE}: room for {nodes}"
    if nodes < 1:
        return wrong("connections", says, f"raise max_connections by {A_NODE} for each node")
    if nodes < 2:
        return doubtful("connections", says, f"raise max_connections by {A_NODE} before starting a second node")
    return fine("connections", says)


def bus(kind: str, took: int | None) -> Finding:
    """How many milliseconds a wake-up took from one node to another; None if it never came."""
    if kind == "local":
        return fine("bus", "none is needed: there is but one node")
    if took is None:
        advice = "see that it runs and that CADOGAN_BUS reaches it; a pooler before PostgreSQL must keep sessions"
        return wrong("bus", f"no wake-up came through {kind}", advice)
    if took > SLOW:
        return doubtful("bus", f"a wake-up took {took} ms through {kind}", "look at its machine and the network to it")
    return fine("bus", f"a wake-up took {took} ms through {kind}")


def chains(followed: int, broken: Sequence[str]) -> Finding:
    """The chains of so many streams, taken at random."""
    if broken:
        advice = "the log was changed by other hands: stop the server and restore the last backup that `import` takes"
        return wrong("chains", f"of {followed} streams {len(broken)} are broken: {', '.join(broken[:3])}", advice)
    return fine("chains", f"{followed} streams taken at random are whole")


def secrets(checked: int, misfits: Sequence[str]) -> Finding:
    """The secrets of so many days against what was announced of them."""
    if misfits:
        advice = "their cards can no longer be shown to be the announced ones: restore the table `days` from a backup"
        return wrong("secrets", f"those of {', '.join(misfits[:3])} are missing or do not fit", advice)
    return fine("secrets", f"those of {checked} days fit what was announced")


def files(modes: Mapping[str, int]) -> Finding:
    """The permissions of an SQLite database's files, which hold secrets and the cards of running games."""
    readable = [name for name, mode in modes.items() if mode & 0o077]
    if readable:
        says = f"others on this machine may read {', '.join(readable)}"
        return doubtful("files", says, f"chmod 600 {' '.join(readable)}: they hold the days' secrets")
    return fine("files", "only their owner may read them")


def space(free: int) -> Finding:
    """How many bytes are free where the database's file lies."""
    says = f"{free / LITTLE:.1f} GiB are free on the database's disk"
    advice = "make room: on a full disk every move is refused"
    if free < VERY_LITTLE:
        return wrong("space", says, advice)
    return doubtful("space", says, advice) if free < LITTLE else fine("space", says)


def proxy(settings: Settings) -> Finding:
    """Whether the settings of addresses, cookies and proxies fit each other."""
    tls = any(origin.startswith("https://") for origin in settings.origin)
    if tls and not settings.secure_cookies:
        return wrong("proxy", "people come over TLS, but cookies go without", "set CADOGAN_SECURE_COOKIES=true")
    if settings.secure_cookies and settings.origin and not tls:
        says = "cookies are for TLS only, but the origin is not, so nobody can sign in"
        return wrong("proxy", says, "write https:// in CADOGAN_ORIGIN, or unset CADOGAN_SECURE_COOKIES")
    if (tls or settings.secure_cookies) and not settings.proxies:
        says = "a proxy speaks TLS, but is not counted: all people seem to come from one address, and share its limits"
        return doubtful("proxy", says, "set CADOGAN_PROXIES to the number of proxies, most often 1")
    if settings.proxies and not settings.origin:
        says = "a proxy stands before the server, but not the address that people type"
        return doubtful("proxy", says, "set CADOGAN_ORIGIN=https://…, so that no other site's page can act for them")
    if not settings.proxies and settings.host not in ("127.0.0.1", "::1", "localhost"):
        says = f"the server listens on {settings.host} without TLS: passwords can be read on the way"
        return doubtful("proxy", says, "put a reverse proxy before it, and listen on 127.0.0.1")
    return fine("proxy", "addresses, cookies and proxies fit each other")
