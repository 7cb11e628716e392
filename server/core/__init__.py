"""Small tools for every package: ids, errors, dates, the clock, logs, metrics, rate limits, names, batching."""
