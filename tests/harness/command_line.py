"""The command `cadogan`, run in this process."""

from click.testing import CliRunner, Result

from server import config
from server.cli.main import main


def run(*arguments: str, input: str = "", **environment: str) -> Result:
    """One call of `cadogan`, with these settings and no others."""
    bare: dict[str, str | None] = {config.variable(setting): None for setting in config.all_settings()}
    return CliRunner().invoke(main, arguments, input=input, env={**bare, **environment})
