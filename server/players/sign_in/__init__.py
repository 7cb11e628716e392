"""Who somebody is: accounts and their sessions, by password, passkey, provider, recovery code or token."""
