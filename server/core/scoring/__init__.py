"""Scoring of evenings, ratings, seasons, shields and virtual runs: pure functions from their JSON to an answer.

Everything is exact: fractions and integers, except in ratings and predictions, which are rounded at once.
`docs/scoring.md` states the rules.
"""
