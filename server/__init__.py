"""The Cadogan server: the event log, the games played on it, the competitions, and the ways to reach them.

The packages are floors of one house. Each imports only from the floors below it; import-linter checks this, and a new
package has to be given its floor in `pyproject.toml`. From the top:

    cli             the command `cadogan`
    web_app         the web application of a server: its routes, and what runs while it serves
    http            HTTP and WebSocket: requests in, answers and messages out
    app             builds every part and connects them
    monitor         watching the log of another server, over HTTP
    operations      backup, restore, health checks of a deployment
    config_sources  where its settings come from: flags, the environment, credentials, a file, defaults
    config          the settings of a server
    news            what a house tells other programs and its readers: webhooks, feeds, notifications
    house           what hosts and moderators do, and the log of it
    talk            what players say to each other: the texts of groups, and set signs
    play            carrying out commands, showing games, deciding who may see what
    audit           checking records and boards from files alone
    competitions    casual games, daily challenges, races: what each one decides
    storage         the event log in SQLite and PostgreSQL
    leaderboards    ranking, boards, digests
    players         accounts, sessions, groups, profiles
    realtime        who is subscribed to what, and sending messages to them
    analysis        where games were lost: jobs in the database, the analysts that carry them out, what they find
    games           one game, folded from its events, and what may be said of it
    cluster         wake-ups between nodes
    transparency    the signed log of what has ended, and its proofs
    fairness        commitments, sealed deals, Merkle trees
    eventlog        events, streams, the hash chain, the contract of an event store
    outbox          what is to be done once, by any node, and again until it succeeds
    database        connections, tables, revisions
    mail            sending mails through the SMTP server of the host
    core            what every floor may use: ids, errors, dates, metrics
"""
