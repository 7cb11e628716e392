"""The commands of hosts: `cadogan host` makes the first one, `cadogan house` does all that hosts do in the browser.

What is done here is in the log of hosts and moderators without a name: whoever can run it owns the database.
"""

from cadogan.server.cli.house import fair_play, front_door, news, players
from cadogan.server.cli.house.group import house_group

__all__ = ["fair_play", "front_door", "house_group", "news", "players"]
