"""What hosts have set, each under a name of its own, as JSON in the table `house_settings`."""

from typing import TypeVar

import msgspec
from sqlalchemy import Select, delete, insert, select
from sqlalchemy.ext.asyncio import AsyncConnection

from cadogan.server.database.tables import house_settings

Kind = TypeVar("Kind")


async def read_setting(connection: AsyncConnection, name: str, kind: type[Kind]) -> Kind | None:
    """Return what is set under a name; None if nothing is, or if this version of the server cannot read it."""
    return as_setting(await connection.scalar(select_setting(name)), kind)


def select_setting(name: str) -> Select[tuple[str]]:
    """Return the statement that selects what is set under a name: one value, or none."""
    return select(house_settings.c.value).where(house_settings.c.name == name)


def as_setting(text: str | None, kind: type[Kind]) -> Kind | None:
    """Return a value as it was set; None for None, or if this version of the server cannot read it."""
    try:
        return None if text is None else msgspec.json.decode(text, type=kind)
    except msgspec.DecodeError:
        return None


async def write_setting(connection: AsyncConnection, name: str, value: object) -> None:
    """Set something under a name, or with None unset it. `house_log.lock_house` must have been called before."""
    await connection.execute(delete(house_settings).where(house_settings.c.name == name))
    if value is not None:
        row = {"name": name, "value": msgspec.json.encode(value).decode()}
        await connection.execute(insert(house_settings).values(row))
