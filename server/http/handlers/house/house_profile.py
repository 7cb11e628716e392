"""HTTP handlers: the server's profile (name, colours, crest), set by hosts, and its files for the pages."""

from aiohttp import web

from cadogan.server.core.errors import NotFound
from cadogan.server.http.app_keys import server_of
from cadogan.server.http.requests import json_response, read_body, require_player
from cadogan.server.http.site.house_look import style_sheet
from cadogan.wire.house_profile import HouseColours, HouseProfile, NewCrest

_IMMUTABLE_CACHING = {"Cache-Control": "public, max-age=31536000, immutable"}


async def show_profile(request: web.Request) -> web.Response:
    """Answer with the profile."""
    return json_response((await server_of(request).house.profile.current()).shown)


async def change_profile(request: web.Request) -> web.Response:
    """Change the profile."""
    wanted = await read_body(request, HouseProfile)
    await server_of(request).house.profile.change((await require_player(request)).id, wanted)
    return await show_profile(request)


async def change_crest(request: web.Request) -> web.Response:
    """Change the crest, a picture."""
    wanted = await read_body(request, NewCrest)
    await server_of(request).house.profile.change_crest((await require_player(request)).id, wanted.image)
    return await show_profile(request)


async def show_crest(request: web.Request) -> web.Response:
    """Answer with the crest. Raises NotFound for the URL of another picture."""
    profile, digest = server_of(request).house.profile, request.match_info["digest"]
    crest = (await profile.current()).crest
    if crest is None or crest.digest != digest:
        crest = (await profile.current(again=True)).crest  # another node has changed it
    if crest is None or crest.digest != digest:
        raise NotFound("There is nothing at this address.")
    return web.Response(body=crest.image, content_type=crest.media_type, headers=_IMMUTABLE_CACHING)


async def show_style_sheet(request: web.Request) -> web.Response:
    """Answer with a style sheet of the colours in the path."""
    bar, accent, accent_dark = (f"#{request.match_info[name]}" for name in ("bar", "accent", "dark"))
    sheet = style_sheet(HouseColours(bar=bar, accent=accent, accent_dark=accent_dark))
    return web.Response(text=sheet.text, content_type="text/css", headers=_IMMUTABLE_CACHING)
