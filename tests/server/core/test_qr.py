"""QR codes, compared with those that another program (Python's `qrcode` 8) draws for the same version and mask."""

from hashlib import sha256

import pytest

from cadogan.server.core.qr import MAX_BYTES, draw_qr, make_qr


@pytest.mark.parametrize(
    ("text", "digest"),
    [
        ("https://club.example/e/K3V7Q2", "39156e0d23d9791b15c9865deea1516781273ed6fff40ba8d87f5d0ebcc8690a"),
        ("x" * 100, "898a791db8daf87950e6fd89cebf33096e6b40e0b49b39bdd015fdd3c07d3ec9"),
        ("x" * 210, "b50a17fe13e013b4891865d920f9dfc8a36abfb32dbc865146eaf6f693f8f4cc"),
    ],
)
def test_a_code_is_the_one_that_another_program_draws(text: str, digest: str) -> None:
    rows = ["".join(map(str, map(int, row))) for row in make_qr(text)]
    assert sha256("\n".join(rows).encode()).hexdigest() == digest


def test_a_picture_has_a_white_border_of_four_modules() -> None:
    picture = draw_qr("A")
    assert 'viewBox="0 0 29 29"' in picture
    assert "M4 4h1v1h-1z" in picture
    assert "M3 3h1v1h-1z" not in picture


def test_a_text_that_is_too_long_is_refused() -> None:
    assert make_qr("x" * MAX_BYTES)
    with pytest.raises(ValueError, match="213 bytes"):
        make_qr("x" * (MAX_BYTES + 1))
