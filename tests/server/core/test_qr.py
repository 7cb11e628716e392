"""QR codes, compared with those that another program (Python's `qrcode` 8) draws for the same version and mask."""

from hashlib import sha256

import pytest

from cadogan.server.core.qr import MAX_BYTES, draw_qr, make_qr

FULLEST = {
    14: "ba3838dcafbe1d519ea8fb9a95fb72bb",
    26: "5fed62c825907a63c527e8dc3e72bd89",
    42: "0f944fd4c0b6ac9146610ad100ea5808",
    62: "6c4c95e23590581a5a1c5edf10333164",
    84: "acfbb9938e4dbe95d332f41d2dce2adf",
    106: "39688a1287c8a6b86db916b09805cd7d",
    122: "7d84ba43c7d454b8fce66b400349d6e4",
    152: "57182e6a7fc6add364633fcab668fc5a",
    180: "65ffd265928e40dc1caaab9b2daa6ab0",
    213: "f448b156133f8b25dfe113c140147c30",
}
"""By the bytes that each version from 1 to 10 holds: the beginning of the SHA-256 of its modules, row by row."""


def test_the_fullest_code_of_every_version_is_the_one_that_another_program_draws() -> None:
    found = {}
    for version, size in enumerate(FULLEST, 1):
        modules = make_qr("".join(chr(ord("a") + (7 * place + version) % 26) for place in range(size)))
        assert len(modules) == 17 + 4 * version
        rows = ["".join(map(str, map(int, row))) for row in modules]
        found[size] = sha256("\n".join(rows).encode()).hexdigest()[:32]
    assert found == FULLEST


def test_a_picture_has_a_white_border_of_four_modules() -> None:
    picture = draw_qr("A")
    assert 'viewBox="0 0 29 29"' in picture
    assert "M4 4h1v1h-1z" in picture
    assert "M3 3h1v1h-1z" not in picture


def test_a_text_that_is_too_long_is_refused() -> None:
    assert make_qr("x" * MAX_BYTES)
    with pytest.raises(ValueError, match="213 bytes"):
        make_qr("x" * (MAX_BYTES + 1))
