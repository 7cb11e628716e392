"""Newcomers: accounts so new that they may be somebody's second one. They see less of what others play."""

from collections.abc import Awaitable, Callable

from server.core.clock import Clock

MAX_REMEMBERED = 100_000
"""Players whose account's age is remembered, so that it is not asked for again."""


class Newcomers:
    """Tells who is a newcomer."""

    def __init__(
        self, created_at: Callable[[str], Awaitable[int | None]], newcomer_milliseconds: int, now: Clock
    ) -> None:
        """Ask `created_at` when an account was made; it is a newcomer's for `newcomer_milliseconds` milliseconds."""
        self._find_created_at = created_at
        self._newcomer_ms = newcomer_milliseconds
        self._now = now
        self._created_at: dict[str, int] = {}

    async def is_newcomer(self, player: str) -> bool:
        """Return whether the account was made a short while ago, or is gone."""
        if self._newcomer_ms == 0:
            return False
        if player not in self._created_at:
            created_at = await self._find_created_at(player)
            if created_at is None:
                return True
            if len(self._created_at) >= MAX_REMEMBERED:
                self._created_at.clear()
            self._created_at[player] = created_at
        return self._now() - self._created_at[player] < self._newcomer_ms
