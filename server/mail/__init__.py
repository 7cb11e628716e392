"""Sending mails through the SMTP server of the host. Imports only `core`; every floor above may send one."""
