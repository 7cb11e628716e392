"""The doctor rates the measured figures of each check, and gives advice for each problem."""

from dataclasses import replace

from cadogan.server.config import Settings
from cadogan.server.core.database.primary import Host
from cadogan.server.operations import doctor, outside_checks
from cadogan.server.operations.doctor import Severity
from cadogan.server.subjects.transparency.sequencer import LogFigures

OK, WARNING, ERROR = Severity
GIB = 1 << 30


SAFE = {"fsync": "on", "full_page_writes": "on", "synchronous_commit": "on"}


CLUB = Settings(origin=("https://patience.example",), secure_cookies=True, proxies=1)


WORKS = Settings(oidc_issuer="https://login.example", oidc_client_id="club", oidc_client_secret="hidden")


MAILING = Settings(smtp_url="smtp://mail.example", mail_from="club@patience.example")


MAILING_CLUB = replace(MAILING, origin=("https://club.example",))


NOON = 1_795_176_000_000


RATED = [
    (doctor.check_tables("0002", "0002"), OK, "0002"),
    (doctor.check_tables("0001", "0002"), ERROR, "at revision 0001, this version needs 0002"),
    (doctor.check_tables(None, "0002"), ERROR, "there are none"),
    (doctor.check_tables("0009", "0002", ["0001", "0002"]), ERROR, "at revision 0009, of a newer version"),
    (doctor.check_clock(NOON, NOON - 900, NOON), OK, "900 ms"),
    (doctor.check_clock(NOON, NOON, None), OK, "0 ms"),
    (doctor.check_clock(NOON, NOON + 2_500, NOON), WARNING, "by 2.5 s"),
    (doctor.check_clock(NOON, NOON - 60_000, NOON), ERROR, "by 60 s"),
    (doctor.check_clock(NOON, NOON, NOON + 3_600_000), ERROR, "3600 s ahead"),
    (
        doctor.check_clock(NOON, NOON, NOON, NOON + 172_800_000),
        ERROR,
        "event of a day in the log is 172800 s ahead",
    ),
    (doctor.check_clock(NOON, NOON - 61_000, NOON), ERROR, "by 61 s: no day is opened, drawn or closed"),
    (doctor.check_sqlite_durability(2, "wal"), OK, "on the disk"),
    (doctor.check_sqlite_durability(1, "wal"), ERROR, "synchronous is 1"),
    (doctor.check_sqlite_durability(2, "delete"), ERROR, "the journal mode is delete"),
    (doctor.check_postgresql_durability(SAFE), OK, "on the disk"),
    (doctor.check_postgresql_durability(SAFE | {"synchronous_commit": "remote_apply"}), OK, "on the disk"),
    (doctor.check_postgresql_durability(SAFE | {"fsync": "off"}), ERROR, "fsync off"),
    (doctor.check_postgresql_durability(SAFE | {"synchronous_commit": "off"}), ERROR, "synchronous_commit off"),
    (outside_checks.check_provider(Settings(), None), OK, "nobody signs in by a provider"),
    (outside_checks.check_provider(WORKS, None), OK, "names itself as the settings do"),
    (outside_checks.check_provider(replace(WORKS, oidc_client_secret=""), None), WARNING, "only some of its three"),
    (outside_checks.check_provider(WORKS, "it is silent"), WARNING, "nobody can sign in by it: it is silent"),
    (doctor.check_settings_file("c.toml", 0o100644, []), OK, "only who may"),
    (doctor.check_settings_file("c.toml", 0o100640, ["smtp_url"]), OK, "only who may"),
    (doctor.check_settings_file("c.toml", 0o100644, ["smtp_url"]), WARNING, "read c.toml, with smtp_url"),
    (doctor.check_settings_file("c.toml", 0o100660, []), ERROR, "may change c.toml"),
    (doctor.check_key("k", None), OK, "no key is on this machine"),
    (doctor.check_key("k", 0o100600), OK, "only its owner"),
    (doctor.check_key("k", 0o100640), ERROR, "may read or change k"),
    (doctor.check_pooler(None), OK, "a session of its own"),
    (doctor.check_pooler("a pooler shares sessions: keep them"), ERROR, "a pooler shares sessions"),
    (doctor.check_failover([Host("one:1", 1), Host("two:2")], "two"), OK, "2 hosts, the primary is one:1"),
    (doctor.check_failover([Host("one:1", 1), Host("two:2")], ""), WARNING, "follows with a delay"),
    (doctor.check_failover([Host("one:1", 1), Host("two:2", 2)], "two"), ERROR, "one:1 and two:2"),
    (doctor.check_failover([Host("one:1", 1), Host("two:2", None, "is away")], "two"), WARNING, "two:2 is away"),
    (doctor.check_workers([], []), OK, "none is away"),
    (doctor.check_workers(["two:5432"], []), ERROR, "away: two:5432"),
    (doctor.check_workers([], ["citus_0_1"], "finish it"), ERROR, "never finished: citus_0_1"),
    (doctor.check_connections(100, 3, 10), OK, "nodes that fit: 5"),
    (doctor.check_connections(30, 3, 0), WARNING, "nodes that fit: 1"),
    (doctor.check_connections(20, 3, 10), ERROR, "nodes that fit: 0"),
    (doctor.check_connections(100, 3, 10, processes=2), OK, "a node uses up to 32: nodes that fit: 2"),
    (doctor.check_connections(100, 3, 10, processes=6), ERROR, "a node uses up to 96: nodes that fit: 0"),
    (doctor.check_processes(Settings(), 1), OK, "processes that serve: 1, cores that they may use: 1"),
    (
        doctor.check_processes(Settings(processes=3), 2),
        WARNING,
        "processes that serve: 3, cores that they may use: 2",
    ),
    (outside_checks.check_bus("local", None), OK, "only one node"),
    (outside_checks.check_bus("NATS", 3), OK, "3 ms through NATS"),
    (outside_checks.check_bus("PostgreSQL", 1_500), WARNING, "1500 ms"),
    (outside_checks.check_bus("PostgreSQL", None), ERROR, "no wake-up arrived through PostgreSQL"),
    (outside_checks.check_beacon(None, None), OK, "from the host's secret alone"),
    (outside_checks.check_beacon("quicknet", None), OK, "the chain quicknet tells its rounds"),
    (outside_checks.check_beacon(None, "it answers 500"), WARNING, "it answers 500"),
    (doctor.check_chains(50, [], 80), OK, "50 of 80 streams"),
    (doctor.check_chains(50, ["game/a"], 80), ERROR, "of 50 streams 1 are broken: game/a"),
    (doctor.check_secrets(8, []), OK, "8 days"),
    (doctor.check_secrets(8, ["2026-11-20"]), ERROR, "2026-11-20"),
    (outside_checks.check_webhooks([]), OK, "no delivery was given up"),
    (outside_checks.check_webhooks(["Chat"]), WARNING, "given up: Chat"),
    (outside_checks.check_notifications(Settings(), True, None, 0), OK, "0 devices"),
    (outside_checks.check_notifications(Settings(), False, None, 0), OK, "first needed"),
    (outside_checks.check_notifications(Settings(), False, None, 3), ERROR, "key is gone"),
    (outside_checks.check_notifications(MAILING, True, None, 3), OK, "3 devices"),
    (outside_checks.check_notifications(Settings(), True, None, 3), WARNING, "whom to turn to"),
    (outside_checks.check_notifications(MAILING, True, "it cannot be read: ValueError", 3), ERROR, "ValueError"),
    (outside_checks.check_digests(Settings(), 0, 0), OK, "digest of the week: 0"),
    (outside_checks.check_digests(MAILING, 3, 0), WARNING, "and none is sent"),
    (
        outside_checks.check_digests(replace(MAILING, origin=("https://club.example",)), 3, 0),
        OK,
        "digest of the week: 3",
    ),
    (outside_checks.check_digests(replace(MAILING, origin=("https://club.example",)), 3, 2), WARNING, "not taken: 2"),
    (outside_checks.check_mail(Settings(), None), OK, "no mails are sent"),
    (outside_checks.check_mail(MAILING, None), OK, "takes mails"),
    (outside_checks.check_mail(MAILING, "SMTPConnectError"), WARNING, "SMTPConnectError"),
    (outside_checks.check_mail(replace(MAILING, mail_from=""), None), WARNING, "only one of its two settings"),
    (outside_checks.check_mail(replace(MAILING, smtp_url=""), None), WARNING, "only one of its two settings"),
    (doctor.check_hosts(0, 0), OK, "sign in: 0"),
    (doctor.check_hosts(1, 9), OK, "sign in: 1"),
    (doctor.check_hosts(0, 9), WARNING, "9 players have accounts, and no host"),
    (doctor.check_passkeys(0, replace(CLUB, origin=("http://patience.example",))), OK, "0 can be used"),
    (doctor.check_passkeys(2, CLUB), OK, "2 can be used"),
    (doctor.check_passkeys(2, Settings(origin=("http://localhost:8000",))), OK, "2 can be used"),
    (doctor.check_passkeys(2, Settings(origin=("http://patience.example",))), WARNING, "browsers take none"),
    (
        doctor.check_log(LogFigures(7, 2, 59.0, ()), 3.0, ""),
        OK,
        "2 wait, last signed on this machine 3 s ago",
    ),
    (doctor.check_log(LogFigures(0, 0, 0.0, ()), None, ""), OK, "0 entries, 0 wait"),
    (
        doctor.check_log(LogFigures(7, 2, 61.0, ()), 3.0, ""),
        WARNING,
        "2 ends wait for the log",
    ),
    (doctor.check_log(LogFigures(7, 0, 0.0, ("a", "b")), 299.0, ""), OK, "7 entries"),
    (doctor.check_log(LogFigures(7, 0, 0.0, ("a", "b")), 301.0, ""), WARNING, "not signed by the witnesses a, b"),
    (
        doctor.check_log(LogFigures(2, 9, 900.0, ()), 3.0, "set back: restore it"),
        ERROR,
        "is signed: set back",
    ),
    (doctor.check_analysts(3, 0, 59.0), OK, "3 analyses wait"),
    (doctor.check_analysts(3, 1, 600.0), OK, "1 are worked on"),
    (doctor.check_analysts(3, 0, 61.0), WARNING, "the oldest for 61 s, and no analyst works"),
    (doctor.check_solver("there is no library", ["golf"]), OK, "slower than a compiled library: there is no library"),
    (doctor.check_solver("", ["golf", "olga"]), OK, "except in golf, olga"),
    (doctor.check_solver("", []), OK, "in every game"),
    (doctor.check_files({"cadogan.db": 0o100600}), OK, "only their owner"),
    (doctor.check_files({"cadogan.db": 0o100600, "cadogan.db-wal": 0o100640}), WARNING, "may read cadogan.db-wal"),
    (doctor.check_space(5 * GIB), OK, "5.0 GiB"),
    (doctor.check_space(GIB // 2), WARNING, "0.5 GiB"),
    (doctor.check_space(1_000_000), ERROR, "0.0 GiB"),
    (doctor.check_proxy(Settings()), OK, "fit each other"),
    (doctor.check_proxy(CLUB), OK, "fit each other"),
    (doctor.check_proxy(replace(CLUB, secure_cookies=False)), OK, "fit each other"),
    (doctor.check_proxy(replace(CLUB, origin=("http://patience.example",))), ERROR, "nobody can sign in"),
    (doctor.check_proxy(replace(CLUB, proxies=0)), WARNING, "one address"),
    (
        doctor.check_proxy(replace(CLUB, origin=(), secure_cookies=False)),
        WARNING,
        "no setting for the address that people type",
    ),
    (doctor.check_proxy(Settings(host="0.0.0.0")), WARNING, "listens on 0.0.0.0 without TLS"),
]


def test_every_finding_is_rated_and_a_problem_comes_with_advice() -> None:
    for finding, severity, message in RATED:
        assert (finding.severity, message in finding.message) == (severity, True), finding
        assert (finding.advice == "") == (severity is OK), finding
