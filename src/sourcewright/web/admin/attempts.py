"""Failed attempts to guess the admin key: after ten in a minute, an address has to wait.

They are counted with the requests: for all processes of the machine, or for all servers at one
Redis.
"""

from dataclasses import dataclass

from sourcewright.domain.ports import Clock
from sourcewright.domain.users.quotas import QuotaLedger, RequestRate
from sourcewright.web.headers import client_network


@dataclass(frozen=True, slots=True, kw_only=True)
class FailedAttempts:
    """Counts wrong keys by address; an address that has to wait is not even told of a right one."""

    ledger: QuotaLedger
    clock: Clock
    key: str
    """Which key is guessed, such as `admin`."""

    async def wait(self, address: str | None) -> float:
        """Return for how many seconds no key is accepted from this address; 0 for not at all.

        Raises:
            ResearchError: Attempts cannot be counted.
        """
        return await self.ledger.wait(self._rate(address), self.clock.now())

    async def count(self, address: str | None) -> None:
        """Count a wrong key; raises ResearchError if that is not possible."""
        await self.ledger.take([self._rate(address)], None, self.clock.now())

    def _rate(self, address: str | None) -> RequestRate:
        name = f"wrong {self.key} key from {client_network(address)}"
        return RequestRate(name=name, requests=10, seconds=60.0)
