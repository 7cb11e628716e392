"""What keeps the boards fair: reports of players, findings of copies, and runs that hosts take off the boards."""
