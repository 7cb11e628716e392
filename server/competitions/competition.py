"""The interface of a competition: the decisions that depend on the context in which a game is played.

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
    """The state of a person's one ranked run of a shared deal."""

    finished: bool = False
    spoiled: bool = False
    """Whether the player chose to see the deal instead of playing it ranked."""


class Competition(Protocol):
    """One kind of competition.

    The server calls these methods for shared deals only. Methods with a body here are defaults. A competition is also a
    part of the server, and may have the hooks of `cadogan.server.play.part.Part`, such as `on_commit`.
    """

    @property
    def rules(self) -> CompetitionRules:
        """The decisions that need no database."""

    async def is_public(self, game: GameOutline) -> bool:
        """Return whether the deal is public now: its cards and its secret may be sent to anybody."""

    async def own_run(self, player: str, game: GameOutline) -> OwnRun:
        """Return the state of the player's ranked run of this game's deal. The game may be another player's.

        An owner and their bots are one person (`cadogan.server.players.persons`): none of them sees a card of others
        while another still has a run that counts. Nor does a member of a team while a team mate has one: a competition
        of teams answers for the team, and calls `Server.lift_embargo` for all of it. This one: until it is public,
        nobody is shown anything.
        """
        return OwnRun()

    async def opened_at(self, game: GameOutline) -> int:
        """Return when the deal could first be played, in milliseconds since 1970. The default is the time of this game.

        Accounts that were too new at that time are newcomers to the deal.
        """
        return game.dealt_at

    async def require_open(self, game: GameState, now: int) -> None:
        """Raise a RefusalError if the game no longer accepts commands, although its end is not recorded yet.

        `now` is in milliseconds since 1970.
        """


class Competitions:
    """The competitions of a server."""

    def __init__(self, casual: Competition) -> None:
        """`casual` owns every game that no other competition owns; `add` the others."""
        self._by_rules = {casual.rules: casual}
        self.rules = RulesRegistry(casual.rules)

    def add(self, competition: Competition) -> None:
        """Register a competition for the games that its rules own."""
        self._by_rules[competition.rules] = competition
        self.rules.add(competition.rules)

    def of(self, game: GameOutline) -> Competition:
        """Return the competition that a game belongs to."""
        return self._by_rules[game.competition]

    async def is_public(self, game: GameOutline) -> bool:
        """Return whether a game's deal is shared, and public now."""
        return game.competition.is_shared and await self.of(game).is_public(game)
