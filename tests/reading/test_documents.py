"""The document reader: no document can end the server, and each failure has its reason."""

import asyncio
import contextlib
import json
import os
import signal
from pathlib import Path

import pytest

from sourcewright.base.calls import time_limit
from sourcewright.base.clocks import SystemClock
from sourcewright.base.errors import BadAnswer
from sourcewright.reading.formats import reader_of

pytestmark = pytest.mark.anyio
PATIENCE = 300.0
KINDS = {
    "html",
    "markdown",
    "text",
    "json",
    "xml",
    "csv",
    "pdf",
    "docx",
    "pptx",
    "xlsx",
    "epub",
    "odt",
    "rtf",
}


@pytest.mark.parametrize("kind", sorted(KINDS))
def test_every_kind_that_is_recognised_has_its_reader(kind):
    assert callable(reader_of(kind))


def test_a_kind_that_nobody_reads_is_said():
    with pytest.raises(LookupError, match="palimpsest"):
        reader_of("palimpsest")


@pytest.mark.parametrize(
    ("body", "content_type", "why"),
    [
        (b"", "text/html", "the response is empty"),
        (b" \n", "application/pdf", "the response is empty"),
        (b"\x89PNG\r\n\x1a\n0000", "image/png", "a PNG image has no readable text"),
        (b"\x00\x01\x02" * 99, "video/x-odd", "a file of type video/x-odd has no readable text"),
        (b"%PDF-1.7 and nothing", "application/pdf", "reading the PDF failed: it is damaged"),
        (b"\x00" * 60, "text/html", "a file without text has no readable text"),
    ],
)
async def test_what_cannot_be_read_is_said_with_the_reason(read, body, content_type, why):
    with pytest.raises(BadAnswer, match=why) as caught:
        await read(body, content_type)

    assert caught.value.source == "page"


@pytest.mark.parametrize("content_type", ["text/html", "text/plain", "application/octet-stream"])
async def test_a_page_is_read_whatever_its_server_calls_it(read, content_type):
    words = "Приливы в заливе достигают четырнадцати метров, и корабли ждут высокой воды. " * 8
    page = '<!doctype html><html><head><meta charset="windows-1251"><title>Приливы</title></head>'
    page += f"<body><article><h1>Приливы</h1><p>{words}</p></article></body></html>"

    reading = await read(page.encode("cp1251"), content_type)

    assert (reading.kind, reading.title) == ("html", "Приливы")
    assert words.strip() in reading.content


async def test_a_body_that_was_cut_is_a_reading_that_was_cut(documents_with, visit):
    reading = await documents_with().read(visit(b"the beginning", "text/plain", cut=True))

    assert (reading.content, reading.cut) == ("the beginning", True)


async def test_a_document_that_takes_too_long_is_given_up(documents_with, visit, make):
    reader = documents_with(document_seconds=1.0, processes=1)

    with pytest.raises(BadAnswer, match="reading the PDF took longer than 1 seconds"):
        await reader.read(visit(make["endless"]()))

    after = await reader.read(visit(make["with_text"]("next")))
    assert after.content == "<!-- page 1 -->\n\nnext"


async def test_the_deadline_of_a_call_ends_the_process_that_reads_for_it(
    documents_with, visit, make, until, children
):
    # With room for a gigabyte, so that nothing but the deadline can end it.
    reader = documents_with(document_seconds=3600.0, memory_mebibytes=4096)
    before = set(children())

    with (
        time_limit(1.0, SystemClock()),
        pytest.raises(BadAnswer, match="the deadline of the call"),
    ):
        await reader.read(visit(make["endless"]()))

    await until(lambda: set(children()) == before)


async def test_what_was_read_before_the_time_was_over_is_kept(documents_with, visit, make):
    reader = documents_with(document_seconds=1.5, processes=1)
    body = make["endless"](b"BT /F1 9 Tf 50 700 Td (quick) Tj ET")

    reading = await reader.read(visit(body))

    assert reading.content == "<!-- page 1 -->\n\nquick"
    assert (reading.page_count, reading.cut) == (2, True)


async def test_a_document_that_needs_too_much_memory_is_given_up(documents_with, visit, make):
    reader = documents_with(memory_mebibytes=200, processes=1)

    with pytest.raises(BadAnswer, match="it needs too much memory"):
        await reader.read(visit(make["swelling"]()))

    after = await reader.read(visit(b"words", "text/plain"))
    assert after.content == "words"


async def test_a_process_that_is_killed_harms_one_call_only(
    documents_with, until, visit, make, children
):
    reader = documents_with(processes=1)
    before = set(children())
    call = asyncio.create_task(reader.read(visit(make["endless"]())))
    await until(lambda: set(children()) - before)

    for pid in set(children()) - before:
        os.kill(pid, signal.SIGKILL)

    with pytest.raises(BadAnswer, match="failed"):
        await asyncio.wait_for(call, PATIENCE)
    after = await reader.read(visit(b"alive", "text/plain"))
    assert after.content == "alive"


async def test_one_who_gives_up_is_let_go_and_frees_the_place(
    documents_with, until, visit, make, children
):
    reader = documents_with(processes=1)
    before = set(children())
    call = asyncio.create_task(reader.read(visit(make["endless"]())))
    await until(lambda: set(children()) - before)
    busy = set(children()) - before

    call.cancel()
    with contextlib.suppress(asyncio.CancelledError):
        await asyncio.wait_for(call, PATIENCE)

    assert call.cancelled()
    await until(lambda: not busy & set(children()))
    after = await reader.read(visit(b"free", "text/plain"))
    assert after.content == "free"


async def test_a_process_is_used_again_and_ends_when_nobody_needs_it(
    documents_with, until, visit, children
):
    reader = documents_with(idle_seconds=0.5)
    before = set(children())

    first = await reader.read(visit(b"one", "text/plain"))
    started = set(children()) - before
    second = await reader.read(visit(b"two", "text/plain"))

    assert (first.content, second.content) == ("one", "two")
    assert set(children()) - before <= started
    await until(lambda: not set(children()) - before)
    assert (await reader.read(visit(b"three", "text/plain"))).content == "three"


async def test_closing_ends_every_process_and_tells_those_who_wait(
    documents_with, until, visit, make, children
):
    reader = documents_with()
    before = set(children())
    calls = [asyncio.create_task(reader.read(visit(make["endless"]()))) for _ in range(3)]
    await until(lambda: len(set(children()) - before) == 2)

    await reader.aclose()
    answers = await asyncio.wait_for(asyncio.gather(*calls, return_exceptions=True), PATIENCE)

    assert all("closed" in str(answer) for answer in answers)
    await until(lambda: not set(children()) - before)


async def test_no_process_runs_before_the_first_document(documents_with, children):
    before = set(children())

    documents_with()

    assert set(children()) == before


async def test_many_callers_each_get_their_own_text(documents_with, visit):
    reader = documents_with()
    texts = [f"text number {number}" for number in range(40)]

    readings = await asyncio.gather(
        *(reader.read(visit(text.encode(), "text/plain")) for text in texts)
    )

    assert [reading.content for reading in readings] == texts


async def test_the_working_directory_cannot_slip_in_a_library(
    documents_with, visit, tmp_path: Path
):
    for name in ("sourcewright", "json", "lxml"):
        (tmp_path / f"{name}.py").write_text("raise SystemExit('taken over')", encoding="utf-8")

    with contextlib.chdir(tmp_path):
        reading = await documents_with().read(visit(json.dumps({"a": 1}).encode()))

    assert '"a": 1' in reading.content
