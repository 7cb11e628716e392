"""QR codes as SVG, for addresses: byte mode, error correction level M, versions 1 to 10 (ISO/IEC 18004)."""

from collections.abc import Callable, Iterator
from itertools import pairwise

MAX_BYTES = 213
"""The longest text, in bytes: what version 10 holds."""
_BLOCKS = ((16, 10, 1, 0), (28, 16, 1, 0), (44, 26, 1, 0), (32, 18, 2, 0), (43, 24, 2, 0), (27, 16, 4, 0),
           (31, 18, 4, 0), (38, 22, 2, 2), (36, 22, 3, 2), (43, 26, 4, 1))  # fmt: skip
"""By version: bytes of data of a short block, bytes of correction of a block, short blocks, blocks longer by one."""
_ALIGNED: tuple[tuple[int, ...], ...] = (
    (),
    (6, 18),
    (6, 22),
    (6, 26),
    (6, 30),
    (6, 34),
    (6, 22, 38),
    (6, 24, 42),
    (6, 26, 46),
    (6, 28, 50),
)
"""By version: the rows and columns whose crossings have an alignment pattern."""
_QUIET = 4
"""Modules of white around the code."""
_LEVEL_M = 0
Grid = list[list[int]]


def draw_qr(text: str) -> str:
    """Return the QR code of a text as an SVG picture. Raises ValueError beyond `MAX_BYTES`."""
    grid = make_qr(text)
    size = len(grid) + 2 * _QUIET
    dark = "".join(
        f"M{column + _QUIET} {row + _QUIET}h1v1h-1z"
        for row, modules in enumerate(grid)
        for column, is_dark in enumerate(modules)
        if is_dark
    )
    return (
        f'<svg xmlns="http://www.w3.org/2000/svg" viewBox="0 0 {size} {size}" shape-rendering="crispEdges">'
        f'<path fill="#fff" d="M0 0h{size}v{size}H0z"/><path d="{dark}"/></svg>'
    )


def make_qr(text: str) -> Grid:
    """Return the modules of the QR code of a text, row by row: 1 is dark. Raises ValueError beyond `MAX_BYTES`."""
    data = text.encode()
    version = next((number for number in range(1, 11) if len(data) <= _room(number)), None)
    if version is None:
        raise ValueError(f"a QR code of this size holds {MAX_BYTES} bytes")
    bits = _interleave(_fill(data, version), version)
    plain, is_function = _draw_functions(version)
    _place(plain, is_function, bits)
    masked = [_mask(plain, is_function, number) for number in range(8)]
    return min(masked, key=_penalty)


def _capacity(version: int) -> int:
    data, _, short, long = _BLOCKS[version - 1]
    return data * short + (data + 1) * long


def _room(version: int) -> int:
    return _capacity(version) - (2 if version < 10 else 3)


def _fill(data: bytes, version: int) -> bytes:
    """Return the bytes of data of a code: mode, length, text, and padding."""
    length_bits = 8 if version < 10 else 16
    text = f"0100{len(data):0{length_bits}b}" + "".join(f"{byte:08b}" for byte in data)
    capacity = _capacity(version) * 8
    text += "0" * min(4, capacity - len(text))
    text += "0" * (-len(text) % 8)
    filled = bytes(int(text[start : start + 8], 2) for start in range(0, len(text), 8))
    return filled + bytes((0xEC, 0x11)[number % 2] for number in range(_capacity(version) - len(filled)))


def _interleave(data: bytes, version: int) -> str:
    size, correction, short, long = _BLOCKS[version - 1]
    blocks, start = [], 0
    for number in range(short + long):
        end = start + size + (number >= short)
        blocks.append(data[start:end])
        start = end
    checks = [_correct(block, correction) for block in blocks]
    mixed = [block[at] for at in range(size + 1) for block in blocks if at < len(block)]
    mixed += [check[at] for at in range(correction) for check in checks]
    return "".join(f"{byte:08b}" for byte in mixed)


def _multiply(one: int, other: int) -> int:
    """Return the product in the field of 256 elements whose polynomial is 0x11D."""
    product = 0
    while other:
        product ^= one if other & 1 else 0
        one = (one << 1) ^ (0x11D if one & 0x80 else 0)
        other >>= 1
    return product


def _correct(block: bytes, count: int) -> bytes:
    """Return the bytes of Reed and Solomon's correction."""
    generator, root = [1], 1
    for _ in range(count):
        shifted = [*generator, 0]
        for at, factor in enumerate(generator):
            shifted[at + 1] ^= _multiply(factor, root)
        generator, root = shifted, _multiply(root, 2)
    rest = [*block, *([0] * count)]
    for at in range(len(block)):
        if lead := rest[at]:
            for ahead, factor in enumerate(generator):
                rest[at + ahead] ^= _multiply(factor, lead)
    return bytes(rest[len(block) :])


def _draw_functions(version: int) -> tuple[Grid, Grid]:
    """Return a code with its fixed patterns, and which modules these are."""
    size = 17 + 4 * version
    grid, fixed = [[0] * size for _ in range(size)], [[0] * size for _ in range(size)]

    def put(row: int, column: int, is_dark: bool) -> None:
        if 0 <= row < size and 0 <= column < size:
            grid[row][column], fixed[row][column] = int(is_dark), 1

    for at in range(size):
        put(6, at, at % 2 == 0)
        put(at, 6, at % 2 == 0)
    for row, column in ((3, 3), (3, size - 4), (size - 4, 3)):
        for down in range(-4, 5):
            for right in range(-4, 5):
                put(row + down, column + right, max(abs(down), abs(right)) not in (2, 4))
    places = _ALIGNED[version - 1]
    for row in places:
        for column in places:
            if (row, column) in ((6, 6), (6, places[-1]), (places[-1], 6)):
                continue
            for down in range(-2, 3):
                for right in range(-2, 3):
                    put(row + down, column + right, max(abs(down), abs(right)) != 1)
    for row, column, is_dark in (*_format_places(size, 0), *_version_places(version, size)):
        put(row, column, is_dark)
    return grid, fixed


def _format_places(size: int, mask: int) -> Iterator[tuple[int, int, bool]]:
    """Iterate over the modules that name the level of correction and the mask, twice, and the dark one."""
    data = _LEVEL_M << 3 | mask
    rest = data << 10
    for bit in range(14, 9, -1):
        rest ^= (0x537 << (bit - 10)) if rest >> bit & 1 else 0
    word = (data << 10 | rest) ^ 0x5412
    for bit in range(15):
        is_dark = bool(word >> bit & 1)
        if bit < 8:
            yield bit + (bit > 5), 8, is_dark
            yield 8, size - 1 - bit, is_dark
        else:
            yield 8, (15 - bit - (bit > 8)), is_dark
            yield size - 15 + bit, 8, is_dark
    yield size - 8, 8, True


def _version_places(version: int, size: int) -> Iterator[tuple[int, int, bool]]:
    if version < 7:
        return
    rest = version << 12
    for bit in range(17, 11, -1):
        rest ^= (0x1F25 << (bit - 12)) if rest >> bit & 1 else 0
    word = version << 12 | rest
    for bit in range(18):
        row, column, is_dark = size - 11 + bit % 3, bit // 3, bool(word >> bit & 1)
        yield row, column, is_dark
        yield column, row, is_dark


def _place(grid: Grid, fixed: Grid, bits: str) -> None:
    """Write the bits in columns of two, from the right, upwards and downwards in turn."""
    size, bits_left = len(grid), iter(bits)
    for turn, right in enumerate(column if column > 6 else column - 1 for column in range(size - 1, 0, -2)):
        for step in range(size):
            row = step if turn % 2 else size - 1 - step
            for column in (right, right - 1):
                if not fixed[row][column]:
                    grid[row][column] = int(next(bits_left, "0"))


_MASKS: tuple[Callable[[int, int], int], ...] = (
    lambda row, column: (row + column) % 2,
    lambda row, column: row % 2,
    lambda row, column: column % 3,
    lambda row, column: (row + column) % 3,
    lambda row, column: (row // 2 + column // 3) % 2,
    lambda row, column: row * column % 2 + row * column % 3,
    lambda row, column: (row * column % 2 + row * column % 3) % 2,
    lambda row, column: ((row + column) % 2 + row * column % 3) % 2,
)


def _mask(grid: Grid, fixed: Grid, number: int) -> Grid:
    turns = _MASKS[number]
    masked = [
        [module ^ (not fixed[row][column] and turns(row, column) == 0) for column, module in enumerate(modules)]
        for row, modules in enumerate(grid)
    ]
    for row, column, is_dark in _format_places(len(grid), number):
        masked[row][column] = int(is_dark)
    return masked


def _penalty(grid: Grid) -> int:
    """Return how hard a code is to read: long runs, blocks, what looks like a corner, and too much of one colour."""
    size, found = len(grid), 0
    lines = ["".join(map(str, row)) for row in grid]
    lines += ["".join(str(row[column]) for row in grid) for column in range(size)]
    for line in lines:
        runs = line.replace("01", "0 1").replace("10", "1 0").split()
        found += sum(len(run) - 2 for run in runs if len(run) >= 5)
        found += 40 * sum(line.startswith(("00001011101", "10111010000"), at) for at in range(size))
    for above, below in pairwise(grid):
        found += 3 * sum(above[at : at + 2] == below[at : at + 2] == [above[at]] * 2 for at in range(size - 1))
    dark = sum(map(sum, grid))
    return found + 10 * (abs(20 * dark - 10 * size * size) // (size * size))
