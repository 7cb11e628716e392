"""The typed keys under which handlers find the parts that they need in aiohttp's application and requests."""

from collections.abc import Awaitable, Callable

from aiohttp import web

from clients.wire.values import Player
from server.analysis.jobs import AnalysisJobs
from server.competitions.casual.games import CasualGames
from server.competitions.daily.attempts import DailyAttempts
from server.competitions.daily.challenges import DailyChallenges
from server.competitions.daily.progress import DailyProgress
from server.competitions.races.commands import RaceCommands
from server.competitions.races.live import LiveRaces
from server.competitions.races.settlement import RaceSettlement
from server.config import Settings
from server.core.clock import Clock
from server.core.metrics import Metrics
from server.core.rate_limits import AddressLimit, AtOnceLimit, OpenLimit
from server.core.turns import Turn, Turns
from server.database.connections import Database
from server.fairness.sealed_deals import SealedDeals
from server.games.game_cache import GameCache
from server.games.game_index import GameIndex
from server.games.game_outlines import GameOutlines
from server.house.entry import Entry
from server.house.house_log import HouseLog
from server.house.moderation import Moderation
from server.house.player_list import PlayerList
from server.house.roles import Roles
from server.http.guards.refusal_log import RefusalLog
from server.leaderboards.game_tallies import GameTallies
from server.leaderboards.live import LiveBoards
from server.leaderboards.queries import BoardQueries
from server.operations.merkle_roots import MerkleRoots
from server.play.analyses import Analyses
from server.play.continuations import Continuations
from server.play.game_commands import GameCommands
from server.play.hints import Hints
from server.play.histories import Histories
from server.play.results import Results
from server.play.spectating import Spectating
from server.play.unfinished_games import UnfinishedGames
from server.play.winnability import WinnabilityQuestions
from server.players.accounts import Accounts
from server.players.groups import Groups
from server.players.personal_tokens import PersonalTokens
from server.players.persons import Persons
from server.players.player_cache import PlayerCache
from server.players.profiles import Profiles
from server.players.session_connections import SessionConnections
from server.players.settings import PlayerSettings
from server.realtime.connection import Viewer
from server.realtime.game_feed import GameFeed
from server.realtime.http_stream import Stream
from server.realtime.hub import Hub

SETTINGS = web.AppKey("settings", Settings)
CLOCK: web.AppKey[Clock] = web.AppKey("clock")
REFUSAL_LOG = web.AppKey("refusal_log", RefusalLog)
METRICS = web.AppKey("metrics", Metrics)
DATABASE = web.AppKey("database", Database)
DEALS = web.AppKey("deals", SealedDeals)
INDEX = web.AppKey("index", GameIndex)
ACCOUNTS = web.AppKey("accounts", Accounts)
PLAYERS = web.AppKey("players", PlayerCache)
PERSONS = web.AppKey("persons", Persons)
PROFILES = web.AppKey("profiles", Profiles)
SESSIONS = web.AppKey("sessions", SessionConnections)
GROUPS = web.AppKey("groups", Groups)
PERSONAL_TOKENS = web.AppKey("personal_tokens", PersonalTokens)
PLAYER_SETTINGS = web.AppKey("player_settings", PlayerSettings)
ROLES = web.AppKey("roles", Roles)
PLAYER_LIST = web.AppKey("player_list", PlayerList)
MODERATION = web.AppKey("moderation", Moderation)
ENTRY = web.AppKey("entry", Entry)
HOUSE_LOG = web.AppKey("house_log", HouseLog)
ROOTS = web.AppKey("roots", MerkleRoots)
HUB = web.AppKey("hub", Hub)
REFRESH: web.AppKey[Callable[[Viewer], Awaitable[None]]] = web.AppKey("refresh")
"""Sends a viewer that fell behind fresh views of everything it is subscribed to."""
FEED = web.AppKey("feed", GameFeed)
CACHE = web.AppKey("cache", GameCache)
COMMANDS = web.AppKey("commands", GameCommands)
GAME_TALLIES = web.AppKey("game_tallies", GameTallies)
HINTS = web.AppKey("hints", Hints)
UNFINISHED_GAMES = web.AppKey("unfinished_games", UnfinishedGames)
SPECTATING = web.AppKey("spectating", Spectating)
HISTORIES = web.AppKey("histories", Histories)
ANALYSES = web.AppKey("analyses", Analyses)
ANALYSIS_JOBS = web.AppKey("analysis_jobs", AnalysisJobs)
WINNABILITY = web.AppKey("winnability", WinnabilityQuestions)
CONTINUATIONS = web.AppKey("continuations", Continuations)
RESULTS = web.AppKey("results", Results)
OUTLINES = web.AppKey("outlines", GameOutlines)
CASUAL_GAMES = web.AppKey("casual_games", CasualGames)
CHALLENGES = web.AppKey("challenges", DailyChallenges)
ATTEMPTS = web.AppKey("attempts", DailyAttempts)
PROGRESS = web.AppKey("progress", DailyProgress)
RACES = web.AppKey("races", RaceSettlement)
RACE_COMMANDS = web.AppKey("race_commands", RaceCommands)
LIVE_RACES = web.AppKey("live_races", LiveRaces)
BOARDS = web.AppKey("boards", BoardQueries)
LIVE_BOARDS = web.AppKey("live_boards", LiveBoards)
SOCKETS = web.AppKey("sockets", set[web.WebSocketResponse])
"""Every open socket."""
STREAMS = web.AppKey("streams", set[Stream])
"""Every open stream."""
ADDRESS_LIMIT = web.AppKey("address_limit", AddressLimit)
"""How many messages and requests may come from one address."""
PUSH_LIMIT = web.AppKey("push_limit", AddressLimit)
"""How much may be pushed to the spectators of one address; past it they get fresh views."""
FILE_LIMIT = web.AppKey("file_limit", AddressLimit)
"""How many pages and files one address may ask for; who asks for more waits for them."""
TURNS = web.AppKey("turns", Turns)
"""The turns of each address to have a request or a message carried out."""
OPEN_LIMIT = web.AppKey("open_limit", OpenLimit)
"""How many sockets and streams one address may have."""
DEAL_LIMIT = web.AppKey("deal_limit", AddressLimit)
"""How often one player may make something that is kept: a deal, a game, a place in a race, a group, a bot; and how
often one address may have deals made."""
HISTORY_LIMIT = web.AppKey("history_limit", AddressLimit)
"""How many events one player with a name, or one address, may have the server read for replays, paces and records."""
HISTORIES_AT_ONCE = web.AppKey("histories_at_once", AtOnceLimit)
"""How many replays, paces and records the same one may be sent at the same time."""
GUEST_LIMIT = web.AppKey("guest_limit", AddressLimit)
"""How often one address may begin as a guest."""
RACE_LIMIT = web.AppKey("race_limit", AddressLimit)
"""How often one address may open a race."""
PASSWORD_LIMIT = web.AppKey("password_limit", AddressLimit)
"""How often one address may have a password computed."""

REQUEST_ID = web.RequestKey("request_id", str)
TURN = web.RequestKey("turn", Turn)
"""The turn of the request. It ends when the answer begins to be sent."""
PLAYER = web.RequestKey("player", Player)
"""Who asks, once that was looked up and there is somebody."""
SCOPES = web.RequestKey("scopes", frozenset[str])
"""What a personal token may do; a request without one has no scopes, and may do everything that its player may."""
