"""Deployment: the reverse proxy, several nodes without containers, the dashboard, and the build of the wheel."""
