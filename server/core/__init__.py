"""Small tools that every package may use: ids, errors, dates, the clock, logs, metrics, rate limits, batching.

Imports nothing of the server but its own modules.
"""
