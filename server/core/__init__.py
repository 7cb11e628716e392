"""Code shared by the subjects: the log, the database, games, the bus, connections, and small tools."""
