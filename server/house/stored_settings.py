"""The settings of hosts, stored by name as JSON in the table `house_settings`."""

from typing import TypeVar

import msgspec
from sqlalchemy import Select, delete, insert, select
from sqlalchemy.ext.asyncio import AsyncConnection

from cadogan.server.database.tables import house_settings

Kind = TypeVar("Kind")


async def read_setting(connection: AsyncConnection, name: str, kind: type[Kind]) -> Kind | None:
    """Return the setting with this name; None if it is unset, or if this version of the server cannot read it."""
    return as_setting(await connection.scalar(select_setting(name)), kind)


def select_setting(name: str) -> Select[tuple[str]]:
    """Return the statement that selects the setting with this name: one value, or none."""
    return select(house_settings.c.value).where(house_settings.c.name == name)


def as_setting(text: str | None, kind: type[Kind]) -> Kind | None:
    """Parse a stored value; None for None, or if this version of the server cannot read it."""
    try:
        return None if text is None else msgspec.json.decode(text, type=kind)
    except msgspec.DecodeError:
        return None


async def write_setting(connection: AsyncConnection, name: str, value: object) -> None:
    """Store the setting with this name, or with None delete it. `house_log.lock_house` must have been called before."""
    await connection.execute(delete(house_settings).where(house_settings.c.name == name))
    if value is not None:
        row = {"name": name, "value": msgspec.json.encode(value).decode()}
        await connection.execute(insert(house_settings).values(row))
