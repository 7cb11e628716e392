"""The terminal client: every game in characters, by keys and by mouse, on any server."""
