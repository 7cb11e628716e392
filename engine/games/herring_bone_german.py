"""The Herring-Bone, the German way: the bone is dealt from one pack, so it holds no two like cards."""

from dataclasses import replace

from cadogan.engine.declaration import PACK
from cadogan.engine.games.herring_bone import GAME as HERRING_BONE
from cadogan.engine.games.herring_bone import bars, bone, first_base, scenes, stock
from cadogan.engine.parts import packets, rest, rows, shuffle
from cadogan.engine.table import Table


def part(table: Table) -> None:
    """Lay the second pack aside."""
    table.move(PACK, stock.start, 52)


def join(table: Table) -> None:
    """Put the second pack together with what is left of the first."""
    table.move(stock.start, PACK, 52)


GAME = replace(
    HERRING_BONE,
    name="The Herring-Bone, the German way",
    summary="The Herring-Bone with a bone dealt from one pack alone, so that it cannot hold two like cards.",
    also_known_as=(),
    deal=(
        part,
        shuffle(),
        packets(bone, 28),
        join,
        shuffle("deal.rest"),
        rows(scenes),
        rows(bars),
        first_base,
        rest(stock),
    ),
)
