"""The daily challenges: today's deals for the lobby, and screens for earlier days."""

from functools import partial

from rich.text import Text

from cadogan.terminal.app import TerminalApp, terminal_app
from cadogan.terminal.formatting import format_day, format_deal_level, format_level, format_remaining, format_status
from cadogan.terminal.game.game_screen import open_game, open_replay
from cadogan.terminal.list_screen import ListPanel, ListScreen, Row, make_row
from cadogan.terminal.lobby.leaderboards import open_leaderboard
from cadogan.terminal.lobby.matches import challenge_rows
from cadogan.terminal.words import t
from cadogan.wire.bodies import Daily, DailyDeal
from cadogan.wire.values import Status

_UNFINISHED: tuple[Status, ...] = ("playing", "stuck")


async def load_today(panel: ListPanel) -> None:
    """Show the deals of today, a row that opens earlier days, and the challenges to the player."""
    app = terminal_app(panel)
    daily = await app.client.show_daily()
    heading = Text(format_day(daily.day), "bold")
    now = app.now()
    if now < daily.ends_at:
        heading.append(f"\n{t('home.same_for_all')}", "not bold")
        heading.append(f"\n{t('home.open_for', time=format_remaining(daily.ends_at - now))}", "not bold")
    if daily.streak:
        heading.append(f" {t('deals.streak', count=daily.streak)}.", "not bold")
    rows = [await _deal_row(panel, daily, deal) for deal in daily.deals]
    if any(deal.your_status not in (None, *_UNFINISHED) for deal in daily.deals):
        rows.append(make_row(t("share.label"), action=lambda: _share(app, daily.day)))
    rows.append(make_row(t("home.days_gone_by"), action=lambda: _open_days(app)))
    panel.fill(heading, [*rows, *await challenge_rows(app)])


async def _deal_row(panel: ListPanel, daily: Daily, deal: DailyDeal) -> Row:
    name = await terminal_app(panel).rules_name(deal.rules)
    progress = t("deals.runs", count=deal.runs)
    if deal.your_status is not None:
        progress += f" · {t('terminal.your_status', status=format_status(deal.your_status))}"
    elif deal.spoiled:
        progress += f" · {t('deals.stands_spoiled')}"
    if deal.deal_level is not None:
        progress += f" · {format_deal_level(deal)}"
    return make_row(
        (format_level(deal.level), 10),
        (name, 30),
        progress,
        action=partial(_enter, panel, daily, deal, name),
        rules=deal.rules,
    )


async def _enter(panel: ListPanel, daily: Daily, deal: DailyDeal, name: str) -> None:
    """Continue the player's run of a deal; if there is none in progress, ask what to do."""
    app = terminal_app(panel)
    client, day, slot = app.client, daily.day, deal.slot
    if deal.your_game is not None and deal.your_status in _UNFINISHED:
        await open_game(app, deal.your_game)
        return
    can_enter = daily.state == "open" and deal.your_game is None and not deal.spoiled
    answers = {
        t("terminal.play_ranked"): can_enter,
        t("terminal.play_practice"): not can_enter,
        t("terminal.see_again"): deal.your_game is not None,
        t("terminal.deal_board"): True,
        t("terminal.spoil"): can_enter,
    }
    offered = [answer for answer, offer in answers.items() if offer]
    chosen = await app.choose(f"{name}, {format_level(deal.level)}, {format_day(day)}", *offered)
    if chosen is None:
        return
    match list(answers).index(offered[chosen]):
        case 0 | 1 as practice:
            await open_game(app, (await client.enter_daily(day, slot, practice=practice == 1)).game.id)
        case 2:
            await open_replay(app, deal.your_game or "")
        case 3:
            await open_leaderboard(app, f"deal:{deal.deal}", f"{name}, {format_level(deal.level)}, {format_day(day)}")
        case 4:
            await client.spoil_deal(day, slot)
            panel.load()


async def _share(app: TerminalApp, day: str) -> None:
    share = await app.client.share_day(day, app.client.language)
    app.copy_to_clipboard(share.text)
    await app.choose(share.text, t("terminal.copied"))


async def _open_days(app: TerminalApp) -> None:
    await app.push_screen(DaysScreen())


class DaysScreen(ListScreen):
    """A month of days. Choosing one shows its deals."""

    async def load(self, panel: ListPanel) -> None:
        """Show the days that have begun."""
        app = terminal_app(panel)
        dailies = [daily for daily in (await app.client.list_dailies()).dailies if daily.state != "announced"]
        rows = [await self._day_row(app, daily) for daily in dailies]
        panel.fill(Text(t("home.days_gone_by"), "bold"), rows)

    async def _day_row(self, app: TerminalApp, daily: Daily) -> Row:
        names = [await app.rules_name(deal.rules) for deal in daily.deals]

        async def show() -> None:
            await app.push_screen(DayScreen(daily.day))

        missed = f"{t('calendar.missed')}; " if daily.missed else ""
        return make_row((format_day(daily.day), 30), missed + ", ".join(names), action=show)


class DayScreen(ListScreen):
    """The deals of one day."""

    def __init__(self, day: str) -> None:
        super().__init__()
        self._day = day

    async def load(self, panel: ListPanel) -> None:
        """Show the deals, and a row that opens the day's leaderboard."""
        app = terminal_app(panel)
        daily = await app.client.show_daily(self._day)
        rows = [await _deal_row(panel, daily, deal) for deal in daily.deals]
        title = format_day(daily.day)
        rows.append(
            make_row(t("daily.the_days_board"), action=lambda: open_leaderboard(app, f"day:{daily.day}", title))
        )
        panel.fill(Text(title, "bold"), rows)
