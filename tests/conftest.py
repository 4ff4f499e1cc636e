"""Fixtures of all suites: the simulated world, settings for it, an MCP client, and the CLI."""

import inspect
import logging
import os
import signal
import subprocess
import sys
from collections.abc import AsyncIterator, Callable, Iterator
from contextlib import AsyncExitStack
from pathlib import Path
from typing import Any

import hypothesis
import loop_clock
import pytest
import warm_python

EXAMPLES = {"test": 40, "soak": 1000}
"""How many examples a property is tried with, unless it says otherwise."""
for profile, examples in EXAMPLES.items():
    hypothesis.settings.register_profile(
        profile,
        deadline=None,
        max_examples=examples,
        suppress_health_check=[hypothesis.HealthCheck.too_slow],
    )


TOGETHER = ("tests/reading/browser", "tests/journeys/test_browser.py")
"""What one worker runs: two browsers at once would get into each other's way."""
APART = ("tests/contracts/test_every_provider.py", "tests/contracts/test_every_tool.py")
"""Files that are so long that each of their functions is given to the next free worker."""
FIRST = (
    *TOGETHER,
    "tests/house/test_additions.py",
    *APART,
    "tests/house/",
    "tests/journeys/",
    "tests/cli/",
)
"""What takes longest starts first, so that no worker has nothing to do at the end."""


def pytest_addoption(parser: pytest.Parser) -> None:
    parser.addoption(
        "--soak", action="store_true", help="make every kill and every example (make soak)"
    )


def pytest_configure(config: pytest.Config) -> None:
    # Inherited by the workers, which are started later. With an arena per thread, what one
    # test with a large body took would stay with its thread, and workers would grow to twice
    # their size.
    os.environ.setdefault("MALLOC_ARENA_MAX", "1")
    hypothesis.settings.load_profile("soak" if config.getoption("soak") else "test")
    if hasattr(config, "workerinput"):
        # Programs that tests start inherit it, and under nohup they would ignore a hang-up.
        signal.signal(signal.SIGHUP, signal.SIG_DFL)


MAX_PARAMETER = 512_000
"""Characters or bytes. A parameter stays in the memory of every worker for the whole run."""


def work_unit(nodeid: str) -> str:
    """The name of the tests that one worker runs: those of a file share what it has set up."""
    function = nodeid.partition("[")[0]
    file = function.partition("::")[0]
    if file.startswith(TOGETHER):
        return TOGETHER[0]
    return function if file in APART else file


def place(nodeid: str) -> int:
    return next((n for n, one in enumerate(FIRST) if nodeid.startswith(one)), len(FIRST))


@pytest.hookimpl(optionalhook=True)
def pytest_xdist_make_scheduler(config: pytest.Config, log: Any) -> Any:
    from xdist.scheduler import LoadScopeScheduling

    class Scheduling(LoadScopeScheduling):
        _split_scope = staticmethod(work_unit)

    return Scheduling(config, log)


def pytest_collection_modifyitems(items: list[pytest.Item]) -> None:
    """Put what takes long first, and refuse a test whose parameter is a long text."""
    items.sort(key=lambda item: place(item.nodeid))
    for item in items:
        spec = getattr(item, "callspec", None)
        for name, value in spec.params.items() if spec else ():
            if isinstance(value, str | bytes) and len(value) > MAX_PARAMETER:
                raise pytest.UsageError(
                    f"{item.nodeid}: the parameter {name} is longer than {MAX_PARAMETER}"
                )


if signal.getsignal(signal.SIGINT) is signal.SIG_IGN:
    # A suite that is started in the background would pass this on to every command that it
    # runs, and none of them could be interrupted any more.
    signal.signal(signal.SIGINT, signal.default_int_handler)

ROOT = Path(__file__).parent.parent


@pytest.fixture(scope="session")
def anyio_backend() -> tuple[str, dict[str, Any]]:
    return "asyncio", {"loop_factory": loop_clock.MovableLoop}


@pytest.fixture
def often(request: pytest.FixtureRequest) -> Callable[[int, int], int]:
    """Chooses between a number for every run of the tests and one for `make soak`."""
    return lambda usually, in_a_soak: in_a_soak if request.config.getoption("soak") else usually


@pytest.fixture(autouse=True)
def own_context(request: pytest.FixtureRequest) -> Iterator[None]:
    """Fails a test that leaves a deadline or another context variable to those after it.

    Set up before every other fixture of the test, and so torn down after them. Asynchronous tests
    share the context of one long task as long as a fixture of a wider scope keeps it running.
    """
    if inspect.iscoroutinefunction(request.function):
        request.getfixturevalue("own_context_of_the_task")
    yield
    fail_for_context_left_behind()


@pytest.fixture
async def own_context_of_the_task() -> AsyncIterator[None]:
    yield
    fail_for_context_left_behind()


def fail_for_context_left_behind() -> None:
    from sourcewright.base.calls import NO_CALL, current_call
    from sourcewright.net.http import large_bodies

    left = [current_call.get(), large_bodies._holder.get()]
    current_call.set(NO_CALL)
    large_bodies._holder.set(None)
    assert left == [NO_CALL, None], "the test left a context variable behind"


@pytest.fixture
def log_records() -> Iterator[list[logging.LogRecord]]:
    """The warnings and errors that the test logs.

    pytest's own plugin for logs is switched off: it takes a millisecond of every test.
    """
    records: list[logging.LogRecord] = []

    class Recorder(logging.Handler):
        def emit(self, record: logging.LogRecord) -> None:
            record.message = record.getMessage()
            records.append(record)

    root, recorder = logging.getLogger(), Recorder()
    level = root.level
    root.setLevel(logging.WARNING)
    root.addHandler(recorder)
    yield records
    root.removeHandler(recorder)
    root.setLevel(level)


@pytest.fixture(scope="session")
def redis_server(tmp_path_factory: pytest.TempPathFactory) -> Iterator[str]:
    """A Redis of the tests' own, on a socket in a folder; returns its URL."""
    from redis_process import redis_url, start_redis, stop_redis

    folder = tmp_path_factory.mktemp("redis")
    process = start_redis(folder)
    yield redis_url(folder)
    stop_redis(process)


@pytest.fixture
def empty_redis(redis_server: str) -> str:
    """The URL of a Redis that is empty at the start of the test."""
    from redis import Redis

    with Redis.from_url(redis_server) as client:
        client.flushall()
    return redis_server


@pytest.fixture(scope="session")
def one_world() -> Iterator[Any]:
    from sourcewright.world.internet import World

    with World() as world:
        yield world


@pytest.fixture
def internet(one_world: Any) -> Iterator[Any]:
    """The simulated world, complete and without any request so far."""
    from sourcewright.world.corpus import web

    web.renew()
    one_world.mends()
    one_world.forget()
    yield one_world
    one_world.mends()


@pytest.fixture
def environment(internet: Any, tmp_path: Path) -> dict[str, str]:
    """An environment with invented settings only, and without rate limits."""
    from sourcewright.settings.process import sandbox_overrides

    return {
        "PATH": os.environ["PATH"],
        "HOME": str(tmp_path),
        **sandbox_overrides(internet.url, str(tmp_path)),
        "SOURCEWRIGHT_SANDBOX_PACE": "0",
        # The suites of the browser say themselves that they want one: it takes its time.
        "CHROME_PATH": "disabled",
        "TESSERACT_PATH": "disabled",
    }


@pytest.fixture
async def application(
    environment: dict[str, str], tmp_path: Path
) -> AsyncIterator[Callable[..., Any]]:
    """Builds the application under the test's environment, with changes, on this machine."""
    from sourcewright import wiring
    from sourcewright.settings import Settings

    async with AsyncExitStack() as stack:

        async def build(machine: Any = None, **changes: str) -> Any:
            settings = Settings.load({**environment, **changes}, cwd=tmp_path)
            here = machine or wiring.Machine(interpreter=warm_python.python())
            return await stack.enter_async_context(wiring.build(settings, here))

        yield build


@pytest.fixture
def call(application: Callable[..., Any]) -> Callable[..., Any]:
    """Calls a tool through the whole pipeline; returns its structured answer."""

    async def run(name: str, arguments: object, **changes: str) -> dict[str, Any]:
        app = await application(**changes)
        result = await app.call(name, arguments)
        return dict(result.structured)

    return run


@pytest.fixture
def provide(application: Callable[..., Any]) -> Callable[..., Any]:
    """One provider, wired for one of its roles, by default the first; with a key if it needs one."""
    from sourcewright import providers
    from sourcewright.wiring import parts

    async def build(name: str, role: Any = None, **changes: str) -> Any:
        kind = providers.load([name])[name]
        needed = [one for one in kind.info.options if one.kind == "secret" and one.required]
        keys = {one.env[-1]: "an-invented-key" for one in needed}
        shared = (await application(**keys | changes)).services.parts
        role = role or kind.roles()[0]
        return parts.source(kind, role, shared.settings, shared.network).provider

    return build


@pytest.fixture
def cli(environment: dict[str, str], tmp_path: Path) -> Callable[..., Any]:
    """Runs the command as a person would; returns what it printed and how it ended."""

    def run(*words: str, **changes: str) -> subprocess.CompletedProcess[str]:
        return warm_python.run(
            [sys.executable, "-m", "sourcewright", *words],
            env={**environment, **changes},
            cwd=tmp_path,
            capture_output=True,
            text=True,
            timeout=300,
            check=False,
        )

    return run


def pytest_unconfigure() -> None:
    warm_python.close()


def pytest_terminal_summary(terminalreporter: Any) -> None:
    """Report in the last lines which tests were skipped because a program is missing."""
    skipped = terminalreporter.stats.get("skipped", [])
    for reason, tests, program in (
        ("the browser's tests need one", "the browser", "Chromium"),
        ("the tests of OCR need Tesseract", "OCR", "Tesseract"),
    ):
        unseen = sum(reason in str(report.longrepr) for report in skipped)
        if unseen:
            terminalreporter.write_line(
                f"{unseen} tests of {tests} were skipped: no {program} was found", yellow=True
            )
