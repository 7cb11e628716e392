"""Judging a deployment: for each check, whether the measured figures are good, and what to do if not.

The functions here are pure. `cadogan.server.operations.doctor_probes` reads the figures.
"""

from collections.abc import Mapping, Sequence
from enum import StrEnum
from typing import NamedTuple

from cadogan.server.config import Settings, process_count
from cadogan.server.core.addresses import Origin, is_this_machine, url_host
from cadogan.server.core.clock_check import MAX_DIFFERENCE_MILLISECONDS
from cadogan.server.core.database.connections import MAX_OVERFLOW, POOL_SIZE
from cadogan.server.core.database.primary import Host
from cadogan.server.subjects.transparency.sequencer import LogFigures

MAX_CLOCK_DRIFT_MILLISECONDS = 1_000
"""A larger clock difference is a warning."""
MAX_CLOCK_SKEW_MILLISECONDS = 10_000
"""A larger clock difference is an error, because the close of a day waits only this long for runs of other nodes."""
MAX_CONNECTIONS_PER_PROCESS = POOL_SIZE + MAX_OVERFLOW + 1
"""The most database connections that one process opens: its pool, and one for the bus."""
MAX_WAIT_FOR_ANALYST_SECONDS = 60
"""An analysis that is queued longer while no analyst works is a warning."""
LOW_SPACE_BYTES = 1 << 30
"""Less free space is a warning."""
MAX_WAIT_FOR_LOG_SECONDS = 60
"""An ended stream that is queued longer for the transparency log is a warning."""
MAX_WAIT_FOR_WITNESS_SECONDS = 300
"""A checkpoint of this age that a witness has not signed is a warning."""
CRITICAL_SPACE_BYTES = 1 << 26
"""Less free space is an error."""


class Severity(StrEnum):
    """The severity of a finding: everything works; it works but is at risk; it does not work or loses data."""

    OK = "ok"
    WARNING = "warning"
    ERROR = "error"


class Finding(NamedTuple):
    """The result of one check. `advice` is what to do; it is empty if nothing is wrong."""

    check: str
    severity: Severity
    message: str
    advice: str = ""


def ok(check: str, message: str) -> Finding:
    """Return a finding that nothing is wrong."""
    return Finding(check, Severity.OK, message)


def warning(check: str, message: str, advice: str) -> Finding:
    """Return a warning: something works but is at risk, or differs from the host's expectations."""
    return Finding(check, Severity.WARNING, message, advice)


def error(check: str, message: str, advice: str) -> Finding:
    """Return a finding of something that does not work, or loses data."""
    return Finding(check, Severity.ERROR, message, advice)


def check_tables(found: str | None, wanted: str, known: Sequence[str] = ()) -> Finding:
    """Compare the revision of the database's tables (None: no tables) with the revision of this version.

    `known` are the revisions that this version knows; any other revision comes from a newer version.
    """
    if found == wanted:
        return ok("tables", f"they are those of this version, {wanted}")
    if found is None:
        return error("tables", "there are none", "run `cadogan migrate`, or `cadogan restore` for a backup")
    if known and found not in known:
        advice = f"run that version again, or with it `cadogan migrate --to {wanted}`; or restore a backup from before"
        return error("tables", f"they are at revision {found}, of a newer version than this one, {wanted}", advice)
    return error("tables", f"they are at revision {found}, this version needs {wanted}", "run `cadogan migrate`")


def check_values(damage: str | None) -> Finding:
    """Report missing tables and invalid values; `damage` describes them (None: there are none)."""
    if damage is None:
        return ok("values", "every table is there, and every value has the type of its column")
    return error("values", damage, "keep that database for an investigation, and restore a backup")


def check_clock(
    own_time: int, database_time: int, newest_game: int | None, newest_of_days: int | None = None
) -> Finding:
    """Compare this machine's clock with the database's and with the newest times in the log, in ms since 1970.

    Those are the last start or end of a game, and the last event of a day.
    """
    advice = "let every machine set its clock by NTP"
    for what, newest in (("game", newest_game), ("event of a day", newest_of_days)):
        if newest is not None and newest - own_time > MAX_CLOCK_SKEW_MILLISECONDS:
            ahead = (newest - own_time) / 1000
            return error("clock", f"the newest {what} in the log is {ahead:.0f} s ahead of this machine", advice)
    difference = abs(own_time - database_time)
    if difference > MAX_DIFFERENCE_MILLISECONDS:
        message = f"it differs from the database's by {difference / 1000:.0f} s: no day is opened, drawn or closed"
        return error("clock", message, advice)
    if difference > MAX_CLOCK_SKEW_MILLISECONDS:
        return error("clock", f"it differs from the database's by {difference / 1000:.0f} s", advice)
    if difference > MAX_CLOCK_DRIFT_MILLISECONDS:
        return warning("clock", f"it differs from the database's by {difference / 1000:.1f} s", advice)
    return ok("clock", f"it differs from the database's by {difference} ms")


def check_sqlite_durability(synchronous: int, journal: str) -> Finding:
    """Check that SQLite commits are synced to disk. The parameters are the values of the two pragmas."""
    if synchronous < 2:
        return error("durability", f"synchronous is {synchronous}", "use this server's own connections: they set FULL")
    if journal != "wal":
        advice = "put the file on a local disk: over a network SQLite has no write-ahead log, and no safe locks"
        return error("durability", f"the journal mode is {journal}, not wal", advice)
    return ok("durability", "a commit is on the disk when it is acknowledged")


def check_postgresql_durability(settings: Mapping[str, str]) -> Finding:
    """Check that PostgreSQL commits are synced to disk, given PostgreSQL's settings by name."""
    off = [name for name in ("fsync", "full_page_writes") if settings[name] == "off"]
    if settings["synchronous_commit"] == "off":
        off.append("synchronous_commit")
    if off:
        advice = "turn it on in postgresql.conf: without it a power cut can lose acknowledged moves, or the database"
        return error("durability", f"{' and '.join(off)} off", advice)
    return ok("durability", "a commit is on the disk when it is acknowledged")


def check_pooler(problem: str | None) -> Finding:
    """Check that each connection has its own session; `problem` is what a connection pooler breaks."""
    if problem:
        return error("pooler", problem.partition(": ")[0], problem.partition(": ")[2])
    return ok("pooler", "each connection has a session of its own")


def check_failover(hosts: Sequence[Host], synchronous_standbys: str) -> Finding:
    """Check the hosts in the database's URL, given the role of each and the primary's synchronous_standby_names."""
    primaries = [host.address for host in hosts if host.timeline is not None]
    away = [f"{host.address} {host.problem}" for host in hosts if host.problem]
    if len(primaries) > 1:
        advice = "stop the one that was left behind (the lower timeline), and make it a standby again with pg_rewind"
        return error("failover", f"several hosts take writes: {' and '.join(primaries)}", advice)
    if away:
        return warning("failover", " and ".join(away), "bring it back: without a standby nothing takes over")
    if not synchronous_standbys:
        advice = "set synchronous_standby_names at the primary: without it a failover can lose acknowledged moves"
        return warning("failover", "the standby follows with a delay", advice)
    return ok("failover", f"{len(hosts)} hosts, the primary is {' '.join(primaries)}")


def check_workers(away: Sequence[str], hanging: Sequence[str], advice: str = "") -> Finding:
    """Check that every worker of a distributed log answers, and that no prepared transaction is left over."""
    if away:
        return error("workers", f"away: {', '.join(away)}", "bring them back: the games that they have wait for them")
    if hanging:
        return error("workers", f"transactions prepared and never finished: {', '.join(hanging)}", advice)
    return ok("workers", "none is away, and no prepared transaction hangs")


def check_connections(maximum: int, reserved: int, others: int, processes: int = 1) -> Finding:
    """Check how many nodes, with this many processes each, PostgreSQL has connections for.

    Of its max_connections (`maximum`), `reserved` are for superusers and `others` are used by other programs.
    """
    each = processes * MAX_CONNECTIONS_PER_PROCESS
    nodes = (maximum - reserved - others) // each
    message = (
        f"max_connections is {maximum}, other programs use {others}, a node uses up to {each}: nodes that fit: {nodes}"
    )
    if nodes < 1:
        return error("connections", message, f"raise max_connections by {each} for each node")
    if nodes < 2:
        advice = f"raise max_connections by {each} before you start a second node"
        return warning("connections", message, advice)
    return ok("connections", message)


def check_processes(settings: Settings, cores: int) -> Finding:
    """Check that there is a core for each process; `cores` is the number that this program may use."""
    processes = process_count(settings, cores)
    message = f"processes that serve: {processes}, cores that they may use: {cores}"
    if processes > cores:
        return warning(
            "processes", message, f"set CADOGAN_PROCESSES to {cores} or to auto: more only wait for each other"
        )
    return ok("processes", message)


def check_chains(checked: int, broken: Sequence[str], count: int) -> Finding:
    """Report on the hash chains: `checked` of `count` streams were checked, and `broken` are the broken ones."""
    if broken:
        advice = "somebody changed the log: stop the server and restore the last backup that `cadogan restore` accepts"
        return error("chains", f"of {checked} streams {len(broken)} are broken: {', '.join(broken[:3])}", advice)
    if checked == count:
        return ok("chains", f"all {count} streams are unbroken")
    return ok("chains", f"{checked} of {count} streams, chosen at random, are unbroken; --whole looks at all of them")


def check_secrets(checked: int, wrong: Sequence[str]) -> Finding:
    """Report on the secrets of `checked` days; `wrong` are the days whose secret does not match its commitment."""
    if wrong:
        advice = "nobody can prove their cards any more: restore the table `days` from a backup"
        return error("secrets", f"those of {', '.join(wrong[:3])} are missing, or do not fit the commitment", advice)
    return ok("secrets", f"those of {checked} days fit their commitments")


def check_settings_file(name: str, mode: int, secrets: Sequence[str]) -> Finding:
    """Check who may read and write the settings file, given its mode and the names of the secrets in it."""
    if mode & 0o022:
        return error("settings", f"others on this machine may change {name}", f"chmod go-w {name}")
    if secrets and mode & 0o007:
        message = f"everybody on this machine may read {name}, with {', '.join(secrets)}"
        return warning("settings", message, f"chmod 640 {name}, and give it to the group of the server")
    return ok("settings", f"only who may can read and change {name}")


def check_analysts(waiting: int, working: int, oldest_waiting_seconds: float) -> Finding:
    """Check that an analyst works on the queued analyses."""
    if waiting and not working and oldest_waiting_seconds > MAX_WAIT_FOR_ANALYST_SECONDS:
        message = f"{waiting} analyses wait, the oldest for {oldest_waiting_seconds:.0f} s, and no analyst works"
        return warning("analysts", message, "set CADOGAN_ANALYSTS to 1 or more, or run `cadogan analyst`")
    return ok("analysts", f"{waiting} analyses wait, {working} are worked on")


def check_solver(reason: str, in_python: Sequence[str]) -> Finding:
    """Say which games Python searches; `reason` is why it searches all of them, and empty if it does not."""
    if reason:
        return ok("solver", f"Python searches for wins, which is slower than a compiled library: {reason}")
    if in_python:
        return ok("solver", f"the compiled library searches for wins, except in {', '.join(in_python)}")
    return ok("solver", "the compiled library searches for wins in every game")


def check_log(figures: LogFigures, signed_seconds_ago: float | None, problem: str) -> Finding:
    """Check that ended streams are appended to the transparency log, and that the witnesses sign it.

    `signed_seconds_ago` is the age of the last checkpoint signed on this machine, None if there is none; `problem` says
    why nothing can be signed, and is empty if nothing is wrong.
    """
    if problem:
        what, _, advice = problem.partition(": ")
        return error("log", f"nothing is signed: {what}", advice or problem)
    if figures.waiting and figures.oldest_waiting_seconds > MAX_WAIT_FOR_LOG_SECONDS:
        message = f"{figures.waiting} ends wait for the log, the oldest for {figures.oldest_waiting_seconds:.0f} s"
        return warning("log", message, "a running server appends them; its own log says what hinders it")
    entries = f"{figures.size} entries, {figures.waiting} wait"
    if signed_seconds_ago is not None:
        entries += f", last signed on this machine {signed_seconds_ago:.0f} s ago"
        if figures.away and signed_seconds_ago > MAX_WAIT_FOR_WITNESS_SECONDS:
            message = f"{entries}; not signed by the witnesses {', '.join(figures.away)}"
            return warning("log", message, "ask their hosts whether they know the key (`cadogan key show`)")
    return ok("log", entries)


def check_hosts(hosts: int, players: int) -> Finding:
    """Check that the server has a host who can sign in, if there are `players` with accounts."""
    if players and not hosts:
        return warning("hosts", f"{players} players have accounts, and no host can sign in", "run `cadogan host NAME`")
    return ok("hosts", f"hosts who can sign in: {hosts}")


def check_passkeys(passkeys: int, settings: Settings) -> Finding:
    """Check that the registered passkeys can be used at the addresses that people visit."""
    local = all(Origin.read(origin).host == "localhost" for origin in settings.origin)
    tls = any(origin.startswith("https://") for origin in settings.origin)
    if passkeys and settings.origin and not (tls or local):
        message = f"there are {passkeys}, and browsers take none at {', '.join(settings.origin)}"
        return warning(
            "passkeys", message, "put a proxy with TLS before the server, and write https:// in CADOGAN_ORIGIN"
        )
    return ok("passkeys", f"{passkeys} can be used at the addresses that people type")


def check_archives(names: Sequence[str], games: int, twice: Sequence[str]) -> Finding:
    """Report on the archives: their files, how many games they hold, and which of these are still in the log."""
    if twice:
        message = f"archived, and in the log all the same: {', '.join(twice[:3])}"
        return error("archives", message, "somebody changed the database: restore a backup, or ask for help")
    if not games:
        return ok("archives", "no game was archived")
    latest = ", ".join(names[:3]) + (f" and {len(names) - 3} others" if len(names) > 3 else "")
    return ok("archives", f"{games} games are in {latest}: keep copies, only these files have them")


def check_key(name: str, mode: int | None) -> Finding:
    """Check that only its owner may read the host's key file, given its mode (None: no file)."""
    if mode is None:
        return ok("key", "no key is on this machine")
    if mode & 0o077:
        return error("key", f"others on this machine may read or change {name}", f"chmod 600 {name}: it signs the log")
    return ok("key", "only its owner may read it")


def check_files(modes: Mapping[str, int]) -> Finding:
    """Check that only their owner may read the files of an SQLite database, given the mode of each by name.

    They hold secrets and the cards of running games.
    """
    readable = [name for name, mode in modes.items() if mode & 0o077]
    if readable:
        message = f"others on this machine may read {', '.join(readable)}"
        return warning("files", message, f"chmod 600 {' '.join(readable)}: they hold the days' secrets")
    return ok("files", "only their owner may read them")


def check_space(free_bytes: int) -> Finding:
    """Check how much disk space is free for the database's file."""
    message = f"{free_bytes / LOW_SPACE_BYTES:.1f} GiB are free on the database's disk"
    advice = "make room: on a full disk every move is refused"
    if free_bytes < CRITICAL_SPACE_BYTES:
        return error("space", message, advice)
    return warning("space", message, advice) if free_bytes < LOW_SPACE_BYTES else ok("space", message)


def check_proxy(settings: Settings) -> Finding:
    """Check that the settings for addresses, cookies and proxies are consistent."""
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
    if not settings.proxies and not is_this_machine(url_host(settings.host)):
        message = f"the server listens on {settings.host} without TLS: others on the network can read passwords"
        return warning("proxy", message, "put a reverse proxy before it, and listen on 127.0.0.1")
    return ok("proxy", "addresses, cookies and proxies fit each other")
