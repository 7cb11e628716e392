"""Monitoring another server's log from outside, over public HTTP.

Only the command `cadogan monitor` uses it.
"""
