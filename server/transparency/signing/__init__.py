"""Signing the log: the host key, earlier keys, and signed notes."""
