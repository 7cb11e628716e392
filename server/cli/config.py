"""The command `config`: prints every setting, its value, and where the value comes from."""

import json
from collections.abc import Sequence

import click

from cadogan.server import config, config_sources
from cadogan.server.cli.options import found_settings_flags
from cadogan.server.cli.output import say


@click.command("config")
@click.option("--json", "as_json", is_flag=True, help="Print one JSON object.")
@found_settings_flags()
def config_command(found: Sequence[config_sources.GivenValue], as_json: bool) -> None:
    """Print every setting with its value, and where the value comes from; what is secret is masked.

    A flag overrides an environment variable, that a credential of systemd, that the file of settings, and that the
    default. Exits 2 if a value cannot be used.
    """
    try:
        config_sources.make_settings(found)
    except config.SettingError as error:
        raise click.UsageError(str(error)) from None
    unknown = config_sources.unknown_variables()
    if as_json:
        settings = [_describe(each) for each in found]
        say(json.dumps({"settings": settings, "unknown_variables": unknown}, ensure_ascii=False))
        return
    names, values = (max(map(len, column)) for column in zip(*((e.setting.name, e.shown) for e in found), strict=True))
    for each in found:
        where = f" ({each.where})" if each.where else ""
        say(f"{each.setting.name:{names}}  {each.shown:{values}}  {each.source}{where}")
    for name in unknown:
        say(config_sources.describe_unknown(name))


def _describe(each: config_sources.GivenValue) -> dict[str, str | bool | None]:
    return {
        "name": each.setting.name,
        "value": each.shown,
        "source": each.source,
        "where": each.where or None,
        "secret": config.is_secret(each.setting),
        "variable": config.variable(each.setting),
        "default": config.default(each.setting),
        "meaning": config.meaning(each.setting),
    }
