"""The links of the OpenAPI document: ids in one endpoint's answer that are parameters of another endpoint."""

from typing import Any

from cadogan.wire.endpoint import Endpoint
from cadogan.wire.endpoints import ENDPOINTS

Link = dict[str, Any]

PATH_PARAMETERS = {
    "rules": ("The slug of a set of rules.", "klondike"),
    "games": ("A game's id.", "k3v7q2m5x4c6z2ab"),
    "runs": ("A game's id.", "k3v7q2m5x4c6z2ab"),
    "ways": ("A version of the game.", "2"),
    "comparison": ("The id of another game of the same deal.", "b2e4s6t3r5u7n2aa"),
    "dailies": ("A day, in UTC; or `today`.", "today"),
    "puzzles": ("The day of a puzzle, in UTC; or `today` for the latest one.", "today"),
    "findings": ("A closed day, in UTC.", "2026-11-20"),
    "deals": ("The number of a deal of the day, from 1.", "1"),
    "passkeys": ("A passkey's id.", "p2a4s6s3k5e7y2id"),
    "sessions": ("The id of a session, from the list of sessions.", "s2e4s6s3i5o7n2id"),
    "players": ("A player's id.", "m3x5q7a2b4c6d2ef"),
    "members": ("A player's id.", "m3x5q7a2b4c6d2ef"),
    "entrants": ("A player's id.", "m3x5q7a2b4c6d2ef"),
    "boards": ("The name of a leaderboard; with `bots:` before it, that of the bots.", "all"),
    "reports": ("A report's id.", "r3p5o7r2t4a6b2cd"),
    "friends": ("A player's name.", "Ada"),
    "bots": ("A bot's id.", "bot-q2w3e4r5t6y7u2io"),
    "tokens": ("A personal token's id.", "t2o4k6e3n5s7t2ok"),
    "invitations": ("An invitation's id.", "i2n4v6i3t5a7t2io"),
    "webhooks": ("A webhook's id.", "w2h4k6s3h5k7w2ab"),
    "groups": ("A group's id.", "g2r4o6u3p5g7r2ou"),
    "join": ("The token in the link of a group.", "t3o5k7e2n4t6o3kn"),
    "messages": ("The id of a message in a group.", "w3r5i7t2t4e6n2ab"),
    "races": ("A race's id.", "r2s4t6u3v5w7x2yz"),
    "evenings": ("The id of an evening.", "k3v7q2m5x4c6z2ab"),
    "codes": ("The short code of an evening.", "K3V7Q2"),
    "seasons": ("The id of a season: its first week by ISO 8601.", "2026-W48"),
    "rounds": ("The number of a round, from 1.", "1"),
    "work": ("The id of a piece of work, from `take_work`.", "w2o4r6k3w5o7r2kk"),
}
"""The parameter that follows each of these words in a path: its description and an example."""

_IDS_IN_ANSWERS = (
    ("begin_game", "/game/id", "games"),
    ("enter_daily", "/game/id", "games"),
    ("list_live_games", "/games/0/game", "games"),
    ("begin_as_guest", "/player/id", "players"),
    ("sign_in", "/player/id", "players"),
    ("make_bot", "/player/id", "bots"),
    ("list_bots", "/bots/0/id", "bots"),
    ("make_token", "/id", "tokens"),
    ("list_tokens", "/tokens/0/id", "tokens"),
    ("make_group", "/id", "groups"),
    ("list_groups", "/groups/0/id", "groups"),
    ("open_race", "/race", "races"),
    ("list_races", "/races/0/race", "races"),
    ("open_rematch", "/race", "races"),
    ("list_seasons", "/seasons/0/id", "seasons"),
)
"""Operations, the JSON pointer to an id in their answer, and the word that stands before this id in a path."""


def links(endpoint: Endpoint) -> dict[str, Link]:
    """Return the OpenAPI links of an endpoint's answer, by the names of the target operations."""
    return {
        target.name: {"operationId": target.name, "parameters": {"path.id": f"$response.body#{pointer}"}}
        for name, pointer, word in _IDS_IN_ANSWERS
        for target in ENDPOINTS
        if name == endpoint.name
        and f"/{word}/{{id}}" in target.path
        and not (target.stream or target.lines or target.is_for_staff)
    }
