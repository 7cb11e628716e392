"""The command `cadogan`: a group that imports each command only when it is used.

So `cadogan verify` starts without the server's libraries: it imports no HTTP, no SQL and no database driver.
"""

from collections.abc import Collection, Mapping
from importlib import import_module
from typing import Any

import click

from cadogan.server.cli.output import Failure, say
from cadogan.server.core.version import describe_version
from cadogan.wire.printable import printable

SECTIONS = {
    "Serve": {
        "serve": "serving.serve:serve_command",
        "migrate": "serving.serve:migrate_command",
        "config": "doctor:config_command",
        "doctor": "doctor:doctor_command",
        "upgrade-check": "doctor:upgrade_check_command",
    },
    "People": {
        "host": "admin.players:host_command",
        "house": "admin:admin_group",
    },
    "Days and analyses": {
        "analyst": "serving.workers:analyst_command",
        "certify": "serving.workers:certify_command",
    },
    "Data": {
        "backup": "backup:backup_command",
        "restore": "backup:restore_command",
        "export": "records:export_command",
        "import": "backup:import_command",
        "archive": "backup:archive_command",
        "rebuild": "records:rebuild_command",
        "root": "backup:root_command",
    },
    "Proof": {
        "verify": "verify:verify_command",
        "recompute": "recompute:recompute_command",
        "monitor": "monitor:monitor_command",
        "checkpoints": "monitor:checkpoints_command",
        "key": "key:key_group",
    },
    "Play and measure": {
        "games": "rules:games_command",
        "score": "score:score_command",
        "solo": "rules:solo_command",
        "levels": "measuring:levels_command",
        "odds": "odds:odds_command",
        "vectors": "rules:vectors_command",
        "winnability": "measuring:winnability_command",
    },
}
"""Every command, by section of the help: its module in this package, and the variable that holds it."""
COMMANDS = {name: source for section in SECTIONS.values() for name, source in section.items()}


class LazyGroup(click.Group):
    """A group of commands, each imported when it is first needed.

    `sources` maps a name to ``module:variable``, with a module of this package. `sections` maps the headings of the
    help to the names of their commands; other commands come last, under "Commands".
    """

    def __init__(
        self,
        name: str | None = None,
        *,
        sources: Mapping[str, str] | None = None,
        sections: Mapping[str, Collection[str]] | None = None,
        **options: Any,
    ) -> None:
        super().__init__(name, **options)
        self._sources = dict(sources or {})
        self._sections = dict(sections or {})

    def list_commands(self, ctx: click.Context) -> list[str]:
        """Return the names of all commands, loaded or not."""
        return sorted({*super().list_commands(ctx), *self._sources})

    def get_command(self, ctx: click.Context, cmd_name: str) -> click.Command | None:
        """Return the command with this name, importing it if needed; None if there is no such command."""
        if cmd_name in self._sources:
            module, _, variable = self._sources[cmd_name].partition(":")
            try:
                command: click.Command = getattr(import_module(f".{module}", __package__), variable)
            except ModuleNotFoundError as error:
                if error.name is not None and error.name.partition(".")[0] == "cadogan":
                    raise
                return _uninstalled_command(cmd_name, str(error.name))
            return command
        return super().get_command(ctx, cmd_name)

    def format_commands(self, ctx: click.Context, formatter: click.HelpFormatter) -> None:
        """Write the commands into the help, by section where they have sections."""
        commands = {name: self.get_command(ctx, name) for name in self.list_commands(ctx)}
        named = {name: section for section, names in self._sections.items() for name in names}
        for section in dict.fromkeys((*self._sections, "Commands")):
            width = formatter.width - 6 - max(map(len, commands))
            rows = [
                (name, command.get_short_help_str(width))
                for name, command in commands.items()
                if command is not None and named.get(name, "Commands") == section
            ]
            if rows:
                with formatter.section(section):
                    formatter.write_dl(rows)

    def invoke(self, ctx: click.Context) -> Any:
        """Run the command; errors in its arguments are escaped like all printed text."""
        try:
            return super().invoke(ctx)
        except click.UsageError as error:
            raise click.UsageError(printable(error.format_message(), keep="\n"), error.ctx) from None


def _uninstalled_command(name: str, missing: str) -> click.Command:
    """Return a placeholder for a command whose libraries are not installed: it only prints what to install."""

    def refuse(**_: object) -> None:
        raise Failure(f"`cadogan {name}` needs {missing}, which is not installed: pip install 'cadogan[server]'")

    anything = click.Argument(["arguments"], nargs=-1, type=click.UNPROCESSED)
    settings = {"ignore_unknown_options": True, "help_option_names": []}
    return click.Command(name, settings, refuse, [anything], short_help="Not installed: pip install 'cadogan[server]'")


def _print_version(ctx: click.Context, _: click.Parameter, asked: bool) -> None:
    if asked:
        say(describe_version())
        ctx.exit()


@click.group(
    cls=LazyGroup,
    sources=COMMANDS,
    sections={**SECTIONS, "Play and measure": ("play", *SECTIONS["Play and measure"])},
    context_settings={"help_option_names": ["-h", "--help"]},
)
@click.option(
    "--version",
    is_flag=True,
    expose_value=False,
    is_eager=True,
    callback=_print_version,
    help="Show the version, the commit and the revision of the tables.",
)
def main() -> None:
    """A patience server that people host for themselves."""
