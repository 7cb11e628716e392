"""HTTP and WebSocket, on one port: routes, reading requests, answering, the pages and their files.

Decides nothing about games: it finds out who asks, calls `play`, `competitions` or `players`, and answers.
"""
