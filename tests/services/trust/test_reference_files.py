"""The references of whole files: bibliographies, PDF, Word, Markdown and LaTeX."""

import io
import json
import zipfile

import pytest
from reportlab.lib.pagesizes import A4
from reportlab.pdfgen import canvas
from tests.material import SHARED

from sourcewright.base.errors import InvalidInput
from sourcewright.reading.documents import DocumentReader
from sourcewright.references.limits import MAX_BYTES
from sourcewright.references.model import UnreadableReference
from sourcewright.services.trust.reference_files import ReferenceFiles

pytestmark = pytest.mark.anyio

TITLES = ["Mixing in lakes", "On bears", "On wolves"]
ENTRIES = (
    "Ek, S. (2015). Mixing in lakes. Journal of Water, 12(3), 340-345.",
    "Bear, A., & Cub, B. (2016). On bears. Journal of Fur, 1, 2-9.",
    "Wolf, C. (2017). On wolves. Journal of Fur, 2, 1-8.",
)
BIB = (
    b"@article{ek, title = {Mixing in lakes}, author = {Ek, S.}}\n"
    b"@article{bear, title = {On bears}, author = {Bear, A.}}\n"
    b"@article{wolf, title = {On wolves}, author = {Wolf, C.}}\n"
)
TEX = "\\documentclass{article}\\begin{document}See \\cite{ek,bear} and \\citep[p.~3]{wolf}. % \\cite{no}\n\\bibliography{refs}\\end{document}"
BBL = (
    "\\begin{thebibliography}{9}\n"
    + "".join(f"\\bibitem{{k{number}}}\n{entry}\n\n" for number, entry in enumerate(ENTRIES))
    + "\\end{thebibliography}\n"
)


@pytest.fixture(scope="module")
async def files():
    documents = DocumentReader(processes=1)
    yield ReferenceFiles(documents)
    await documents.aclose()


def pdf():
    """Two columns, as proceedings have: body text first, then the list over both."""
    file = io.BytesIO()
    page = canvas.Canvas(file, pagesize=A4)
    columns = [
        ["On animals", "", *["They live in the wild, as was shown [1]."] * 20, "References"],
        [],
    ]
    for number, entry in enumerate(ENTRIES, 1):
        column = columns[min(number - 1, 1)]
        middle = entry.index(" ", 30)
        column += [f"[{number}] {entry[:middle]}", f"     {entry[middle + 1 :]}"]
    for column, lines in enumerate(columns):
        for row, line in enumerate(lines):
            page.drawString(50 + 260 * column, 780 - 14 * row, line)
    page.save()
    return file.getvalue()


def docx():
    paragraphs = ["On animals", "They live in the wild (2001).", "References", *ENTRIES]
    body = "".join(
        f"<w:p><w:r><w:t>{text.replace('&', '&amp;')}</w:t></w:r></w:p>" for text in paragraphs
    )
    namespace = "http://schemas.openxmlformats.org/wordprocessingml/2006/main"
    file = io.BytesIO()
    with zipfile.ZipFile(file, "w") as archive:
        archive.writestr(
            "[Content_Types].xml",
            '<Types xmlns="http://schemas.openxmlformats.org/package/2006/content-types"/>',
        )
        archive.writestr(
            "word/document.xml",
            f'<w:document xmlns:w="{namespace}"><w:body>{body}</w:body></w:document>',
        )
    return file.getvalue()


MARKDOWN = "# On animals\n\nText.\n\n## References\n\n" + "\n".join(
    f"- {entry}" for entry in ENTRIES
)
NOTEBOOK = json.dumps(
    {
        "cells": [{"cell_type": "markdown", "metadata": {}, "source": MARKDOWN}],
        "metadata": {},
        "nbformat": 4,
        "nbformat_minor": 5,
    }
)
JATS = (
    '<?xml version="1.0"?>\n<!DOCTYPE article PUBLIC "-//NLM//DTD JATS (Z39.96) Journal Archiving'
    ' and Interchange DTD v1.3 20210610//EN" "JATS-archivearticle1-3.dtd">\n'
    "<article><front><article-meta><title-group><article-title>On animals</article-title>"
    "</title-group></article-meta></front><body><p>They live in the wild.</p></body>"
    "<back><ref-list><title>References</title>"
    + "".join(
        f"<ref><mixed-citation>{entry.replace('&', '&amp;')}</mixed-citation></ref>"
        for entry in ENTRIES
    )
    + "</ref-list></back></article>"
)


@pytest.mark.parametrize(
    ("name", "body"),
    [
        ("paper.pdf", pdf()),
        ("paper.ipynb", NOTEBOOK.encode()),
        ("paper.xml", JATS.encode()),
        ("paper", JATS.encode()),
        ("paper.docx", docx()),
        ("paper.md", MARKDOWN.encode()),
        ("list.txt", "\n".join(ENTRIES).encode("utf-16")),
        ("refs.bib", BIB),
        ("refs", BIB),
        ("paper.bbl", BBL.encode()),
        ("paper.tex", BBL.encode()),
    ],
)
async def test_the_references_of_any_file_are_read(files, name, body):
    references = await files.read(body, name=name)

    assert [reference.title for reference in references] == TITLES


async def test_a_latex_file_has_the_cited_entries_of_its_bib_file(files, tmp_path):
    (tmp_path / "paper.tex").write_text(TEX.replace("{wolf}", "{absent}"))
    (tmp_path / "refs.bib").write_bytes(BIB)

    *cited, missing = (await files.open_path(tmp_path / "paper.tex")).references

    assert [reference.title for reference in cited] == TITLES[:2]
    assert missing == UnreadableReference(
        text="absent", reason="it is cited, but has no entry", key="absent"
    )


async def test_a_latex_file_without_a_bib_file_has_the_entries_of_its_bbl(files, tmp_path):
    (tmp_path / "paper.tex").write_text(TEX)
    (tmp_path / "paper.bbl").write_text(BBL)

    references = (await files.open_path(tmp_path / "paper.tex")).references

    assert [reference.title for reference in references] == TITLES


async def test_a_latex_file_opens_no_file_outside_its_folder(files, tmp_path):
    (tmp_path / "secret.bib").write_bytes(BIB)
    folder = tmp_path / "paper"
    folder.mkdir()
    (folder / "linked.bib").symlink_to(tmp_path / "secret.bib")
    for name in ("../secret", str(tmp_path / "secret"), "linked"):
        (folder / "paper.tex").write_text(TEX.replace("{refs}", f"{{{name}}}"))

        with pytest.raises(InvalidInput, match=r"no \.bib or \.bbl file beside it"):
            await files.open_path(folder / "paper.tex")


@pytest.mark.parametrize(
    ("name", "body", "reason"),
    [
        ("a.pdf", b"%PDF-1.7 and nothing", "a.pdf could not be read: reading the PDF failed"),
        ("a.png", b"\x89PNG\r\n\x1a\n0000", "a PNG image has no readable text"),
        ("a.bib", b" \n", "a.bib is empty"),
        ("a.json", b"[1", "not valid JSON"),
        ("a.docx", b"PK\x03\x04 no archive", "could not be read"),
        ("a.md", b"# Heading only", "no references were found in a.md"),
    ],
)
async def test_a_file_without_references_is_refused_with_the_reason(files, name, body, reason):
    with pytest.raises(InvalidInput, match=reason):
        await files.read(body, name=name)


async def test_a_file_that_is_too_large_is_refused(files):
    with pytest.raises(InvalidInput, match="larger than 16 MB"):
        await files.read(b"@misc{a}\n" * (MAX_BYTES // 8), name="a.bib")


async def test_a_file_that_is_not_there_is_named(files, tmp_path):
    with pytest.raises(InvalidInput, match=r"absent\.bib cannot be opened: No such file"):
        await files.open_path(tmp_path / "absent.bib")


async def test_the_application_provides_the_service(application, tmp_path):
    (tmp_path / "refs.bib").write_bytes(BIB)
    services = (await application()).services

    references = (await services.trust.reference_files.open_path(tmp_path / "refs.bib")).references

    assert [reference.title for reference in references] == TITLES


PDFS = SHARED / "upstream" / "documents_pdf"


@pytest.mark.skipif(not PDFS.is_dir(), reason="the recorded documents are not here")
@pytest.mark.parametrize(
    ("name", "count", "last"),
    [
        ("jabref-example.pdf", 7, "The Classical Groups"),
        ("jabref-ieee-paper.pdf", 5, "BPMN4Cars: A car-tailored workflow engine"),
        (
            "rcrossref-mairchamberlain2014rjournal.pdf",
            5,
            "Reproducible research and Biostatistics",
        ),
        ("refextract-2304-10117.pdf", 33, None),
        (
            "zotero-recognizepdf-test-title.pdf",
            8,
            "An introduction to probability theory and its applications",
        ),
    ],
)
async def test_every_entry_of_a_recorded_paper_is_counted(files, name, count, last):
    """The counts are those of the printed lists."""
    references = (await files.open_path(PDFS / name)).references

    assert len(references) == count
    assert references[-1].title == last


@pytest.mark.skipif(not PDFS.is_dir(), reason="the recorded documents are not here")
@pytest.mark.parametrize("name", ["sample-files-multicolumn.pdf", "markitdown-test.pdf"])
async def test_a_document_without_a_list_has_no_references(files, name):
    with pytest.raises(InvalidInput, match="no references were found"):
        await files.open_path(PDFS / name)


@pytest.mark.parametrize("name", ["refs.bib", "refs.json", "refs.xml", "refs.nbib"])
async def test_a_file_with_the_suffix_of_another_format_is_read_by_its_text(files, name):
    ris = b"TY  - JOUR\nTI  - On bears\nAU  - Bear, A.\nER  - \n"

    opened = await files.open(ris, name=name)

    assert opened.format == "ris"
    assert [one.title for one in opened.references] == ["On bears"]


async def test_a_line_of_another_format_within_an_entry_does_not_change_the_format(files):
    note = b"@article{ek, title = {Mixing in lakes}, note = {exported as\nTY  - JOUR\n}}\n"

    opened = await files.open(note, name="refs.bib")

    assert opened.format == "bibtex"
