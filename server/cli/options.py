"""What the commands share: settings as flags, and errors as sentences."""

from collections.abc import Callable, Iterator
from contextlib import contextmanager
from functools import wraps
from typing import Any

import asyncpg
import click
from sqlalchemy.exc import SQLAlchemyError

from server import config
from server.cli.output import Failure
from server.cluster.choose_bus import BusNotInstalled
from server.database.migrations import DatabaseNotCurrent


def settings_flags(*names: str) -> Callable[[Callable[..., None]], Callable[..., None]]:
    """Return a decorator that gives a command the flags of these settings and passes it `settings`.

    `names` are fields of `Settings`; without names the command gets the flags of all settings.
    """

    def decorate(command: Callable[..., None]) -> Callable[..., None]:
        @wraps(command)
        def run(**given: Any) -> None:
            flags = {setting.name: given.pop(setting.name) for setting in chosen}
            try:
                settings = config.read_settings(flags=flags)
            except config.SettingError as error:
                raise click.UsageError(str(error)) from None
            command(settings=settings, **given)

        for setting in reversed(chosen):
            meaning = f"{setting.metadata['meaning']} [{config.variable(setting)}, {config.default(setting) or 'none'}]"
            click.option(config.flag(setting), setting.name, metavar="VALUE", help=meaning)(run)
        return run

    chosen = [setting for setting in config.all_settings() if not names or setting.name in names]
    return decorate


@contextmanager
def report_errors() -> Iterator[None]:
    """Report an error that the host can repair as one sentence, and exit with code 1.

    Such errors are a port that is in use, a setting that cannot be used, and a database that does not answer or is not
    migrated.
    """
    try:
        yield
    except (BusNotInstalled, DatabaseNotCurrent, config.SettingError) as error:
        raise Failure(str(error)) from None
    except OSError as error:
        raise Failure(str(error) or "the database does not answer") from None
    except SQLAlchemyError as error:
        raise Failure(f"the database cannot be used: {getattr(error, 'orig', None) or error}") from None
    except (asyncpg.PostgresError, asyncpg.InterfaceError) as error:
        raise Failure(f"the database cannot be used: {error}") from None
