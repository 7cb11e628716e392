"""Printing. Text from a file, the log or another server is escaped, so that it cannot control the terminal."""

import click

from cadogan.wire.printable import printable


def say(text: str, keep: str = "") -> None:
    """Print a text as one line; with ``keep="\\n"`` as several."""
    click.echo(printable(text, keep))


def warn(sentence: str) -> None:
    """Print a warning to standard error."""
    click.echo(printable(f"Warning: {sentence}"), err=True)


class Failure(click.ClickException):
    """An error of a command, as one sentence. The command prints it and exits with code 1."""

    def __init__(self, message: str) -> None:
        super().__init__(printable(message))
