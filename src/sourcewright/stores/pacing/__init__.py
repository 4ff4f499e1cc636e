"""The pacing ledger: one small SQLite file through which all processes agree on starts."""

from sourcewright.stores.pacing.ledger import SqliteLedger

__all__ = ["SqliteLedger"]
