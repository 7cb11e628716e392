"""Every HTTP endpoint as a method of the same name as its operation in the OpenAPI document."""

from collections.abc import AsyncIterator, Sequence

from cadogan.sdk.account_api import AccountApi
from cadogan.sdk.evenings_api import EveningsApi
from cadogan.sdk.http import HttpClient
from cadogan.wire import (
    analysis,
    boards,
    bodies,
    chat,
    collection,
    deals,
    home,
    lent_work,
    puzzles,
    races,
    reactions,
    results,
    reviews,
    shelf,
    winnability,
)
from cadogan.wire.messages import Race, View
from cadogan.wire.reports import MyReports, NewReport, ReportReason


class Api(AccountApi, EveningsApi):
    """The HTTP endpoints of one server. Every method raises RefusalError or Unreachable."""

    def __init__(self, http: HttpClient) -> None:
        self.http = http

    # rules and games

    async def show_home(self, language: str | None = None) -> home.Home:
        """Return the data of the first page: today, the coming days, live games, and every set of rules."""
        return await self.http.request(home.Home, "show_home", query={"language": language})

    async def show_yesterday(self) -> collection.Returning:
        """Return how yesterday went for the player, friends, groups and the server, and what is on today."""
        return await self.http.request(collection.Returning, "show_yesterday")

    async def show_shelf(self, language: str | None = None) -> shelf.Shelf:
        """Return every game with a picture of its table, its duration, its difficulty, and its share of wins here."""
        return await self.http.request(shelf.Shelf, "show_shelf", query={"language": language})

    async def show_winnability(self, language: str | None = None) -> winnability.WinnabilityTable:
        """Return the share of each game's deals that a search won and lost, with 95 % intervals, and its cost."""
        return await self.http.request(winnability.WinnabilityTable, "show_winnability", query={"language": language})

    async def list_rules(self, language: str | None = None) -> bodies.RulesList:
        """Return every set of rules, in this language (`de`) where it has a translation, else in English."""
        return await self.http.request(bodies.RulesList, "list_rules", query={"language": language})

    async def show_rules(self, slug: str, language: str | None = None) -> bodies.RulesPage:
        """Return one set of rules, with its layout and its page for people."""
        return await self.http.request(bodies.RulesPage, "show_rules", query={"language": language}, slug=slug)

    async def seal_deal(self, rules: str) -> bodies.SealedDeal:
        """Request a sealed deal: its cards are fixed except for the player's nonce, and not known yet."""
        return await self.http.request(bodies.SealedDeal, "seal_deal", bodies.NewDeal(rules=rules))

    async def begin_game(
        self, deal: str, nonce: str, number: int | None = None, *, winnable: bool = False
    ) -> bodies.Game:
        """Begin a game with a sealed deal and the player's nonce, any text of at most 64 characters.

        With a `number` it has the cards of the numbered deal of this number; see `DealPlan.numbers`. With `winnable` it
        can be won; raises NoWinnableDeal if no such deal is found in some seconds.
        """
        body = bodies.NewGame(deal=deal, nonce=nonce, number=number, winnable=winnable)
        return await self.http.request(bodies.Game, "begin_game", body)

    async def show_deal(self, deal: str) -> deals.PlayedDeal:
        """Return a deal that was played, or a numbered one (`freecell-617`), with each player's best game of it."""
        return await self.http.request(deals.PlayedDeal, "show_deal", deal=deal)

    async def play_deal(self, deal: str) -> bodies.Game:
        """Begin a casual game with the cards of a deal: one's own, a link's, or a numbered one (`freecell-617`)."""
        return await self.http.request(bodies.Game, "play_deal", deal=deal)

    async def list_unfinished_games(self) -> bodies.UnfinishedGames:
        """Return the player's unfinished games, the one played last first."""
        return await self.http.request(bodies.UnfinishedGames, "list_unfinished_games")

    async def list_live_games(self) -> bodies.LiveGames:
        """Return the games that are being played now."""
        return await self.http.request(bodies.LiveGames, "list_live_games")

    async def show_game(self, id: str) -> View:
        """Return a game as the player may see it now."""
        return await self.http.request(View, "show_game", id=id)

    async def replay_game(self, id: str) -> bodies.Replay:
        """Return a game move by move."""
        return await self.http.request(bodies.Replay, "replay_game", id=id)

    async def download_record(self, id: str) -> bodies.Record:
        """Return the record of a finished game, to verify it."""
        return await self.http.request(bodies.Record, "download_record", id=id)

    async def show_pace(self, id: str) -> races.Pace:
        """Return how a finished run progressed over time."""
        return await self.http.request(races.Pace, "show_pace", id=id)

    async def show_result(self, id: str) -> results.GameResult:
        """Return how a finished game ended, and how it compares with other runs and with the player's earlier games."""
        return await self.http.request(results.GameResult, "show_result", id=id)

    async def show_attestation(self, id: str) -> results.Attestation:
        """Return the attestation of a finished game's record: its entry in the host's log, and the witnesses."""
        return await self.http.request(results.Attestation, "show_attestation", id=id)

    async def give_receipt(self, id: str) -> results.GameReceipt:
        """Return the host's signed promise that the log will have the end of the player's own finished game."""
        return await self.http.request(results.GameReceipt, "give_receipt", id=id)

    # the analysis of finished games; a position is identified by the version of the game, 1 for the deal

    async def show_analysis(self, id: str) -> analysis.Analysis:
        """Return the current state of the analysis of a finished game."""
        return await self.http.request(analysis.Analysis, "show_analysis", id=id)

    async def analyse_game(self, id: str) -> analysis.Analysis:
        """Request the analysis of a finished game. Returns its current state; `follow_analysis` waits for the rest."""
        return await self.http.request(analysis.Analysis, "analyse_game", id=id)

    async def show_way(self, id: str, version: int) -> analysis.Way:
        """Return a winning line from a position of an analysed game."""
        return await self.http.request(analysis.Way, "show_way", id=id, version=version)

    async def compare_games(self, id: str, other: str) -> analysis.Comparison:
        """Return where two finished runs of one deal diverge, and the result of each."""
        return await self.http.request(analysis.Comparison, "compare_games", id=id, other=other)

    async def play_on(self, id: str, version: int) -> bodies.Game:
        """Begin a new game for practice from a position of a finished game."""
        return await self.http.request(bodies.Game, "play_on", analysis.PlayOn(version=version), id=id)

    # games that the server lends, to be analysed by a program that knows the rules, such as `cadogan analyst --server`

    async def take_work(self, solver: int) -> lent_work.LentWork:
        """Take a finished game, to search it with this version of the solver."""
        return await self.http.request(lent_work.LentWork, "take_work", lent_work.TakeWork(solver=solver))

    async def submit_work(self, id: str, after: int, steps: Sequence[lent_work.SearchStep]) -> lent_work.WorkState:
        """Submit the next steps of an analysis; `after` is the number of steps submitted before."""
        body = lent_work.SubmitWork(after=after, steps=list(steps))
        return await self.http.request(lent_work.WorkState, "submit_work", body, id=id)

    async def give_work_up(self, id: str) -> lent_work.WorkState:
        """Give a game back that was taken to analyse it."""
        return await self.http.request(lent_work.WorkState, "give_work_up", id=id)

    # daily challenges

    async def list_dailies(self, before: str | None = None, limit: int | None = None) -> bodies.Dailies:
        """Return at most `limit` days, the latest first; with `before`, only days before this one (`2026-11-20`)."""
        return await self.http.request(bodies.Dailies, "list_dailies", query={"before": before, "limit": limit})

    async def show_daily(self, day: str = "today") -> bodies.Daily:
        """Return a day with its deals."""
        return await self.http.request(bodies.Daily, "show_daily", day=day)

    async def enter_daily(self, day: str, slot: int, practice: bool = False) -> bodies.Game:
        """Begin or continue the ranked attempt at a deal of a day, or with `practice` begin an unranked run."""
        body = bodies.EnterDaily(practice=practice)
        return await self.http.request(bodies.Game, "enter_daily", body, day=day, slot=slot)

    async def spoil_deal(self, day: str, slot: int) -> bodies.Spoiled:
        """Choose to see a deal in the games of others. The player's own run of it is no longer ranked."""
        return await self.http.request(bodies.Spoiled, "spoil_deal", day=day, slot=slot)

    async def share_day(self, day: str, language: str | None = None) -> bodies.Share:
        """Return the player's results of a day, as a text to share, in this language (`de`) or in English."""
        return await self.http.request(bodies.Share, "share_day", query={"language": language}, day=day)

    async def day_record(self, day: str) -> bodies.DayRecord:
        """Return the record of a day that has closed, to verify it offline."""
        return await self.http.request(bodies.DayRecord, "day_record", day=day)

    async def show_review(self, day: str) -> reviews.DayReview:
        """Return how the deals of a closed day were won and lost."""
        return await self.http.request(reviews.DayReview, "show_review", day=day)

    async def show_best_line(self, day: str, slot: int) -> analysis.Way:
        """Return the shortest line that is known to win a deal of a closed day."""
        return await self.http.request(analysis.Way, "show_best_line", day=day, slot=slot)

    # puzzles; `today` is the latest one

    async def list_puzzles(self) -> puzzles.PuzzleDays:
        """Return the days whose puzzles are open, the latest first."""
        return await self.http.request(puzzles.PuzzleDays, "list_puzzles")

    async def show_puzzle(self, day: str = "today") -> puzzles.Puzzle:
        """Return the puzzle of a day, and who has solved it."""
        return await self.http.request(puzzles.Puzzle, "show_puzzle", day=day)

    async def try_puzzle(self, day: str = "today") -> bodies.Game:
        """Begin a try at a puzzle, or return the unfinished one."""
        return await self.http.request(bodies.Game, "try_puzzle", day=day)

    async def give_puzzle_up(self, day: str) -> puzzles.Puzzle:
        """Give up a puzzle, which reveals its solution. Later tries do not count."""
        return await self.http.request(puzzles.Puzzle, "give_puzzle_up", day=day)

    async def show_puzzle_way(self, day: str) -> analysis.Way:
        """Return the solution of a puzzle that the player has solved or given up, or that has closed."""
        return await self.http.request(analysis.Way, "show_puzzle_way", day=day)

    # players and leaderboards

    async def report_run(self, id: str, reason: ReportReason, text: str = "") -> MyReports:
        """Report a run to the hosts, once, and return the player's own reports."""
        return await self.http.request(MyReports, "report_run", NewReport(reason=reason, text=text), id=id)

    async def report_player(self, id: str, reason: ReportReason, text: str = "") -> MyReports:
        """Report a player, for example for the name, to the hosts, once, and return the player's own reports."""
        return await self.http.request(MyReports, "report_player", NewReport(reason=reason, text=text), id=id)

    async def report_message(self, id: str, reason: ReportReason, text: str = "") -> MyReports:
        """Report a message of a group to the hosts, once, and return the player's own reports."""
        return await self.http.request(MyReports, "report_message", NewReport(reason=reason, text=text), id=id)

    async def my_reports(self) -> MyReports:
        """Return the player's own reports, and whether they are settled."""
        return await self.http.request(MyReports, "my_reports")

    async def show_player(self, id: str) -> results.Profile:
        """Return a player's profile and statistics."""
        return await self.http.request(results.Profile, "show_player", id=id)

    async def show_collection(self, id: str) -> collection.Collection:
        """Return which games a player has won, when and how well, and the player's shields and badges."""
        return await self.http.request(collection.Collection, "show_collection", id=id)

    def export_games(
        self, id: str, since: str | None = None, until: str | None = None
    ) -> AsyncIterator[results.RecentGame]:
        """Yield a player's finished games, the first begun first, while they are read.

        With `since`, only games begun on this day (`2026-11-20`) or later; with `until`, only games begun before it.
        """
        return self.http.lines(results.RecentGame, "export_games", query={"since": since, "until": until}, id=id)

    async def show_board(
        self,
        board: str,
        offset: int | None = None,
        limit: int | None = None,
        around: str | None = None,
        among: str | None = None,
        bots: bool = False,
    ) -> boards.Board:
        """Return `limit` entries of a leaderboard after the first `offset`, or around the player `around`.

        `among` limits it to `friends` or to a group (`group:` and its id); `bots` gives the leaderboard of the bots.
        """
        query = {"offset": offset, "limit": limit, "around": around, "among": among, "bots": 1 if bots else None}
        return await self.http.request(boards.Board, "show_board", query=query, board=board)

    async def list_friends(self) -> boards.Friends:
        """Return the players that this player follows."""
        return await self.http.request(boards.Friends, "list_friends")

    async def follow_player(self, name: str) -> boards.Friends:
        """Follow a player."""
        return await self.http.request(boards.Friends, "follow_player", name=name)

    async def unfollow_player(self, name: str) -> boards.Friends:
        """Stop following a player."""
        return await self.http.request(boards.Friends, "unfollow_player", name=name)

    async def list_groups(self) -> boards.Groups:
        """Return the player's groups."""
        return await self.http.request(boards.Groups, "list_groups")

    async def make_group(self, name: str) -> boards.Group:
        """Create a group."""
        return await self.http.request(boards.Group, "make_group", boards.NewGroup(name=name))

    async def find_group(self, token: str) -> boards.GroupLink:
        """Find a group by the token in its link."""
        return await self.http.request(boards.GroupLink, "find_group", token=token)

    async def join_group(self, token: str) -> boards.Group:
        """Join a group, by the token in its link."""
        return await self.http.request(boards.Group, "join_group", boards.JoinGroup(token=token))

    async def leave_group(self, id: str) -> boards.Groups:
        """Leave a group, and return the player's other groups."""
        return await self.http.request(boards.Groups, "leave_group", id=id)

    async def put_out_of_group(self, id: str, player: str) -> boards.Group:
        """Remove a member and their bots from a group, and renew its link. Only its owner may do this."""
        return await self.http.request(boards.Group, "put_out_of_group", id=id, player=player)

    async def renew_group_link(self, id: str) -> boards.Group:
        """Replace the link of a group with a new one. Only its owner may do this."""
        return await self.http.request(boards.Group, "renew_group_link", id=id)

    async def show_game_signs(self, id: str) -> reactions.Signs:
        """Return the signs at a game."""
        return await self.http.request(reactions.Signs, "show_game_signs", id=id)

    async def give_game_sign(self, id: str, sign: reactions.SignCode) -> reactions.Signs:
        """Send a sign at a finished game, replacing the player's last one, and return all."""
        return await self.http.request(reactions.Signs, "give_game_sign", reactions.GiveSign(sign=sign), id=id)

    async def show_race_signs(self, id: str) -> reactions.Signs:
        """Return the signs at a race."""
        return await self.http.request(reactions.Signs, "show_race_signs", id=id)

    async def give_race_sign(self, id: str, sign: reactions.SignCode) -> reactions.Signs:
        """Send a sign at a race before or after it runs, replacing the player's last one, and return all."""
        return await self.http.request(reactions.Signs, "give_race_sign", reactions.GiveSign(sign=sign), id=id)

    async def switch_talk(self, id: str, on: bool) -> boards.Group:
        """Enable or disable messages between the members of a group. Only its owner may do this."""
        return await self.http.request(boards.Group, "switch_talk", chat.SwitchTalk(on=on), id=id)

    async def list_messages(self, id: str, before: str | None = None, limit: int = 50) -> chat.GroupTalk:
        """Return the latest messages of a group, or the latest before a message."""
        return await self.http.request(chat.GroupTalk, "list_messages", query={"before": before, "limit": limit}, id=id)

    async def write_message(self, id: str, text: str) -> chat.TalkMessage:
        """Write a message to the members of a group."""
        return await self.http.request(chat.TalkMessage, "write_message", chat.NewTalk(text=text), id=id)

    async def remove_message(self, id: str, message: str) -> chat.TalkMessage:
        """Remove a message from a group."""
        return await self.http.request(chat.TalkMessage, "remove_message", id=id, message=message)

    async def show_root(self) -> bodies.LogRoot:
        """Return the root hash of all streams that were revealed before today."""
        return await self.http.request(bodies.LogRoot, "show_root")

    # races

    async def open_race(self, race: races.NewRace) -> Race:
        """Open a race and join it as its host."""
        return await self.http.request(Race, "open_race", race)

    async def list_races(self) -> races.Races:
        """Return the open races."""
        return await self.http.request(races.Races, "list_races")

    async def show_race(self, id: str) -> Race:
        """Return a race."""
        return await self.http.request(Race, "show_race", id=id)

    async def race_record(self, id: str) -> bodies.RaceRecord:
        """Return the record of a race that is over, to verify it offline."""
        return await self.http.request(bodies.RaceRecord, "race_record", id=id)

    async def join_race(self, id: str, nonce: str, token: str | None = None) -> Race:
        """Join a race. `token` is that of its link, for a race that is not open."""
        return await self.http.request(Race, "join_race", races.JoinRace(nonce=nonce, token=token), id=id)

    async def leave_race(self, id: str) -> Race:
        """Leave a race before it starts."""
        return await self.http.request(Race, "leave_race", id=id)

    async def start_race(self, id: str) -> Race:
        """Start a race, as its host."""
        return await self.http.request(Race, "start_race", id=id)

    async def open_rematch(self, id: str, nonce: str) -> Race:
        """Open the next race of the same players, or join it if it is open."""
        return await self.http.request(Race, "open_rematch", races.Rematch(nonce=nonce), id=id)
