"""The history of the tables. Migrations change tables, never the events in them."""
