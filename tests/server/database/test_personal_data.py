"""What erasing does is decided for every table, and for every column that refers to a player."""

from cadogan.server.core.database.tables import metadata, players
from cadogan.server.subjects.players.own_data import IMPERSONAL, PERSONAL_DATA, Erased

OF_A_PLAYER = {"player", "person", "friend", "owner", "host", "leader", "opponent", "by"}
"""What columns are called that hold the id of a player, whether the database knows it or not."""


def test_it_is_decided_for_every_table_what_erasing_does_to_it() -> None:
    """Whoever adds a table adds it to `PERSONAL_DATA`, or to `IMPERSONAL`."""
    assert {*PERSONAL_DATA, *IMPERSONAL} == set(metadata.tables)
    assert PERSONAL_DATA.keys().isdisjoint(IMPERSONAL)


def test_every_column_that_refers_to_a_player_is_known_as_such() -> None:
    refers = {
        (table.name, column.name)
        for table in metadata.tables.values()
        for column in table.c
        if column.name in OF_A_PLAYER or any(key.column is players.c.id for key in column.foreign_keys)
    }
    named = {(name, column) for name, about in PERSONAL_DATA.items() for column in about.players}
    assert named == refers | {("players", "id")}


def test_nothing_is_shown_that_proves_who_somebody_is() -> None:
    shown = [(name, column) for name, about in PERSONAL_DATA.items() for column in about.shown]
    assert [place for place in shown if "hash" in place[1] or "token" in place[1]] == []


def test_no_table_that_stays_refers_to_rows_that_are_erased() -> None:
    """Their deletion would be refused, or take rows away that were to stay."""
    erased = {name for name, about in PERSONAL_DATA.items() if isinstance(about, Erased)}
    referring = {
        (table.name, key.column.table.name)
        for table in metadata.tables.values()
        for key in table.foreign_keys
        if key.column.table.name in erased
    }
    assert [(one, other) for one, other in referring if one not in erased] == []
