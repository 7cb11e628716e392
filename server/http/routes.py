"""The table of all routes. Those below `/api` are in `clients.wire.endpoints` too, which the OpenAPI document uses."""

from aiohttp import web

from clients.wire.endpoints import API
from server.http import health, languages
from server.http.handlers import account, boards, dailies, games, groups, log, players, races, rules, settings, stream
from server.http.static_site import show_page
from server.http.websocket import open_socket

ROUTES = (
    web.post(f"{API}/session/guest", account.begin_as_guest),
    web.post(f"{API}/session", account.sign_in),
    web.get(f"{API}/session", account.who_am_i),
    web.delete(f"{API}/session", account.sign_out),
    web.delete(f"{API}/sessions", account.sign_out_everywhere),
    web.post(f"{API}/account", account.claim_name),
    web.put(f"{API}/account/password", account.change_password),
    web.get(f"{API}/settings", settings.show_settings),
    web.put(f"{API}/settings", settings.keep_settings),
    web.get(f"{API}/rules", rules.list_rules),
    web.get(f"{API}/rules/{{slug}}", rules.show_rules),
    web.post(f"{API}/deals", games.seal_deal),
    web.post(f"{API}/games", games.begin_game),
    web.get(f"{API}/games/live", games.list_live_games),
    web.get(f"{API}/games/{{id}}", games.show_game),
    web.get(f"{API}/games/{{id}}/replay", games.replay_game),
    web.get(f"{API}/games/{{id}}/stream", stream.stream_game, allow_head=False),
    web.get(f"{API}/games/{{id}}/record", games.download_record),
    web.get(f"{API}/dailies", dailies.list_dailies),
    web.get(f"{API}/dailies/{{day}}", dailies.show_daily),
    web.post(f"{API}/dailies/{{day}}/deals/{{slot}}/games", dailies.enter_daily),
    web.post(f"{API}/dailies/{{day}}/deals/{{slot}}/spoil", dailies.spoil_deal),
    web.get(f"{API}/dailies/{{day}}/share", dailies.share_day),
    web.get(f"{API}/players/{{id}}", players.show_player),
    web.get(f"{API}/boards/{{board}}", boards.show_board),
    web.get(f"{API}/friends", groups.list_friends),
    web.put(f"{API}/friends/{{name}}", groups.follow_player),
    web.delete(f"{API}/friends/{{name}}", groups.unfollow_player),
    web.get(f"{API}/groups", groups.list_groups),
    web.post(f"{API}/groups", groups.make_group),
    web.post(f"{API}/groups/join", groups.join_group),
    web.delete(f"{API}/groups/{{id}}/members/me", groups.leave_group),
    web.get(f"{API}/bots", account.list_bots),
    web.post(f"{API}/bots", account.make_bot),
    web.delete(f"{API}/bots/{{id}}", account.retire_bot),
    web.get(f"{API}/games/{{id}}/pace", races.show_pace),
    web.post(f"{API}/races", races.open_race),
    web.get(f"{API}/races", races.list_races),
    web.get(f"{API}/races/{{id}}", races.show_race),
    web.post(f"{API}/races/{{id}}/join", races.join_race),
    web.post(f"{API}/races/{{id}}/leave", races.leave_race),
    web.post(f"{API}/races/{{id}}/start", races.start_race),
    web.post(f"{API}/races/{{id}}/rematch", races.open_rematch),
    web.get(f"{API}/root", log.show_root),
    web.get(f"{API}/openapi.json", rules.openapi),
    web.get(f"{API}/asyncapi.json", rules.asyncapi),
    web.get("/ws/v1", open_socket, allow_head=False),
    web.get("/healthz", health.healthz),
    web.get("/readyz", health.readyz),
    web.get("/metrics", health.metrics),
    web.get("/languages/index.json", languages.list_languages),
    web.get("/{path:(?!api/|ws/).*}", show_page),
)
