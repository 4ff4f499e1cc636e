"""Control pages of the simulated internet: available references, request log, fault switches."""

import json
from collections.abc import Callable
from typing import Protocol

from sourcewright.world.corpus import Corpus
from sourcewright.world.faults import Fault, Faults
from sourcewright.world.messages import Request, Response, as_json, as_text
from sourcewright.world.traffic import Traffic


class Controlled(Protocol):
    """The part of a world that the control pages use."""

    traffic: Traffic
    faults: Faults

    @property
    def corpus(self) -> Corpus: ...

    @property
    def hosts(self) -> list[str]: ...


def answer(request: Request, world: Controlled) -> Response:
    page = _PAGES.get((request.method, request.path))
    if page is None:
        return as_json({"error": f"no such control page: {request.path}"}, status=404)
    return page(request, world)


def _front(_: Request, world: Controlled) -> Response:
    lines = ["A small internet. Things to ask for:", ""]
    lines += [
        f"  {label:<32} {ref}\n  {'':<32} {expectation}"
        for label, ref, expectation in world.corpus.highlights()
    ]
    lines += ["", f"{len(world.corpus.works)} works; hosts:", ""]
    lines += [f"  {host}" for host in world.hosts]
    lines += ["", "Control: GET /__log, DELETE /__log, GET, POST and DELETE /__faults", ""]
    return as_text("\n".join(lines))


def _show_log(_: Request, world: Controlled) -> Response:
    return as_json([seen.to_json() for seen in world.traffic.seen()])


def _clear_log(_: Request, world: Controlled) -> Response:
    world.traffic.forget()
    return as_json([])


def _show_faults(_: Request, world: Controlled) -> Response:
    return as_json([fault.to_json() for fault in world.faults.all()])


def _set_faults(request: Request, world: Controlled) -> Response:
    try:
        faults = _read_faults(request.body)
    except (ValueError, TypeError) as error:
        return as_json({"error": str(error)}, status=400)
    for fault in faults:
        world.faults.add(fault)
    return _show_faults(request, world)


def _read_faults(body: bytes) -> list[Fault]:
    described = json.loads(body)
    if not isinstance(described, list):
        raise TypeError("faults come as a list")
    return [Fault.from_json(one) for one in described]


def _clear_faults(request: Request, world: Controlled) -> Response:
    world.faults.mend(request.params.get("host"))
    return _show_faults(request, world)


_PAGES: dict[tuple[str, str], Callable[[Request, Controlled], Response]] = {
    ("GET", "/"): _front,
    ("GET", "/__log"): _show_log,
    ("DELETE", "/__log"): _clear_log,
    ("GET", "/__faults"): _show_faults,
    ("POST", "/__faults"): _set_faults,
    ("DELETE", "/__faults"): _clear_faults,
}
