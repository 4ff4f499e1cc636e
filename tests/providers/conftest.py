"""Recorded answers of the real sources, and tables of what must be read from them."""

import copy
import csv
import json
from collections.abc import Callable, Iterable, Iterator
from pathlib import Path
from typing import Any

import pytest
from hypothesis import strategies as st
from tests.material import SHARED

from sourcewright.base.works import Work
from sourcewright.domain.web.queries import Query, SearchKind
from sourcewright.world.corpus import web

RECORDINGS = SHARED / "upstream"
TITLE_LENGTH = 200
COLUMNS = (
    "file",
    "place",
    "title",
    "first_author",
    "authors",
    "year",
    "id",
    "licence",
    "integrity",
    "notice_for",
)


ANYTHING = st.recursive(
    st.none() | st.booleans() | st.integers() | st.floats(allow_nan=False) | st.text(max_size=8),
    lambda inner: (
        st.lists(inner, max_size=3) | st.dictionaries(st.text(max_size=4), inner, max_size=3)
    ),
    max_leaves=5,
)


@pytest.fixture
def recorded() -> Callable[[str], list[Path]]:
    """The recorded answers of one source."""

    def files(api: str) -> list[Path]:
        if not (RECORDINGS / api).is_dir():
            pytest.skip(f"no recorded answers at {RECORDINGS / api}")
        return sorted((RECORDINGS / api).iterdir())

    return files


@pytest.fixture
def replayed(
    recorded: Callable[[str], list[Path]], provide: Callable[..., Any], internet: Any
) -> Callable[..., Any]:
    """Each recorded answer about pages, and the hits that an engine makes of it."""

    async def run(name: str, host: str, api: str, **keys: str) -> list[tuple[Path, Any, Any]]:
        engine = await provide(name, **keys)
        answers = []
        for file in recorded(api):
            internet.mends()
            internet.says(host, file.read_bytes())
            hits = (await engine.search_web(Query(kind="web", text="x", limit=100))).hits
            answers.append((file, json.loads(file.read_text(encoding="utf-8-sig")), hits))
        return answers

    return run


@pytest.fixture
def query() -> Callable[..., Query]:
    """Builds a search query with these filters."""

    def build(
        kind: SearchKind = "web", text: str = "sea otter", limit: int = 5, **filters: Any
    ) -> Query:
        return Query(kind=kind, text=text, limit=limit, **filters)

    return build


@pytest.fixture
def item() -> Callable[[str, str], web.Item]:
    """The one thing of a kind that the world has at an address."""

    def found(kind: str, url: str) -> web.Item:
        [one] = [each for each in web.items() if each.kind == kind and each.url == url]
        return one

    return found


@pytest.fixture(scope="session")
def with_change() -> Callable[..., Any]:
    """A copy of an answer with another value in one place."""
    return changed


@pytest.fixture(scope="session")
def spoilt() -> Callable[[Any, st.DataObject], Any]:
    """A copy of an answer in which one place has a value of any type."""

    def draw(answer: Any, data: st.DataObject) -> Any:
        path = data.draw(st.sampled_from(list(_places(answer))))
        return changed(answer, path, data.draw(ANYTHING))

    return draw


def changed(answer: Any, path: tuple[Any, ...], value: Any) -> Any:
    if not path:
        return value
    copied = copy.deepcopy(answer)
    parent = copied
    for key in path[:-1]:
        parent = parent[key]
    parent[path[-1]] = value
    return copied


def _places(value: Any, path: tuple[Any, ...] = ()) -> Iterator[tuple[Any, ...]]:
    """Every place in an answer, as the path of keys that leads there."""
    yield path
    inner = (
        value.items()
        if isinstance(value, dict)
        else enumerate(value)
        if isinstance(value, list)
        else ()
    )
    for key, child in inner:
        yield from _places(child, (*path, key))


@pytest.fixture
def table() -> Callable[[str], list[tuple[str, ...]]]:
    """What the table beside the tests says, row by row."""

    def rows(api: str) -> list[tuple[str, ...]]:
        with Path(__file__).with_name(f"{api}.tsv").open(encoding="utf-8", newline="") as lines:
            header, *rest = csv.reader(lines, dialect="excel-tab")
        assert tuple(header) == COLUMNS
        return [tuple(row) for row in rest]

    return rows


@pytest.fixture
def summary() -> Callable[[Iterable[tuple[Path, Iterable[Work]]]], list[tuple[str, ...]]]:
    """Works in the form of the table."""
    return summarised


def summarised(answers: Iterable[tuple[Path, Iterable[Work]]]) -> list[tuple[str, ...]]:
    return [
        (file.name, str(place), *_row(work))
        for file, works in answers
        for place, work in enumerate(works)
    ]


def _row(work: Work) -> tuple[str, ...]:
    return (
        (work.title or "")[:TITLE_LENGTH],
        work.authors[0].name if work.authors else "",
        str(len(work.authors)),
        str(work.year or ""),
        work.arxiv_id or work.doi or "",
        work.licence or "",
        _integrity(work),
        " ".join(work.notice_for),
    )


def _integrity(work: Work) -> str:
    if work.notices is None:
        return "does not say"
    return " ".join(notice.kind for notice in work.notices) or "no notice"
