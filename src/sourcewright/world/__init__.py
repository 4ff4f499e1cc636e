"""A simulated internet: many hosts behind one loopback port, for tests and the demo.

`World` answers for every upstream with invented people, papers and pages, and fails on demand: a
status, a delay, a cut connection, another shape. It is written from the documentation of the
upstreams and has never seen the providers, so it serves anybody's tests.
"""

from typing import TYPE_CHECKING

from sourcewright._doors import door

if TYPE_CHECKING:
    from sourcewright.world.corpus import Corpus, Document, build, load
    from sourcewright.world.corpus.works import Work
    from sourcewright.world.faults import Fault, Faults
    from sourcewright.world.internet import Breakage, World
    from sourcewright.world.messages import (
        Request,
        Response,
        as_json,
        as_page,
        as_redirect,
        as_text,
    )
    from sourcewright.world.traffic import SeenRequest, Traffic

__all__ = [
    "Breakage",
    "Corpus",
    "Document",
    "Fault",
    "Faults",
    "Request",
    "Response",
    "SeenRequest",
    "Traffic",
    "Work",
    "World",
    "as_json",
    "as_page",
    "as_redirect",
    "as_text",
    "build",
    "load",
]

__getattr__, __dir__ = door(
    __name__,
    {
        "Corpus": "corpus",
        "Document": "corpus",
        "build": "corpus",
        "load": "corpus",
        "Work": "corpus.works",
        "Fault": "faults",
        "Faults": "faults",
        "Breakage": "internet",
        "World": "internet",
        "Request": "messages",
        "Response": "messages",
        "as_json": "messages",
        "as_page": "messages",
        "as_redirect": "messages",
        "as_text": "messages",
        "SeenRequest": "traffic",
        "Traffic": "traffic",
    },
)
