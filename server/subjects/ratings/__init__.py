"""Ratings: what the final standings of evenings say about how well somebody plays (`docs/ratings.md`)."""
