"""The features of the server, one folder for each subject: its rules, state, rows and handlers."""
