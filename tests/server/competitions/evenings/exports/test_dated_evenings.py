"""An evening's record proves that its announcement is in the log, and who saw the commitments to its cards when."""

from collections.abc import Callable

import pytest
from msgspec import json

from cadogan.server.subjects.transparency.leaves import Announcement
from tests.harness.command_line import run
from tests.harness.exported_evenings import Exported, Record, event_of
from tests.harness.proven import FRIEND, HOST, prove
from tests.harness.web_verifier import WebVerifier, verify_in_node


def entry_of(record: Record) -> bytes:
    """The entry of the announcement."""
    first = record["events"][0]
    stream = f"evening/{record['evening']}"
    return Announcement.of(stream, first["recorded_at"], bytes.fromhex(first["hash"])).as_bytes()


def date(evening: Exported, minutes_before: int) -> None:
    """Let the witness have seen the announcement so long before the first round, in the log of `proven`."""

    def change(record: Record) -> None:
        del record["proof"]
        begins_at = event_of(record, "round_opened")["recorded_at"] // 1000
        record["announcement"] = prove([b"{}", entry_of(record)], 1, begins_at - 60 * minutes_before)

    evening.change(change)


def test_the_server_proves_who_saw_the_announcement_and_both_verifiers_say_so(match: Exported) -> None:
    key = FRIEND.verifier(kind=match.trust.witnesses[0].kind).text
    said = run("verify", str(match.file), "--trust", str(match.host), "--key", key, "--json").output
    found = json.decode(said)
    assert [one["name"] for one in found["dated"]] == [FRIEND.name], found
    code, theirs = verify_in_node(match.file, *match.games, "--trust", match.host)
    assert (code, theirs["dated"]) == (0, []), "the server names no witness"
    host = json.decode(match.host.read_bytes())
    match.host.write_bytes(json.encode({**host, "witnesses": [key]}))
    code, theirs = verify_in_node(match.file, *match.games, "--trust", match.host)
    assert (code, [one["name"] for one in theirs["dated"]]) == (0, [FRIEND.name])
    said = run("verify", str(match.file), "--trust", str(match.host)).output
    assert "after the evening had begun" in said, "the log of this evening was signed at its end"


def test_the_command_says_how_long_before_the_first_round_the_commitments_were_seen(certified: Exported) -> None:
    certified.host.write_bytes(json.encode(HOST))
    date(certified, minutes_before=2)
    for command in (["verify", str(certified.file)], ["recompute", certified.evening, "--from", str(certified.folder)]):
        said = run(*command, "--trust", str(certified.host)).output
        assert "0 hours and 2 minutes before the evening began" in said
    assert "not dated: no witness whom you trust" in run("verify", str(certified.file)).output


def change_the_title(record: Record) -> None:
    record["events"][0]["data"]["title"] = "Another"


def announce_earlier(record: Record) -> None:
    record["events"][0]["recorded_at"] -= 1000


@pytest.mark.parametrize("change", [change_the_title, announce_earlier])
def test_an_announcement_that_was_exchanged_after_it_was_seen_is_refused_by_both(
    certified: Exported, web_verifier: WebVerifier, change: Callable[[Record], None]
) -> None:
    certified.host.write_bytes(json.encode(HOST))
    date(certified, minutes_before=2)
    kept = json.decode(certified.file.read_bytes())["announcement"]
    certified.forge(change)
    assert run("verify", str(certified.file)).exit_code == 0, "nothing else in the record shows it"
    certified.change(lambda record: record.update(announcement=kept))
    for command in (["verify", str(certified.file)], ["recompute", certified.evening, "--from", str(certified.folder)]):
        said = run(*command, "--trust", str(certified.host))
        assert (said.exit_code, "its proof does not hold" in said.output) == (1, True), said.output
    assert not web_verifier.verdict(certified.file.read_bytes(), None, HOST).consistent


def test_the_proof_of_another_evening_is_refused(
    certified: Exported, arena: Exported, web_verifier: WebVerifier
) -> None:
    date(certified, minutes_before=2)
    kept = json.decode(certified.file.read_bytes())["announcement"]
    arena.change(lambda record: record.update(announcement=kept))
    said = run("verify", str(arena.file))
    assert (said.exit_code, "its proof does not hold" in said.output) == (1, True)
    assert web_verifier.verdict(arena.file.read_bytes(), None, HOST).checks["log"] == "broken"
