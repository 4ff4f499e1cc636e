"""What the right-file check is calibrated on: files whose true identity is known."""

import asyncio
import io
import re
from collections.abc import Callable, Iterable
from dataclasses import dataclass, replace
from typing import Any

import pytest
from reportlab.lib.utils import simpleSplit
from reportlab.pdfgen.canvas import Canvas
from tests.material import SHARED

from sourcewright.base.identifiers import ArxivId, Doi
from sourcewright.base.works import Author, Work
from sourcewright.reading.excerpts import Excerpt

RECORDED = SHARED / "upstream" / "documents_pdf"
PROSE = "The tide came in and went out again while the instruments were read. " * 30


@dataclass(frozen=True, slots=True)
class Case:
    """A file, and the record of the work that it is."""

    name: str
    work: Work
    reference: Doi | ArxivId
    excerpt: Excerpt


def excerpts(bodies: Iterable[bytes]) -> list[Excerpt]:
    """Read every file in the reader's own processes, a few at a time."""
    from sourcewright.reading.first_pages import PdfReader

    async def read() -> list[Excerpt]:
        reader = PdfReader(seconds=60.0, pages=2)
        try:
            return await asyncio.gather(*map(reader.excerpt, bodies))
        finally:
            await reader.aclose()

    return asyncio.run(read())


def record(work: Any) -> Work:
    """An invented work as a source would describe it."""
    from sourcewright.base.text.plain import plain_text

    names = [
        Author(
            name=author.full_name,
            family=author.family or None,
            given=author.given or None,
            is_organisation=bool(author.name),
        )
        for author in work.authors
    ]
    return Work(
        source="corpus",
        title=plain_text(work.title) or None,
        authors=tuple(names),
        year=work.year,
        doi=work.key,
        venue=work.journal.name,
        arxiv_id=work.manuscript.id if work.manuscript else None,
        preprints=tuple(filter(None, [work.preprint.lower()])),
        published_as=tuple(filter(None, [work.published_as.lower()])),
    )


@pytest.fixture(scope="session")
def corpus_cases() -> list[Case]:
    """Every invented work, as the world would serve it."""
    from sourcewright.world import pdf
    from sourcewright.world.corpus import load

    works = load().works
    read = excerpts(pdf.paper(work) for work in works)
    return [
        Case(work.key, record(work), Doi(work.key), excerpt)
        for work, excerpt in zip(works, read, strict=True)
    ]


@pytest.fixture(scope="session")
def bare_cases(corpus_cases: list[Case]) -> list[Case]:
    """The same as accepted manuscripts: no DOI on the page, nothing in the description."""

    def bare(case: Case) -> Case:
        pages = (re.sub(r"https://doi\.org/\S+\r?\n", "", page) for page in case.excerpt.pages)
        stripped = replace(case.excerpt, pages=tuple(pages), subject=None, title=None)
        return replace(case, excerpt=stripped)

    return [bare(case) for case in corpus_cases]


@pytest.fixture(scope="session")
def scans() -> list[Case]:
    from sourcewright.world import pdf
    from sourcewright.world.corpus import load

    works = load().works[::12]
    read = excerpts(pdf.scan(work) for work in works)
    return [
        Case(work.key, record(work), Doi(work.key), excerpt)
        for work, excerpt in zip(works, read, strict=True)
    ]


@pytest.fixture(scope="session")
def recorded_files() -> dict[str, Excerpt]:
    """The real files, by name."""
    if not RECORDED.is_dir():
        pytest.skip("the recorded documents are not beside this checkout")
    paths = sorted(RECORDED.glob("*.pdf"))
    read = excerpts(path.read_bytes() for path in paths)
    return {path.stem: excerpt for path, excerpt in zip(paths, read, strict=True)}


class Sheet:
    """A page description that is written from top to bottom."""

    def __init__(self) -> None:
        self._out = io.BytesIO()
        self._canvas = Canvas(self._out, pagesize=(595, 842))
        self._y = 790.0

    def lines(self, *texts: str, size: int = 11, width: int = 480, x: int = 56) -> "Sheet":
        for text in texts:
            for line in simpleSplit(text, "Helvetica", size, width):
                self._canvas.setFont("Helvetica", size)
                self._canvas.drawString(x, self._y, line)
                self._y -= size * 1.3
        return self

    def spaced(self, text: str) -> "Sheet":
        """Small capitals: each first letter in a larger size, as typesetters make them."""
        x = 56.0
        for word in text.upper().split():
            for at, size in ((slice(0, 1), 14), (slice(1, None), 10)):
                self._canvas.setFont("Helvetica", size)
                self._canvas.drawString(x, self._y, word[at])
                x += self._canvas.stringWidth(word[at], "Helvetica", size)
            x += 5
            if x > 480:
                x, self._y = 56.0, self._y - 18
        self._y -= 18
        return self

    def stamp(self, text: str) -> "Sheet":
        self._canvas.saveState()
        self._canvas.translate(30, 250)
        self._canvas.rotate(90)
        self._canvas.setFont("Times-Roman", 18)
        self._canvas.drawString(0, 0, text)
        self._canvas.restoreState()
        return self

    def columns(self) -> "Sheet":
        top = self._y
        self.lines(PROSE, size=9, width=230)
        self._y = top
        return self.lines(PROSE, size=9, width=230, x=310)

    def turn(self) -> "Sheet":
        self._canvas.showPage()
        self._y = 790.0
        return self

    def done(self) -> bytes:
        self._canvas.save()
        return self._out.getvalue()


def names_of(work: Work) -> str:
    return ", ".join(author.name for author in work.authors[:6])


def two_columns(work: Work) -> bytes:
    sheet = Sheet().lines(f"Journal of Tides, {work.year}, 1-9", size=8)
    sheet.lines(work.title or "", size=18).lines(names_of(work)).columns()
    return sheet.lines(f"https://doi.org/{work.doi}", size=8).done()


def covered(work: Work) -> bytes:
    cite = f"{names_of(work)}. {work.title}. Journal of Tides, {work.year}."
    sheet = Sheet().lines("Meridian Repository", size=20).lines("To cite this version:", cite)
    sheet.lines(f"Published version: https://doi.org/{work.doi}").turn()
    return sheet.lines(work.title or "", size=18).lines(names_of(work), PROSE).done()


def stamped(work: Work) -> bytes:
    sheet = Sheet().stamp(f"arXiv:2401.55501v2 [physics.ao-ph] 3 Jan {work.year}")
    return sheet.lines(work.title or "", size=18).lines(names_of(work), PROSE).done()


def in_capitals(work: Work) -> bytes:
    sheet = Sheet().lines(f"{work.year}").lines((work.title or "").upper(), size=16)
    return sheet.lines(names_of(work).upper(), PROSE).done()


def in_small_capitals(work: Work) -> bytes:
    sheet = Sheet().spaced(work.title or "").lines(names_of(work), f"{work.year}")
    return sheet.lines(PROSE).done()


def narrow(work: Work) -> bytes:
    sheet = Sheet().lines("RESEARCH ARTICLE", size=8).lines(work.title or "", size=20, width=150)
    return sheet.lines(names_of(work), f"Received in {work.year}", PROSE).done()


def headed(head: str, tail: str = "", *, below: bool = False) -> Callable[[Work], bytes]:
    """A document about a work: its heading holds the title, its text the authors and the DOI."""

    def draw(work: Work) -> bytes:
        title = [work.title or "", head] if below else [head, work.title or ""]
        sheet = Sheet().lines(" ".join(title) if head.endswith(": ") else title[0], size=18)
        if not head.endswith(": "):
            sheet.lines(title[1], size=18)
        sheet.lines(names_of(work), f"{work.year}", tail.format(doi=work.doi))
        return sheet.lines(PROSE).done()

    return draw


def citing(work: Work) -> bytes:
    sheet = Sheet().lines("A later look at something else entirely", size=18)
    sheet.lines(names_of(work), f"{(work.year or 2000) + 1}", PROSE)
    note = f"1 {names_of(work)}, {work.title}, {work.year}, https://doi.org/{work.doi}"
    return sheet.lines(note, size=8).done()


def contents(work: Work) -> bytes:
    sheet = Sheet().lines("Contents", f"Journal of Tides, {work.year}", size=16)
    sheet.lines(work.title or "", names_of(work), "Tides elsewhere", "J. Smith")
    return sheet.lines(PROSE).done()


def next_part(work: Work) -> bytes:
    sheet = Sheet().lines(f"{work.title}: part VII", size=18)
    return sheet.lines(names_of(work), f"{work.year}", PROSE).done()


RIGHT = [two_columns, covered, stamped, in_capitals, in_small_capitals, narrow]
WRONG = [
    headed("Correction to: ", "The original article: https://doi.org/{doi}"),
    headed("Comment on", "https://doi.org/{doi}"),
    headed("Supplementary Information for"),
    headed("Supplementary Material", below=True),
    headed("Retraction Note: ", "https://doi.org/10.5555/the-note"),
    headed("Erratum", "Refers to https://doi.org/{doi}"),
    citing,
    contents,
    next_part,
]


def made(layouts: list[Callable[[Work], bytes]], works: list[Work]) -> list[Case]:
    pairs = [(at, draw, work) for at, draw in enumerate(layouts) for work in works]
    read = excerpts(draw(work) for _, draw, work in pairs)
    return [
        Case(f"{at} {draw.__name__}", work, Doi(work.doi or ""), excerpt)
        for (at, draw, work), excerpt in zip(pairs, read, strict=True)
    ]


@pytest.fixture(scope="session")
def drawable() -> list[Work]:
    """Works whose letters the standard fonts hold."""
    from sourcewright.world.corpus import load

    def plain(work: Work) -> bool:
        text = f"{work.title}{names_of(work)}"
        return bool(work.title and work.year and work.authors) and text.isascii()

    found = [record(work) for work in load().works if not work.update_to and not work.manuscript]
    return [replace(work, arxiv_id=None) for work in found if plain(work) and not work.preprints][
        :15
    ]


@pytest.fixture(scope="session")
def made_right(drawable: list[Work]) -> list[Case]:
    return made(RIGHT, drawable)


@pytest.fixture(scope="session")
def made_wrong(drawable: list[Work]) -> list[Case]:
    return made(WRONG, drawable)
