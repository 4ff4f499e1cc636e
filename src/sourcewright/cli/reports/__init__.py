"""Reports of audited bibliographies: a table for people, SARIF for code hosts."""
