"""The web client's verifier of records, in a Node process that checks one file after another."""

from __future__ import annotations

import os
import shutil
import subprocess
from collections.abc import Iterator, Sequence
from pathlib import Path
from typing import Any, NamedTuple

import pytest
from msgspec import json

from cadogan.server.http.site.client_files import BUNDLE, LIBRARY
from deploy.bundle import CLIENT, CannotBundle, make_bundle
from tests.harness.sample_records import FOLDER, rules_of

PROGRAM = FOLDER.parents[2] / "clients" / "web" / "js" / "proof" / "verify.mjs"


class Verdict(NamedTuple):
    """The result of the web client's verifier."""

    consistent: bool
    broken_at: int | None
    checks: dict[str, str]
    attested: bool = False
    witnessed: tuple[str, ...] = ()
    dated: tuple[str, ...] = ()


def node() -> str:
    """Return the path of Node; skips the test if it is missing, or fails it if CADOGAN_REQUIRE_SERVICES is set."""
    found = shutil.which("node")
    if found is None:
        leave_out = pytest.fail if os.environ.get("CADOGAN_REQUIRE_SERVICES") else pytest.skip
        leave_out("needs Node for the web client's verifier")
    return found


def require_library() -> None:
    """Skip the test where the bundler cannot bring the library for beacons, or fail it where everything must run."""
    try:
        if not (CLIENT / BUNDLE / LIBRARY).is_file():
            make_bundle(CLIENT)
    except CannotBundle as problem:
        leave_out = pytest.fail if os.environ.get("CADOGAN_REQUIRE_SERVICES") else pytest.skip
        leave_out(f"needs the library that verifies beacons: {problem}")


class WebVerifier:
    """Runs the web client's verifier. Its process ends when the context `process` ends."""

    def __init__(self) -> None:
        program = FOLDER.parent / "verdicts.mjs"
        self.process = subprocess.Popen([node(), program], stdin=subprocess.PIPE, stdout=subprocess.PIPE)

    def verdicts(self, texts: list[bytes], slug: str) -> list[Verdict]:
        """Return its verdicts on files of one set of rules."""
        rules = rules_of(slug)
        return [self.verdict(text, rules) for text in texts]

    def verdict(self, text: bytes, rules: Any, host: Any = None, runs: Sequence[bytes] = ()) -> Verdict:
        """Return its verdict on a file, by these rules; `runs` are the records of an evening's runs."""
        asking, answering = self.process.stdin, self.process.stdout
        assert asking is not None
        assert answering is not None
        asking.write(
            json.encode(
                {"record": text.decode(), "rules": rules, "host": host or {}, "runs": [run.decode() for run in runs]}
            )
            + b"\n"
        )
        asking.flush()
        said = json.decode(answering.readline())
        return Verdict(
            said["consistent"],
            said["broken_at"],
            said["checks"],
            said.get("attested", False),
            tuple(said.get("witnessed", ())),
            tuple(said.get("dated", ())),
        )


@pytest.fixture
def beacon_library() -> None:
    """Leaves the test out where the web client cannot verify the rounds of a beacon."""
    require_library()


@pytest.fixture(scope="session")
def web_verifier() -> Iterator[WebVerifier]:
    """The web client's verifier, started once: Node takes longer to start than most questions to answer."""
    verifier = WebVerifier()
    with verifier.process:
        yield verifier


def verify_in_node(*files: str | Path) -> tuple[int, Any]:
    """The exit code and the answer of the web client's verifier as a command."""
    answered = subprocess.run([node(), PROGRAM, *files], capture_output=True)
    return answered.returncode, json.decode(answered.stdout)
