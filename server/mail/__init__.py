"""Sends mails through the SMTP server of the host."""
