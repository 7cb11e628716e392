"""The crest, the picture of a house: a valid PNG or WebP file."""

import struct
from zlib import crc32

from cadogan.server.core.errors import BadMessage

MIN_SIDE = 16
MAX_SIDE = 512
"""Pixels of a side."""
_PNG = b"\x89PNG\r\n\x1a\n"
_WEBP_CHUNKS = (b"VP8 ", b"VP8L", b"VP8X")


def picture_type(image: bytes) -> str:
    """Return the media type of a picture, ``image/png`` or ``image/webp``.

    Raises BadMessage for other types, for a file that is damaged or has data after the picture, and if a side is
    shorter than `MIN_SIDE` or longer than `MAX_SIDE` pixels.
    """
    try:
        media_type, size = ("image/png", _png_size(image)) if image.startswith(_PNG) else _webp(image)
    except (ValueError, struct.error, IndexError):
        raise BadMessage("The picture must be a whole PNG or WebP file.") from None
    if not all(MIN_SIDE <= side <= MAX_SIDE for side in size):
        raise BadMessage("The picture must have {least} to {most} pixels a side.", least=MIN_SIDE, most=MAX_SIDE)
    return media_type


def _png_size(image: bytes) -> tuple[int, int]:
    """Return width and height; raises ValueError unless every chunk is whole and the file ends with the last one."""
    kinds, at = list[bytes](), len(_PNG)
    while at < len(image):
        (length,) = struct.unpack_from(">I", image, at)
        kind, data = image[at + 4 : at + 8], image[at + 8 : at + 8 + length]
        (checksum,) = struct.unpack_from(">I", image, at + 8 + length)
        if crc32(kind + data) != checksum:
            raise ValueError("a chunk is damaged")
        kinds.append(kind)
        at += 12 + length
    if kinds[:1] != [b"IHDR"] or kinds[-1:] != [b"IEND"] or b"IDAT" not in kinds:
        raise ValueError("not all chunks are there")
    width, height = struct.unpack_from(">II", image, len(_PNG) + 8)
    return width, height


def _webp(image: bytes) -> tuple[str, tuple[int, int]]:
    if image[:4] != b"RIFF" or image[8:12] != b"WEBP" or struct.unpack_from("<I", image, 4)[0] != len(image) - 8:
        raise ValueError("no WebP")
    kind, data = image[12:16], image[20:]
    if kind not in _WEBP_CHUNKS:
        raise ValueError("no picture")
    if kind == b"VP8X":
        width, height = (int.from_bytes(data[at : at + 3], "little") + 1 for at in (4, 7))
    elif kind == b"VP8L":
        if data[0] != 0x2F:
            raise ValueError("no picture")
        bits = int.from_bytes(data[1:5], "little")
        width, height = (bits & 0x3FFF) + 1, (bits >> 14 & 0x3FFF) + 1
    else:
        if data[3:6] != b"\x9d\x01\x2a":
            raise ValueError("no picture")
        width, height = (side & 0x3FFF for side in struct.unpack_from("<HH", data, 6))
    return "image/webp", (width, height)
