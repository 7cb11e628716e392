"""The Cadogan server: the event log, the games played on it, the competitions, and the ways to reach them.

The packages are floors, one above the other. Each imports only from those below it; import-linter checks this, and a
new package has to be given its floor in `pyproject.toml`. From the top:

    cli             the command `cadogan`
    web_app         the web application of a server: its routes, and what runs while it serves
    http            HTTP and WebSocket: routes, the checks of each request, the socket, the pages and their files
    app             builds every part and connects them
    operations      backup, restore, health checks of a deployment, and watching the log of another server
    config_sources  where its settings come from: flags, the environment, credentials, a file, defaults
    config          the settings of a server
    part            what a part of a server may want of it: the list of hooks
    subjects        what the server offers, one folder each: rules, state, rows and handlers
    core            what the subjects share: the log, the database, games, the bus, connections, and small tools
"""
