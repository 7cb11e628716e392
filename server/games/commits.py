"""The commit that subscribers receive for stored steps of a game."""

from collections.abc import Sequence
from typing import Self

from cadogan.server.eventlog.commits import Commit
from cadogan.server.eventlog.events import ChallengeSpoiled, GameFinished
from cadogan.server.games.game_state import GameState, Step

_ENDS = (ChallengeSpoiled, GameFinished)


class Committed(Commit[GameState], frozen=True, kw_only=True):
    """Steps of one game that are stored in the log.

    `is_end` is True if the run ended with these steps, or no longer counts because its player has seen the deal.
    """

    steps: tuple[Step, ...]
    """The steps in their order; at least one."""

    @classmethod
    def of(cls, changes: Sequence[Step], written_here: bool) -> Self:
        """Return the commit of these steps."""
        is_end = any([isinstance(step.event, _ENDS) for step in changes])
        return cls(changes[-1].after, written_here, is_end, steps=tuple(changes))

    @property
    def lifts_embargo(self) -> bool:
        """Whether the player may see others' games of the deal after these steps, and could not before."""
        return self.is_end and self.state.competition.lifts_embargo(self.state.dealt)
