"""The terminal client: play and watch every game in a terminal, with keys and mouse, on any server.

`main` opens it; `app` is the Textual application, `lobby` its first screen, `game_screen` the screen of a game. What is
selected and what a tap does (`selection`), the player's commands (`game_controller`) and texts (`formatting`) do not
depend on the screen. The terminal client imports `clients.sdk` and `clients.wire`.
"""
