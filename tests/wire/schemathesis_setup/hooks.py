"""What schemathesis must be told of this interface: whoever signs in or out is somebody else for that moment."""

import json
import os
from typing import Any

import requests
import schemathesis

from tests.harness.schema_checks import check_message

ENDING = frozenset({"sign_in", "sign_out", "sign_out_everywhere"})
"""Operations that end the session they are asked in."""


@schemathesis.hook
def before_call(_: Any, case: schemathesis.Case[Any], kwargs: dict[str, Any]) -> None:
    """Have a session be ended that was begun for it, so that who asks everything else stays signed in."""
    if case.operation.definition.raw["operationId"] in ENDING:
        begun = requests.post(f"{os.environ['SERVER_URL']}/api/v1/session/guest", timeout=60).json()
        case.headers["Authorization"] = f"Bearer {begun['token']}"


@schemathesis.check
def every_line_of_a_stream_is_a_message(_: Any, response: schemathesis.Response, __: schemathesis.Case[Any]) -> None:
    """Hold what a stream says to the AsyncAPI document."""
    if response.status_code == 200 and response.headers["content-type"] == ["application/x-ndjson"]:
        for line in response.text.splitlines():
            if line:
                check_message(json.loads(line))
