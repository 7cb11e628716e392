"""Deployment: the reverse proxy, several nodes without containers, the dashboard, and what builds the wheel."""
