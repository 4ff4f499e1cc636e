"""Statistics of calls: everybody's and each tenant's own, bounded in size."""

import pytest

from sourcewright.services.instance.statistics import ServerStatistics

ERROR = {"at": "2027-01-15T08:00:00Z", "code": "network", "message": "no answer"}


class Server:
    """Statistics whose clock and tenant the test sets."""

    def __init__(self):
        self.time = 1_800_000_000.0
        self.tenant = "north"
        self.statistics = ServerStatistics(self, lambda: self.tenant)

    def now(self):
        return self.time

    def call(self, tenant="north", *, error=None, tool="web_search", seconds=0.1):
        self.tenant = tenant
        self.statistics.note(tool, seconds, error)


@pytest.fixture
def server():
    return Server()


def test_a_call_counts_for_its_tenant_and_for_everybody(server):
    server.call("north")
    server.call("south", error=ERROR)

    everybody = server.statistics.everybody
    assert [(one["calls"], one["errors"]) for one in everybody.tools()] == [(2, 1)]
    assert everybody.errors() == [{"tool": "web_search", **ERROR, "tenant": "south"}]
    tenants = {name: (one.calls, one.errors) for name, one in server.statistics.tenants()}
    assert tenants == {"south": (1, 1), "north": (1, 0)}


def test_a_tenant_sees_its_own_calls_and_no_name_of_a_tenant(server):
    server.call("north", error=ERROR)
    server.call("south")

    server.tenant = "north"
    assert server.statistics.own().errors() == [{"tool": "web_search", **ERROR}]
    server.tenant = "south"
    assert server.statistics.own().errors() == []


def test_of_very_many_tenants_those_that_called_last_are_kept(server):
    for number in range(1000):
        server.call(f"t{number}")

    names = [name for name, _ in server.statistics.tenants()]
    assert names == [f"t{number}" for number in range(999, 799, -1)]
    assert server.statistics.everybody.tools()[0]["calls"] == 1000


def test_the_latest_durations_are_kept_in_order(server):
    for number in range(100):
        server.call(seconds=number / 1000, error=ERROR if number == 99 else None)

    recent = server.statistics.everybody.recent()["web_search"]
    assert recent == [(number, number == 99) for number in range(40, 100)]


def test_calls_are_counted_by_minute_for_an_hour(server):
    server.call()
    server.time += 60
    server.call(error=ERROR)
    server.call()

    assert server.statistics.minutes()[-3:] == [(0, 0), (1, 0), (2, 1)]
    server.time += 3540
    assert server.statistics.minutes()[:2] == [(2, 1), (0, 0)]
    server.time += 7200
    server.call()
    assert [sum(one) for one in zip(*server.statistics.minutes(), strict=True)] == [1, 0]
