"""The line above the table that says how others fare at the same deal."""

from collections.abc import Callable

from rich.text import Text

from clients.sdk import Client
from clients.sdk.errors import ClientError
from clients.sdk.game import Game
from clients.terminal.formatting import status_words
from clients.wire import messages as wire
from clients.wire.messages import ServerMessage
from clients.wire.values import Meter

MOST = 6
"""So many others are named."""


def band_of(client: Client, game: Game, show: Callable[[Text], None]) -> Callable[[], None]:
    """Keep the line up to date: in a race and in a day's deal with the others', else it stays empty."""
    card = game.session.game
    show(Text())
    if card is None or card.mode == "casual":
        return lambda: None
    meters: dict[str, Meter] = {}

    def heard(message: ServerMessage | ClientError) -> None:
        match message:
            case wire.Race(racers=racers):
                told = [racer.meter for racer in racers if racer.meter is not None]
            case wire.DayProgress(games=games):
                told = [meter for meter in games if meter.deal == card.deal]
            case _:
                return
        meters.update((meter.game, meter) for meter in told)
        show(standings(list(meters.values()), game.id))

    if card.race is not None:
        return client.watch_race(card.race, heard)
    if card.day is not None:
        return client.watch_day(card.day, heard)
    return lambda: None


def standings(meters: list[Meter], own: str) -> Text:
    """Who is how far, the furthest first; oneself in bold. Nothing while one is alone."""
    line = Text(no_wrap=True, overflow="ellipsis")
    if not any(meter.game != own for meter in meters):
        return line
    ranked = sorted(meters, key=lambda meter: (-meter.home, meter.moves, meter.player.name))
    for meter in ranked[:MOST]:
        line.append(" · " if line else "")
        done = "" if meter.status == "playing" else f" {status_words(meter.status)}"
        line.append(f"{meter.player.name} {meter.home} home{done}", "bold" if meter.game == own else "")
    if len(ranked) > MOST:
        line.append(f" · and {len(ranked) - MOST} more")
    return line
