"""Faults to inject: which host, which path, how often."""

import json
from collections.abc import Mapping
from dataclasses import dataclass, fields
from fnmatch import fnmatchcase
from threading import Lock
from typing import Any, Literal, Self, get_args

from sourcewright.world.messages import (
    JSON,
    TEXT,
    Reaction,
    Request,
    Response,
    as_redirect,
    phrase,
)

Kind = Literal["breaks", "says", "unplugs", "delays", "cuts", "drips", "redirects"]
RetryAfter = int | float | str

_TYPES: Mapping[str, tuple[type, ...]] = {
    "kind": (str,),
    "host": (str,),
    "path": (str,),
    "times": (int, type(None)),
    "status": (int,),
    "retry_after": (int, float, str, type(None)),
    "body": (bytes, str, type(None)),
    "content_type": (str, type(None)),
    "seconds": (int, float),
    "to": (str,),
    "encoding": (str,),
}


@dataclass(frozen=True, slots=True, kw_only=True)
class Fault:
    """One fault. Host and path are shell patterns; the path is compared decoded."""

    kind: Kind
    host: str
    path: str = "*"
    times: int | None = None
    """The number of requests it affects; None means all until it is switched off."""
    status: int = 200
    retry_after: RetryAfter | None = None
    body: bytes | str | None = None
    content_type: str | None = None
    seconds: float = 0.0
    to: str = ""
    encoding: str = ""
    """The Content-Encoding that the response declares."""

    @classmethod
    def from_json(cls, described: Any) -> Self:
        """Parse a fault that another process sent.

        Raises:
            ValueError: It is not a fault.
            TypeError: One of its fields has the wrong type.
        """
        if not isinstance(described, Mapping) or described.get("kind") not in get_args(Kind):
            raise ValueError(f"a fault is an object whose kind is one of {get_args(Kind)}")
        values = dict(described)
        if "payload" in values:
            values["body"] = json.dumps(values.pop("payload"), ensure_ascii=False)
        if "host" not in values:
            raise ValueError("a fault names a host")
        for name, value in values.items():
            if not isinstance(value, _TYPES.get(name, ())):
                raise TypeError(f"a fault has no field {name} with the value {value!r}")
        return cls(**values)

    def to_json(self) -> dict[str, object]:
        described = {field.name: getattr(self, field.name) for field in fields(self)}
        if isinstance(self.body, bytes):
            described["body"] = self.body.decode(errors="replace")
        return {name: value for name, value in described.items() if value is not None}

    def meets(self, request: Request) -> bool:
        return fnmatchcase(request.host, self.host.lower()) and fnmatchcase(
            request.decoded_path, self.path
        )

    def response(self) -> Response:
        """The response that replaces the site's own."""
        if self.kind == "redirects":
            return as_redirect(self.to, status=self.status)
        values = {"Retry-After": self.retry_after, "Content-Encoding": self.encoding or None}
        headers = tuple((name, str(value)) for name, value in values.items() if value is not None)
        text, content_type = self.body, JSON
        if text is None:
            text, content_type = f"{self.status} {phrase(self.status)}\n", TEXT
        return Response(
            status=self.status,
            body=text.encode() if isinstance(text, str) else text,
            content_type=self.content_type or content_type,
            headers=headers,
        )


_SORTS = ("delays", "cuts", "drips", "answers")


@dataclass(slots=True)
class _ActiveFault:
    fault: Fault
    left: int | None


class Faults:
    """The active faults.

    Faults with a limited number of requests apply before unlimited ones, in the order in which
    they were set; of the unlimited ones, the newest applies. A delay, a cut and a drip are added
    to any other fault.
    """

    def __init__(self) -> None:
        self._lock = Lock()
        self._armed: list[_ActiveFault] = []

    def add(self, fault: Fault) -> None:
        with self._lock:
            self._armed.append(_ActiveFault(fault, fault.times))

    def mend(self, host: str | None) -> None:
        with self._lock:
            rest = [] if host is None else [a for a in self._armed if a.fault.host != host]
            self._armed = rest

    def all(self) -> list[Fault]:
        with self._lock:
            return [armed.fault for armed in self._armed if armed.left != 0]

    def meeting(self, request: Request) -> list[Fault]:
        """The faults that apply to this request: at most one of each kind."""
        with self._lock:
            meeting = [a for a in self._armed if a.left != 0 and a.fault.meets(request)]
            sorts = [[a for a in meeting if _sort(a.fault) == sort] for sort in _SORTS]
            chosen = [_first(sort) for sort in sorts if sort]
            for armed in chosen:
                if armed.left is not None:
                    armed.left -= 1
            return [armed.fault for armed in chosen]


def _sort(fault: Fault) -> str:
    return fault.kind if fault.kind in {"delays", "cuts", "drips"} else "answers"


def _first(meeting: list[_ActiveFault]) -> _ActiveFault:
    limited = [armed for armed in meeting if armed.left is not None]
    return limited[0] if limited else meeting[-1]


def reaction(faults: list[Fault], honest: Response) -> Reaction:
    """The regular response with these faults applied."""
    response: Response | None = honest
    delay, cut, drip = 0.0, False, False
    for fault in faults:
        match fault.kind:
            case "delays":
                delay = fault.seconds
            case "cuts":
                cut = True
            case "drips":
                drip = True
            case "unplugs":
                response = None
            case _:
                response = fault.response()
    return Reaction(response=response, delay_seconds=delay, cut=cut, drip=drip)
