"""Operating a deployment: backup and restore, health checks, archives, and the Merkle root of all revealed records."""
