"""The command `cadogan`: each module adds the commands of one subject to the group in `main`."""
