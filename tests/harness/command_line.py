"""The command `cadogan`, run in this process."""

import os

from click.testing import CliRunner, Result

from cadogan.server import config, config_sources
from cadogan.server.cli.main import main


def run(*arguments: str, input: str = "", **environment: str) -> Result:
    """Run `cadogan` once, with these settings only."""
    bare: dict[str, str | None] = {name: None for name in os.environ if name.startswith(config.PREFIX)}
    bare |= dict.fromkeys((config_sources.CONFIG_VARIABLE, config_sources.CREDENTIALS_VARIABLE))
    return CliRunner().invoke(main, arguments, input=input, env={**bare, **environment})
