"""The terminal client: play and watch every game in a terminal, with keys and mouse, on any server.

`main` opens it, and `app` is the Textual application. `lobby` has its first screen and all lists, `game` the screen of
a game and its replay. Texts (`words`, `formatting`), the selection of cards (`game.selection`), the player's commands
(`game.game_controller`), and the texts of an analysis (`game.verdicts`) do not depend on the screen. `lobby` imports
`game`, never the other way round. The terminal client imports `cadogan.sdk` and `cadogan.wire`.
"""
