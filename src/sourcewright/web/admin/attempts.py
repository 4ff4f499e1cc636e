"""Wrong admin keys: whoever sends more than ten in a minute is refused, and the right key is not.

They are counted with the requests: for all processes of the machine, or for all servers at one
Redis.
"""

from dataclasses import dataclass

from sourcewright.base.clocks import Clock
from sourcewright.domain.users.quotas import QuotaLedger, RequestRate
from sourcewright.web.headers import client_network

_ANSWERED = 10
"""Wrong keys in a minute that get the plain answer: a person who mistypes, a program that was not told of a new key."""
_COMPARED = 1000
"""Wrong keys in a minute after which no key of the address is compared.

A key has 16 characters at least. One with 40 bits of entropy, such as three words, would be
guessed from one address in a thousand years on average; from an operator's own address nobody
sends so many by accident, so the right key is not kept out by them."""


@dataclass(frozen=True, slots=True, kw_only=True)
class FailedAttempts:
    """Counts wrong keys by address."""

    ledger: QuotaLedger
    clock: Clock
    key: str
    """Which key is guessed, such as `admin`."""

    async def wait(self, address: str | None) -> float:
        """Return for how many seconds no key of this address is compared; 0 for not at all.

        Raises:
            ResearchError: Attempts cannot be counted.
        """
        return await self.ledger.wait(self._rate(address, _COMPARED), self.clock.now())

    async def count(self, address: str | None) -> float:
        """Count a wrong key; return how long its sender should wait, 0 for the first ones.

        Raises:
            ResearchError: It cannot be counted.
        """
        now = self.clock.now()
        await self.ledger.take([self._rate(address, _COMPARED)], None, now)
        return await self.ledger.take([self._rate(address, _ANSWERED)], None, now)

    def _rate(self, address: str | None, requests: int) -> RequestRate:
        name = f"{requests} wrong {self.key} keys from {client_network(address)}"
        return RequestRate(name=name, requests=requests, seconds=60.0)
