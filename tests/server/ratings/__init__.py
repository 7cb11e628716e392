"""Ratings of evenings."""
