"""The base of all socket messages: a value with a `type`, derived from the name of its class."""

from cadogan.wire.values import Value


def snake_case(name: str) -> str:
    """Return the `type` of the messages of a class.

    >>> snake_case("MoveTakenBack")
    'move_taken_back'
    """
    return "".join(f"_{letter.lower()}" if letter.isupper() else letter for letter in name).lstrip("_")


class Message(Value, frozen=True, kw_only=True, tag_field="type", tag=snake_case):
    """One message."""
