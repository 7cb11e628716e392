"""The web client as served from a bundle: few files that are kept for ever, in the reader's language at once."""

import json
import re
import shutil
from html import unescape
from pathlib import Path
from typing import Any

import pytest

from cadogan.server.http.site import client_files
from tests.harness.http_client import Client

pytestmark = pytest.mark.slow

ANOTHER_DIGEST = "0123456789abcdef"


@pytest.fixture
def site(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> Path:
    """A copy of the client with a bundle, which says what it is."""
    folder = tmp_path / "web"
    shutil.copytree(client_files.FOLDER, folder, ignore=shutil.ignore_patterns(client_files.BUNDLE))
    (folder / client_files.BUNDLE).mkdir()
    for part in (*client_files.SCRIPTS, client_files.LIBRARY, client_files.STYLE_SHEET):
        (folder / client_files.BUNDLE / part).write_text(f"/* {part} */")
    (folder / client_files.BUNDLE / client_files.DIGEST_FILE).write_text(client_files.digest_sources(folder))
    monkeypatch.setattr(client_files, "FOLDER", folder)
    return folder


async def read(client: Client, path: str, **headers: str) -> str:
    """What is at an address, as text."""
    response = await client.get(path, headers=headers)
    assert response.status == 200
    return await response.text()


def served(page: str) -> Any:
    """What the server wrote into a page for its scripts."""
    (data,) = re.findall(r'<script type="application/json" id="served">(.*)</script>', page)
    return json.loads(data)


async def test_a_page_names_the_bundle_and_no_module(client: Client, site: Path) -> None:
    page = await read(client, "/games/klondike")
    base = f"/bundle/{client_files.digest_sources(site)}/"
    assert served(page)["files"] == base
    assert re.findall(r'<link rel="stylesheet" href="([^"]+)">', page) == [f"{base}style.css"]
    assert re.findall(r'<script type="module" src="([^"]+)">', page) == [f"{base}main.js"]
    assert "modulepreload" not in page
    assert await read(client, f"{base}main.js") == "/* main.js */"


async def test_only_files_at_the_present_address_are_kept_without_asking(client: Client, site: Path) -> None:
    for digest, caching in ((client_files.digest_sources(site), "immutable"), (ANOTHER_DIGEST, "no-cache")):
        for name in ("main.js", "later.js", "offline.js", "bls12_381.js", "style.css", "languages/hu.json"):
            response = await client.get(f"/bundle/{digest}/{name}")
            assert (response.status, caching in response.headers["Cache-Control"]) == (200, True), name
    for path in ("/", "/offline.html", "/worker.js", "/js/main.js", "/languages/hu.json"):
        assert (await client.get(path)).headers["Cache-Control"] == "no-cache", path


async def test_nothing_else_has_an_address_in_the_bundle(client: Client, site: Path) -> None:
    folder = f"/bundle/{client_files.digest_sources(site)}"
    for name in ("nothing.js", "digest.txt", "js/main.js", "languages/no.json", "languages/..%2fx.json"):
        assert (await client.get(f"{folder}/{name}")).status == 404, name


@pytest.mark.parametrize(
    "changed", ["js/router.js", "style/base.css", "languages/de.json", "libraries/deno.lock", "index.html"]
)
async def test_a_bundle_of_other_sources_is_not_used(client: Client, site: Path, changed: str) -> None:
    with (site / changed).open("a", encoding="utf-8") as file:
        file.write("\n")
    page = await read(client, "/")
    assert served(page)["files"] == "/"
    assert '<script type="module" src="/js/main.js">' in page
    assert not client_files.has_bundle(site)


async def test_a_page_says_what_its_scripts_are_going_to_ask_for(client: Client, site: Path) -> None:
    page = await read(client, "/", **{"Accept-Language": "fr,hu-HU;q=0.8,en;q=0.5"})
    early = [unescape(one) for one in re.findall(r'<link rel="preload" as="fetch" href="([^"]+)" crossorigin>', page)]
    assert early == [f"{served(page)['files']}languages/hu.json", "/api/v1/session", "/api/v1/home?language=hu"]
    for address in early:
        assert (await client.get(address)).status == 200
    assert "/api/v1/home" not in await read(client, "/games")


LANGUAGES: list[tuple[dict[str, str], str, str]] = [
    ({}, "en", "Today"),
    ({"Accept-Language": "de-AT,de;q=0.9,en;q=0.8"}, "de", "Heute"),
    ({"Accept-Language": "xx, ../../etc, en"}, "en", "Today"),
    ({"Accept-Language": "de", "Cookie": "cadogan_language=tr"}, "tr", "Bugün"),
    ({"Accept-Language": "de", "Cookie": "cadogan_language=../x"}, "de", "Heute"),
]


@pytest.mark.usefixtures("site")
async def test_the_page_is_in_the_language_that_it_is_going_to_use(client: Client) -> None:
    for headers, language, today in LANGUAGES:
        page = await read(client, "/", **headers)
        assert served(page)["language"] == language, headers
        assert f'<html lang="{language}">' in page
        assert f'data-words="bar.today">{today}</a>' in page
        assert {"tag": "de", "name": "Deutsch"} in served(page)["languages"]


async def test_the_page_for_when_the_server_is_away_needs_three_files_and_speaks_every_language(
    client: Client, site: Path
) -> None:
    worker = await read(client, "/worker.js")
    base = f"/bundle/{client_files.digest_sources(site)}/"
    stored = json.loads(worker.partition("self.KEPT = ")[2].partition(";")[0])
    assert stored == ["/offline.html", f"{base}style.css", f"{base}offline.js"]
    words = served(await read(client, "/offline.html"))["words"]
    assert words.keys() == {file.stem for file in (site / "languages").glob("*.json")}
    assert {text["shell"]["offline"] for text in words.values()} >= {"Not connected", "Nicht verbunden"}
