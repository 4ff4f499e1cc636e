"""A clock that the test sets, a scripted sender, and networks over both."""

import asyncio
from dataclasses import dataclass, field

import pytest

from sourcewright.base.calls import CallContext, current_call
from sourcewright.base.http_messages import Request, Response
from sourcewright.net.http.exchange import Policy
from sourcewright.net.network import Network
from sourcewright.net.sources.breaker import BreakerRules
from sourcewright.stores.pacing import SqliteLedger


class OwnClock:
    """Time that passes only when somebody sleeps."""

    def __init__(self):
        self.time = 1_800_000_000.0
        self.naps = []

    def now(self):
        return self.time

    def monotonic(self):
        return self.time - 1_700_000_000.0

    async def sleep(self, seconds):
        self.naps.append(seconds)
        self.time += seconds
        await asyncio.sleep(0)


@dataclass
class Scripted:
    """Sends by the script: answers, errors to raise, or coroutines to wait for."""

    clock: OwnClock
    script: list
    requests: list = field(default_factory=list)
    times: list = field(default_factory=list)
    stopped: asyncio.Event = field(default_factory=asyncio.Event)

    def check(self, request, policy):
        """Refuse nothing."""

    async def send(self, request, policy):
        self.requests.append(request)
        self.times.append(self.clock.time)
        line = self.script.pop(0) if len(self.script) > 1 else self.script[0]
        try:
            outcome = await line() if callable(line) else line
        except asyncio.CancelledError:
            self.stopped.set()
            raise
        if isinstance(outcome, Exception):
            raise type(outcome)(policy.source, outcome.detail, cause=outcome.cause)
        return outcome


@pytest.fixture
def say():
    """Format a response."""

    def spell(status=200, body=b'{"ok": true}', **headers):
        named = {name.replace("_", "-"): value for name, value in headers.items()}
        return Response(status=status, headers=named, body=body, url="https://api.example.org/x")

    return spell


@pytest.fixture
def clock():
    return OwnClock()


@pytest.fixture
def ledger_path(tmp_path):
    return tmp_path / "pacing.db"


@pytest.fixture
async def join(clock, ledger_path):
    """Make networks that share one clock and one ledger, as processes on one machine do."""
    networks = []

    def make(client, chance=0.0, **options):
        networks.append(
            Network(
                client=client,
                ledger=SqliteLedger(ledger_path),
                breaker=BreakerRules(chance=lambda: chance),
                **{"clock": clock, **options},
            )
        )
        return networks[-1]

    yield make
    for network in networks:
        await network.aclose()


@pytest.fixture
def scripted(clock):
    """A sender that follows a script."""
    return lambda *script: Scripted(clock, list(script))


@pytest.fixture
def source(scripted, join):
    """An upstream over a script, and the sender that follows it."""

    def make(*script, buckets=(), name="crossref", headers=None, **options):
        sender = scripted(*script)
        upstream = join(sender, **options).upstream(
            base_url="https://api.example.org",
            policy=Policy(source=name),
            buckets=tuple(buckets),
            headers=headers,
        )
        return upstream, sender

    return make


@pytest.fixture
def carry(clock, join):
    """Request one page by a script; returns the answer, and the number of requests."""

    async def send(*script):
        sender = Scripted(clock, list(script))
        request = Request(url="https://a.example/")
        answer = await join(sender).source_client("page", ()).send(request, Policy(source="page"))
        return answer, len(sender.requests)

    return send


@pytest.fixture
async def call(clock):
    """Make what follows one call: with a deadline, and with the progress it was told.

    Asynchronous, since only then its end is in the context of the test.
    """
    messages = []

    async def hear(message):
        messages.append(message)

    def begin(seconds=None):
        deadline = None if seconds is None else clock.monotonic() + seconds
        current_call.set(CallContext(deadline=deadline, progress=hear))
        return messages

    yield begin
    current_call.set(CallContext())
