"""The settings of a server: the fields of `Settings`, for a file, the environment, the flags and `docs/hosting.md`.

The field `port` is the key `port` of a file such as `cadogan.toml`, the environment variable `CADOGAN_PORT` and the
flag `--port`. `cadogan.server.config_sources` reads them.

    python -m cadogan.server.config             # prints the table of docs/hosting.md
    python -m cadogan.server.config example     # prints deploy/cadogan.toml

    SettingError    a value that cannot be used; says which setting, why, and what to do
"""

import json
import re
import sys
import textwrap
from collections.abc import Callable
from dataclasses import Field, dataclass, field, fields
from email.utils import parseaddr
from typing import Any, TypeVar, cast

from cadogan.server import config_values as read
from cadogan.server.config_values import AUTO, MAX_PROCESSES
from cadogan.server.database.connections import database_url
from cadogan.server.mail.mailer import read_sender
from cadogan.server.players.sign_in.oidc_provider import read_address

PREFIX = "CADOGAN_"
Value = TypeVar("Value")


class SettingError(ValueError):
    """A setting that cannot be used. The message never holds a value that may be secret."""


def _show(value: str) -> str:
    return value


def _hide(value: str) -> str:
    return "***" if value else ""


def _hide_credentials(url: str) -> str:
    """Hide the name and the password in a URL, and its query, which may have a password too."""
    return re.sub(r"\?.*", "?***", re.sub(r"://.*@", "://***@", url, flags=re.DOTALL), flags=re.DOTALL)


def _setting(
    default: Value,
    read: Callable[[str], Value],
    meaning: str,
    mask: Callable[[str], str] = _show,
    words: tuple[str, ...] = (),
) -> Value:
    """Declare a setting: its default, the function that reads it from text, and its meaning.

    What `mask` makes of its text may be shown; a setting with another mask than `_show` is secret. `words` are the
    texts that a file may say of a setting that is a number.
    """
    made: Value = field(default=default, metadata={"read": read, "meaning": meaning, "mask": mask, "words": words})
    return made


@dataclass(frozen=True)
class Settings:
    """Everything that a host can set. `Settings()` holds the defaults."""

    host: str = _setting(
        "127.0.0.1", read.some_text, "the address to listen on; `0.0.0.0` is every one of IPv4, `::` every one"
    )
    port: int = _setting(8000, read.whole_number(1, 65535), "the port to listen on")
    processes: int | str = _setting(
        cast(int | str, 1),
        read.process_count,
        "how many processes serve on the port; more than one needs PostgreSQL, and each uses a core; `auto` is one for "
        "each core where that is the database, else one",
        words=(AUTO,),
    )
    database_url: str = _setting(
        "sqlite+aiosqlite:///cadogan.db",
        read.database,
        "an SQLite file, or `postgresql://user:password@host/name`; with a standby `host1,host2` (docs/operations.md)",
        _hide_credentials,
    )
    key_file: str = _setting(
        "",
        read.some_text,
        "the file with the host's key, which signs the log of what has ended; it is made when it is first needed, and "
        "all nodes need the same; by default it is beside the SQLite file, with its name and `.key`; with PostgreSQL "
        "in `STATE_DIRECTORY`, which systemd sets, or else where programs of this user keep their data",
    )
    witnesses: tuple[str, ...] = _setting(
        (),
        read.witnesses,
        "who is asked to sign the log too, as servers say it in `witness` at `/.well-known/cadogan.json`, like "
        "`https://friends.example/witness#friends.example/log/witness+1f2e3d4c+BA...`; put commas between several",
    )
    witness_for: tuple[str, ...] = _setting(
        (),
        read.log_keys,
        "the logs of others for which this server is a witness: their public keys, like "
        "`club.example/log+1f2e3d4c+AQ...`, with commas between them",
    )
    migrate: bool = _setting(
        False,
        read.switch,
        "bring the tables up to date at the start; nodes that start at the same time wait for the one that does it",
    )
    bus: str = _setting(
        "auto",
        read.bus,
        "how nodes wake each other: `local` (there is only one), `postgresql`, or `nats://host1,host2/club`, where all "
        "subjects begin with the last word (`cadogan` if there is none; more in docs/operations.md); "
        "`auto` is `postgresql` where that is the database, else `local`",
        _hide_credentials,
    )
    origin: tuple[str, ...] = _setting(
        (),
        read.origins,
        "the addresses that people type, like `https://patience.example`, with commas between several; requests to "
        "other names are refused, except to `localhost` and to the IP address that the server listens on",
    )
    bundle: bool = _setting(
        True,
        read.switch,
        "serve the web client in a few files, where it was bundled; `false` serves its modules as they are",
    )
    secure_cookies: bool = _setting(
        False, read.switch, "send cookies over TLS only; set it behind a proxy that speaks TLS"
    )
    proxies: int = _setting(
        0, read.whole_number(0, 10), "how many proxies are before the server and add to `X-Forwarded-For`"
    )
    daily_grace: int = _setting(
        3600,
        read.whole_number(0, 43200),
        "seconds after the end of a day in which a run that began on that day may still finish",
    )
    calendar: str = _setting(
        "", read.calendar, "a file that says which games the deals of each day have; by default all games take turns"
    )
    beacon: str = _setting(
        "",
        read.beacon,
        "a public beacon of randomness, from which the cards of each day follow beside the host's secret, so that "
        "nobody knows a card before the day begins: `drand:`, the hash of a chain, `@` and the URL of a drand server; "
        "see [the beacon](#the-beacon)",
    )
    certify: bool = _setting(
        True,
        read.switch,
        "search the deals of the coming days for one that can be won, in a process of its own (`cadogan certify`); "
        "of several nodes one is enough; `false` leaves every day uncertified, unless something else runs that command",
    )
    analysts: int = _setting(
        1,
        read.whole_number(0, 64),
        "how many analysts run beside the server, each in a process of its own (`cadogan analyst`), and find out which "
        "games could be won, and where they were lost; `0` leaves it to analysts that are started elsewhere",
    )
    fresh: int = _setting(
        7 * 86400,
        read.whole_number(0, 365 * 86400),
        "seconds that a name must be old when a day opens or a race starts, so that its player may see the cards of "
        "others and practise before the end; guests and newer names see only the progress; 0 trusts everybody",
    )
    webhooks_inside: bool = _setting(
        False,
        read.switch,
        "let webhooks go to addresses that are not public: this machine, and the network that it is in",
    )
    notifications_inside: bool = _setting(
        False,
        read.switch,
        "let notifications go to push services at addresses that are not public; every player says where theirs go, so "
        "set it only where all players are trusted, for a push service of your own",
    )
    smtp_url: str = _setting(
        "",
        read.smtp_url,
        "the server that mails are sent through, like `smtp://user:password@mail.example:587`, or `smtps://` for TLS "
        "from the first byte; without it nothing that needs mails is offered",
        _hide_credentials,
    )
    mail_from: str = _setting(
        "", read_sender, "whom mails come from, like `The club <club@patience.example>`; needed with an SMTP server"
    )
    oidc_issuer: str = _setting(
        "",
        read_address,
        "the provider of the organisation, which speaks OpenID Connect, like `https://login.example`: people can sign "
        "in by it; it has to know this server, with the address `/account/provider` to lead back to",
    )
    oidc_client_id: str = _setting("", read.some_text, "the name by which the provider knows this server")
    oidc_client_secret: str = _setting(
        "", read.some_text, "the secret that the provider has given to this server", _hide
    )
    oidc_name: str = _setting(
        "OpenID Connect", read.some_text, "what the pages call the provider, like `Example Works`"
    )
    rate: int = _setting(
        20,
        read.whole_number(1, 1_000_000),
        "commands a second that one connection may send on average; also deals and the like that one player or address "
        "may create; a 400th of it are guests that may come from one address, and races that may be opened there",
    )
    burst: int = _setting(
        40,
        read.whole_number(1, 1_000_000),
        "commands that one connection may send at once; also deals, guests and races at once",
    )
    sockets: int = _setting(
        1000, read.whole_number(1, 1_000_000), "sockets and HTTP streams that one address may have open at once"
    )
    shutdown: int = _setting(
        10, read.whole_number(0, 300), "seconds that connections get to finish when the server stops"
    )
    metrics_token: str = _setting(
        "", read.token, "who sends this token, of 16 characters or more, gets the metrics; by default nobody", _hide
    )
    log_level: str = _setting(
        "info", read.one_of("debug", "info", "warning", "error"), "the lowest level that is logged"
    )
    log_format: str = _setting("console", read.one_of("console", "json"), "`console` for people, `json` for programs")


def process_count(settings: Settings, cores: int) -> int:
    """Return how many processes serve, on a machine of which this program may use so many cores.

    >>> process_count(Settings(processes="auto"), 8)
    1
    >>> process_count(Settings(processes="auto", database_url="postgresql://club@127.0.0.1/club"), 8)
    8
    """
    if settings.processes == AUTO:
        return 1 if why_single(settings) else min(cores, MAX_PROCESSES)
    return int(settings.processes)


def why_single(settings: Settings) -> str:
    """Return why only one process can serve with these settings, and what to do; nothing if several can."""
    if database_url(settings.database_url).get_backend_name() == "sqlite":
        return f"an SQLite file belongs to one process: set {PREFIX}DATABASE_URL to a PostgreSQL database"
    if settings.bus == "local":
        return f"with the bus `local` they do not hear of each other: set {PREFIX}BUS to auto, or to nats://host:4222"
    return ""


def witness_keys(settings: Settings) -> list[str]:
    """Return the public keys of the witnesses that are asked to sign the log."""
    return [text.partition("#")[2] for text in settings.witnesses]


def contact_of(settings: Settings) -> str:
    """Return how those who run push services reach the host: a mail address, or the page; empty if neither is set.

    >>> contact_of(Settings(mail_from="The club <club@patience.example>"))
    'mailto:club@patience.example'
    """
    if settings.mail_from:
        return f"mailto:{parseaddr(settings.mail_from)[1]}"
    return next((origin for origin in settings.origin if origin.startswith("https://")), "")


def all_settings() -> tuple[Field[Any], ...]:
    """Return every setting, as the fields of `Settings`."""
    return fields(Settings)


def variable(setting: Field[Any]) -> str:
    """Return the setting's environment variable, like ``CADOGAN_DATABASE_URL``."""
    return PREFIX + setting.name.upper()


def flag(setting: Field[Any]) -> str:
    """Return the setting's flag, like ``--database-url``."""
    return "--" + setting.name.replace("_", "-")


def is_secret(setting: Field[Any]) -> bool:
    """Whether the setting holds something that nobody should read, such as a password."""
    return setting.metadata["mask"] is not _show


def as_text(value: Any) -> str:
    """Return a setting's value as a host would write it in a variable."""
    if isinstance(value, bool):
        return str(value).lower()
    return ",".join(value) if isinstance(value, tuple) else str(value)


def default(setting: Field[Any]) -> str:
    """Return the setting's default as a host would write it."""
    return as_text(setting.default)


def settings_table() -> str:
    """Return the table of settings in `docs/hosting.md`, in Markdown."""
    rows = [
        (variable(setting), default(setting) or "(none)", setting.metadata["meaning"]) for setting in all_settings()
    ]
    lines = [f"| `{name}` | `{value}` | {meaning} |" for name, value, meaning in rows]
    return "\n".join(["| variable | default | meaning |", "| --- | --- | --- |", *lines]).replace("`(none)`", "(none)")


def example_file() -> str:
    """Return a file of settings in which every line is a comment: each setting with its meaning and its default."""
    blocks = [
        "# The settings of a Cadogan server. Each line that begins with # is a comment, and shows a default.\n"
        "# `cadogan serve --config cadogan.toml` reads this file. Environment variables and flags override it.\n"
        "# `cadogan config --config cadogan.toml` prints what holds, and where it comes from."
    ]
    for setting in all_settings():
        meaning = textwrap.wrap(setting.metadata["meaning"], 100, break_on_hyphens=False, break_long_words=False)
        value = list(setting.default) if isinstance(setting.default, tuple) else setting.default
        blocks.append("\n".join([*(f"# {line}" for line in meaning), f"#{setting.name} = {json.dumps(value)}"]))
    return "\n\n".join(blocks)


if __name__ == "__main__":
    print(example_file() if sys.argv[1:] == ["example"] else settings_table())
