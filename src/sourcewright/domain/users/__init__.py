"""Users and what is kept of them: tenants, credentials, quotas, sessions, findings."""
