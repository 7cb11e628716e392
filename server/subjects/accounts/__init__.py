"""Authentication: accounts and their sessions, by password, passkey, OIDC provider, recovery code or token."""
