"""The log over several PostgreSQL machines, with the extension Citus.

`extension` distributes the log and looks after its workers, `stream_workers` knows which worker has a stream and asks
each by itself, and `worker_commits` commits on each by itself. A log on one machine has one worker.
"""
