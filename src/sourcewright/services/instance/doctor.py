"""The doctor: checks each part of the installation, with advice for each problem."""

from collections.abc import Awaitable, Callable, Mapping, Sequence
from dataclasses import dataclass, replace
from pathlib import Path
from typing import Literal

from sourcewright.base.errors import NotConfigured, ReaderUnavailable, ResearchError
from sourcewright.base.pages import FetchedDocument
from sourcewright.base.text.phrases import count_phrase
from sourcewright.domain.document_ports import (
    ReadsDocuments,
    ReadsPdfs,
    RecognisesText,
    RendersPages,
)
from sourcewright.domain.papers.library import UnreadableEntries
from sourcewright.references.entries import Entry
from sourcewright.services.instance.health import append_problem, write_problem
from sourcewright.services.instance.samples import SAMPLE_PAGE, WORDS, sample_pdf
from sourcewright.services.instance.storage import StoreFinding
from sourcewright.services.papers.paper_tools import DownloadService
from sourcewright.stores.logs.verification import VerificationReport

Severity = Literal["ok", "note", "problem"]

_MAX_DUPLICATES = 20
_SOUND_PYTHON = (3, 11, 5)


@dataclass(frozen=True, slots=True, kw_only=True)
class Finding:
    """Result of one check."""

    subject: str
    grade: Severity
    detail: str
    advice: str | None = None
    optional: bool = False
    """Whether nothing is amiss: it is off because nobody turned it on."""


def examine_unused_variables(variables: Mapping[str, str]) -> list[Finding]:
    """Report the variables of comparable servers that are set and have no effect."""
    return [
        Finding(subject=name, grade="note", detail="is set, and has no effect here", advice=why)
        for name, why in variables.items()
    ]


def examine_files(subject: str, flaws: Sequence[str], setting: str) -> list[Finding]:
    """Report the invalid entries of a file that the operator wrote."""
    advice = f"correct the file named in {setting}; its other entries are used"
    return [
        Finding(subject=subject, grade="problem", detail=f"{flaw} (ignored)", advice=advice)
        for flaw in flaws
    ]


def examine_network(offline_reason: str | None) -> list[Finding]:
    """Report a computer that is offline, once for all sources."""
    if offline_reason is None:
        return []
    return [
        Finding(
            subject="network",
            grade="problem",
            detail=f"this computer is offline ({offline_reason}), so no source can be asked; the library, the logs and the sandbox work",
            advice="connect it to the internet, or set SOURCEWRIGHT_PROXY if it is behind a proxy",
        )
    ]


def examine_addresses(problems: Sequence[str]) -> list[Finding]:
    """Report e-mail addresses that are set and sent to no source."""
    advice = "set it to your own address, or remove it: sources that require one are not asked"
    return [
        Finding(subject="e-mail address", grade="problem", detail=one, advice=advice)
        for one in problems
    ]


def examine_downloads(downloads: DownloadService, *, address_problem: str | None) -> list[Finding]:
    """Check whether the download tools can work, and whether they use mirrors."""
    setup = Finding(subject="downloads", grade="ok", detail="configured")
    if downloads.setup_problem is not None:
        detail = (
            "the e-mail address is sent to no source"
            if address_problem
            else "no e-mail address is set"
        )
        advice = "set CONTACT_EMAIL to your own address: Unpaywall requires one"
        setup = Finding(subject="downloads", grade="note", detail=detail, advice=advice)
    mirrors = Finding(
        subject="scihub",
        grade="note",
        detail="enabled: the download tools use the mirrors that you configured, on your responsibility",
        advice="to use open sources only, unset SCIHUB_MIRRORS and SCIHUB_ACCEPT_RESPONSIBILITY",
    )
    return [setup, mirrors] if downloads.has_mirrors else [setup]


async def examine_records(damage: Callable[[], Awaitable[UnreadableEntries]]) -> list[Finding]:
    """Check whether every record of the library can be read."""
    try:
        library_damage = await damage()
    except ResearchError as error:
        advice = "give read access to the folder, or check what is in its place"
        return [Finding(subject="records", grade="problem", detail=str(error), advice=advice)]
    whole = [library_damage.problem] if library_damage.problem else []
    entries = [f"{key}: {reason}" for key, reason in library_damage.unreadable]
    more = library_damage.count - len(entries)
    details = [*whole, *entries, *([f"and {count_phrase(more, 'record')} more"] if more else [])]
    if not details:
        return [Finding(subject="records", grade="ok", detail="every record can be read")]
    advice = "repair the file or restore a copy; papers without a record cannot be found"
    return [
        Finding(subject="records", grade="problem", detail=one, advice=advice) for one in details
    ]


async def examine_duplicates(
    duplicates: Callable[[], Awaitable[Sequence[Sequence[Entry]]]],
) -> list[Finding]:
    """Check whether a paper is in the library twice."""
    try:
        groups = await duplicates()
    except ResearchError:
        return []  # reported as unreadable records
    advice = "run `sourcewright library merge` to combine them into one entry"
    return [
        Finding(
            subject="records",
            grade="note",
            detail=f"one paper is stored as {' and as '.join(one.key for one in group)}",
            advice=advice,
        )
        for group in groups[:_MAX_DUPLICATES]
    ]


def _not_in_use(subject: str, error: NotConfigured) -> Finding:
    """A program that is not installed, or that the operator disabled, which needs no advice."""
    detail, _, advice = str(error).partition("; ")
    return Finding(
        subject=subject,
        grade="note",
        detail=detail,
        advice=advice or None,
        optional=not advice,
    )


async def examine_browser(browser: RendersPages) -> Finding:
    """Check whether the browser starts, and how it is sandboxed."""
    try:
        status = await browser.examine()
    except NotConfigured as error:
        return _not_in_use("browser", error)
    except ResearchError as error:
        advice = "set CHROME_PATH to a working Chromium, or to `disabled`"
        return Finding(subject="browser", grade="problem", detail=str(error), advice=advice)
    network = (
        "in an empty network namespace"
        if status.without_network
        else "with network access only through this server"
    )
    if status.sandboxed:
        return Finding(subject="browser", grade="ok", detail=f"{status.version}, {network}")
    return Finding(
        subject="browser",
        grade="note",
        detail=f"{status.version}, {network}, without Chromium's own sandbox",
        advice="to use Chromium's sandbox, run the server as a user other than root",
    )


async def examine_ocr(ocr: RecognisesText) -> Finding:
    """Report which program reads scanned pages, in which languages."""
    try:
        program = await ocr.examine()
    except NotConfigured as error:
        return _not_in_use("OCR", error)
    except ResearchError as error:
        advice = "set TESSERACT_PATH to a working Tesseract, or to `disabled`"
        return Finding(subject="OCR", grade="problem", detail=str(error), advice=advice)
    detail = f"Tesseract {program.version}, languages: {', '.join(program.languages)}"
    if not program.not_installed:
        return Finding(subject="OCR", grade="ok", detail=detail)
    missing = ", ".join(program.not_installed)
    advice = "install what SOURCEWRIGHT_OCR_LANGUAGES names (apt install tesseract-ocr-…)"
    return Finding(
        subject="OCR", grade="problem", detail=f"{detail}; not installed: {missing}", advice=advice
    )


def examine_python(version: tuple[int, int, int]) -> list[Finding]:
    """Report a Python whose regular expressions have a defect (`re`, possessive quantifiers)."""
    if version >= _SOUND_PYTHON:
        return []
    current, needed = (".".join(map(str, one)) for one in (version, _SOUND_PYTHON))
    return [
        Finding(
            subject="Python",
            grade="problem",
            detail=f"the regular expressions of Python {current} have a defect, which makes some pages unreadable",
            advice=f"use Python {needed} or newer",
        )
    ]


def examine_library(folder: Path, chosen_by: str) -> Finding:
    """Report which library is used and which setting chose it, and check that it is writable."""
    finding = examine_folder("library", folder, "DOIGET_STORE_ROOT")
    return replace(finding, detail=f"{finding.detail} ({chosen_by})")


async def examine_pdf_reader(reader: ReadsPdfs) -> Finding:
    """Check the subprocess that reads first pages; without it no PDF can be accepted."""
    try:
        excerpt = await reader.excerpt(sample_pdf())
    except ReaderUnavailable as error:
        return _reader_problem("PDF reader", str(error))
    if excerpt.problem or WORDS not in " ".join(excerpt.pages):
        return _reader_problem(
            "PDF reader", excerpt.problem or "no text could be read from a sample PDF"
        )
    return Finding(subject="PDF reader", grade="ok", detail="read a sample PDF in its own process")


async def examine_page_reader(reader: ReadsDocuments) -> Finding:
    """Check the subprocess that reads pages and documents."""
    page = FetchedDocument(
        body=SAMPLE_PAGE, url="https://sample.invalid/", content_type="text/html", mode="plain"
    )
    try:
        reading = await reader.read(page)
    except ResearchError as error:
        return _reader_problem("page reader", str(error))
    if WORDS not in reading.content:
        return _reader_problem("page reader", "no text could be read from a sample page")
    return Finding(
        subject="page reader", grade="ok", detail="read a sample page in its own process"
    )


def _reader_problem(subject: str, detail: str) -> Finding:
    return Finding(subject=subject, grade="problem", detail=detail, advice=_READER_ADVICE)


def examine_storage(findings: Sequence[StoreFinding]) -> list[Finding]:
    """Report the stores that are lost or damaged, and in one line those that are in order."""
    bad = [
        Finding(
            subject=one.title,
            grade="problem" if one.lasting else "note",
            detail=one.detail,
            advice=one.advice,
        )
        for one in findings
        if not one.is_good
    ]
    whole = [one.title for one in findings if one.state == "whole"]
    detail = f"whole: {', '.join(whole)}" if whole else "nothing is kept yet"
    encryption = [
        Finding(subject=one.title, grade="ok", detail=one.detail)
        for one in findings
        if one.name == "key" and one.is_good
    ]
    return [*bad, Finding(subject="stores", grade="ok", detail=detail), *encryption]


def examine_folder(subject: str, folder: Path, setting: str) -> Finding:
    """Check by a trial write whether a folder is writable."""
    reason = write_problem(folder)
    if reason is None:
        return Finding(subject=subject, grade="ok", detail=f"{folder} is writable")
    return Finding(
        subject=subject,
        grade="problem",
        detail=f"{folder} is not writable ({reason})",
        advice=f"give write access to it, free disk space, or set {setting} to another folder",
    )


def examine_log(subject: str, path: Path, verify: Callable[[Path], VerificationReport]) -> Finding:
    """Check whether a log can be appended to, and whether its hash chain is intact."""
    reason = append_problem(path)
    if reason:
        detail, advice = (
            f"{path}: cannot be appended to ({reason})",
            "free disk space or give write access",
        )
        return Finding(subject=subject, grade="problem", detail=detail, advice=advice)
    try:
        report = verify(path)
    except ResearchError as error:
        return Finding(subject=subject, grade="problem", detail=str(error), advice=_LOG_ADVICE)
    if report.ok:
        unlinked = (
            f" ({count_phrase(report.unlinked, 'segment')} not linked)" if report.unlinked else ""
        )
        detail = f"{path}: {count_phrase(report.rows, 'row')}, the hash chain is intact{unlinked}"
        return Finding(subject=subject, grade="ok", detail=detail)
    first = report.issues[0]
    return Finding(
        subject=subject,
        grade="problem",
        detail=f"{path}: {count_phrase(report.count, 'issue')}, first {first.kind} in {first.file} at line {first.line}",
        advice=_LOG_ADVICE,
    )


_READER_ADVICE = "check that another process of the same Python interpreter can be started, and that a process may use 1 GiB of memory and set its own memory limit"
_LOG_ADVICE = "`sourcewright log verify` (--audit) lists the damage; `sourcewright log repair` moves it to a separate file and deletes nothing"
