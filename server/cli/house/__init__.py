"""The commands of hosts: `cadogan host` creates the first host, `cadogan house` does what hosts do in the browser.

These actions are logged without an actor's name: anybody who can run the commands owns the database.
"""

from cadogan.server.cli.house import fair_play, front_door, news, players
from cadogan.server.cli.house.group import house_group

__all__ = ["fair_play", "front_door", "house_group", "news", "players"]
