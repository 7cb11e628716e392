"""What erasing does is decided for every table, and for every column that refers to a player."""

import pytest

from server.database.personal_data import IMPERSONAL, PERSONAL_DATA, Erased
from server.database.tables import metadata, players

OF_A_PLAYER = {"player", "person", "friend", "owner", "host", "by"}
"""What columns are called that hold the id of a player, whether the database knows it or not."""


def test_it_is_decided_for_every_table_what_erasing_does_to_it() -> None:
    """Whoever adds a table adds it to `PERSONAL_DATA`, or to `IMPERSONAL`."""
    assert {*PERSONAL_DATA, *IMPERSONAL} == set(metadata.tables)
    assert PERSONAL_DATA.keys().isdisjoint(IMPERSONAL)


@pytest.mark.parametrize("name", sorted(metadata.tables))
def test_every_column_that_refers_to_a_player_is_known_as_such(name: str) -> None:
    table = metadata.tables[name]
    refers = {
        column.name
        for column in table.c
        if column.name in OF_A_PLAYER or any(key.column is players.c.id for key in column.foreign_keys)
    }
    about = PERSONAL_DATA.get(name)
    named = set(about.players) if about else set()
    assert named == refers | ({"id"} if name == "players" else set())


@pytest.mark.parametrize("name", sorted(PERSONAL_DATA))
def test_nothing_is_shown_that_proves_who_somebody_is(name: str) -> None:
    assert not any("hash" in column or "token" in column for column in PERSONAL_DATA[name].shown)


@pytest.mark.parametrize("name", sorted(name for name, about in PERSONAL_DATA.items() if isinstance(about, Erased)))
def test_no_table_that_stays_refers_to_rows_that_are_erased(name: str) -> None:
    """Their deletion would be refused, or take rows away that were to stay."""
    referring = {
        table.name
        for table in metadata.tables.values()
        for key in table.foreign_keys
        if key.column.table is metadata.tables[name]
    }
    assert all(isinstance(PERSONAL_DATA.get(one), Erased) for one in referring)
