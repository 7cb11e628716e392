"""The commands for records and whole databases: export, archive, back up, restore, verify, and monitor a server."""
