"""Who signs the log: the host's key, the keys before it, and signed notes."""
