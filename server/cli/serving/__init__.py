"""`cadogan serve` and what it runs: one process that serves or several, and beside them analysts and the certifier."""
