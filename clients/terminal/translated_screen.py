"""Screens whose keys are described in the player's language."""

from dataclasses import replace

from textual.binding import ActiveBinding
from textual.screen import Screen

from cadogan.terminal.words import has_text, t


class TranslatedScreen(Screen[None]):
    """A screen on which the description of each key binding is the key of a text, like `terminal.back`."""

    @property
    def active_bindings(self) -> dict[str, ActiveBinding]:
        """The bindings that work now, described in the player's language."""
        return {key: _in_words(active) for key, active in super().active_bindings.items()}


def _in_words(active: ActiveBinding) -> ActiveBinding:
    described = active.binding.description
    return active._replace(binding=replace(active.binding, description=t(described))) if has_text(described) else active
