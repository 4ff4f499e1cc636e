"""A plain HTTP client for the simulated world."""

import http.client
import json
from collections.abc import Callable, Iterable, Iterator
from dataclasses import dataclass
from typing import Any

import pytest


@dataclass(frozen=True)
class Answered:
    status: int
    headers: http.client.HTTPMessage
    body: bytes

    @property
    def json(self) -> Any:
        return json.loads(self.body)

    @property
    def text(self) -> str:
        return self.body.decode()


class Visitor:
    """Keeps one connection to a world, as long as the world does."""

    def __init__(self, url: str) -> None:
        self.address = url.removeprefix("http://")
        self.connection = http.client.HTTPConnection(self.address, timeout=300)

    def ask(self, host: str, path: str, *, method: str = "GET", **more: Any) -> Answered:
        headers = {"Host": host, **more.pop("headers", {})}
        self.connection.request(method, path, headers=headers, **more)
        with self.connection.getresponse() as response:
            return Answered(response.status, response.headers, response.read())

    def control(self, path: str, **more: Any) -> Answered:
        return self.ask(self.address, path, **more)


@pytest.fixture
def visit() -> Iterator[Callable[[str], Visitor]]:
    visitors: list[Visitor] = []

    def open_one(url: str) -> Visitor:
        visitors.append(Visitor(url))
        return visitors[-1]

    yield open_one
    for visitor in visitors:
        visitor.connection.close()


@pytest.fixture
def visitor(internet, visit) -> Visitor:
    return visit(internet.url)


@pytest.fixture
def shapes() -> Callable[[Iterable[Any]], set[str]]:
    """Every key in JSON values, by its path."""
    return lambda values: {found for value in values for found in _shape(value)}


def _shape(value: Any, path: str = "") -> Iterator[str]:
    if isinstance(value, dict):
        for key, inside in value.items():
            yield f"{path}.{key}"
            yield from _shape(inside, f"{path}.{key}")
    elif isinstance(value, list):
        for inside in value:
            yield from _shape(inside, f"{path}[]")
