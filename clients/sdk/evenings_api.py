"""The requests about evenings, ratings and seasons."""

from cadogan.sdk.http import HttpClient
from cadogan.wire import arenas, evening_standings, evenings, matches, ratings, seasons, virtual_evenings


class EveningsApi:
    """The part of the interface that is about evenings, ratings and seasons."""

    http: HttpClient

    async def list_evenings(self) -> evenings.EveningList:
        """Return the evenings that are on, to come and over."""
        return await self.http.request(evenings.EveningList, "list_evenings")

    async def make_evening(self, wanted: evenings.NewEvening) -> evenings.Evening:
        """Make an evening, as a host, a moderator or the owner of its group."""
        return await self.http.request(evenings.Evening, "make_evening", wanted)

    async def find_evening(self, code: str) -> evenings.Evening:
        """Return the evening with this short code."""
        return await self.http.request(evenings.Evening, "find_evening", code=code)

    async def show_evening(self, id: str) -> evenings.Evening:
        """Return an evening."""
        return await self.http.request(evenings.Evening, "show_evening", id=id)

    async def change_evening(self, id: str, wanted: evenings.ChangeEvening) -> evenings.Evening:
        """Change an evening before its first round opens, as its leader."""
        return await self.http.request(evenings.Evening, "change_evening", wanted, id=id)

    async def enter_evening(self, id: str, name: str | None = None, team: str | None = None) -> evenings.Evening:
        """Enter an evening. `name` is that of a guest, `team` the id of your team, if the evening has teams."""
        wanted = evenings.EnterEvening(name=name, team=team)
        return await self.http.request(evenings.Evening, "enter_evening", wanted, id=id)

    async def assign_evening_team(self, id: str, player: str, team: str | None) -> evenings.Evening:
        """Put an entrant into a team, or into none, as the leader, until they have opened a deal."""
        wanted = evenings.AssignTeam(team=team)
        return await self.http.request(evenings.Evening, "assign_evening_team", wanted, id=id, player=player)

    async def leave_evening(self, id: str) -> evenings.Evening:
        """Leave an evening; an unfinished run is resigned."""
        return await self.http.request(evenings.Evening, "leave_evening", id=id)

    async def open_evening_deal(self, id: str) -> evenings.EveningGame:
        """Open the deal of the open round, or the next one of an arena, or return the game already begun."""
        return await self.http.request(evenings.EveningGame, "open_evening_deal", id=id)

    async def show_arena_deals(self, id: str) -> arenas.ArenaDeals:
        """Return the deals of an arena, with the commitment of each, and your own runs."""
        return await self.http.request(arenas.ArenaDeals, "show_arena_deals", id=id)

    async def show_arena_sheet(self, id: str, player: str) -> arenas.ArenaSheet:
        """Return the runs of a player in an arena that are over, with the points of each."""
        return await self.http.request(arenas.ArenaSheet, "show_arena_sheet", id=id, player=player)

    async def show_evening_standing(self, id: str) -> evening_standings.EveningStanding:
        """Return the standing of an evening as it is now."""
        return await self.http.request(evening_standings.EveningStanding, "show_evening_standing", id=id)

    async def show_evening_round(self, id: str, round: int) -> evening_standings.EveningRuns:
        """Return the runs of a round that has closed."""
        return await self.http.request(evening_standings.EveningRuns, "show_evening_round", id=id, round=str(round))

    async def evening_record(self, id: str) -> evening_standings.EveningRecord:
        """Return the record of an evening that is over, to derive its standing again offline."""
        return await self.http.request(evening_standings.EveningRecord, "evening_record", id=id)

    async def object_to_evening(self, id: str, run: str | None = None, round: int | None = None) -> evenings.Evening:
        """Object to a run or a round as an entrant, while the standing is provisional."""
        wanted = evenings.NewObjection(run=run, round=round)
        return await self.http.request(evenings.Evening, "object_to_evening", wanted, id=id)

    async def show_virtual_evening(self, id: str) -> virtual_evenings.VirtualEvening:
        """Return whether you may play a final evening as a virtual one, and your result in it so far."""
        return await self.http.request(virtual_evenings.VirtualEvening, "show_virtual_evening", id=id)

    async def begin_virtual_evening(self, id: str) -> virtual_evenings.VirtualEvening:
        """Begin a virtual evening, with the deals of a final one; its first round opens now."""
        return await self.http.request(virtual_evenings.VirtualEvening, "begin_virtual_evening", id=id)

    async def open_virtual_deal(self, id: str) -> evenings.EveningGame:
        """Open the deal of the open round in your virtual evening, or return the game already begun."""
        return await self.http.request(evenings.EveningGame, "open_virtual_deal", id=id)

    async def rule_evening(self, id: str, ruling: evenings.Ruling) -> evenings.Evening:
        """Decide as the leader of an evening."""
        return await self.http.request(evenings.Evening, "rule_evening", ruling, id=id)

    async def list_matches(self) -> matches.MatchList:
        """Return your duplicate matches, and those that wait for anybody."""
        return await self.http.request(matches.MatchList, "list_matches")

    async def make_match(self, wanted: matches.NewMatch) -> evenings.Evening:
        """Challenge a player, create a match for anybody with its link, or play against a waiting player.

        A challenged player accepts with `enter_evening` and declines with `leave_evening`.
        """
        return await self.http.request(evenings.Evening, "make_match", wanted)

    async def show_form(self, id: str) -> ratings.PlayerForm:
        """Return how a player has done in evenings: shares, places, ratings."""
        return await self.http.request(ratings.PlayerForm, "show_form", id=id)

    async def list_ratings(self, pool: ratings.Pool = "all", *, bots: bool = False) -> ratings.RatingList:
        """Return the ratings of people or bots, the best first, in evenings of all levels or of one."""
        query: dict[str, str | int | None] = {"pool": pool, "bots": 1 if bots else None}
        return await self.http.request(ratings.RatingList, "list_ratings", query=query)

    async def list_seasons(self) -> seasons.SeasonList:
        """Return the seasons, the latest first, and the settings for future ones."""
        return await self.http.request(seasons.SeasonList, "list_seasons")

    async def show_season(self, id: str) -> seasons.Season:
        """Return a season with its divisions, one's own first."""
        return await self.http.request(seasons.Season, "show_season", id=id)

    async def leave_season(self, id: str) -> seasons.Season:
        """Leave a season: neither rise nor fall, and be in no division of the next one."""
        return await self.http.request(seasons.Season, "leave_season", id=id)

    async def change_seasons(self, wanted: seasons.SeasonSettings) -> seasons.SeasonList:
        """Switch the seasons on or off as a host, and change the settings of future ones."""
        return await self.http.request(seasons.SeasonList, "change_seasons", wanted)

    async def list_group_seasons(self, group: str) -> seasons.SeasonList:
        """Return the seasons of a group that you are in, the latest first, and the settings for future ones."""
        return await self.http.request(seasons.SeasonList, "list_group_seasons", id=group)

    async def change_group_seasons(self, group: str, wanted: seasons.SeasonSettings) -> seasons.SeasonList:
        """Switch the seasons of a group on or off as its owner, and change the settings of future ones."""
        return await self.http.request(seasons.SeasonList, "change_group_seasons", wanted, id=group)
