"""Seasons of the server."""
