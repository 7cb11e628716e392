"""The npm package: it is packed from the web client's modules, and the example of its page is run with it."""

import asyncio
import json
import re
import shutil
import tarfile
from asyncio.subprocess import PIPE
from pathlib import Path

import pytest

from cadogan.wire.__main__ import write_contract
from tests.harness.databases import leave_out
from tests.harness.running_server import RunningServer
from tests.harness.server_process import UNREACHABLE_URL

ROOT = Path(__file__).parents[3]
TYPESCRIPT = re.findall(r"typescript@[\d.]+", (ROOT / "tests" / "web" / "types").read_text("utf-8"))[0]
AND_MORE = f"""
await claimName("Ada Byron", "correct horse battery");
console.log((await readCurrentPlayer())?.name);
const tell = (request) => request.catch(({{ code, message }}) => console.log(code, message));
await tell(readGame("unknown"));
useServer("{UNREACHABLE_URL}");
await tell(readGame("unknown"));
"""
OTHER_SOCKET = """
declare class Socket {
  constructor(address: null);
  constructor(address: string | URL, options?: { headers?: Record<string, string> });
  readonly readyState: 0 | 1 | 2 | 3;
  onopen: ((event: { type: string }) => void) | null;
  onmessage: ((event: { data: string | Uint8Array; type: string }) => void) | null;
  onclose: ((event: { code: number }) => void) | null;
  onerror: ((event: { error: unknown }) => void) | null;
  send(data: string | Uint8Array, done?: (error?: Error) => void): void;
  close(code?: number, reason?: string): void;
}
connect(Socket).stop();
"""
"""A WebSocket with other types than those of browsers, as the package `ws` has them."""


async def run(*command: str, cwd: Path) -> str:
    """Run a command and return what it prints. Raises AssertionError if it fails."""
    process = await asyncio.create_subprocess_exec(*command, cwd=cwd, stdout=PIPE, stderr=PIPE)
    printed, errors = await process.communicate()
    assert process.returncode == 0, (printed + errors).decode()
    return printed.decode()


async def install(folder: Path) -> None:
    """Pack the package from a copy of the repository, and put it where a project in the folder finds it."""
    copy = folder / "repository"
    for path in ("clients/web/js", "clients/web/languages", "clients/wire", "clients/javascript"):
        shutil.copytree(ROOT / path, copy / path, ignore=shutil.ignore_patterns("lib", "*.tgz"))
    write_contract(copy / "clients" / "wire")
    shutil.copy(ROOT / "LICENSE", copy)
    package = copy / "clients" / "javascript"
    await run("npm", "pack", cwd=package)
    (packed,) = package.glob("*.tgz")
    with tarfile.open(packed) as archive:
        archive.extractall(folder, filter="data")
    (folder / "node_modules").mkdir()
    (folder / "package").rename(folder / "node_modules" / "cadogan-client")


@pytest.mark.slow
async def test_the_example_of_the_packed_package_runs_and_has_strict_types(
    sqlite_server: RunningServer, tmp_path: Path
) -> None:
    if shutil.which("npm") is None:
        leave_out("npm is not installed")
    try:
        await run("npx", "--yes", "--package", TYPESCRIPT, "tsc", "--version", cwd=tmp_path)
    except AssertionError:
        leave_out(f"{TYPESCRIPT} cannot be fetched")
    await install(tmp_path)
    (example,) = re.findall(r"```js\n(.*?)```", (ROOT / "clients/javascript/README.md").read_text("utf-8"), re.DOTALL)
    example = example.replace("https://patience.example", sqlite_server.url)
    example = example.replace("connect,", "claimName, connect, readCurrentPlayer, readGame,", 1)
    (tmp_path / "example.mjs").write_text(example + AND_MORE)
    printed = await run("node", "--experimental-websocket", "--no-warnings", "example.mjs", cwd=tmp_path)
    assert printed.splitlines() == [
        "20 resigned",
        "Ada Byron",
        "not_found There is no such game.",
        "offline The server cannot be reached right now.",
    ]
    (tmp_path / "example.mts").write_text(example + OTHER_SOCKET)
    options = {"strict": True, "noEmit": True, "target": "es2022", "module": "nodenext", "types": []}
    project = {"compilerOptions": options | {"lib": ["es2023", "dom"]}, "files": ["example.mts"]}
    (tmp_path / "tsconfig.json").write_text(json.dumps(project))
    await run("npx", "--yes", "--package", TYPESCRIPT, "tsc", "--project", ".", cwd=tmp_path)
