"""What the server offers, one folder for each subject: its rules, state, rows and handlers."""
