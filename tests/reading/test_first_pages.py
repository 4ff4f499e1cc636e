"""The reader of a paper's first pages: what it reads and refuses; no file can end the server."""

import asyncio
import contextlib
import io
import os
import random
import signal
from pathlib import Path

import pytest
from reportlab.pdfgen.canvas import Canvas

from sourcewright.reading.excerpts import Excerpt

pytestmark = pytest.mark.anyio
PATIENCE = 300.0


def as_expected(excerpt: Excerpt, text: str) -> bool:
    return excerpt.problem is None and excerpt.pages == (text,)


async def test_the_first_pages_and_the_description_are_read(reader_with, drawn):
    reader = reader_with(pages=2)
    body = drawn("one", "two", "three", title="On fogs", subject="mist")

    excerpt = await reader.excerpt(body)

    assert excerpt.pages == ("one", "two")
    assert excerpt.page_count == 3
    assert (excerpt.title, excerpt.subject) == ("On fogs", "mist")
    assert excerpt.problem is None


async def test_a_page_without_text_is_an_empty_text(reader_with, drawn):
    excerpt = await reader_with().excerpt(drawn("", "words"))

    assert excerpt.pages == ("", "words")
    assert excerpt.problem is None


async def test_a_long_page_keeps_its_beginning_and_its_end(reader_with):
    out = io.BytesIO()
    canvas = Canvas(out, pageCompression=1)
    for line in range(700):
        canvas.drawString(10, 800 - line, f"line {line} " + "words " * 8)
    canvas.save()

    (page,) = (await reader_with().excerpt(out.getvalue())).pages

    assert len(page) < 21_000
    assert page.startswith("line 0 ")
    assert "line 699" in page
    assert "line 450 " not in page


@pytest.mark.parametrize(
    ("spoilt", "problem"),
    [
        (lambda _: b"", "damaged"),
        (lambda _: b"%PDF-", "damaged"),
        (lambda _: b"%PDF-1.4\n" + random.Random(7).randbytes(50_000), "damaged"),
        (lambda _: b"<html>no PDF at all</html>", "damaged"),
        (lambda draw: draw("cut")[:400], "damaged"),
        (lambda draw: draw("secret words", locked=True), "password"),
    ],
    ids=["nothing", "only-magic", "noise", "a-page", "cut", "locked"],
)
async def test_a_file_that_cannot_be_read_says_why(reader_with, drawn, spoilt, problem):
    excerpt = await reader_with().excerpt(spoilt(drawn))

    assert problem in (excerpt.problem or "")
    assert excerpt.pages == ()


async def test_a_file_without_pages_says_so(reader_with, make):
    root, tree = b"<< /Type /Catalog /Pages 2 0 R >>", b"<< /Type /Pages /Kids [] /Count 0 >>"

    excerpt = await reader_with().excerpt(make["written"]([root, tree]))

    assert excerpt.problem is not None
    assert excerpt.pages == ()


async def test_a_claimed_million_of_pages_and_deep_nesting_are_survived(reader_with, make):
    reader = reader_with(seconds=5.0)
    claimed = [
        b"<< /Type /Catalog /Pages 2 0 R >>",
        b"<< /Type /Pages /Kids [2 0 R] /Count 9999999 >>",
    ]
    nested = [b"<< /Type /Catalog /Pages " + b"[" * 100_000 + b"]" * 100_000 + b" >>"]

    for objects in (claimed, nested):
        excerpt = await reader.excerpt(make["written"](objects))
        assert not any(excerpt.pages)
    assert as_expected(await reader.excerpt(make["with_text"]("still here")), "still here")


async def test_a_file_that_takes_too_long_is_given_up_with_the_pages_read_so_far(
    reader_with, make
):
    reader = reader_with(seconds=1.0)

    excerpt = await reader.excerpt(make["endless"](b"BT /F1 9 Tf 50 700 Td (quick) Tj ET"))

    assert excerpt.problem == "reading the PDF took longer than 1 seconds"
    assert excerpt.page_count == 2
    assert excerpt.pages == ("quick",)


async def test_after_a_slow_file_the_next_one_is_read(reader_with, make):
    reader = reader_with(seconds=1.0, processes=1)
    await reader.excerpt(make["endless"]())

    excerpt = await reader.excerpt(make["with_text"]("next"))

    assert as_expected(excerpt, "next")


async def test_a_file_that_needs_too_much_memory_is_given_up(reader_with, make):
    reader = reader_with(memory_mebibytes=160, processes=1, seconds=20.0)

    swollen = await reader.excerpt(make["swelling"]())
    after = await reader.excerpt(make["with_text"]("after it"))

    assert "too much memory" in (swollen.problem or "")
    assert as_expected(after, "after it")


async def test_a_process_that_is_killed_while_it_reads_harms_one_call_only(
    reader_with, until, make, children
):
    reader = reader_with(seconds=PATIENCE, processes=1)
    before = set(children())
    call = asyncio.create_task(reader.excerpt(make["endless"]()))
    await until(lambda: set(children()) - before)

    for pid in set(children()) - before:
        os.kill(pid, signal.SIGKILL)
    excerpt = await asyncio.wait_for(call, PATIENCE)

    assert "failed" in (excerpt.problem or "")
    assert as_expected(await reader.excerpt(make["with_text"]("alive")), "alive")


async def test_a_process_that_died_between_two_files_is_replaced_unnoticed(
    reader_with, make, children
):
    reader = reader_with(processes=1)
    before = set(children())
    await reader.excerpt(make["with_text"]("first"))

    for pid in set(children()) - before:
        os.kill(pid, signal.SIGKILL)

    assert as_expected(await reader.excerpt(make["with_text"]("second")), "second")


async def test_fifty_callers_share_two_processes_and_each_gets_its_own_text(
    reader_with, make, children
):
    reader = reader_with()
    before = set(children())
    bodies = {f"paper number {number}": number for number in range(50)}

    excerpts = await asyncio.gather(*(reader.excerpt(make["with_text"](text)) for text in bodies))

    assert all(as_expected(*pair) for pair in zip(excerpts, bodies, strict=True))
    assert len(set(children()) - before) <= 2


async def test_callers_are_served_in_the_order_in_which_they_came(reader_with, make):
    reader = reader_with(processes=1)
    order: list[int] = []

    async def ask(number: int) -> None:
        await reader.excerpt(make["with_text"](str(number)))
        order.append(number)

    await asyncio.gather(*(ask(number) for number in range(10)))

    assert order == list(range(10))


async def test_giving_up_a_call_ends_its_process_and_frees_its_place(
    reader_with, until, make, children
):
    reader = reader_with(seconds=PATIENCE, processes=1)
    before = set(children())
    call = asyncio.create_task(reader.excerpt(make["endless"]()))
    await until(lambda: set(children()) - before)
    reading = set(children()) - before

    call.cancel()
    with contextlib.suppress(asyncio.CancelledError):
        await asyncio.wait_for(call, PATIENCE)

    assert call.cancelled()
    await until(lambda: not reading & set(children()))
    assert as_expected(await reader.excerpt(make["with_text"]("free")), "free")


async def test_one_who_gives_up_while_waiting_takes_no_place(reader_with, make):
    reader = reader_with(seconds=1.0, processes=1)
    first = asyncio.create_task(reader.excerpt(make["endless"]()))
    waiting = asyncio.create_task(reader.excerpt(make["with_text"]("never read")))
    await asyncio.sleep(0)

    waiting.cancel()
    await asyncio.wait([first, waiting], timeout=PATIENCE)

    assert waiting.cancelled()
    assert as_expected(await reader.excerpt(make["with_text"]("free")), "free")


async def test_closing_ends_every_process_and_tells_those_who_wait(
    reader_with, until, make, children
):
    reader = reader_with(seconds=PATIENCE)
    before = set(children())
    calls = [asyncio.create_task(reader.excerpt(make["endless"]())) for _ in range(4)]
    await until(lambda: len(set(children()) - before) == 2)

    await reader.aclose()
    excerpts = await asyncio.wait_for(asyncio.gather(*calls), PATIENCE)

    assert all("closed" in (excerpt.problem or "") for excerpt in excerpts)
    await until(lambda: not set(children()) - before)


async def test_an_interrupt_at_the_terminal_does_not_reach_the_processes(
    reader_with, make, children
):
    before = set(children())

    await reader_with().excerpt(make["with_text"]("calm"))

    started = set(children()) - before
    assert started
    assert all(os.getsid(pid) == pid for pid in started)


async def test_no_process_runs_before_the_first_file(reader_with, children):
    before = set(children())

    reader_with()

    assert set(children()) == before


async def test_the_working_directory_cannot_slip_in_a_library(reader_with, make, tmp_path: Path):
    (tmp_path / "pypdfium2.py").write_text("raise SystemExit('taken over')", encoding="utf-8")

    with contextlib.chdir(tmp_path):
        excerpt = await reader_with().excerpt(make["with_text"]("safe"))

    assert as_expected(excerpt, "safe")


async def test_the_sizes_of_the_pages_are_read(reader_with):
    out = io.BytesIO()
    canvas = Canvas(out)
    for size in ((595, 842), (960, 540)):
        canvas.setPageSize(size)
        canvas.drawString(10, 10, "words")
        canvas.showPage()
    canvas.save()

    excerpt = await reader_with().excerpt(out.getvalue())

    assert excerpt.page_sizes == ((595.0, 842.0), (960.0, 540.0))
