"""Communication between players: messages in groups that allow them, and predefined signs at games and races."""
