"""Cadogan, a patience server that people host for themselves, and what others may import of it.

`cadogan.sdk` plays and watches from programs, `cadogan.engine` has the games and their rules, `cadogan.wire` has every
message between server and clients. The command `cadogan` is in `cadogan.cli`.
"""

from importlib.util import find_spec

if find_spec("cadogan.checkout"):  # the wheel has no such module: there the packages lie in this folder
    from cadogan.checkout import add_public_names

    add_public_names()
