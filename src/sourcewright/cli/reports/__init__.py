"""Reports of audited bibliographies: a table and a page for people, SARIF for code hosts."""
