"""Receipts are written into files by server and game, with the keys of the log, whatever a server names them."""

from pathlib import Path

from msgspec.structs import replace

from cadogan.sdk.receipts import KEYS_FILE, list_keys, write_receipt
from cadogan.wire.results import GameReceipt

GIVEN = GameReceipt(game="k3v7q2m5x4c6z2ab", receipt="a note\n", key="club.example/log+74dd92c4+AQ", due_at=1)


def test_the_receipts_of_each_server_lie_in_a_folder_of_their_own(tmp_path: Path) -> None:
    files = [write_receipt(tmp_path, address, GIVEN) for address in ("https://club.example", "http://127.0.0.1:8000")]
    assert [file.relative_to(tmp_path).as_posix() for file in files] == [
        "club.example/k3v7q2m5x4c6z2ab.receipt",
        "127.0.0.1_8000/k3v7q2m5x4c6z2ab.receipt",
    ]
    assert {file.read_bytes() for file in files} == {b"a note\n"}


def test_a_receipt_that_is_given_again_replaces_the_file_and_each_key_is_kept_once_in_order(tmp_path: Path) -> None:
    for key in ("first", "second", "first"):
        file = write_receipt(tmp_path, "https://club.example", replace(GIVEN, key=key, receipt=f"by {key}\n"))
    assert file.read_text("utf-8") == "by first\n"
    assert list_keys(file.parent) == ["first", "second"]
    assert sorted(one.name for one in file.parent.iterdir()) == [file.name, KEYS_FILE]


def test_no_name_that_a_server_gives_leads_out_of_the_folder(tmp_path: Path) -> None:
    folder = tmp_path / "receipts"
    for name in ("../../evil", "..", "/etc/passwd", "a\\b", "a\0b", ".hidden"):
        file = write_receipt(folder, "https://..", replace(GIVEN, game=name))
        assert file.resolve().is_relative_to(folder)
        assert file.parent.parent == folder
        assert not file.name.startswith(".")
