"""`cadogan serve` and its processes: one or several that serve, and the analysts and the certifier next to them."""
