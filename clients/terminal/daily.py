"""The days' cards of deals: today's in the lobby, those gone by on a screen of their own."""

from functools import partial

from rich.text import Text

from clients.terminal.app import TerminalApp, host
from clients.terminal.formatting import counted, day_words, status_words, until
from clients.terminal.game_screen import open_game
from clients.terminal.leaderboards import open_board
from clients.terminal.list_screen import Listing, ListScreen, Row, row
from clients.terminal.replay import open_replay
from clients.wire.bodies import Daily, DailyDeal
from clients.wire.values import Status

_GOING: tuple[Status, ...] = ("playing", "stuck")


async def load_today(listing: Listing) -> None:
    """Today's card, and the way to days gone by."""
    app = host(listing)
    daily = await app.client.show_daily()
    heading = Text(day_words(daily.day), "bold")
    now = app.now()
    if now < daily.ends_at:
        heading.append(f"\nThe same deals for everybody, for another {until(daily.ends_at - now)}.", "not bold")
    if daily.streak:
        heading.append(f" {counted(daily.streak, 'day')} in a row so far.", "not bold")
    rows = [await _deal_row(listing, daily, deal) for deal in daily.deals]
    if any(deal.your_status not in (None, *_GOING) for deal in daily.deals):
        rows.append(row("Your results as text, to send to others", act=lambda: _share(app, daily.day)))
    rows.append(row("Days gone by", act=lambda: _days(app)))
    listing.fill(heading, rows)


async def _deal_row(listing: Listing, daily: Daily, deal: DailyDeal) -> Row:
    name = await host(listing).name_of(deal.rules)
    stands = counted(deal.runs, "run")
    if deal.your_status is not None:
        stands += f" · you: {status_words(deal.your_status)}"
    elif deal.spoiled:
        stands += " · shown to you"
    return row((deal.level, 10), (name, 30), stands, act=partial(_enter, listing, daily, deal, name), rules=deal.rules)


async def _enter(listing: Listing, daily: Daily, deal: DailyDeal, name: str) -> None:
    """Go on where one's run is under way; else ask what is wanted."""
    app = host(listing)
    client, day, slot = app.client, daily.day, deal.slot
    if deal.your_game is not None and deal.your_status in _GOING:
        await open_game(app, deal.your_game)
        return
    fresh = daily.state == "open" and deal.your_game is None and not deal.spoiled
    answers = {
        "Play it: the one attempt that counts": fresh,
        "Play it for practice": not fresh,
        "See your game again": deal.your_game is not None,
        "The board of this deal": True,
        "Ask to be shown the games of others: your own will not count": fresh,
    }
    offered = [answer for answer, offer in answers.items() if offer]
    chosen = await app.choose(f"{name}, {deal.level}, {day_words(day)}", *offered)
    if chosen is None:
        return
    match list(answers).index(offered[chosen]):
        case 0 | 1 as practice:
            await open_game(app, (await client.enter_daily(day, slot, practice=practice == 1)).game.id)
        case 2:
            await open_replay(app, deal.your_game or "")
        case 3:
            await open_board(app, f"deal:{deal.deal}", f"{name}, {deal.level}, {day_words(day)}")
        case 4:
            await client.spoil_deal(day, slot)
            listing.load()


async def _share(app: TerminalApp, day: str) -> None:
    share = await app.client.share_day(day)
    app.copy_to_clipboard(share.text)
    await app.choose(share.text, "It is on the clipboard, where the terminal lets it")


async def _days(app: TerminalApp) -> None:
    await app.push_screen(Days())


class Days(ListScreen):
    """A month of days; each leads to its card."""

    async def load(self, listing: Listing) -> None:
        """The days that have come."""
        app = host(listing)
        dailies = [daily for daily in (await app.client.list_dailies()).dailies if daily.state != "announced"]
        rows = [await self._day_row(app, daily) for daily in dailies]
        listing.fill(Text("Days gone by", "bold"), rows)

    async def _day_row(self, app: TerminalApp, daily: Daily) -> Row:
        names = [await app.name_of(deal.rules) for deal in daily.deals]

        async def show() -> None:
            await app.push_screen(Day(daily.day))

        return row((day_words(daily.day), 30), ", ".join(names), act=show)


class Day(ListScreen):
    """One day's card."""

    def __init__(self, day: str) -> None:
        super().__init__()
        self._day = day

    async def load(self, listing: Listing) -> None:
        """The deals, and the day's board."""
        app = host(listing)
        daily = await app.client.show_daily(self._day)
        rows = [await _deal_row(listing, daily, deal) for deal in daily.deals]
        title = day_words(daily.day)
        rows.append(row("The board of the day", act=lambda: open_board(app, f"day:{daily.day}", title)))
        listing.fill(Text(title, "bold"), rows)
