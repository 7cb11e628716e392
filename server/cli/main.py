"""The command `cadogan`: a group that loads each of its commands only when the command is used.

So `cadogan verify` starts without the server's libraries: it loads no HTTP, no SQL and no database driver.
"""

from collections.abc import Mapping
from importlib import import_module
from typing import Any

import click

from clients.wire.printable import printable

COMMANDS = {
    "analyst": "serving.analyst:analyst_command",
    "archive": "auditing.archive:archive_command",
    "certify": "serving.certify:certify_command",
    "config": "config:config_command",
    "doctor": "doctor:doctor_command",
    "export": "auditing.records:export_command",
    "games": "rules:games_command",
    "host": "house.players:host_command",
    "house": "house:house_group",
    "import": "auditing.backup:import_command",
    "key": "auditing.key:key_group",
    "levels": "measuring.levels:levels_command",
    "migrate": "serving.serve:migrate_command",
    "monitor": "auditing.monitor:monitor_command",
    "rebuild": "auditing.records:rebuild_command",
    "recompute": "auditing.verify:recompute_command",
    "root": "auditing.backup:root_command",
    "serve": "serving.serve:serve_command",
    "solo": "rules:solo_command",
    "upgrade-check": "upgrade_check:upgrade_check_command",
    "vectors": "rules:vectors_command",
    "verify": "auditing.verify:verify_command",
    "winnability": "measuring.winnability:winnability_command",
}
"""Every command, and the module of this package and the variable that hold it."""


class LazyGroup(click.Group):
    """A group of commands, each imported when it is first needed.

    `sources` maps a name to ``module:variable``, with a module of this package.
    """

    def __init__(self, name: str | None = None, *, sources: Mapping[str, str] | None = None, **options: Any) -> None:
        super().__init__(name, **options)
        self._sources = dict(sources or {})

    def list_commands(self, ctx: click.Context) -> list[str]:
        """Return the names of all commands, loaded or not."""
        return sorted({*super().list_commands(ctx), *self._sources})

    def get_command(self, ctx: click.Context, cmd_name: str) -> click.Command | None:
        """Return the command of this name, imported if need be; None if there is no such command."""
        if cmd_name in self._sources:
            module, _, variable = self._sources[cmd_name].partition(":")
            command: click.Command = getattr(import_module(f".{module}", __package__), variable)
            return command
        return super().get_command(ctx, cmd_name)

    def invoke(self, ctx: click.Context) -> Any:
        """Run the command that was asked for; what is wrong with its arguments is escaped as all that is printed."""
        try:
            return super().invoke(ctx)
        except click.UsageError as error:
            raise click.UsageError(printable(error.format_message(), keep="\n"), error.ctx) from None


@click.group(cls=LazyGroup, sources=COMMANDS, context_settings={"help_option_names": ["-h", "--help"]})
@click.version_option(package_name="cadogan")
def main() -> None:
    """A patience server that people host for themselves."""
