"""One game: its state folded from events, what each command does to it, who sees how much of it, and its messages.

`game_state`, `visibility`, `game_messages`, `game_record`, `scoring` and `pace` are pure: no clock, no database, no
socket. `game_cache` and `game_index` reach the log and the database.
"""
