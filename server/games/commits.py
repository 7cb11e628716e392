"""What subscribers are handed for steps of a game that are in the log."""

from collections.abc import Sequence

from server.eventlog.commits import Commit
from server.eventlog.events import ChallengeSpoiled, GameFinished
from server.games.game_state import GameState, Step

_ENDS = (ChallengeSpoiled, GameFinished)


class Committed(Commit[GameState], frozen=True, kw_only=True):
    """Steps of one game that are in the log now. Make one with `of_steps`.

    It `is_end` if the run has ended with them, or counts no more because its player was shown the deal.
    """

    steps: tuple[Step, ...]
    """The steps in their order; at least one."""

    @classmethod
    def of_steps(cls, steps: Sequence[Step], written_here: bool) -> "Committed":
        """Return what subscribers are handed for these steps."""
        is_end = any([isinstance(step.event, _ENDS) for step in steps])
        return cls(steps[-1].after, written_here, is_end, steps=tuple(steps))

    @property
    def game(self) -> GameState:
        """The game after the last of them."""
        return self.state

    @property
    def lifts_embargo(self) -> bool:
        """Whether the player may see others' games of the deal after these steps, and could not before."""
        return self.is_end and self.game.competition.lifts_embargo(self.game.dealt)
