"""A log over several PostgreSQL machines with Citus: a coordinator and its workers."""
