"""What the subjects share: the log, the database, games, the bus, connections, and small tools."""
