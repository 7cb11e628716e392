"""The line above the table that shows the progress of the other games of the same race or deal."""

from collections.abc import Callable, Iterable

from rich.text import Text

from cadogan.sdk import Client
from cadogan.sdk.errors import ClientError
from cadogan.sdk.game import Game
from cadogan.sdk.ranking import progress_rank_key, race_rank_key
from cadogan.terminal.formatting import format_player, format_score, format_status
from cadogan.terminal.words import t
from cadogan.wire import messages as wire
from cadogan.wire.messages import ServerMessage
from cadogan.wire.values import Meter

MAX_NAMES = 6
"""The maximum number of players in the line."""


def watch_opponents(client: Client, game: Game, show: Callable[[Text], None]) -> Callable[[], None]:
    """Call `show` with the line, now and after each change. Returns a function that stops it.

    The line is empty unless the game belongs to a race or to the deal of a day.
    """
    card = game.session.game
    show(Text())
    if card is None or card.mode == "casual":
        return lambda: None
    meters: dict[str, Meter] = {}
    rank_key = progress_rank_key if card.race is None else race_rank_key
    maximum = game.rules.maximum if card.race is None else None

    def receive(message: ServerMessage | ClientError) -> None:
        match message:
            case wire.Race(racers=racers):
                changed = [racer.meter for racer in racers if racer.meter is not None]
            case wire.DayProgress(games=games):
                changed = [meter for meter in games if meter.deal == card.deal]
            case _:
                return
        meters.update((meter.game, meter) for meter in changed)
        counted = (meter for meter in meters.values() if meter.struck is None)
        show(format_opponents(sorted(counted, key=rank_key), game.id, maximum))

    if card.race is not None:
        return client.watch_race(card.race, receive)
    if card.day is not None:
        return client.watch_day(card.day, receive)
    return lambda: None


def format_opponents(meters: Iterable[Meter], own_game: str, maximum: int | None) -> Text:
    """Return the line for these games, in their order; the own game is bold. It is empty if there is no other game.

    Each has its score out of the `maximum`, or in a race, where `maximum` is None, its cards home.
    """
    meters = list(meters)
    line = Text(no_wrap=True, overflow="ellipsis")
    if not any(meter.game != own_game for meter in meters):
        return line
    for meter in meters[:MAX_NAMES]:
        line.append(" · " if line else "")
        status = "" if meter.status == "playing" else f" {format_status(meter.status)}"
        figure = t("terminal.home", count=meter.home) if maximum is None else format_score(meter.score, maximum)
        line.append(f"{format_player(meter.player)} {figure}{status}", "bold" if meter.game == own_game else "")
    if len(meters) > MAX_NAMES:
        line.append(f" · +{len(meters) - MAX_NAMES}")
    return line
