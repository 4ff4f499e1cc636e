"""The rate limit ledger: one small SQLite file that all processes on the machine share."""

from sourcewright.stores.pacing.ledger import SqliteLedger

__all__ = ["SqliteLedger"]
