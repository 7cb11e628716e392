"""What players say to each other: the texts of groups that allow them, and set signs at games and races."""
