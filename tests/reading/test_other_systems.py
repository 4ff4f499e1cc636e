"""Reading where the system refuses a memory limit, as macOS does."""

import sys

import pytest

from sourcewright.base.errors import BadAnswer
from sourcewright.services.instance.doctor import examine_page_reader, examine_pdf_reader
from sourcewright.wiring import Machine

pytestmark = pytest.mark.anyio

REFUSING = """\
import resource, runpy, sys

setrlimit = resource.setrlimit

def refuse(kind, limits):
    if kind == resource.RLIMIT_AS:
        raise ValueError("current limit exceeds maximum limit")
    setrlimit(kind, limits)

resource.setrlimit = refuse
del sys.argv[0]
runpy.run_path(sys.argv[0], run_name="__main__")
"""


@pytest.fixture
def refusing_system(tmp_path):
    """An interpreter whose system refuses to limit the address space."""
    start, program = tmp_path / "start.py", tmp_path / "python"
    start.write_text(REFUSING, encoding="utf-8")
    program.write_text(
        f'#!/bin/sh\nshift\nexec {sys.executable} -I {start} "$@"\n', encoding="utf-8"
    )
    program.chmod(0o755)
    return str(program)


async def test_pages_and_papers_are_read_where_memory_cannot_be_limited(
    application, refusing_system
):
    app = await application(Machine(interpreter=refusing_system))

    assert (await examine_pdf_reader(app.services.parts.pdf_reader)).grade == "ok"
    assert (await examine_page_reader(app.services.parts.documents)).grade == "ok"


async def test_a_document_that_takes_too_much_memory_is_given_up_there_too(
    documents_with, visit, make, refusing_system
):
    reader = documents_with(memory_mebibytes=200, processes=1, interpreter=refusing_system)

    # Far more than this process uses, which may count as used by those that it starts.
    with pytest.raises(BadAnswer):
        await reader.read(visit(make["swelling"](100)))

    assert (await reader.read(visit(b"words", "text/plain"))).content == "words"
