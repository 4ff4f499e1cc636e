"""DNS: an offline machine is told from a host that does not exist, without delay."""

import asyncio
import threading

import pytest

from sourcewright.base.clocks import SystemClock
from sourcewright.base.errors import Unavailable
from sourcewright.base.http_messages import Request
from sourcewright.net.http.exchange import Policy
from sourcewright.net.http.resolver import NO_NAMES, NO_ROUTE, OfflineError, SystemResolver
from sourcewright.net.sources.breaker import Breaker, BreakerRules
from sourcewright.net.sources.retry import is_worth_retrying

pytestmark = pytest.mark.anyio

ADDRESS = ["93.184.215.14"]
POLICY = Policy(source="crossref")
PAGE = Request(url="https://api.crossref.org/works")


class ScriptedResolver:
    """A resolver that knows some names, and counts its queries."""

    def __init__(self, *known: str) -> None:
        self.known, self.questions = known, []

    def __call__(self, host: str) -> list[str]:
        self.questions.append(host)
        if host not in self.known:
            raise OSError(-2, "Name or service not known")
        return ADDRESS


def online() -> bool:
    return True


def offline() -> bool:
    return False


async def test_a_name_that_exists_is_resolved_and_nothing_else_is_asked():
    names = ScriptedResolver("a.example")

    assert await SystemResolver(names, offline)("a.example") == ADDRESS
    assert names.questions == ["a.example"]


async def test_a_name_that_does_not_exist_is_no_reason_to_call_the_computer_offline():
    names = ScriptedResolver("example.com")

    with pytest.raises(OSError, match="Name or service not known") as caught:
        await SystemResolver(names, online)("none.example")

    assert not isinstance(caught.value, OfflineError)


@pytest.mark.parametrize(("route", "reason"), [(offline, NO_ROUTE), (online, NO_NAMES)])
async def test_without_a_route_or_without_names_it_is_offline(route, reason):
    with pytest.raises(OfflineError, match=reason):
        await SystemResolver(ScriptedResolver(), route)("a.example")


async def test_what_is_asked_next_is_refused_without_asking_again():
    names = ScriptedResolver()
    resolve = SystemResolver(names, offline)
    for host in ("a.example", "b.example", "c.example"):
        with pytest.raises(OfflineError):
            await resolve(host)

    assert names.questions == ["a.example"]


async def test_a_name_service_that_hangs_is_not_waited_for():
    released = threading.Event()

    def hang(_host: str) -> list[str]:
        released.wait(300)
        return ADDRESS

    try:
        with pytest.raises(OfflineError, match=NO_NAMES):
            await SystemResolver(hang, online)("a.example")
        # The end of a process waits for every other thread.
        hanging = [one for one in threading.enumerate() if one.name.startswith("look up")]
        assert hanging
        assert all(one.daemon for one in hanging)
    finally:
        released.set()


async def test_a_name_that_comes_late_shows_that_the_computer_is_online():
    released, ended = threading.Event(), threading.Semaphore(0)

    def late(_host: str) -> list[str]:
        released.wait(300)
        ended.release()
        return ADDRESS

    resolve = SystemResolver(late, online)
    with pytest.raises(OfflineError, match=NO_NAMES):
        await resolve("a.example")
    released.set()
    async with asyncio.timeout(300):
        await asyncio.to_thread(ended.acquire)
        while True:
            try:
                assert await resolve("a.example") == ADDRESS
            except OfflineError:  # the thread has ended its work, and not yet said so
                await asyncio.sleep(0)
            else:
                return


async def test_a_slow_name_is_waited_for_if_other_names_resolve():
    released = threading.Event()

    def slow(host: str) -> list[str]:
        if host == "slow.example" and not released.wait(1.5):
            released.set()
        return ADDRESS

    assert await SystemResolver(slow, online)("slow.example") == ADDRESS


async def test_the_error_says_that_the_computer_is_offline_and_nothing_is_tried_again(connect):
    client = connect(resolve=SystemResolver(ScriptedResolver(), offline))

    with pytest.raises(Unavailable) as caught:
        await client.send(PAGE, POLICY)

    assert caught.value.cause == "offline"
    assert str(caught.value) == f"crossref: this computer is offline ({NO_ROUTE})"
    assert not is_worth_retrying(PAGE, caught.value)


async def test_being_offline_does_not_count_against_a_source():
    breaker = Breaker(SystemClock(), BreakerRules(failures=1))
    for _ in range(3):
        with pytest.raises(Unavailable), breaker.watch("crossref"):
            raise Unavailable("crossref", "offline", cause="offline")

    assert breaker.state == "closed"
