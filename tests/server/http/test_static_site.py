"""The web client as served without a bundle: heads that spoil nothing, modules named at once, packed texts."""

import json
import re
from html import unescape
from pathlib import Path
from typing import Any

import pytest

from cadogan.server.http.site import client_files
from cadogan.server.http.site.client_files import FOLDER
from tests.harness.http_client import Client, from_our_page

pytestmark = pytest.mark.slow


@pytest.fixture(autouse=True)
def without_bundle(monkeypatch: pytest.MonkeyPatch) -> None:
    """The modules as they are, whether this checkout has a bundle or not."""
    monkeypatch.setattr("cadogan.server.http.site.client_files.current_digest", lambda: None)


PLAIN = "Cadogan"
SOMEBODY = "k3v7q2m5x4c6z2ab"


async def page(client: Client, path: str, **headers: str) -> str:
    """The page at an address, as text."""
    response = await client.get(path, headers=headers)
    assert response.status == 200
    return await response.text()


def title(text: str) -> str:
    """What a page is called."""
    (found,) = re.findall(r"<title>(.*?)</title>", text)
    return unescape(str(found))


def page_metadata(text: str) -> dict[str, str]:
    """What a page tells whoever shows a preview of it."""
    found = re.findall(r'<meta (?:name|property)="([^"]+)" content="([^"]*)">', text)
    return {key: unescape(value) for key, value in found}


TITLES = {
    "/": PLAIN,
    "/daily/2026-11-20": "20 November 2026 · Cadogan",
    "/daily/2026-02-30": PLAIN,
    "/daily/tomorrow": PLAIN,
    "/board/today": "The board of the day · Cadogan",
    "/board/2026-11-20": "The board of 20 November 2026 · Cadogan",
    "/board/deal:2026-11-20/1": "The board of a deal of 20 November 2026 · Cadogan",
    "/board/game:klondike": "The board of Canfield or Klondike · Cadogan",
    "/board/game:nothing": "Boards · Cadogan",
    "/board/all": "Boards · Cadogan",
    "/games/klondike": "Canfield or Klondike · Cadogan",
    "/games/nothing": "The games · Cadogan",
    "/calendar/2026-11": "The calendar · Cadogan",
    f"/play/{SOMEBODY}": "A game of solitaire · Cadogan",
    f"/replay/{SOMEBODY}": "A game of solitaire, move by move · Cadogan",
    f"/race/{SOMEBODY}/replays": "Replays of a race · Cadogan",
    "/audit/": "Check a record · Cadogan",
    "/no/such/page": PLAIN,
}


async def test_every_url_has_its_title(client: Client) -> None:
    texts = {path: await page(client, path) for path in TITLES}
    assert {path: title(text) for path, text in texts.items()} == TITLES
    for path, text in texts.items():
        told = page_metadata(text)
        assert told["og:title"] == TITLES[path].removesuffix(" · Cadogan"), path
        assert told["description"] == told["og:description"] != "", path


async def test_every_page_of_the_router_has_a_title_of_its_own(client: Client) -> None:
    names = re.findall(r'^  \["(\w+)", ', (FOLDER / "js" / "router.js").read_text(), re.MULTILINE)
    routes = client_files.routes()
    assert [name for name, *_ in routes] == names
    samples = {
        "rules": "/games/maze",
        "daily": "/daily/2026-11-20",
        "boards": "/board/all",
        "theatre": f"/theatre/{SOMEBODY}",
        "compare": f"/compare/{SOMEBODY},{SOMEBODY}",
        "replays": f"/race/{SOMEBODY}/replays",
        "played": f"/deal/{SOMEBODY}",
        "group": f"/groups/{SOMEBODY}",
        "profile": f"/players/{SOMEBODY}",
        "collection": f"/players/{SOMEBODY}/collection",
        "points": "/boards/how",
        "evening": f"/evenings/{SOMEBODY}",
        "sheets": f"/evenings/{SOMEBODY}/print",
        "sit": "/e/K3V7Q2",
        "puzzle": "/puzzle",
        "review": "/review/2026-11-20",
        "claim": f"/house/claim/{SOMEBODY}",
        "provider": "/account/provider",
    }
    for name in set(names) - {"home"}:
        paths = [samples.get(name, f"/{name}"), f"/{name}/{SOMEBODY}"]
        path = next(path for path in paths if client_files.page_at(path).name == name)
        assert title(await page(client, path)) != PLAIN, path


async def test_the_head_of_a_page_reveals_nothing_about_the_player_or_game_shown(client: Client) -> None:
    async def post(address: str, **body: str) -> Any:
        return await (await client.post(f"/api/v1/{address}", json=body, headers=from_our_page(client))).json()

    player = (await post("session/guest"))["player"]
    deal = (await post("deals", rules="klondike"))["deal"]
    game = (await post("games", deal=deal, nonce="words"))["game"]["id"]
    for kind in ("play", "watch", "replay", "race", "players", "audit"):
        known = player["id"] if kind == "players" else game
        there, nowhere = await page(client, f"/{kind}/{known}"), await page(client, f"/{kind}/{SOMEBODY}")
        assert there.replace(known, SOMEBODY) == nowhere, kind
        assert player["name"] not in there, kind


async def test_a_page_has_a_canonical_url_and_a_picture_on_the_same_host(client: Client) -> None:
    text = await page(client, "/race/abc?token=t3o5k7e2", Host="club.localhost")
    assert page_metadata(text)["og:url"] == "http://club.localhost/race/abc"
    assert '<link rel="canonical" href="http://club.localhost/race/abc">' in text
    assert "t3o5k7e2" not in text
    picture = page_metadata(text)["og:image"].removeprefix("http://club.localhost")
    assert (await client.get(picture)).headers["Content-Type"] == "image/png"


async def test_an_invitation_has_no_canonical_url(client: Client) -> None:
    assert "t3o5k7e2" not in await page(client, "/join/t3o5k7e2")


async def test_text_from_a_url_is_never_markup(client: Client) -> None:
    text = await page(client, "/race/%22%3E%3Cscript%3Ealert(1)%3C")
    assert "<script>" not in text


async def test_every_module_that_a_page_needs_is_named_in_its_head(client: Client) -> None:
    text = await page(client, "/replay/abc")
    named = re.findall(r'<link rel="modulepreload" href="/([^"]+)">', text)
    assert len(named) == len(set(named))
    assert {"js/main.js", "js/pages/watch/replay.js", "js/game/replay_steps.js"} <= set(named)
    for module in named:
        code = (FOLDER / module).read_text()
        for imported in re.findall(r'^(?:import|export|\}).* from "([^"]+)";$', code, re.MULTILINE):
            assert ((FOLDER / module).parent / imported).resolve().relative_to(FOLDER).as_posix() in named


async def test_texts_are_compressed_for_clients_that_accept_it_and_pictures_are_not(client: Client) -> None:
    async with client.session.get(client.make_url("/js/main.js"), headers={"Accept-Encoding": "gzip"}) as packed:
        assert packed.headers["Content-Encoding"] == "gzip"
        assert packed.headers["Vary"] == "Accept-Encoding"
        length = int(packed.headers["Content-Length"])
        body = await packed.read()
    assert length < len(body) == (FOLDER / "js" / "main.js").stat().st_size
    for header in ("identity", "gzip;q=0", "br", "gzip;q=0.000"):
        plain = await client.get("/js/main.js", headers={"Accept-Encoding": header})
        assert "Content-Encoding" not in plain.headers
        assert await plain.read() == body
        assert plain.headers["ETag"] != packed.headers["ETag"]
    picture = await client.get("/icons/icon-192.png", headers={"Accept-Encoding": "gzip"})
    assert "Content-Encoding" not in picture.headers


async def test_each_encoding_and_each_url_has_its_own_etag(client: Client) -> None:
    tags = set()
    for path in ("/", "/games", "/games/maze", "/js/main.js"):
        for coding in ("gzip", "identity"):
            first = await client.get(path, headers={"Accept-Encoding": coding})
            tag = first.headers["ETag"]
            again = await client.get(path, headers={"Accept-Encoding": coding, "If-None-Match": tag})
            assert (first.status, again.status, await again.read()) == (200, 304, b"")
            assert again.headers["ETag"] == tag
            tags.add(tag)
    assert len(tags) == 8


async def test_a_page_gets_of_a_language_what_it_says_itself(client: Client) -> None:
    for language in ("en", "de"):
        whole = json.loads((FOLDER / "languages" / f"{language}.json").read_text("utf-8"))["words"]
        words = json.loads(await (await client.get(f"/languages/{language}.json")).text())["words"]
        del whole["terminal"]
        refusals = whole.pop("refusals")
        assert words.pop("refusals") == ({} if language == "en" else refusals)
        assert words == whole


async def test_a_copy_is_known_by_its_tag_among_others_weak_or_by_a_star(client: Client) -> None:
    tag = (await client.get("/")).headers["ETag"]
    for known in (tag, f"W/{tag}", f'"a", W/{tag}', f'{tag},"b"', " * "):
        assert (await client.get("/", headers={"If-None-Match": known})).status == 304, known
    for known in ('"a"', tag.strip('"'), f'"a{tag[1:]}', f'{tag[:-1]}b"', "**", ""):
        assert (await client.get("/", headers={"If-None-Match": known})).status == 200, known


async def test_the_service_worker_changes_when_a_file_in_its_cache_changes(
    client: Client, tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    first = await client.get("/worker.js")
    text = await first.text()
    assert re.match(r'self\.DIGEST = "[0-9a-f]{32}";\n', text)
    assert first.headers["Cache-Control"] == "no-cache"
    names = re.findall(r'"/([^"]+)"', text.partition("KEPT = [")[2].partition("]")[0])
    assert {*client_files.modules_needed("js/offline.js"), "offline.html", "style/base.css"} <= set(names)
    for name in names:
        assert client_files.find(name), name
    read = client_files.read

    def changed(file: Path) -> client_files.Content:
        content = read(file)
        return content._replace(etag="other") if file.name == "base.css" else content

    monkeypatch.setattr(client_files, "read", changed)
    again = await client.get("/worker.js", headers={"If-None-Match": first.headers["ETag"]})
    assert again.status == 200
    assert (await again.text()).partition("\n")[2] == text.partition("\n")[2]
    assert await again.text() != text


async def test_the_web_manifest_and_its_icons_exist_in_the_declared_sizes(client: Client) -> None:
    response = await client.get("/manifest.webmanifest")
    assert response.content_type == "application/manifest+json"
    manifest = await response.json(content_type=None)
    assert (manifest["start_url"], manifest["scope"], manifest["display"]) == ("/", "/", "standalone")
    pictures = [icon for icon in manifest["icons"] if icon["type"] == "image/png"]
    assert {(icon["sizes"], icon.get("purpose", "any")) for icon in pictures} == {
        (f"{size}x{size}", purpose) for size in (192, 512) for purpose in ("any", "maskable")
    }
    for icon in pictures:
        body = await (await client.get(icon["src"])).read()
        assert "x".join(str(int.from_bytes(body[at : at + 4])) for at in (16, 20)) == icon["sizes"]
    assert '<link rel="manifest" href="/manifest.webmanifest">' in await page(client, "/")
