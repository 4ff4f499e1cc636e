"""What is made of a page that broke off, that did not end in its time, or that says nothing."""

from dataclasses import replace

from sourcewright.domain.errors import BadAnswer
from sourcewright.domain.pages import SOURCE, Visit
from sourcewright.domain.ports import ReadsDocuments
from sourcewright.domain.readings import Reading
from sourcewright.logic.judging import judge

_LEAST_BYTES = 1024
"""Less of a body is not worth giving as it is."""


async def read_as_far(visit: Visit, documents: ReadsDocuments) -> Reading:
    """The text of what came; of a part the reading is partial.

    Raises:
        BadAnswer: It cannot be read.
        Unavailable: It ended too early to be of use.
    """
    problem = visit.problem
    if problem is None:
        return await documents.read(visit)
    try:
        reading = await documents.read(visit)
    except BadAnswer as error:
        # What cannot be read now may come whole another time.
        raise problem from error
    if judge(reading.content, markup_bytes=0) in ("empty", "shell"):
        raise problem
    return replace(reading, quality="partial")


def useful(visit: Visit) -> Visit:
    """What an address gave.

    Raises:
        Unavailable: It ended too early to be of use.
    """
    if visit.problem is not None and len(visit.body) < _LEAST_BYTES:
        raise visit.problem
    return visit


def with_text(reading: Reading) -> Reading:
    """What was read.

    Raises:
        BadAnswer: It says nothing.
    """
    if not reading.content.strip():
        raise BadAnswer(SOURCE, f"no text in the {reading.kind}", cause="shape")
    return reading
