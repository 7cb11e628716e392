"""The command `python -m cadogan.bots`: bots play the deals of a day, the rounds of an evening, or matches of two."""

import asyncio
import random
from collections.abc import Sequence
from typing import TextIO, get_args

import click

from cadogan.bots.evening import EveningPlan, EveningResult, play_evening, read_standing
from cadogan.bots.match import DEFAULT_NAME, play_match
from cadogan.bots.runner import BOTS, play_day
from cadogan.sdk import connect
from cadogan.sdk.errors import ClientError
from cadogan.sdk.retries import REQUEST_TIMEOUT_SECONDS
from cadogan.wire.evening_standings import EveningRow, EveningStanding
from cadogan.wire.evening_values import EveningLevel
from cadogan.wire.matches import NewMatch
from cadogan.wire.printable import printable

DEFAULT_COMMAND = "day"
MAX_BOTS = 2000
_server = click.argument("server")
_bot = click.option(
    "--bot", type=click.Choice(sorted(BOTS)), default="thought", show_default=True, help="Which bot plays."
)
_pause = click.option(
    "--pause", type=click.FloatRange(min=0), default=0.5, show_default=True, help="Seconds between two moves of a bot."
)
_timeout = click.option(
    "--timeout",
    type=click.FloatRange(min=0),
    default=REQUEST_TIMEOUT_SECONDS,
    show_default=True,
    help="Seconds for which an answer of the server is waited for.",
)


class _Commands(click.Group):
    """A group whose command may be left out: then it is `DEFAULT_COMMAND`."""

    def parse_args(self, ctx: click.Context, args: list[str]) -> list[str]:
        """Parse the arguments, after the default command if the first one names none."""
        named = args[:1] and (args[0] in self.commands or args[0] in ctx.help_option_names)
        return super().parse_args(ctx, args if named or not args else [DEFAULT_COMMAND, *args])


@click.group(cls=_Commands)
def main() -> None:
    """Let bots play on a Cadogan server. Without a command: the deals of a day."""


@main.command("day")
@_server
@click.option("--token", envvar="CADOGAN_TOKEN", required=True, help="The bot's token [CADOGAN_TOKEN].")
@_bot
@click.option("--day", default="today", show_default=True, help="The day whose deals are played, like 2026-11-20.")
@_timeout
def day_command(server: str, token: str, bot: str, day: str, timeout: float) -> None:
    """Play the deals of a day at SERVER, an address like https://patience.example, and print how each game ended."""
    try:
        asyncio.run(_play_day(server, token, bot, day, timeout))
    except ClientError as error:
        raise click.ClickException(printable(str(error))) from None


@main.command("evening")
@_server
@click.argument("code")
@click.option("--count", type=click.IntRange(1, MAX_BOTS), default=1, show_default=True, help="How many bots enter.")
@_bot
@click.option("--name", default="Player", show_default=True, help="What guests are called; a number follows it.")
@click.option("--tokens", type=click.File(encoding="utf-8"), help="A file with one token of a bot in each line.")
@_pause
@_timeout
def evening_command(
    server: str, code: str, count: int, bot: str, name: str, tokens: TextIO | None, pause: float, timeout: float
) -> None:
    """Enter the evening with this CODE at SERVER, and play its rounds until the last one has closed.

    Bots without a token are guests, and are listed among the people.
    """
    known = [line.strip() for line in tokens or () if line.strip()]
    names = [f"{name} {number}" for number in range(1, max(count, len(known)) + 1)]
    plan = EveningPlan(server, bot, pause, timeout)
    try:
        asyncio.run(_play_evening(plan, code, names, known))
    except ClientError as error:
        raise click.ClickException(printable(str(error))) from None


@main.command("match")
@_server
@click.option("--deals", type=click.IntRange(1, 9), default=3, show_default=True, help="How many deals a match has.")
@click.option(
    "--level", type=click.Choice(get_args(EveningLevel)), default="mixed", show_default=True, help="How difficult."
)
@click.option("--matches", type=click.IntRange(1), default=1, show_default=True, help="How many, one after another.")
@click.option("--name", default=DEFAULT_NAME, show_default=True, help="What the bot is called.")
@_bot
@_pause
@_timeout
def match_command(
    server: str, deals: int, level: EveningLevel, matches: int, name: str, bot: str, pause: float, timeout: float
) -> None:
    """Make a match of two at SERVER, print its link, and play whoever comes with it in a quarter of an hour.

    The bot is a guest, since matches are not for the accounts of bots: give the link to those who know who plays.
    """
    plan, wanted = EveningPlan(server, bot, pause, timeout), NewMatch(against="link", deals=deals, level=level)
    try:
        asyncio.run(_play_matches(plan, wanted, name, matches))
    except ClientError as error:
        raise click.ClickException(printable(str(error))) from None


async def _play_matches(plan: EveningPlan, wanted: NewMatch, name: str, count: int) -> None:
    async with connect(plan.server, timeout_seconds=plan.timeout_seconds) as client:
        for _ in range(count):
            result = await play_match(client, plan, wanted, lambda link: click.echo(printable(link)), name)
            for line in [*describe_standing(result.standing), *describe_results([result.played])]:
                click.echo(printable(line))


async def _play_day(server: str, token: str, bot: str, day: str, timeout_seconds: float) -> None:
    async with connect(server, token, timeout_seconds=timeout_seconds) as client:
        for session in await play_day(client, bot, random.Random(), day):
            assert session.game is not None
            line = f"{session.game.rules}: {session.status}, score {session.score}, {session.played} moves"
            click.echo(printable(line))


async def _play_evening(plan: EveningPlan, code: str, names: Sequence[str], tokens: Sequence[str]) -> None:
    await read_standing(plan, code)  # a wrong code is reported once, before anybody enters
    results = await play_evening(plan, code, names, tokens)
    for line in [*describe_standing(await read_standing(plan, code)), *describe_results(results)]:
        click.echo(printable(line))
    if all(result.problem for result in results):
        raise click.ClickException("no bot could play to the end")


def describe_standing(standing: EveningStanding) -> list[str]:
    """Return lines with the places: the mean share in per cent, or the points of an arena."""
    lines = list[str]()
    for field in standing.arena or standing.fields:
        lines.append(f"{field.field}:")
        for row in field.rows:
            shown = row.shown if isinstance(row, EveningRow) else f"{row.points} points"
            lines.append(f"{row.place:>4}. {row.player.name}: {shown}")
    return lines


def describe_results(results: Sequence[EveningResult]) -> list[str]:
    """Return lines with what the bots have done, how long answers took, and what went wrong.

    >>> from cadogan.bots.evening import EveningResult
    >>> one, other = EveningResult("Player 1", [], [0.002] * 99 + [0.3]), EveningResult("Player 2", problem="Too many.")
    >>> describe_results([one, other])
    ['2 bots, 0 runs, 100 moves; an answer took 2 ms (median), 300 ms (99th percentile)', 'Player 2: Too many.']
    """
    seconds = sorted(one for result in results for one in result.answer_seconds)
    line = f"{len(results)} bots, {sum(len(result.runs) for result in results)} runs, {len(seconds)} moves"
    if seconds:
        median, slow = (round(1000 * seconds[len(seconds) * share // 100]) for share in (50, 99))
        line += f"; an answer took {median} ms (median), {slow} ms (99th percentile)"
    return [line, *(f"{result.name}: {result.problem}" for result in results if result.problem)]


if __name__ == "__main__":
    main()
