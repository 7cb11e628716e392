"""A competition: what a game is played for, and everything that this decides while the server runs.

The pure part of each competition is its `CompetitionRules`. To write another one:

1. a class with the rules, which inherits from `CompetitionRules`;
2. a class that inherits from `Competition`, or from `cadogan.server.competitions.own_streams.StreamedCompetition` if it
   has matches, tournaments or the like, which are streams of its own;
3. two entry points (`cadogan.server.competitions.known_rules`), or hand it to `Server` in `cadogan.server.app`.

`tests/server/competitions/duplicate` does so.
"""

from typing import NamedTuple, Protocol

from cadogan.server.games.competition_rules import CompetitionRules, RulesRegistry
from cadogan.server.games.game_outline import GameOutline
from cadogan.server.games.game_state import GameState


class OwnRun(NamedTuple):
    """How far a person is with a shared deal, in the one run that counts."""

    finished: bool = False
    spoiled: bool = False
    """Whether the player has asked to be shown the deal instead."""


class Competition(Protocol):
    """One kind of competition at work.

    It is asked of shared deals only: a deal that nobody shares is nobody else's concern. A class that inherits from
    this one takes over what has a body here. It is a part of the server too, and may have the hooks of
    `cadogan.server.play.part.Part`, such as `on_commit`.
    """

    @property
    def rules(self) -> CompetitionRules:
        """What it decides without a database."""

    async def is_public(self, game: GameOutline) -> bool:
        """Return whether the deal is everybody's now, so that its cards and its secret may be told to anybody."""

    async def own_run(self, player: str, game: GameOutline) -> OwnRun:
        """Return how far the player is with the deal of this game, which may be another player's game.

        An owner and their bots are one person (`cadogan.server.players.persons`): none of them sees a card of others
        while another still has a run that counts. Nor does a member of a team while a team mate has one: a competition
        of teams answers for the team, and calls `Server.lift_embargo` for all of it. This one: until it is public,
        nobody is shown anything.
        """
        return OwnRun()

    async def opened_at(self, game: GameOutline) -> int:
        """Return when the deal could first be played, in milliseconds since 1970: as soon as this game, if nobody says.

        Accounts that were too new then are newcomers to the deal.
        """
        return game.dealt_at

    async def require_open(self, game: GameState, now: int) -> None:
        """Raise a RefusalError if the game takes no commands any more, though it has not been ended yet.

        `now` is in milliseconds since 1970.
        """


class Competitions:
    """The competitions of a server."""

    def __init__(self, casual: Competition) -> None:
        """Begin with the competition for every game that no other owns; `add` the others."""
        self._by_rules = {casual.rules: casual}
        self.rules = RulesRegistry(casual.rules)

    def add(self, competition: Competition) -> None:
        """Ask this competition about the games that its rules own, from now on."""
        self._by_rules[competition.rules] = competition
        self.rules.add(competition.rules)

    def of(self, game: GameOutline) -> Competition:
        """Return the competition that a game belongs to."""
        return self._by_rules[game.competition]

    async def is_public(self, game: GameOutline) -> bool:
        """Return whether a game's deal is shared and everybody's now."""
        return game.competition.is_shared and await self.of(game).is_public(game)
