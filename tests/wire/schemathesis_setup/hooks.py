"""Hooks of schemathesis for this interface: operations that end a session get a session of their own."""

import json
import os
from typing import Any

import requests
import schemathesis

from cadogan.wire.endpoints import ENDPOINTS
from tests.harness.patience import soon
from tests.harness.schema_checks import check_body, check_message

SESSION_ENDING_OPERATIONS = frozenset({"change_password", "sign_in", "sign_out", "sign_out_everywhere"})
"""Operations that end the session in which they are called."""

FILES = {entry.name: entry.lines.__name__ for entry in ENDPOINTS if entry.lines is not None}
"""For each operation that answers with a file: what its lines are."""


@schemathesis.hook
def before_call(_: Any, case: schemathesis.Case[Any], kwargs: dict[str, Any]) -> None:
    """Give an operation that ends a session a new session, so that the other requests stay signed in."""
    if case.operation.definition.raw["operationId"] in SESSION_ENDING_OPERATIONS:
        begun = requests.post(f"{os.environ['SERVER_URL']}/api/v1/session/guest", timeout=soon()).json()
        case.headers["Authorization"] = f"Bearer {begun['token']}"


@schemathesis.check
def every_line_of_a_stream_is_a_message(_: Any, response: schemathesis.Response, case: schemathesis.Case[Any]) -> None:
    """Compare every message of a stream with the AsyncAPI document, and every line of a file with the other."""
    if response.status_code == 200 and response.headers["content-type"] == ["application/x-ndjson"]:
        for line in response.text.splitlines():
            if line:
                found = json.loads(line)
                if (body := FILES.get(case.operation.definition.raw["operationId"])) is not None:
                    check_body(body, found)
                else:
                    check_message(found)
