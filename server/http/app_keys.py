"""The typed keys under which handlers find the parts that they need in aiohttp's application and requests."""

import asyncio
from collections.abc import Awaitable, Callable

from aiohttp import web

from cadogan.server.analysis.decided_positions import DecidedPositions
from cadogan.server.analysis.jobs import AnalysisJobs
from cadogan.server.competitions.casual.games import CasualGames
from cadogan.server.competitions.daily.attempts import DailyAttempts
from cadogan.server.competitions.daily.challenges import DailyChallenges
from cadogan.server.competitions.daily.progress import DailyProgress
from cadogan.server.competitions.races.commands import RaceCommands
from cadogan.server.competitions.races.live import LiveRaces
from cadogan.server.competitions.races.settlement import RaceSettlement
from cadogan.server.config import Settings
from cadogan.server.core.clock import Clock
from cadogan.server.core.metrics import Metrics
from cadogan.server.core.rate_limits import AddressLimit, AtOnceLimit, OpenLimit
from cadogan.server.core.turns import Turn, Turns
from cadogan.server.database.connections import Database
from cadogan.server.eventlog.outages import OutageLog
from cadogan.server.fairness.sealed_deals import SealedDeals
from cadogan.server.games.game_cache import GameCache
from cadogan.server.games.game_index import GameIndex
from cadogan.server.games.game_outlines import GameOutlines
from cadogan.server.games.run_results import RunResults
from cadogan.server.house.entry import Entry
from cadogan.server.house.erasure import Erasure
from cadogan.server.house.fair_play.findings import Findings
from cadogan.server.house.fair_play.played_runs import PlayedRuns
from cadogan.server.house.fair_play.reports import Reports
from cadogan.server.house.fair_play.run_strikes import RunStrikes
from cadogan.server.house.history_browser import HistoryBrowser
from cadogan.server.house.house_log import HouseLog
from cadogan.server.house.look.profile import StoredProfile
from cadogan.server.house.moderation import Moderation
from cadogan.server.house.player_list import PlayerList
from cadogan.server.house.roles import Roles
from cadogan.server.house.schedule import HouseSchedule
from cadogan.server.http.guards.refusal_log import RefusalLog, RequestLog
from cadogan.server.leaderboards.game_tallies import GameTallies
from cadogan.server.leaderboards.live import LiveBoards
from cadogan.server.leaderboards.queries import BoardQueries
from cadogan.server.leaderboards.struck_runs import StruckRuns
from cadogan.server.news.courier import Claimed as ClaimedDelivery
from cadogan.server.news.desk import NewsDesk
from cadogan.server.news.digests.readers import DigestReaders
from cadogan.server.news.digests.sender import DigestSender
from cadogan.server.news.notifications.notifier import Notifier
from cadogan.server.news.outbox import Outbox
from cadogan.server.news.webhooks import Webhooks
from cadogan.server.operations.merkle_roots import MerkleRoots
from cadogan.server.operations.upkeep import WriteCheck
from cadogan.server.play.analyses import Analyses
from cadogan.server.play.continuations import Continuations
from cadogan.server.play.game_commands import GameCommands
from cadogan.server.play.hints import Hints
from cadogan.server.play.histories import Histories
from cadogan.server.play.results import Results
from cadogan.server.play.spectating import Spectating
from cadogan.server.play.unfinished_games import UnfinishedGames
from cadogan.server.play.winnability import WinnabilityQuestions
from cadogan.server.players.groups import Groups
from cadogan.server.players.own_data import OwnData
from cadogan.server.players.persons import Persons
from cadogan.server.players.player_cache import PlayerCache
from cadogan.server.players.profiles import Profiles
from cadogan.server.players.session_connections import SessionConnections
from cadogan.server.players.settings import PlayerSettings
from cadogan.server.players.sign_in.accounts import Accounts
from cadogan.server.players.sign_in.mail_recovery import MailRecovery
from cadogan.server.players.sign_in.oidc_subjects import OidcSubjects
from cadogan.server.players.sign_in.own_sessions import OwnSessions
from cadogan.server.players.sign_in.passkeys import Passkeys
from cadogan.server.players.sign_in.personal_tokens import PersonalTokens
from cadogan.server.players.sign_in.recovery_codes import RecoveryCodes
from cadogan.server.realtime.connection import Viewer
from cadogan.server.realtime.game_feed import GameFeed
from cadogan.server.realtime.http_stream import Stream
from cadogan.server.realtime.hub import Hub
from cadogan.server.storage.sql_store import SqlStore
from cadogan.server.talk.group_talk import GroupTalk
from cadogan.server.talk.live_talk import LiveTalk
from cadogan.server.talk.signs import Signs
from cadogan.server.transparency.sequencer import Sequencer
from cadogan.server.transparency.signing.host_key import HostKey
from cadogan.server.transparency.transparency_log import TransparencyLog
from cadogan.server.transparency.witness import Witness
from cadogan.wire.values import Player

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
DIGEST_SENDER = web.AppKey("digest_sender", DigestSender)
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
"""How often one person (`cadogan.server.http.requests.asker`) may make something that is kept: a deal, a game, a place
in a race, a group, a bot; and how often one address may have deals made."""
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
`cadogan.server.players.sign_in.sign_in_limits`."""

REQUEST_ID = web.RequestKey("request_id", str)
TURN = web.RequestKey("turn", Turn)
"""The turn of the request. It ends when the answer begins to be sent."""
PLAYER = web.RequestKey("player", Player)
"""Who asks, once that was looked up and there is somebody."""
PERSON = web.RequestKey("person", str)
"""The person behind that player, by id: of a bot its owner."""
SCOPES = web.RequestKey("scopes", frozenset[str])
"""What a personal token may do; a request without one has no scopes, and may do everything that its player may."""
