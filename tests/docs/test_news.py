"""The program in docs/news.md knows a request of the server from any other."""

import re
import time
from collections.abc import Callable
from pathlib import Path
from typing import Any

from cadogan.server.subjects.news.items import RenderedItem
from cadogan.server.subjects.news.webhook_sender import make_request
from cadogan.wire.admin_examples import GAME

PAGE = Path(__file__).parents[2] / "docs" / "news.md"
SECRET = "whsec_MfKQ9r8GKYqrTwjUPD8ILPZIo2LaLaSw"
TOLD = RenderedItem("", {"at": "2026-11-20T12:00:00Z"})


def check() -> Callable[[str, dict[str, str], bytes], bool]:
    """The function of the page."""
    (code,) = re.findall(r"```python\n(.*?)```", PAGE.read_text("utf-8"), re.DOTALL)
    names: dict[str, Any] = {}
    exec(code, names)
    found: Callable[[str, dict[str, str], bytes], bool] = names["is_from_the_server"]
    return found


def test_the_ten_lines_of_the_page_check_a_signature() -> None:
    now = round(time.time() * 1000)
    sent = make_request("standard", "https://hooks.example/", SECRET, GAME, now, "test", TOLD)
    assert check()(SECRET, sent.headers, sent.body)
    assert not check()(SECRET, sent.headers, sent.body + b" ")
    assert not check()("whsec_" + "A" * 32, sent.headers, sent.body)
    old = make_request("standard", "https://hooks.example/", SECRET, GAME, now - 301_000, "test", TOLD)
    assert not check()(SECRET, old.headers, old.body)
