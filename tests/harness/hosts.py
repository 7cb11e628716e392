"""People with accounts and roles, who have confirmed their passwords."""

from typing import Any

from cadogan.server.subjects.admin.roles import Roles
from cadogan.wire.admin import Why
from tests.harness.people import Person
from tests.harness.running_server import RunningServer

PASSWORD = "eight red queens"
WHY = {"reason": "conduct", "note": "Warned before."}


async def player(running_server: RunningServer, name: str) -> Person:
    """Create a player with an account of this name."""
    person = await running_server.guest()
    status, answer = await person.post("/account", {"name": name, "password": PASSWORD})
    assert status == 200, answer
    return person


async def with_role(running_server: RunningServer, name: str, role: str | None, confirmed: bool = True) -> Person:
    """Create a player with an account and a role; by default with the password confirmed."""
    person = await player(running_server, name)
    await roles(running_server).change(None, person.id, role, Why(reason="request"))
    if confirmed:
        await confirm(person)
    return person


async def confirm(person: Person) -> None:
    """Confirm the password."""
    status, answer = await person.ask("PUT", "/session/confirmation", {"password": PASSWORD})
    assert status == 200, answer


def roles(running_server: RunningServer) -> Roles:
    """Return the roles in the database of a running server."""
    return Roles(running_server.server.database, running_server.clock)


async def log_of(person: Person, **query: int) -> list[dict[str, Any]]:
    """Return the log of hosts as sent to this person, the latest first."""
    asked = "&".join(f"{key}={value}" for key, value in query.items())
    status, answer = await person.get(f"/house/log?{asked}")
    assert status == 200, answer
    acts: list[dict[str, Any]] = answer["acts"]
    return acts
