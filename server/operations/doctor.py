"""What the doctor makes of a deployment: for each check, whether the figures found are good, and what to do if not.

The functions here are pure. `server.operations.doctor_probes` reads the figures.
"""

from collections.abc import Mapping, Sequence
from enum import StrEnum
from typing import NamedTuple

from server.config import Settings
from server.database.connections import MAX_OVERFLOW, POOL_SIZE

MAX_CLOCK_DRIFT_MILLISECONDS = 1_000
"""A clock that differs by more deserves a warning."""
MAX_CLOCK_SKEW_MILLISECONDS = 10_000
"""A clock that differs by more is an error: the close of a day waits only so long for the runs of other nodes."""
SLOW_WAKE_UP_MILLISECONDS = 1_000
"""A wake-up that takes longer deserves a warning."""
MAX_CONNECTIONS_PER_NODE = POOL_SIZE + MAX_OVERFLOW + 1
"""How many database connections one node opens at most: those of its pool, and the one of the bus."""
MAX_WAIT_FOR_ANALYST_SECONDS = 60
"""An analysis that waits longer, while no analyst works on any, deserves a warning."""
LOW_SPACE_BYTES = 1 << 30
"""Less free space deserves a warning."""
CRITICAL_SPACE_BYTES = 1 << 26
"""Less free space is an error."""


class Severity(StrEnum):
    """How bad a finding is: all is well; it works, but perhaps not for long; it does not work, or loses data."""

    OK = "ok"
    WARNING = "warning"
    ERROR = "error"


class Finding(NamedTuple):
    """What one check found. `advice` says what to do; it is empty if all is well."""

    check: str
    severity: Severity
    message: str
    advice: str = ""


def ok(check: str, message: str) -> Finding:
    """Return a finding that all is well."""
    return Finding(check, Severity.OK, message)


def warning(check: str, message: str, advice: str) -> Finding:
    """Return a finding of something that works, but perhaps not for long, or not as the host expects."""
    return Finding(check, Severity.WARNING, message, advice)


def error(check: str, message: str, advice: str) -> Finding:
    """Return a finding of something that does not work, or loses data."""
    return Finding(check, Severity.ERROR, message, advice)


def check_tables(found: str | None, wanted: str, known: Sequence[str] = ()) -> Finding:
    """Compare the revision of the database's tables (None: there are none) with that of this version.

    `known` are the revisions that this version knows; another one is that of a newer version.
    """
    if found == wanted:
        return ok("tables", f"they are those of this version, {wanted}")
    if found is None:
        return error("tables", "there are none", "run `cadogan migrate`, or `cadogan import` for a backup")
    if known and found not in known:
        advice = f"run that version again, or with it `cadogan migrate --to {wanted}`; or restore a backup from before"
        return error("tables", f"they are at revision {found}, of a newer version than this one, {wanted}", advice)
    return error("tables", f"they are at revision {found}, this version needs {wanted}", "run `cadogan migrate`")


def check_values(damage: str | None) -> Finding:
    """Judge what was found of tables that are missing, or values that cannot have been written (None: nothing)."""
    if damage is None:
        return ok("values", "every table is there, and every value has the type of its column")
    return error("values", damage, "keep that database for an investigation, and restore a backup")


def check_clock(own_time: int, database_time: int, newest_event: int | None) -> Finding:
    """Compare this machine's time with the database's and with that of the newest event, in milliseconds since 1970."""
    advice = "let every machine set its clock by NTP"
    if newest_event is not None and newest_event - own_time > MAX_CLOCK_SKEW_MILLISECONDS:
        ahead = (newest_event - own_time) / 1000
        return error("clock", f"the newest event in the log is {ahead:.0f} s ahead of this machine", advice)
    difference = abs(own_time - database_time)
    if difference > MAX_CLOCK_SKEW_MILLISECONDS:
        return error("clock", f"it differs from the database's by {difference / 1000:.0f} s", advice)
    if difference > MAX_CLOCK_DRIFT_MILLISECONDS:
        return warning("clock", f"it differs from the database's by {difference / 1000:.1f} s", advice)
    return ok("clock", f"it differs from the database's by {difference} ms")


def check_sqlite_durability(synchronous: int, journal: str) -> Finding:
    """Check that an SQLite commit is on the disk when it returns. The parameters are the values of the two pragmas."""
    if synchronous < 2:
        return error("durability", f"synchronous is {synchronous}", "use this server's own connections: they set FULL")
    if journal != "wal":
        advice = "put the file on a local disk: over a network SQLite has no write-ahead log, and no safe locks"
        return error("durability", f"the journal mode is {journal}, not wal", advice)
    return ok("durability", "a commit is on the disk when it is acknowledged")


def check_postgresql_durability(settings: Mapping[str, str]) -> Finding:
    """Check that a PostgreSQL commit is on the disk when it returns, from PostgreSQL's settings by their names."""
    off = [name for name in ("fsync", "full_page_writes") if settings[name] == "off"]
    if settings["synchronous_commit"] == "off":
        off.append("synchronous_commit")
    if off:
        advice = "turn it on in postgresql.conf: without it a power cut can lose acknowledged moves, or the database"
        return error("durability", f"{' and '.join(off)} off", advice)
    return ok("durability", "a commit is on the disk when it is acknowledged")


def check_connections(maximum: int, reserved: int, others: int) -> Finding:
    """Check how many nodes PostgreSQL has connections for.

    `maximum` is its max_connections, of which `reserved` are for superusers and `others` are in use by other programs.
    """
    nodes = (maximum - reserved - others) // MAX_CONNECTIONS_PER_NODE
    message = (
        f"max_connections is {maximum}, other programs use {others}, a node uses up to {MAX_CONNECTIONS_PER_NODE}: "
        f"nodes that fit: {nodes}"
    )
    if nodes < 1:
        return error("connections", message, f"raise max_connections by {MAX_CONNECTIONS_PER_NODE} for each node")
    if nodes < 2:
        advice = f"raise max_connections by {MAX_CONNECTIONS_PER_NODE} before you start a second node"
        return warning("connections", message, advice)
    return ok("connections", message)


def check_bus(kind: str, milliseconds: int | None) -> Finding:
    """Check how long a wake-up took from one node to another; None if it did not arrive. `kind` names the bus."""
    if kind == "local":
        return ok("bus", "none is needed: there is only one node")
    if milliseconds is None:
        advice = "see that it runs and that CADOGAN_BUS reaches it; a pooler before PostgreSQL must keep sessions"
        return error("bus", f"no wake-up arrived through {kind}", advice)
    if milliseconds > SLOW_WAKE_UP_MILLISECONDS:
        advice = "look at its machine and at the network to it"
        return warning("bus", f"a wake-up took {milliseconds} ms through {kind}", advice)
    return ok("bus", f"a wake-up took {milliseconds} ms through {kind}")


def check_chains(checked: int, broken: Sequence[str]) -> Finding:
    """Report on the hash chains of a random sample of streams: how many were checked, and which are broken."""
    if broken:
        advice = "somebody changed the log: stop the server and restore the last backup that `cadogan import` accepts"
        return error("chains", f"of {checked} streams {len(broken)} are broken: {', '.join(broken[:3])}", advice)
    return ok("chains", f"{checked} streams, chosen at random, are unbroken")


def check_secrets(checked: int, wrong: Sequence[str]) -> Finding:
    """Report on the secrets of so many days: `wrong` are the days whose secret does not fit its commitment."""
    if wrong:
        advice = "nobody can prove their cards any more: restore the table `days` from a backup"
        return error("secrets", f"those of {', '.join(wrong[:3])} are missing, or do not fit the commitment", advice)
    return ok("secrets", f"those of {checked} days fit their commitments")


def check_analysts(waiting: int, working: int, oldest_waiting_seconds: float) -> Finding:
    """Check that somebody works on the analyses that wait."""
    if waiting and not working and oldest_waiting_seconds > MAX_WAIT_FOR_ANALYST_SECONDS:
        message = f"{waiting} analyses wait, the oldest for {oldest_waiting_seconds:.0f} s, and no analyst works"
        return warning("analysts", message, "set CADOGAN_ANALYSTS to 1 or more, or run `cadogan analyst`")
    return ok("analysts", f"{waiting} analyses wait, {working} are worked on")


def check_files(modes: Mapping[str, int]) -> Finding:
    """Check that only their owner may read an SQLite database's files, given the mode of each by its name.

    They hold secrets and the cards of running games.
    """
    readable = [name for name, mode in modes.items() if mode & 0o077]
    if readable:
        message = f"others on this machine may read {', '.join(readable)}"
        return warning("files", message, f"chmod 600 {' '.join(readable)}: they hold the days' secrets")
    return ok("files", "only their owner may read them")


def check_space(free_bytes: int) -> Finding:
    """Check how much space is free where the database's file is."""
    message = f"{free_bytes / LOW_SPACE_BYTES:.1f} GiB are free on the database's disk"
    advice = "make room: on a full disk every move is refused"
    if free_bytes < CRITICAL_SPACE_BYTES:
        return error("space", message, advice)
    return warning("space", message, advice) if free_bytes < LOW_SPACE_BYTES else ok("space", message)


def check_proxy(settings: Settings) -> Finding:
    """Check that the settings of addresses, cookies and proxies fit each other."""
    tls = any(origin.startswith("https://") for origin in settings.origin)
    if settings.secure_cookies and settings.origin and not tls:
        message = "cookies are for TLS only, but the origin is not, so nobody can sign in"
        return error("proxy", message, "write https:// in CADOGAN_ORIGIN, or unset CADOGAN_SECURE_COOKIES")
    if (tls or settings.secure_cookies) and not settings.proxies:
        message = (
            "a proxy that speaks TLS is not counted: all people seem to come from one address and share its limits"
        )
        return warning("proxy", message, "set CADOGAN_PROXIES to the number of proxies, usually 1")
    if settings.proxies and not settings.origin:
        message = "there is a proxy before the server, but no setting for the address that people type"
        return warning(
            "proxy",
            message,
            "set CADOGAN_ORIGIN=https://…, because requests to any other name than localhost are refused",
        )
    if not settings.proxies and settings.host not in ("127.0.0.1", "::1", "localhost"):
        message = f"the server listens on {settings.host} without TLS: others on the network can read passwords"
        return warning("proxy", message, "put a reverse proxy before it, and listen on 127.0.0.1")
    return ok("proxy", "addresses, cookies and proxies fit each other")
