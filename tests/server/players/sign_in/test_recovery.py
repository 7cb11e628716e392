"""Recovery codes: each sets a new password once, and nobody learns from them who has an account."""

import re
from typing import Any

from sqlalchemy import select

from cadogan.server.core.database.tables import recovery_codes
from cadogan.server.subjects.accounts.accounts import Accounts
from cadogan.server.subjects.accounts.passwords import STRANGERS_AT_ONCE, Origin
from tests.harness.hosts import PASSWORD, WHY, confirm, player, with_role
from tests.harness.people import Person
from tests.harness.running_server import RunningServer
from tests.harness.statements import asked

NEW = "nine black knaves"
WRONG = "aaaa-aaaa-aaaa-aaaa"


async def create_account(running_server: RunningServer, name: str) -> tuple[Person, list[str]]:
    """A player of this name, and the recovery codes that were told."""
    person = await running_server.guest()
    _, made = await person.post("/account", {"name": name, "password": PASSWORD})
    return person, made["recovery_codes"]


async def recover(running_server: RunningServer, name: str, code: str, password: str = NEW) -> tuple[int, Any]:
    """The answer to somebody who sets a new password with a recovery code."""
    body = {"name": name, "code": code, "password": password}
    return await running_server.stranger().ask("PUT", "/account/recovery", body)


async def test_a_new_account_has_ten_codes_of_which_only_hashes_are_stored(running_server: RunningServer) -> None:
    person, codes = await create_account(running_server, "Ada")
    assert len(set(codes)) == 10
    assert all(re.fullmatch("[a-z2-7]{4}(-[a-z2-7]{4}){3}", code) for code in codes)
    async with running_server.server.database.reading() as connection:
        stored = str((await connection.execute(select(recovery_codes))).all())
    assert not any(code in stored or code.replace("-", "") in stored for code in codes)
    assert await person.get("/account/recovery-codes") == (200, {"left": 10, "made_at": running_server.clock.at})


async def test_a_code_sets_a_new_password_once_and_ends_all_sessions(running_server: RunningServer) -> None:
    person, (code, other, *_) = await create_account(running_server, "Ada")
    status, signed_in = await recover(running_server, "ada", code)
    assert (status, signed_in["player"]["id"]) == (200, person.id)
    assert (await person.get("/friends"))[1]["code"] == "unauthorized"
    sign_in = running_server.stranger()
    assert (await sign_in.post("/session", {"name": "Ada", "password": PASSWORD}))[1]["code"] == "bad_credentials"
    assert (await sign_in.post("/session", {"name": "Ada", "password": NEW}))[0] == 200
    assert (await recover(running_server, "Ada", code))[1]["code"] == "bad_credentials"
    assert (await recover(running_server, "Ada", other, "ten red kings and"))[0] == 200


async def test_a_code_is_read_however_it_was_written_down(sqlite_server: RunningServer) -> None:
    _, (code, *_) = await create_account(sqlite_server, "Ada")
    written = code.upper().replace("-", " ").replace("O", "0").replace("L", "1")
    assert (await recover(sqlite_server, "Ada", written))[0] == 200


async def test_an_unknown_name_and_a_wrong_code_get_the_same_answer_for_the_same_work(
    sqlite_server: RunningServer,
) -> None:
    _, codes = await create_account(sqlite_server, "Ada")
    await create_account(sqlite_server, "Bob")
    answers, statements = [], []
    for name, code in (("Ada", WRONG), ("Nemo", WRONG), ("Bob", codes[0]), ("Nemo", codes[1])):
        with asked(sqlite_server.server.database) as all_statements:
            answers.append(await recover(sqlite_server, name, code))
        about = [statement for statement, _ in all_statements]
        statements.append([one for one in about if "recovery_codes" in one or "players" in one])
    assert [status for status, _ in answers] == [401] * 4
    assert all(answer == answers[0] for answer in answers)
    assert all(one == statements[0] for one in statements)
    assert len(statements[0]) == 2


async def test_a_password_is_hashed_before_anything_is_looked_up(sqlite_server: RunningServer) -> None:
    """So a refused password says nothing about the code, and a refused code takes as long as one that is right."""
    _, (code, *_) = await create_account(sqlite_server, "Ada")
    for name, tried in (("Ada", code), ("Ada", WRONG), ("Nemo", WRONG)):
        assert (await recover(sqlite_server, name, tried, "password"))[1]["code"] == "bad_message"
    assert (await recover(sqlite_server, "Ada", code))[0] == 200


async def test_one_address_and_one_name_may_be_tried_some_times_only(sqlite_server: RunningServer) -> None:
    for _ in range(2 * STRANGERS_AT_ONCE):
        _, answer = await recover(sqlite_server, "Nemo", WRONG)
        if answer["code"] == "rate_limited":
            break
    assert answer["code"] == "rate_limited"
    assert answer["retry_after"] > 0


async def test_a_name_is_limited_however_many_addresses_try_it(sqlite_server: RunningServer) -> None:
    accounts: Accounts = sqlite_server.server.sign_in.accounts
    codes = []
    for number in range(200 + STRANGERS_AT_ONCE):
        try:
            await accounts.recover("Nemo", WRONG, "password", Origin(f"10.0.{number}.1"))
        except Exception as refusal:
            codes.append(getattr(refusal, "code", repr(refusal)))
    assert set(codes) == {"bad_message", "rate_limited"}
    assert codes.count("bad_message") < len(codes) / 2


async def test_new_codes_need_the_password_and_make_the_old_ones_void(running_server: RunningServer) -> None:
    person, (old, *_) = await create_account(running_server, "Ada")
    assert (await person.ask("PUT", "/account/recovery-codes"))[1]["code"] == "confirmation_needed"
    await confirm(person)
    status, made = await person.ask("PUT", "/account/recovery-codes")
    assert (status, len(made["codes"])) == (200, 10)
    assert (await recover(running_server, "Ada", old))[1]["code"] == "bad_credentials"
    assert (await recover(running_server, "Ada", made["codes"][0]))[0] == 200


async def test_a_guest_has_no_codes(sqlite_server: RunningServer) -> None:
    guest = await sqlite_server.guest()
    assert (await guest.ask("PUT", "/account/recovery-codes"))[1]["code"] == "conflict"
    assert (await guest.get("/account/recovery-codes"))[1] == {"left": 0}


async def test_who_is_banned_is_told_so_and_keeps_the_code(sqlite_server: RunningServer) -> None:
    host = await with_role(sqlite_server, "Mo", "host")
    person, (code, *_) = await create_account(sqlite_server, "Ada")
    ban = f"/house/players/{person.id}/ban"
    await host.ask("PUT", ban, {"banned": True, **WHY})
    assert (await recover(sqlite_server, "Ada", code))[1]["code"] == "suspended"
    await host.ask("PUT", ban, {"banned": False, **WHY})
    assert (await recover(sqlite_server, "Ada", code))[0] == 200


async def test_the_codes_of_one_player_are_worth_nothing_to_another(sqlite_server: RunningServer) -> None:
    _, (code, *_) = await create_account(sqlite_server, "Ada")
    await player(sqlite_server, "Bob")
    assert (await recover(sqlite_server, "Bob", code))[1]["code"] == "bad_credentials"
    assert (await recover(sqlite_server, "Ada", code))[0] == 200
