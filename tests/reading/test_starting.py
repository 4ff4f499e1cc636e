"""Reader processes that cannot be started: nothing is cached, and the error names the cause."""

import sys

import pytest

from sourcewright.base.errors import ReaderUnavailable
from sourcewright.wiring import Machine

pytestmark = pytest.mark.anyio

FINE = "10.5555/fine-paper"


@pytest.fixture(params=["gone", "not executable", "no memory", "ends at once"])
def interpreter(request, tmp_path):
    """An interpreter that cannot be started again, or not with enough memory."""
    program = tmp_path / "python"
    scripts = {
        "not executable": f'exec {sys.executable} "$@"',
        "no memory": f'ulimit -v 20000; exec {sys.executable} "$@"',
        "ends at once": "exit 3",
    }
    if request.param in scripts:
        program.write_text(f"#!/bin/sh\n{scripts[request.param]}\n")
        program.chmod(0o644 if request.param == "not executable" else 0o755)
    return str(program)


async def test_a_reader_that_cannot_start_is_its_own_failure(reader_with, make, interpreter):
    with pytest.raises(ReaderUnavailable, match="could not be started"):
        await reader_with(interpreter=interpreter).excerpt(make["with_text"]("fine"))


@pytest.mark.promise("file.nothing-kept-unread")
async def test_no_paper_is_kept_without_a_reader(application, interpreter, tmp_path):
    app = await application(Machine(interpreter=interpreter))

    fetched = (await app.call("doiget_fetch_paper", {"ref": FINE})).structured
    batch = (await app.call("doiget_batch_fetch", {"refs": [FINE]})).structured
    saved = await app.call("paper_download", {"identifier": FINE})
    several = (await app.call("paper_batch_download", {"identifiers": [FINE]})).structured

    assert fetched["error"]["code"] == "INTERNAL_ERROR"
    assert "process that reads documents could not be started" in fetched["error"]["message"]
    assert batch["results"][0]["ok"] is False
    assert saved.is_error
    assert saved.structured["error"] == "No file could be checked"
    assert "`sourcewright doctor`" in saved.text
    assert several["failed"] == 1
    assert list(tmp_path.rglob("*.pdf")) == []


async def test_a_page_is_not_blamed_for_a_reader_that_cannot_start(application, interpreter):
    app = await application(Machine(interpreter=interpreter))

    result = await app.call("scrape_page", {"url": "https://pages.meridian.example/article"})

    assert result.is_error
    assert result.structured["error"]["kind"] == "internal"
    assert "could not be started" in result.text


async def test_the_doctor_reads_a_page_and_a_pdf(application):
    from sourcewright.services.instance.doctor import examine_page_reader, examine_pdf_reader

    app = await application()

    assert (await examine_pdf_reader(app.services.parts.pdf_reader)).grade == "ok"
    assert (await examine_page_reader(app.services.parts.documents)).grade == "ok"


async def test_the_doctor_finds_readers_that_cannot_start(application, interpreter):
    from sourcewright.services.instance.doctor import examine_page_reader, examine_pdf_reader

    app = await application(Machine(interpreter=interpreter))

    for found in (
        await examine_pdf_reader(app.services.parts.pdf_reader),
        await examine_page_reader(app.services.parts.documents),
    ):
        assert found.grade == "problem"
        assert "could not be started" in found.detail
        assert found.advice
