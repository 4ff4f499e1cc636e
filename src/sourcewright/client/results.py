"""Results of the Python client: answers with their fields, as a dictionary, and as HTML in a notebook."""

import copy
import html
from collections.abc import Collection, Iterator, Mapping, Sequence
from typing import Any, ClassVar

from sourcewright.base.errors import ResearchError

_MAX_ROWS = 50
"""Rows that a notebook shows; the others are counted below the table."""
_MAX_CELL = 400
"""Characters of a cell in a notebook."""
_ABSENT = frozenset({"NOT_FOUND", "not_found"})
"""The kinds of failure that say that something does not exist."""


class CallFailed(ResearchError):
    """A call without an answer. `kind` says why, and nothing here means that something is absent."""

    def __init__(self, message: str, data: Mapping[str, Any]) -> None:
        super().__init__(message)
        self._data = data

    @property
    def kind(self) -> str:
        """The code of the failure, such as `network`, `rate_limited` or `NETWORK_ERROR`."""
        return str(self._data.get("kind") or self._data.get("code") or "internal")

    @property
    def retryable(self) -> bool:
        """Whether the same call may succeed later."""
        return bool(self._data.get("retryable") or self._data.get("disposition") == "retry_after")

    def to_dict(self) -> dict[str, Any]:
        """Everything that is known about the failure."""
        return copy.deepcopy(dict(self._data))


class DoesNotExist(CallFailed):
    """Every source that would know was asked, and answered that there is no such thing."""


def failure(data: Mapping[str, Any], text: str) -> CallFailed:
    """The error for the failed answer of a tool."""
    error = data.get("error")
    details = error if isinstance(error, Mapping) else data
    message = details.get("message") or details.get("detail") or text.partition("\n")[0]
    kind = details.get("kind") or details.get("code")
    return (DoesNotExist if kind in _ABSENT else CallFailed)(str(message), details)


class Result(Mapping[str, Any]):
    """The answer of a tool: its fields by their published names, and its text."""

    columns: ClassVar[Sequence[str]] = ()
    """What a notebook shows of each row; empty for an answer that is no list."""
    rows_field: ClassVar[str] = ""

    def __init__(self, data: Mapping[str, Any], text: str = "") -> None:
        self._data = dict(data)
        self.text = text
        """The answer as text, as an agent reads it."""

    def __getitem__(self, name: str) -> Any:
        return self._data[name]

    def __iter__(self) -> Iterator[str]:
        return iter(self._data)

    def __len__(self) -> int:
        return len(self._data)

    def to_dict(self) -> dict[str, Any]:
        """A copy of all fields, which JSON can hold."""
        return copy.deepcopy(self._data)

    @property
    def rows(self) -> list[dict[str, Any]]:
        """The entries of an answer that lists some."""
        return list(self._data.get(self.rows_field) or ())

    def _summary(self) -> Mapping[str, Any]:
        """The fields that stand for the answer in a line or a table."""
        return {
            name: value
            for name, value in self._data.items()
            if isinstance(value, str | int | bool)
        }

    def __repr__(self) -> str:
        facts = ", ".join(f"{name}={value!r}" for name, value in self._summary().items())
        return f"{type(self).__name__}({facts[:_MAX_CELL]})"

    def _repr_html_(self) -> str:
        """A table; what comes from a source is escaped, and only web addresses become links."""
        if not self.columns:
            return _table(("", ""), [[name, value] for name, value in self._summary().items()])
        rows = self.rows
        cells = [[row.get(name) for name in self.columns] for row in rows[:_MAX_ROWS]]
        more = f"<p>and {len(rows) - _MAX_ROWS} more</p>" if len(rows) > _MAX_ROWS else ""
        return _table(self.columns, cells) + more


class Page(Result):
    """A page or a document as Markdown."""

    @property
    def content(self) -> str:
        return str(self._data.get("content") or "")

    @property
    def title(self) -> str | None:
        return (self._data.get("metadata") or {}).get("title")

    def __str__(self) -> str:
        return self.content

    def _summary(self) -> Mapping[str, Any]:
        size = {"characters": len(self.content)}
        return {"title": self.title, "url": self._data.get("url"), **size}

    def _repr_markdown_(self) -> str:
        return self.content


class Paper(Result):
    """A paper as the sources describe it."""

    @property
    def work(self) -> Mapping[str, Any]:
        """Title, authors, year and the like; also at the top of the record of a stored paper."""
        return self._data.get("work") or self._data

    @property
    def title(self) -> str | None:
        return self.work.get("title")

    @property
    def authors(self) -> tuple[str, ...]:
        return tuple(self.work.get("authors") or ())

    @property
    def year(self) -> int | None:
        return self.work.get("year")

    @property
    def status(self) -> str | None:
        """`ok`, `retracted`, `corrected` and the like; None if nobody could be asked."""
        return (self._data.get("integrity") or {}).get("status")

    @property
    def path(self) -> str | None:
        """Where its PDF is stored; None without one."""
        return self._data.get("path")

    def _summary(self) -> Mapping[str, Any]:
        facts = {"id": self._data.get("id"), "title": self.title, "year": self.year}
        pdf = {"path": self.path} if self.path else {}
        return {**facts, "authors": "; ".join(self.authors), "status": self.status, **pdf}


class Verification(Result):
    """Whether a citation describes an existing work rightly."""

    @property
    def status(self) -> str:
        """`verified`, `mismatch`, `not_found` or `unconfirmed`."""
        return str(self._data["status"])

    @property
    def exists(self) -> bool | None:
        """None means that it is not known."""
        return self._data.get("exists")

    @property
    def risk(self) -> float:
        return float(self._data["risk"])

    @property
    def differing(self) -> tuple[Mapping[str, Any], ...]:
        """The fields that differ from the record."""
        checks = self._data.get("fieldChecks") or ()
        return tuple(one for one in checks if one.get("status") == "differs")

    @property
    def is_retracted(self) -> bool:
        return bool((self._data.get("retractionStatus") or {}).get("retracted"))

    def _summary(self) -> Mapping[str, Any]:
        names = ("input", "status", "exists", "risk", "reason")
        facts = {name: self._data.get(name) for name in names}
        return facts | ({"retracted": True} if self.is_retracted else {})


class Audit(Result):
    """The check of every entry of a bibliography."""

    columns = ("key", "title", "doi", "status", "flags", "reason")
    rows_field = "entries"

    @property
    def entries(self) -> list[dict[str, Any]]:
        return self.rows

    def flagged(self, *flags: str) -> list[dict[str, Any]]:
        """The entries with one of these flags; without any, the entries that have a flag."""
        chosen: Collection[str] = flags or {one for row in self.rows for one in row["flags"]}
        return [row for row in self.rows if not set(row["flags"]).isdisjoint(chosen)]

    def _summary(self) -> Mapping[str, Any]:
        return self._data.get("summary") or {}


class SearchResults(Result):
    """What a search of the web found."""

    columns = ("title", "url", "snippet")
    rows_field = "results"


class Papers(Result):
    """What a search of the scholarly indexes found."""

    columns = ("title", "authors", "year", "journal", "doi")
    rows_field = "papers"


def _table(head: Sequence[str], rows: Sequence[Sequence[object]]) -> str:
    titles = "".join(f"<th>{html.escape(name)}</th>" for name in head)
    lines = "".join(f"<tr>{''.join(f'<td>{_cell(one)}</td>' for one in row)}</tr>" for row in rows)
    top = f"<thead><tr>{titles}</tr></thead>" if any(head) else ""
    return f"<table>{top}<tbody>{lines}</tbody></table>"


def _cell(value: object) -> str:
    if value is None:
        return ""
    text = "; ".join(map(str, value)) if isinstance(value, list | tuple) else str(value)
    text = text if len(text) <= _MAX_CELL else f"{text[:_MAX_CELL]}\u2026"
    escaped = html.escape(text)
    if text.startswith(("https://", "http://")) and " " not in text:
        return f'<a href="{escaped}" rel="noopener noreferrer">{escaped}</a>'
    return escaped
