"""What a part may want of the server: hooks by name, called in the order in which the parts were added."""

from inspect import iscoroutinefunction, signature

from cadogan.server.part import Part, Parts
from tests.harness.running_server import RunningServer

HOOKS = [hook for name, hook in vars(Part).items() if not name.startswith("_")]


async def test_every_hook_of_every_part_takes_what_it_is_handed(sqlite_server: RunningServer) -> None:
    found = [(hook, own) for hook in HOOKS for own in sqlite_server.server.parts.hooks(hook)]
    wrong = [
        own.__qualname__
        for hook, own in found
        if len(signature(own).parameters) != len(signature(hook).parameters) - 1
        or iscoroutinefunction(own) != iscoroutinefunction(hook)
    ]
    assert wrong == []
    assert {hook.__name__ for hook, _ in found} == {hook.__name__ for hook in HOOKS} - {"routes"}


async def test_hooks_are_called_in_the_order_of_the_parts_and_a_part_without_it_is_passed_over() -> None:
    closed: list[str] = []

    class Closing:
        def __init__(self, name: str) -> None:
            self.name = name

        async def close(self) -> None:
            closed.append(self.name)

    parts = Parts()
    for part in (Closing("first"), object(), Closing("second")):
        parts.add(part)
    await parts.call(Part.close)
    assert closed == ["first", "second"]
