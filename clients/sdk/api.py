"""Everything that can be asked over HTTP: one method for each endpoint, by its name in the OpenAPI document."""

from clients.sdk.http import Http
from clients.wire import boards, bodies, races, settings
from clients.wire.messages import Race, View


class Api:
    """One server's endpoints. Every method raises RefusalError, Unreachable, or UnreadableMessage."""

    def __init__(self, http: Http) -> None:
        self.http = http

    # who one is

    async def begin_as_guest(self) -> bodies.SignedIn:
        """Become a guest; from then on everything is asked as that guest."""
        return self._signed_in(await self.http.ask(bodies.SignedIn, "begin_as_guest"))

    async def sign_in(self, name: str, password: str) -> bodies.SignedIn:
        """Sign in; from then on everything is asked as that player."""
        credentials = bodies.Credentials(name=name, password=password)
        return self._signed_in(await self.http.ask(bodies.SignedIn, "sign_in", credentials))

    async def who_am_i(self) -> bodies.Session:
        """Who one is."""
        return await self.http.ask(bodies.Session, "who_am_i")

    async def sign_out(self) -> bodies.Session:
        """End the session whose token this is."""
        session = await self.http.ask(bodies.Session, "sign_out")
        self.http.token = None
        return session

    async def claim_name(self, name: str, password: str) -> bodies.Claimed:
        """Give the guest that one is a name and a password."""
        return await self.http.ask(bodies.Claimed, "claim_name", bodies.Credentials(name=name, password=password))

    async def sign_out_everywhere(self) -> bodies.Session:
        """End every session that one has, wherever it was begun."""
        session = await self.http.ask(bodies.Session, "sign_out_everywhere")
        self.http.token = None
        return session

    async def change_password(self, old: str, new: str) -> bodies.Session:
        """Have another password; every session but this one ends."""
        return await self.http.ask(bodies.Session, "change_password", bodies.NewPassword(old=old, new=new))

    async def list_bots(self) -> boards.Bots:
        """One's bots."""
        return await self.http.ask(boards.Bots, "list_bots")

    async def retire_bot(self, id: str) -> boards.Bots:
        """Make a bot's token worthless; its runs stay. One's other bots."""
        return await self.http.ask(boards.Bots, "retire_bot", id=id)

    async def make_bot(self, name: str) -> bodies.SignedIn:
        """Make an account for a program; its token is in the answer, and not used here."""
        return await self.http.ask(bodies.SignedIn, "make_bot", boards.NewBot(name=name))

    async def show_settings(self) -> settings.KeptSettings:
        """How one likes the page."""
        return await self.http.ask(settings.KeptSettings, "show_settings")

    async def keep_settings(self, kept: settings.Settings) -> settings.KeptSettings:
        """Keep how one likes the page, with the account."""
        return await self.http.ask(settings.KeptSettings, "keep_settings", kept)

    # rules and games

    async def list_rules(self, language: str | None = None) -> bodies.RulesList:
        """Every set of rules, in a language if there are pages in it, else in English."""
        return await self.http.ask(bodies.RulesList, "list_rules", query={"language": language})

    async def show_rules(self, slug: str, language: str | None = None) -> bodies.RulesPage:
        """One set of rules, with its layout."""
        return await self.http.ask(bodies.RulesPage, "show_rules", query={"language": language}, slug=slug)

    async def seal_deal(self, rules: str) -> bodies.SealedDeal:
        """Ask for a sealed deal."""
        return await self.http.ask(bodies.SealedDeal, "seal_deal", bodies.NewDeal(rules=rules))

    async def begin_game(self, deal: str, nonce: str) -> bodies.Game:
        """Begin a game with a sealed deal and one's own words."""
        return await self.http.ask(bodies.Game, "begin_game", bodies.NewGame(deal=deal, nonce=nonce))

    async def list_live_games(self) -> bodies.LiveGames:
        """The games being played."""
        return await self.http.ask(bodies.LiveGames, "list_live_games")

    async def show_game(self, id: str) -> View:
        """A game as one may see it now."""
        return await self.http.ask(View, "show_game", id=id)

    async def replay_game(self, id: str) -> bodies.Replay:
        """A game move by move."""
        return await self.http.ask(bodies.Replay, "replay_game", id=id)

    async def download_record(self, id: str) -> bodies.Record:
        """The record that proves a finished game."""
        return await self.http.ask(bodies.Record, "download_record", id=id)

    async def show_pace(self, id: str) -> races.Pace:
        """How a finished run went."""
        return await self.http.ask(races.Pace, "show_pace", id=id)

    # the days

    async def list_dailies(self, before: str | None = None, limit: int | None = None) -> bodies.Dailies:
        """Days, latest first."""
        return await self.http.ask(bodies.Dailies, "list_dailies", query={"before": before, "limit": limit})

    async def show_daily(self, day: str = "today") -> bodies.Daily:
        """One day's card of deals."""
        return await self.http.ask(bodies.Daily, "show_daily", day=day)

    async def enter_daily(self, day: str, slot: int, practice: bool = False) -> bodies.Game:
        """One's attempt at a deal of a day, begun or found; or a run for practice."""
        body = bodies.EnterDaily(practice=practice)
        return await self.http.ask(bodies.Game, "enter_daily", body, day=day, slot=slot)

    async def spoil_deal(self, day: str, slot: int) -> bodies.Spoiled:
        """Ask to be shown a deal; one's own run of it counts no more."""
        return await self.http.ask(bodies.Spoiled, "spoil_deal", day=day, slot=slot)

    async def share_day(self, day: str) -> bodies.Share:
        """One's results of a day, as text to send to others."""
        return await self.http.ask(bodies.Share, "share_day", day=day)

    # players and boards

    async def show_player(self, id: str) -> bodies.Profile:
        """Who somebody is here, and how they have fared."""
        return await self.http.ask(bodies.Profile, "show_player", id=id)

    async def show_board(
        self,
        board: str,
        offset: int | None = None,
        limit: int | None = None,
        around: str | None = None,
        among: str | None = None,
        bots: bool = False,
    ) -> boards.Board:
        """A stretch of a board."""
        query = {"offset": offset, "limit": limit, "around": around, "among": among, "bots": 1 if bots else None}
        return await self.http.ask(boards.Board, "show_board", query=query, board=board)

    async def list_friends(self) -> boards.Friends:
        """Whom one follows."""
        return await self.http.ask(boards.Friends, "list_friends")

    async def follow_player(self, name: str) -> boards.Friends:
        """Follow a player."""
        return await self.http.ask(boards.Friends, "follow_player", name=name)

    async def unfollow_player(self, name: str) -> boards.Friends:
        """Follow a player no longer."""
        return await self.http.ask(boards.Friends, "unfollow_player", name=name)

    async def list_groups(self) -> boards.Groups:
        """One's groups."""
        return await self.http.ask(boards.Groups, "list_groups")

    async def make_group(self, name: str) -> boards.Group:
        """Make a group."""
        return await self.http.ask(boards.Group, "make_group", boards.NewGroup(name=name))

    async def join_group(self, token: str) -> boards.Group:
        """Join a group, by the token in its link."""
        return await self.http.ask(boards.Group, "join_group", boards.JoinGroup(token=token))

    async def leave_group(self, id: str) -> boards.Groups:
        """Leave a group."""
        return await self.http.ask(boards.Groups, "leave_group", id=id)

    async def show_root(self) -> bodies.LogRoot:
        """The hash over everything that was revealed before today."""
        return await self.http.ask(bodies.LogRoot, "show_root")

    # races

    async def open_race(self, race: races.NewRace) -> Race:
        """Open a race and take the first place in it."""
        return await self.http.ask(Race, "open_race", race)

    async def list_races(self) -> races.Races:
        """The open races."""
        return await self.http.ask(races.Races, "list_races")

    async def show_race(self, id: str) -> Race:
        """A race."""
        return await self.http.ask(Race, "show_race", id=id)

    async def join_race(self, id: str, nonce: str, token: str | None = None) -> Race:
        """Take a place in a race."""
        return await self.http.ask(Race, "join_race", races.JoinRace(nonce=nonce, token=token), id=id)

    async def leave_race(self, id: str) -> Race:
        """Give one's place up."""
        return await self.http.ask(Race, "leave_race", id=id)

    async def start_race(self, id: str) -> Race:
        """Start the race, as its host."""
        return await self.http.ask(Race, "start_race", id=id)

    async def open_rematch(self, id: str, nonce: str) -> Race:
        """The next race of the same people: opened, or joined."""
        return await self.http.ask(Race, "open_rematch", races.Rematch(nonce=nonce), id=id)

    def _signed_in(self, signed_in: bodies.SignedIn) -> bodies.SignedIn:
        self.http.token = signed_in.token
        return signed_in
