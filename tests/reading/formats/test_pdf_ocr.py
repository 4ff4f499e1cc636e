"""Scanned pages of PDFs: OCR by Tesseract, or by a program in its place that fails."""

import asyncio
import io
import shutil
from collections.abc import Callable
from pathlib import Path

import pytest
from PIL import Image, ImageDraw, ImageFont
from reportlab.lib.pagesizes import A4
from reportlab.lib.utils import ImageReader
from reportlab.pdfgen.canvas import Canvas

from sourcewright.base.errors import Unreadable
from sourcewright.reading.ocr import Ocr

pytestmark = pytest.mark.anyio
WIDTH, HEIGHT = A4
NOTE = "*The text of this page was recognised by OCR and may have errors.*"
SCAN = "*This page is a scan without text.*"
WORDS = ("The harbour office of the island", "has measured the tides since 1742.")
LANGUAGES = "List of available languages (2):\neng\nosd"
WORD = "5\t1\t1\t1\t{line}\t1\t0\t0\t9\t9\t{sure}\t{text}"


def picture() -> ImageReader:
    image = Image.new("L", (1240, 1754), 255)
    font = ImageFont.load_default(42)
    for at, line in enumerate(WORDS):
        ImageDraw.Draw(image).text((150, 200 + 70 * at), line, 0, font)
    return ImageReader(image)


def scanned(*texts: str) -> bytes:
    """A page for each text; an empty one is a scan."""
    out = io.BytesIO()
    canvas = Canvas(out, pagesize=A4)
    for text in texts:
        if text:
            canvas.drawString(72, 700, text)
        else:
            canvas.drawImage(picture(), 0, 0, WIDTH, HEIGHT)
        canvas.showPage()
    canvas.save()
    return out.getvalue()


@pytest.fixture
def program(tmp_path: Path) -> Callable[[str], str]:
    """A program that names its version and languages, and does this with an image."""

    def write(behaviour: str) -> str:
        path = tmp_path / "tesseract"
        path.write_text(
            "#!/bin/sh\n"
            'case "$1" in\n'
            '--version) echo "tesseract 5.0"; exit;;\n'
            f'--list-langs) echo "{LANGUAGES}"; exit;;\n'
            f"esac\n{behaviour}\n"
        )
        path.chmod(0o755)
        return str(path)

    return write


def printing(*words: tuple[str, float]) -> str:
    """Shell code that reads the image and prints these words, each in a line of a paragraph."""
    rows = [WORD.format(line=at, sure=sure, text=text) for at, (text, sure) in enumerate(words)]
    return "cat >/dev/null\ncat <<'END'\nlevel\tpage_num\n" + "\n".join(rows) + "\nEND"


async def test_tesseract_reads_a_scan_and_says_so(documents_with, visit):
    if shutil.which("tesseract") is None:
        pytest.skip("the tests of OCR need Tesseract")
    reader = documents_with(ocr=Ocr(), document_seconds=100.0)

    reading = await reader.read(visit(scanned("Written as text.", "")))

    blocks = reading.content.split("\n\n")
    assert blocks[:4] == ["<!-- page 1 -->", "Written as text.", "<!-- page 2 -->", NOTE]
    assert " ".join(blocks[4:]) == " ".join(WORDS)
    assert reading.quality == "complete"


async def test_lines_are_joined_and_noise_is_left_out(documents_with, visit, program):
    page = printing(("The", 90), ("har-", 96), ("bour", 91.5), ("~#", 3), ("office", 88))
    reader = documents_with(ocr=Ocr(program(page)))

    reading = await reader.read(visit(scanned("")))

    assert reading.content == f"<!-- page 1 -->\n\n{NOTE}\n\nThe harbour office"


async def test_a_page_that_begins_like_a_heading_forges_none(documents_with, visit, program):
    reader = documents_with(ocr=Ocr(program(printing(("#", 96), ("<!--page", 96), ("seven", 96)))))

    reading = await reader.read(visit(scanned("")))

    assert reading.content.endswith("\n\n\\# \\<!--page seven")


async def test_what_is_too_uncertain_remains_a_scan(documents_with, visit, program):
    reader = documents_with(ocr=Ocr(program(printing(("lIlI", 40), ("1l1l", 35)))))

    reading = await reader.read(visit(scanned("Written as text.", "")))

    assert reading.content.endswith(f"<!-- page 2 -->\n\n{SCAN}")
    assert reading.quality == "partial"


@pytest.mark.parametrize(
    "behaviour",
    [
        pytest.param("exit 1", id="fails"),
        pytest.param("cat >/dev/null; kill -9 $$", id="is killed"),
        pytest.param("exec sleep 1000", id="hangs and reads nothing"),
        pytest.param("cat >/dev/null; exec sleep 1000", id="hangs"),
        pytest.param("exec yes", id="floods"),
        pytest.param("cat >/dev/null; printf '5\\t\\377\\t\\n'", id="prints nonsense"),
    ],
)
async def test_a_program_that_misbehaves_leaves_the_page_a_scan(
    documents_with, visit, program, behaviour
):
    ocr = Ocr(program(behaviour), page_seconds=1.0)
    reader = documents_with(ocr=ocr, document_seconds=100.0)

    reading = await reader.read(visit(scanned("Written as text.", "", "Also written.")))

    assert reading.content.split("\n\n") == [
        "<!-- page 1 -->",
        "Written as text.",
        "<!-- page 2 -->",
        SCAN,
        "<!-- page 3 -->",
        "Also written.",
    ]
    assert (reading.quality, reading.cut) == ("partial", False)


async def test_a_document_of_scans_that_cannot_be_read_is_an_error(documents_with, visit, program):
    reader = documents_with(ocr=Ocr(program("exit 1")))

    with pytest.raises(Unreadable, match="it has no text, only images"):
        await reader.read(visit(scanned("", "")))


async def test_nothing_that_was_started_outlives_a_reader_that_is_closed(
    documents_with, visit, program, tmp_path, until
):
    mark = tmp_path / "started"
    reader = documents_with(
        ocr=Ocr(program(f"echo $$ >{mark}; exec sleep 1000"), page_seconds=500.0),
        document_seconds=500.0,
    )
    task = asyncio.create_task(reader.read(visit(scanned(""))))
    await until(lambda: mark.is_file() and mark.read_text().strip())
    pid = mark.read_text().strip()

    await reader.aclose()

    with pytest.raises(Unreadable, match="closed"):
        await task
    await until(lambda: not is_running(pid))


def is_running(pid: str) -> bool:
    try:
        stat = Path(f"/proc/{pid}/stat").read_text()
    except OSError:
        return False
    return stat.rpartition(")")[2].split()[0] != "Z"


async def test_a_stamp_on_a_scan_does_not_hide_it(documents_with, visit, program):
    out = io.BytesIO()
    canvas = Canvas(out, pagesize=A4)
    canvas.drawImage(picture(), 0, 0, WIDTH, HEIGHT)
    canvas.drawString(72, 20, "From the library.")
    canvas.save()
    many = [(f"word{at}", 95) for at in range(40)]
    reader = documents_with(ocr=Ocr(program(printing(*many))))

    reading = await reader.read(visit(out.getvalue()))

    assert "From the library." in reading.content
    assert NOTE in reading.content
    assert "word0 word1 word2" in reading.content
