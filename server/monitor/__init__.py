"""Watching the log of another server from outside, over HTTP, as anybody may.

Nothing of a server uses it, only the command `cadogan monitor`.
"""
