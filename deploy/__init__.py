"""What surrounds the servers of a deployment: the proxy, and the same topology without containers."""
