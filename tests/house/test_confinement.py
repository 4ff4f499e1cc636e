"""Third-party libraries stay in the folder that owns them; the inner layers have none."""

import ast
import sys
from collections.abc import Iterator
from dataclasses import dataclass
from functools import cache
from pathlib import Path

import pytest

SOURCE = Path(__file__).parents[2] / "src" / "sourcewright"

OWNERS = {
    "anyio": {"net", "server", "web"},
    "bibtexparser": {"references"},
    "click": {"cli"},
    "cssselect2": {"reading"},
    "cryptography": {"stores"},
    "h2": {"net"},
    "httpcore2": {"net"},
    "httptools": {"web"},
    "httpx2": {"net"},
    "idna": {"base"},
    "jwt": {"web"},
    "lxml": {"reading"},
    "mcp": {"server"},
    "mcp_types": {"server"},
    "msgspec": {"base"},
    "opentelemetry": {"net"},
    "prometheus_client": {"web"},
    "publicsuffixlist": {"base"},
    "pydantic": {"tools", "server", "cli", "web"},
    "pypdfium2": {"reading"},
    "rapidfuzz": {"references", "services"},
    "pylatexenc": {"base", "references"},
    "redis": {"stores"},
    "rich": {"cli"},
    "snowballstemmer": {"base"},
    "sse_starlette": {"server"},
    "starlette": {"web"},
    "tinycss2": {"reading"},
    "tomli_w": {"base"},
    "uvicorn": {"web"},
}
"""Which folders may import what. A new dependency is given an owner here first."""


ENVIRONMENT = {"environ", "environb", "getenv"}


@dataclass(frozen=True, slots=True)
class Reach:
    """What one file imports and reads, without its syntax tree, which takes far more memory."""

    packages: frozenset[str]
    reads_environment: bool


@cache
def reach(path: Path) -> Reach:
    nodes = list(ast.walk(ast.parse(path.read_text(encoding="utf-8"))))
    return Reach(
        packages=frozenset(package for node in nodes for package in imported_packages(node)),
        reads_environment=any(
            isinstance(node, ast.Attribute) and node.attr in ENVIRONMENT for node in nodes
        ),
    )


def imported_packages(node: ast.AST) -> Iterator[str]:
    if isinstance(node, ast.Import):
        yield from (name.name.partition(".")[0] for name in node.names)
    elif isinstance(node, ast.ImportFrom):
        assert node.level == 0, f"a relative import in line {node.lineno}"
        yield (node.module or "").partition(".")[0]


def third_party(path: Path) -> set[str]:
    return set(reach(path).packages) - set(sys.stdlib_module_names) - {"sourcewright"}


@pytest.mark.parametrize("folder", ["domain", "settings", "world"])
def test_a_folder_without_third_parties_has_none(folder: str) -> None:
    found = {path.name: third_party(path) for path in (SOURCE / folder).rglob("*.py")}

    assert found
    assert {name: packages for name, packages in found.items() if packages} == {}


def test_every_third_party_import_is_made_by_an_owner() -> None:
    strays = {
        (path.relative_to(SOURCE).as_posix(), package)
        for path in SOURCE.rglob("*.py")
        for package in third_party(path)
        if path.relative_to(SOURCE).parts[0] not in OWNERS.get(package, set())
    }

    assert strays == set()


def test_only_the_settings_read_the_environment() -> None:
    readers = {
        path.relative_to(SOURCE).parts[0]
        for path in SOURCE.rglob("*.py")
        if reach(path).reads_environment
    }

    assert readers == {"settings"}


def test_only_net_and_the_world_import_what_opens_sockets() -> None:
    openers = {"socket", "http", "ssl", "ftplib", "smtplib", "urllib3", "requests", "aiohttp"}

    strays = {
        (path.relative_to(SOURCE).as_posix(), package)
        for path in SOURCE.rglob("*.py")
        for package in reach(path).packages & openers
        if path.relative_to(SOURCE).parts[0] not in {"net", "world"}
    }

    assert strays == {("web/start.py", "socket")}, "it listens, and connects to nobody"
