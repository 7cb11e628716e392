"""The commands for the host key, which signs the log: `show`, `rotate` and `restart`."""

import asyncio
from collections.abc import Awaitable, Callable
from typing import TypeVar

import click

from cadogan.server.cli.options import report_errors, settings_flags
from cadogan.server.cli.output import Failure, say
from cadogan.server.config import Settings
from cadogan.server.core.database.connections import Database, open_database
from cadogan.server.core.database.revisions import require_current
from cadogan.server.operations.host_keys import NewKey, host_key_of, log_name, restart_log, rotate_key
from cadogan.server.subjects.transparency.checkpoints import spans_of
from cadogan.server.subjects.transparency.host_key import KeyUnusable
from cadogan.server.subjects.transparency.sequencer import LogSetBack, SignedState, publish_keys
from cadogan.server.subjects.transparency.transparency_log import OtherKey, TransparencyLog

Result = TypeVar("Result")


@click.group("key")
def key_group() -> None:
    """The host's key, which signs the transparency log."""


@key_group.command("show")
@settings_flags("database_url", "key_file", "origin")
def show_command(settings: Settings) -> None:
    """Print the public key of the host, where its file is, and which keys it was rotated from.

    Exits 1 if the log cannot go on with the key in the file.
    """
    key = host_key_of(settings)

    async def work(database: Database) -> list[str]:
        log = TransparencyLog(database)
        head, host = await log.head(), await publish_keys(log, key, ())
        lines = [f"file: {key.file}"]
        if host is None and head is None:
            return [*lines, "no key: it is made at the first start of the server"]
        if host is not None:
            lines.append(f"key: {host['keys'][0]}")
            spans = spans_of(await log.rotations(host["origin"]))
            lines += [f"earlier, for trees of up to {span.until} entries: {span.key.text}" for span in spans[:-1][::-1]]
        for line in lines:
            say(line)
        await SignedState(key.file).require_growth(log)
        if head is not None and key.of(head) == key.find_next():
            return [f"a rotation was cut short: {key.next_file} signs the log; `cadogan key rotate` finishes it"]
        return []

    for line in _run(settings, work):
        say(line)


@key_group.command("rotate")
@settings_flags("database_url", "key_file", "origin")
def rotate_command(settings: Settings) -> None:
    """Create a new key, signed by the current key, and sign the log with it from now on.

    Whoever trusts the old key trusts the new one by it, and records that were signed with the old one stay attested.
    Servers may keep running; on other machines they sign again once they have the new file. The old key stays beside
    the new one, in a file with its id. If this is cut short, run it again.
    """
    key = host_key_of(settings)
    made = _run(settings, lambda database: rotate_key(database, key))
    _print_new_key(made)
    say(f"copy {key.file} to the other machines with nodes, and to where you keep copies of it")
    say("tell those who are witnesses for this log the new key; as a witness for others this host has a new key, too")


@key_group.command("restart")
@click.option("--yes", is_flag=True, help="Do not ask.")
@settings_flags("database_url", "key_file", "origin")
def restart_command(settings: Settings, yes: bool) -> None:
    """Begin the log again under another name, with the entries that it has and a key of its own.

    Only if the key is lost for good, or the log was set back to an older backup, so that the log of the old name can
    never go on. Whoever trusts the old key has to be told of the new one, and why.
    """
    if not yes:
        click.confirm(
            "Nobody who trusts the key until now will trust the new one by it. Begin the log again?", abort=True
        )
    key = host_key_of(settings)
    _print_new_key(_run(settings, lambda database: restart_log(database, key, log_name(settings))))


def _print_new_key(made: NewKey) -> None:
    say(f"the log, which has {made.size} entries, is signed by this key from now on:")
    say(made.key.text)
    if made.aside is not None:
        say(f"the key until now is kept in {made.aside}: nothing needs it any more, and nobody may get it")


def _run(settings: Settings, work: Callable[[Database], Awaitable[Result]]) -> Result:
    async def run() -> Result:
        async with open_database(settings.database_url) as database:
            await require_current(database)
            return await work(database)

    with report_errors(settings):
        try:
            return asyncio.run(run())
        except (KeyUnusable, LogSetBack) as error:
            raise Failure(str(error)) from None
        except OtherKey:
            raise Failure("somebody else has rotated the key at this moment: look with `cadogan key show`") from None
