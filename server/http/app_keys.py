"""The typed keys under which handlers find the parts that they need in aiohttp's application and requests."""

import asyncio
from collections.abc import Awaitable, Callable

from aiohttp import web

from clients.wire.values import Player
from server.analysis.decided_positions import DecidedPositions
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
from server.eventlog.outages import OutageLog
from server.fairness.sealed_deals import SealedDeals
from server.games.game_cache import GameCache
from server.games.game_index import GameIndex
from server.games.game_outlines import GameOutlines
from server.games.run_results import RunResults
from server.house.entry import Entry
from server.house.erasure import Erasure
from server.house.fair_play.findings import Findings
from server.house.fair_play.played_runs import PlayedRuns
from server.house.fair_play.reports import Reports
from server.house.fair_play.run_strikes import RunStrikes
from server.house.history_browser import HistoryBrowser
from server.house.house_log import HouseLog
from server.house.look.profile import StoredProfile
from server.house.moderation import Moderation
from server.house.player_list import PlayerList
from server.house.roles import Roles
from server.house.schedule import HouseSchedule
from server.http.guards.refusal_log import RefusalLog, RequestLog
from server.leaderboards.game_tallies import GameTallies
from server.leaderboards.live import LiveBoards
from server.leaderboards.queries import BoardQueries
from server.leaderboards.struck_runs import StruckRuns
from server.news.courier import Claimed as ClaimedDelivery
from server.news.desk import NewsDesk
from server.news.digests.readers import DigestReaders
from server.news.digests.sender import Claimed as ClaimedDigest
from server.news.notifications.notifier import Notifier
from server.news.webhooks import Webhooks
from server.operations.merkle_roots import MerkleRoots
from server.operations.upkeep import WriteCheck
from server.outbox.outbox import Outbox
from server.play.analyses import Analyses
from server.play.continuations import Continuations
from server.play.game_commands import GameCommands
from server.play.hints import Hints
from server.play.histories import Histories
from server.play.results import Results
from server.play.spectating import Spectating
from server.play.unfinished_games import UnfinishedGames
from server.play.winnability import WinnabilityQuestions
from server.players.groups import Groups
from server.players.own_data import OwnData
from server.players.persons import Persons
from server.players.player_cache import PlayerCache
from server.players.profiles import Profiles
from server.players.session_connections import SessionConnections
from server.players.settings import PlayerSettings
from server.players.sign_in.accounts import Accounts
from server.players.sign_in.mail_recovery import MailRecovery
from server.players.sign_in.oidc_subjects import OidcSubjects
from server.players.sign_in.own_sessions import OwnSessions
from server.players.sign_in.passkeys import Passkeys
from server.players.sign_in.personal_tokens import PersonalTokens
from server.players.sign_in.recovery_codes import RecoveryCodes
from server.realtime.connection import Viewer
from server.realtime.game_feed import GameFeed
from server.realtime.http_stream import Stream
from server.realtime.hub import Hub
from server.storage.sql_store import SqlStore
from server.talk.group_talk import GroupTalk
from server.talk.live_talk import LiveTalk
from server.talk.signs import Signs
from server.transparency.sequencer import Sequencer
from server.transparency.signing.host_key import HostKey
from server.transparency.transparency_log import TransparencyLog
from server.transparency.witness import Witness

SETTINGS = web.AppKey("settings", Settings)
CLOCK: web.AppKey[Clock] = web.AppKey("clock")
REFUSAL_LOG = web.AppKey("refusal_log", RefusalLog)
OUTAGES = web.AppKey("outages", OutageLog)
WRITE_CHECK = web.AppKey("write_check", WriteCheck)
REQUEST_LOG = web.AppKey("request_log", RequestLog)
METRICS = web.AppKey("metrics", Metrics)
RENDER_METRICS: web.AppKey[Callable[[], Awaitable[bytes]]] = web.AppKey("render_metrics")
"""Returns the metrics in the text format of Prometheus: those of all processes, where several serve."""
DATABASE = web.AppKey("database", Database)
STORE = web.AppKey("store", SqlStore)
HOST_KEY = web.AppKey("host_key", HostKey)
WITNESS = web.AppKey("witness", Witness)
TRANSPARENCY = web.AppKey("transparency", TransparencyLog)
SEQUENCER = web.AppKey("sequencer", Sequencer)
DEALS = web.AppKey("deals", SealedDeals)
INDEX = web.AppKey("index", GameIndex)
ACCOUNTS = web.AppKey("accounts", Accounts)
PLAYERS = web.AppKey("players", PlayerCache)
PERSONS = web.AppKey("persons", Persons)
PROFILES = web.AppKey("profiles", Profiles)
SESSIONS = web.AppKey("sessions", SessionConnections)
GROUPS = web.AppKey("groups", Groups)
SIGNS = web.AppKey("signs", Signs)
GROUP_TALK = web.AppKey("group_talk", GroupTalk)
LIVE_TALK = web.AppKey("live_talk", LiveTalk)
PERSONAL_TOKENS = web.AppKey("personal_tokens", PersonalTokens)
PLAYER_SETTINGS = web.AppKey("player_settings", PlayerSettings)
ROLES = web.AppKey("roles", Roles)
HISTORY_BROWSER = web.AppKey("history_browser", HistoryBrowser)
PLAYER_LIST = web.AppKey("player_list", PlayerList)
MODERATION = web.AppKey("moderation", Moderation)
ERASURE = web.AppKey("erasure", Erasure)
DIGEST_READERS = web.AppKey("digest_readers", DigestReaders)
DIGEST_SENDER = web.AppKey("digest_sender", Outbox[ClaimedDigest])
MAIL_RECOVERY = web.AppKey("mail_recovery", MailRecovery)
OIDC_SUBJECTS = web.AppKey("oidc_subjects", OidcSubjects)
PASSKEYS = web.AppKey("passkeys", Passkeys)
RECOVERY_CODES = web.AppKey("recovery_codes", RecoveryCodes)
OWN_SESSIONS = web.AppKey("own_sessions", OwnSessions)
OWN_DATA = web.AppKey("own_data", OwnData)
FINDINGS = web.AppKey("findings", Findings)
PLAYED_RUNS = web.AppKey("played_runs", PlayedRuns)
REPORTS = web.AppKey("reports", Reports)
RUN_STRIKES = web.AppKey("run_strikes", RunStrikes)
STRUCK_RUNS = web.AppKey("struck_runs", StruckRuns)
ENTRY = web.AppKey("entry", Entry)
HOUSE_SCHEDULE = web.AppKey("house_schedule", HouseSchedule)
WEBHOOKS = web.AppKey("webhooks", Webhooks)
NEWS_DESK = web.AppKey("news_desk", NewsDesk)
COURIER = web.AppKey("courier", Outbox[ClaimedDelivery])
COURIER_CALL = web.AppKey("courier_call", asyncio.Event)
NOTIFIER = web.AppKey("notifier", Notifier)
HOUSE_PROFILE = web.AppKey("house_profile", StoredProfile)
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
DECIDED_POSITIONS = web.AppKey("decided_positions", DecidedPositions)
WINNABILITY = web.AppKey("winnability", WinnabilityQuestions)
CONTINUATIONS = web.AppKey("continuations", Continuations)
RESULTS = web.AppKey("results", Results)
RUN_RESULTS = web.AppKey("run_results", RunResults)
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
TIME_LIMIT = web.AppKey("time_limit", AddressLimit)
"""How many milliseconds of the event loop the requests and messages of one address may take."""
PUSH_LIMIT = web.AppKey("push_limit", AddressLimit)
"""How much may be pushed to the spectators of one address; past it they get fresh views."""
FILE_LIMIT = web.AppKey("file_limit", AddressLimit)
"""How many pages and files one address may ask for; who asks for more waits for them."""
TURNS = web.AppKey("turns", Turns)
"""The turns of each address to have a request or a message carried out."""
OPEN_LIMIT = web.AppKey("open_limit", OpenLimit)
"""How many sockets and streams one address may have."""
DEAL_LIMIT = web.AppKey("deal_limit", AddressLimit)
"""How often one person (`server.http.requests.asker`) may make something that is kept: a deal, a game, a place in a
race, a group, a bot; and how often one address may have deals made."""
HISTORY_LIMIT = web.AppKey("history_limit", AddressLimit)
"""How many events one player with a name, or one address, may have the server read for replays, paces and records."""
HISTORIES_AT_ONCE = web.AppKey("histories_at_once", AtOnceLimit)
"""How many replays, paces and records the same one may be sent at the same time."""
GUEST_LIMIT = web.AppKey("guest_limit", AddressLimit)
"""How often one address may begin as a guest."""
RACE_LIMIT = web.AppKey("race_limit", AddressLimit)
"""How often one address may open a race."""
ACCOUNT_LIMIT = web.AppKey("account_limit", AddressLimit)
"""How often one address may ask for an account."""
SIGN_IN_LIMIT = web.AppKey("sign_in_limit", AddressLimit)
"""How often one address may begin to sign in without a password, or use a code; failures with passwords are counted by
`server.players.sign_in.sign_in_limits`."""

REQUEST_ID = web.RequestKey("request_id", str)
TURN = web.RequestKey("turn", Turn)
"""The turn of the request. It ends when the answer begins to be sent."""
PLAYER = web.RequestKey("player", Player)
"""Who asks, once that was looked up and there is somebody."""
PERSON = web.RequestKey("person", str)
"""The person behind that player, by id: of a bot its owner."""
SCOPES = web.RequestKey("scopes", frozenset[str])
"""What a personal token may do; a request without one has no scopes, and may do everything that its player may."""
