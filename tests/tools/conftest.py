"""Papers written into the library without a tool, and whole results of calls."""

import functools
from collections.abc import Callable
from pathlib import Path
from typing import Any

import pytest
from jsonschema import Draft202012Validator

from sourcewright import tools
from sourcewright.base.clocks import SystemClock
from sourcewright.references.entries import Acquisition, Entry
from sourcewright.stores.papers.metadata import entry_bytes
from sourcewright.tools._results import ToolResult
from sourcewright.wiring import Machine


@pytest.fixture
def shelve(tmp_path: Path) -> Callable[..., Path]:
    """Writes a metadata file as another program would; gives its path."""

    def write(key: str, *, held: dict[str, Any] | None = None, **fields: Any) -> Path:
        holding = Acquisition(
            **{"fetched_at": "2026-01-01T00:00:00Z", "source": "crossref", **(held or {})}
        )
        entry = Entry(key=key, holding=holding, **{"title": key, "authors": (), **fields})
        path = tmp_path / "papers" / ".metadata" / f"{key}.toml"
        path.parent.mkdir(parents=True, exist_ok=True)
        path.write_bytes(entry_bytes(entry))
        return path

    return write


@functools.cache
def schemas_of(name: str) -> list[Draft202012Validator]:
    """The full schema of a tool's answers and the listed one; the contracts check that they are."""
    spec = tools.discover()[name]
    schemas = spec.answer_schema(), spec.listing()["outputSchema"]
    return [Draft202012Validator(schema) for schema in schemas]


def check_schemas(name: str, structured: Any) -> None:
    for schema in schemas_of(name):
        schema.validate(structured)


@pytest.fixture
def validate() -> Callable[[str, Any], None]:
    """Validates the answer of a tool against its schemas."""
    return check_schemas


@pytest.fixture
def answer(application: Callable[..., Any]) -> Callable[..., Any]:
    """Calls a tool; returns its whole result, validated against the published schema."""

    async def run(name: str, arguments: object, **changes: str) -> ToolResult:
        result: ToolResult = await (await application(**changes)).call(name, arguments)
        check_schemas(name, result.structured)
        return result

    return run


@pytest.fixture
def kept(tmp_path: Path) -> Callable[[], list[str]]:
    """Every file below the test's folder, without the server's state and data."""

    def look() -> list[str]:
        paths = (path.relative_to(tmp_path) for path in tmp_path.rglob("*"))
        return sorted(str(path) for path in paths if path.parts[0] not in {"state", "data"})

    return look


@pytest.fixture
def spoil(internet: Any) -> Callable[[str, str], None]:
    """Makes a host fail in one of the ways in which sources fail."""
    page = b"<!DOCTYPE html><html><title>Maintenance</title><p>Back soon.</p></html>"
    ways: dict[str, Callable[[str], None]] = {
        "500": lambda host: internet.breaks(host, status=500),
        "429": lambda host: internet.breaks(host, status=429, retry_after=3600),
        "403": lambda host: internet.breaks(host, status=403),
        "cut": internet.cuts,
        "unplugged": internet.unplugs,
        "a page": lambda host: internet.says(host, page, content_type="text/html"),
        "another shape": lambda host: internet.says(host, {"moved": True}),
        "private": lambda host: internet.redirects(host, "http://10.0.0.1/admin"),
    }

    def apply(host: str, fault: str) -> None:
        ways[fault](host)

    return apply


@pytest.fixture
def asking(application: Callable[..., Any]) -> Callable[..., Any]:
    """Starts an application whose tools are called again and again, on a clock where one is given.

    With keys it can ask Google and Brave. Each result is held to the schema of its tool.
    """
    both = {
        "GOOGLE_CUSTOM_SEARCH_API_KEY": "an-invented-key",
        "GOOGLE_CUSTOM_SEARCH_ID": "an-engine",
        "BRAVE_API_KEY": "another-invented-key",
    }

    async def start(clock: Any = None, *, keys: bool = True, **changes: str) -> Callable[..., Any]:
        machine = Machine(clock=clock) if clock else None
        app = await application(machine, **{**(both if keys else {}), **changes})

        async def ask(name: str, /, **arguments: Any) -> ToolResult:
            result: ToolResult = await app.call(name, arguments)
            check_schemas(name, result.structured)
            return result

        return ask

    return start


class LaterClock(SystemClock):
    """The system's time, some while later."""

    later = 0.0

    def now(self) -> float:
        return SystemClock.now() + self.later


@pytest.fixture
def clock() -> LaterClock:
    return LaterClock()


@pytest.fixture
def finds(internet: Any) -> Callable[..., None]:
    """Lets Google or Brave find these pages, each at an address and with a snippet or without."""

    def google(pages: list[dict[str, str]]) -> dict[str, Any]:
        items = [{"title": p["title"], "link": p["url"], "snippet": p["text"]} for p in pages]
        total = {"searchInformation": {"totalResults": str(len(items))}}
        return {"kind": "customsearch#search", **total, **({"items": items} if items else {})}

    def brave(pages: list[dict[str, str]]) -> dict[str, Any]:
        results = [{**page, "description": page["text"]} for page in pages]
        return {"type": "search", "query": {"original": "x"}, "web": {"results": results}}

    ways = {"google": ("www.googleapis.com", google), "brave": ("api.search.brave.com", brave)}

    def apply(engine: str, *urls: str, text: str = "Slow water turns a wheel.") -> None:
        host, listing = ways[engine]
        pages = [{"url": url, "title": f"{engine} {url}", "text": text} for url in urls]
        internet.mends(host)
        internet.says(host, listing(pages))

    return apply
