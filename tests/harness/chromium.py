"""The browser of the tests and benchmarks: where it is, and how it is started."""

import os
import shutil

import pytest
from playwright.async_api import ViewportSize

NAMES = ("chromium-headless-shell", "chromium", "chromium-browser", "google-chrome", "google-chrome-stable")
"""The browser without a window comes first: it needs half the processor time of the whole one."""
APPLICATIONS = tuple(f"/Applications/{name}.app/Contents/MacOS/{name}" for name in ("Chromium", "Google Chrome"))
ARGUMENTS = [
    "--no-sandbox",
    "--disable-gpu",
    "--disable-quic",
    "--disable-background-networking",
    "--disable-component-update",
    "--disable-sync",
    "--no-first-run",
]
DESKTOP = ViewportSize(width=1440, height=900)
PHONE = ViewportSize(width=390, height=844)


def chromium() -> str:
    """Where the browser is; skips the test where there is none, or fails it where CADOGAN_REQUIRE_SERVICES is set."""
    found = next((path for name in (*NAMES, *APPLICATIONS) if (path := shutil.which(name))), None)
    if found is None:
        leave_out = pytest.fail if os.environ.get("CADOGAN_REQUIRE_SERVICES") else pytest.skip
        leave_out("needs Chromium: `make test` brings it where a package manager can")
    return found
