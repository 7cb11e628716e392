"""Seasons of the house."""
