"""Cadogan, a patience server that people host for themselves, and what others may import of it.

`cadogan.sdk` plays and watches from programs, `cadogan.engine` has the games and their rules, `cadogan.wire` has every
message between server and clients. The command `cadogan` is in `cadogan.cli`.
"""
