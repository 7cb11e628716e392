"""Bundle the web client: one script, one style sheet, the script of the page without a server, and a library.

    python -m deploy.bundle     # in a checkout; `make serve` and `make test` run it, and so does the build of the wheel

The bundler is esbuild, which comes with Deno, an ordinary Python package. Where it is not available, nothing is
bundled: the server then serves the source modules, which are the same client in more requests.

The library checks the signatures of a beacon. The bundler brings it from npm, in the version whose digest is in
`clients/web/libraries/deno.lock`.

The reasons: `docs/decisions/2026-11-22-one-script-for-all-pages.md`, and of the library
`docs/decisions/2026-11-27-an-audited-library-in-the-browser.md`.
"""

import os
import platform
import re
import shutil
import subprocess
import sys
from pathlib import Path
from tempfile import TemporaryDirectory

from cadogan.server.http.site.client_files import (
    BUNDLE,
    DIGEST_FILE,
    LIBRARY,
    SCRIPTS,
    STYLE_SHEET,
    digest_sources,
    has_bundle,
)

CLIENT = Path(__file__).parents[1] / "clients" / "web"
LIBRARIES = "libraries"
"""The folder within the client's with the libraries that the bundler brings, and the digests of their packages."""
DENO = "deno==2.9.8"
TIMEOUT_SECONDS = 120
_STYLE_LINK = re.compile(r'<link rel="stylesheet" href="/(style/[\w.-]+)">')


class CannotBundle(Exception):
    """There is no bundler, or it failed; the message says why."""


def bundler_requirements() -> list[str]:
    """Return the package with the bundler; nothing if it has no wheel for this platform."""
    machine, libc = platform.machine().lower(), platform.libc_ver()[0]
    wheels = {"linux": ("x86_64", "aarch64"), "darwin": ("x86_64", "arm64"), "win32": ("amd64",)}
    has_wheel = machine in wheels.get(sys.platform, ()) and (sys.platform != "linux" or libc == "glibc")
    return [DENO] if has_wheel else []


def make_bundle(client: Path) -> None:
    """Bundle the client in this folder into its folder `bundle`, unless that is up to date. Raises CannotBundle."""
    if has_bundle(client):
        return
    client, digest = client.resolve(), digest_sources(client)
    with TemporaryDirectory() as name:
        made = Path(name)
        first = _STYLE_LINK.findall((client / "index.html").read_text("utf-8"))
        others = sorted({f"style/{file.name}" for file in (client / "style").glob("*.css")} - {*first})
        imports = "".join(f'@import "{(client / sheet).as_posix()}";\n' for sheet in [*first, *others])
        (made / STYLE_SHEET).write_text(imports, "utf-8")
        scripts = [str(client / "js" / script) for script in SCRIPTS]
        _run_bundler("--minify", "--outdir", str(made / "out"), *scripts, str(made / STYLE_SHEET), folder=made)
        _bring_library(client, made / "out")
        (made / "out" / DIGEST_FILE).write_text(digest, "utf-8")
        (client / BUNDLE).mkdir(exist_ok=True)
        for part in (*SCRIPTS, LIBRARY, STYLE_SHEET, DIGEST_FILE):  # the digest last: it marks the others as complete
            (file,) = (one for one in (made / "out").rglob(part) if one.is_file())  # a folder may have such a name
            unfinished = client / BUNDLE / f"{part}.{os.getpid()}"
            shutil.copyfile(file, unfinished)
            unfinished.replace(client / BUNDLE / part)


def _bring_library(client: Path, target: Path) -> None:
    folder = client / LIBRARIES
    known = ["--config", str(folder / "deno.json"), "--lock", str(folder / "deno.lock"), "--frozen"]
    _run_bundler("--minify", *known, "--outdir", str(target), str(folder / LIBRARY), folder=folder)


def _run_bundler(*arguments: str, folder: Path) -> None:
    beside = Path(sys.executable).with_name("deno")
    program = str(beside) if beside.is_file() else shutil.which("deno")
    if program is None:
        raise CannotBundle("Deno, which brings the bundler, is not installed")
    command = [program, "bundle", "--quiet", "--platform", "browser", *arguments]
    try:
        ran = subprocess.run(
            command,
            cwd=folder,
            env={**os.environ, "NO_COLOR": "1"},
            capture_output=True,
            text=True,
            timeout=TIMEOUT_SECONDS,
            check=False,
        )
    except (OSError, subprocess.TimeoutExpired) as error:
        raise CannotBundle(str(error)) from error
    if ran.returncode != 0:
        raise CannotBundle(ran.stderr.strip() or f"the bundler ended with {ran.returncode}")


def _install_bundler() -> None:
    pip = [sys.executable, "-m", "pip", "--quiet", "--disable-pip-version-check", "install", "--only-binary", ":all:"]
    for requirement in bundler_requirements():
        subprocess.run([*pip, requirement], check=False)


def main() -> None:
    """Bundle the client of this checkout, or print why that is not possible."""
    if has_bundle(CLIENT):
        return
    if not Path(sys.executable).with_name("deno").exists():
        _install_bundler()
    try:
        make_bundle(CLIENT)
    except CannotBundle as problem:
        print(f"Left out: the bundle of the web client, which is served in more requests. {problem}", file=sys.stderr)
        if os.environ.get("CADOGAN_REQUIRE_SERVICES") == "1":
            raise SystemExit(1) from problem


if __name__ == "__main__":
    main()
