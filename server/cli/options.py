"""Shared parts of the commands: settings as flags, and errors as sentences."""

import socket
from collections.abc import Callable, Iterator, Sequence
from contextlib import contextmanager
from functools import wraps
from pathlib import Path
from typing import Any

import asyncpg
import click
from sqlalchemy.exc import SQLAlchemyError

from cadogan.server import config, config_sources
from cadogan.server.cli.output import Failure, warn
from cadogan.server.core.cluster.choose_bus import BusNotInstalled
from cadogan.server.core.database.connections import DatabaseUnsupported, database_address
from cadogan.server.core.database.revisions import DatabaseDamaged, DatabaseNotCurrent, UnknownRevision, is_damaged_file
from cadogan.server.core.eventlog.event_store import StoreUnavailable
from cadogan.server.core.eventlog.events import UnreadableEvent


def settings_flags(*names: str) -> Callable[[Callable[..., None]], Callable[..., None]]:
    """Return a decorator that adds `--config` and the flags of these settings to a command, and passes `settings`.

    `names` are fields of `Settings`; without names all settings get a flag.
    """

    def decorate(command: Callable[..., None]) -> Callable[..., None]:
        @found_settings_flags(*names)
        @wraps(command)
        def run(found: Sequence[config_sources.GivenValue], **given: Any) -> None:
            with _usage_errors():
                settings = config_sources.make_settings(found)
            command(settings=settings, **given)

        return run

    return decorate


def found_settings_flags(*names: str) -> Callable[[Callable[..., None]], Callable[..., None]]:
    """Return a decorator like `settings_flags`, which passes the settings with their sources, as `found`."""

    def decorate(command: Callable[..., None]) -> Callable[..., None]:
        @wraps(command)
        def run(config_file: Path | None, **given: Any) -> None:
            flags = {setting.name: given.pop(setting.name) for setting in (*chosen, *config.REMOVED)}
            with _usage_errors():
                found = config_sources.find_settings(flags=flags, file=config_file, warn=warn)
            command(found=found, **given)

        for setting in config.REMOVED:
            click.option(config.flag(setting), setting.name, hidden=True)(run)
        for setting in reversed(chosen):
            meaning = f"{config.meaning(setting)} [{config.variable(setting)}, {config.default(setting) or 'none'}]"
            click.option(config.flag(setting), setting.name, metavar="VALUE", help=meaning)(run)
        meaning = f"a file of settings, which variables and flags override [{config_sources.CONFIG_VARIABLE}, none]"
        click.option("--config", "config_file", metavar="FILE", type=click.Path(path_type=Path), help=meaning)(run)
        return run

    chosen = [setting for setting in config.all_settings() if not names or setting.name in names]
    return decorate


@contextmanager
def _usage_errors() -> Iterator[None]:
    """Report an invalid setting as a usage error of the command."""
    try:
        yield
    except config.SettingError as error:
        raise click.UsageError(str(error)) from None


@contextmanager
def report_errors(settings: config.Settings | None = None) -> Iterator[None]:
    """Report an error that the host can fix as one sentence, and exit with code 1.

    Such errors are a port in use, an invalid setting, and a database that does not answer, is not migrated, or is
    damaged.
    """
    address = database_address((settings or config.Settings()).database_url)
    try:
        yield
    except (
        BusNotInstalled,
        DatabaseNotCurrent,
        DatabaseUnsupported,
        UnknownRevision,
        config.SettingError,
    ) as error:
        raise Failure(str(error)) from None
    except DatabaseDamaged as error:
        raise _damaged(address, error) from None
    except UnreadableEvent as error:
        raise Failure(f"the log holds what this version cannot read ({address}): {error}") from None
    except StoreUnavailable as error:
        raise Failure(f"the log cannot be read ({address}): {error}") from None
    except OSError as error:
        if not isinstance(error, ConnectionError | TimeoutError | socket.gaierror) and not _is_group_of_errors(error):
            raise Failure(str(error)) from None
        reason = error.strerror or str(error) or "it took too long"
        raise Failure(f"the database does not answer ({address}): {reason}") from None
    except SQLAlchemyError as error:
        if is_damaged_file(getattr(error, "orig", None)):
            raise _damaged(address, getattr(error, "orig", error)) from None
        raise Failure(f"the database cannot be used ({address}): {getattr(error, 'orig', None) or error}") from None
    except (asyncpg.PostgresError, asyncpg.InterfaceError) as error:
        raise Failure(f"the database cannot be used ({address}): {error}") from None


def _damaged(address: str, error: Exception) -> Failure:
    advice = "Keep it for an investigation, and restore a backup (docs/backup.md)"
    return Failure(f"the database is damaged ({address}): {error}. {advice}")


def _is_group_of_errors(error: OSError) -> bool:
    """Return whether asyncio combined this error from errors for several addresses of one host."""
    return error.errno is None and str(error).startswith("Multiple exceptions")
