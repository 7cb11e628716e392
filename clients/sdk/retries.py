"""The time limit of a request, and the waits between attempts, for HTTP and for the socket."""

REQUEST_TIMEOUT_SECONDS = 60.0
"""How long a request waits for its answer, all attempts together."""
FIRST_RETRY_SECONDS = 1.0
"""The longest wait after the first failure is twice this; every further failure doubles it."""
MAX_RETRY_SECONDS = 15.0
"""The longest wait between any two attempts."""


def backoff_seconds(failures: int, fraction: float) -> float:
    """Return how long to wait after this many failures in a row: exponential backoff with full jitter.

    `fraction` is a random number from 0 to 1. The wait is that part of the longest wait, so that many clients do not
    all come back at the same moment.

    >>> backoff_seconds(2, 0.5)
    2.0
    """
    return min(MAX_RETRY_SECONDS, FIRST_RETRY_SECONDS * 2.0**failures) * fraction
