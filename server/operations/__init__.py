"""What a host does with a deployment: backup and restore, health checks, the root hash of all revealed records."""
