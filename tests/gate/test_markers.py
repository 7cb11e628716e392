"""Which tests count as pure, so that they are never rerun."""

from tests.conftest import uses_starters
from tests.harness import arena_actions, evening_actions, patience, sample_events


def test_who_serves_by_a_helper_of_a_helper_is_not_pure_and_who_uses_sample_data_is() -> None:
    served = {
        module.__name__: uses_starters(module) for module in (arena_actions, evening_actions, patience, sample_events)
    }
    assert [name for name, is_served in served.items() if is_served] == [
        arena_actions.__name__,
        evening_actions.__name__,
    ]
