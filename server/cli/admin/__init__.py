"""The commands of hosts: `cadogan host` creates the first host, `cadogan house` does what hosts do in the browser.

These actions are logged without an actor's name: anybody who can run the commands owns the database.
"""

from cadogan.server.cli.admin import commands, players, seasons
from cadogan.server.cli.admin.group import admin_group

__all__ = ["admin_group", "commands", "players", "seasons"]
