"""The doctor: checks each part of the installation, with advice for each problem."""

import asyncio
from collections.abc import Awaitable, Callable, Mapping, Sequence
from dataclasses import dataclass, replace
from pathlib import Path
from typing import Literal

from sourcewright.domain.capabilities import (
    ConvertsPubmedIds,
    DeliversPapers,
    DescribesArxivPapers,
    DescribesDois,
    LocatesDois,
)
from sourcewright.domain.document_ports import (
    ReadsDocuments,
    ReadsPdfs,
    RecognisesText,
    RendersPages,
)
from sourcewright.domain.errors import (
    NotConfigured,
    NotFound,
    ReaderUnavailable,
    ResearchError,
    UpstreamError,
)
from sourcewright.domain.papers.entries import Entry
from sourcewright.domain.papers.identifiers import Pmid
from sourcewright.domain.papers.library import UnreadableEntries
from sourcewright.domain.web.pages import FetchedDocument
from sourcewright.logic.text.phrases import count_phrase
from sourcewright.services.instance.health import append_problem, write_problem
from sourcewright.services.instance.samples import SAMPLE_PAGE, WORDS, sample_pdf
from sourcewright.services.papers.paper_tools import DownloadService
from sourcewright.services.providers import Source
from sourcewright.stores.logs.verification import VerificationReport

Severity = Literal["ok", "note", "problem"]

SAMPLE_DOI = "10.1000/1"
SAMPLE_ARXIV_ID = "0704.0001"
SAMPLE_PMID = Pmid("1")
_MAX_DUPLICATES = 20
_SOUND_PYTHON = (3, 11, 5)
_PROBE_SECONDS = 20


@dataclass(frozen=True, slots=True, kw_only=True)
class Finding:
    """Result of one check."""

    subject: str
    grade: Severity
    detail: str
    advice: str | None = None


def examine_source(source: Source) -> Finding:
    """Check whether a source is configured, without a request."""
    name = source.name
    if source.provider is not None:
        return Finding(subject=name, grade="ok", detail="configured")
    if not source.enabled:
        turn_on = source.switch and f"set {source.switch}=1 to use it"
        return Finding(subject=name, grade="note", detail="disabled", advice=turn_on)
    advice = f"set {source.needs} to use it"
    return Finding(subject=name, grade="note", detail="not configured", advice=advice)


def examine_unlisted_tools(tools: Mapping[str, str]) -> list[Finding]:
    """Report the tools that are not listed because their source is not configured."""
    return [
        Finding(subject=name, grade="note", detail="not listed", advice=f"{remedy} to use it")
        for name, remedy in tools.items()
    ]


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


async def probe_sources(sources: Sequence[Source]) -> list[Finding]:
    """Check whether sources respond; a computer that is offline is reported once."""
    results = await asyncio.gather(*map(_probe_source, sources))
    offline = next((one for one in results if isinstance(one, UpstreamError)), None)
    if offline is None:
        return [one for one in results if isinstance(one, Finding)]
    network = Finding(
        subject="network",
        grade="problem",
        detail=offline.detail,
        advice="connect it to the internet, or set SOURCEWRIGHT_PROXY if it is behind a proxy",
    )
    return [network, *map(examine_source, sources)]


async def _probe_source(source: Source) -> Finding | UpstreamError:
    """Check whether a source responds; "not found" is a valid response.

    Returns the error if this computer is offline, which says nothing about the source.
    """
    request = _sample_request(source)
    if request is None:
        return examine_source(source)
    try:
        async with asyncio.timeout(_PROBE_SECONDS):
            await request
    except NotFound:
        pass
    except TimeoutError:
        return Finding(
            subject=source.name,
            grade="problem",
            detail=f"did not answer within {_PROBE_SECONDS} seconds",
            advice="check the network and the status page of the source, then try again",
        )
    except ResearchError as error:
        if isinstance(error, UpstreamError) and error.cause == "offline":
            return error
        return Finding(
            subject=source.name,
            grade="problem",
            detail=str(error),
            advice="check the network and the status page of the source, then try again",
        )
    return Finding(subject=source.name, grade="ok", detail="answers")


def _sample_request(source: Source) -> Awaitable[object] | None:
    """Return a small request to a source, with a DOI of one of its own prefixes; None if none fits."""
    provider = source.provider
    doi = f"{source.info.prefixes[0]}/1" if source.info.prefixes else SAMPLE_DOI
    if isinstance(provider, DescribesDois):
        return provider.describe_doi(doi)
    if isinstance(provider, LocatesDois):
        return provider.locate_doi(doi)
    if isinstance(provider, DescribesArxivPapers):
        return provider.describe_arxiv(SAMPLE_ARXIV_ID)
    if isinstance(provider, ConvertsPubmedIds):
        return provider.doi_of(SAMPLE_PMID)
    return provider.deliver(doi) if isinstance(provider, DeliversPapers) else None


def examine_downloads(downloads: DownloadService) -> list[Finding]:
    """Check whether the download tools are configured, and whether they use mirrors."""
    problem = downloads.setup_problem
    setup = Finding(
        subject="downloads",
        grade="note" if problem else "ok",
        detail="no e-mail address is set" if problem else "configured",
        advice="set CONTACT_EMAIL to your own address: Unpaywall requires one"
        if problem
        else None,
    )
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


async def examine_browser(browser: RendersPages) -> Finding:
    """Check whether the browser starts, and how it is sandboxed."""
    try:
        status = await browser.examine()
    except NotConfigured as error:
        detail, _, advice = str(error).partition("; ")
        return Finding(subject="browser", grade="note", detail=detail, advice=advice or None)
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
        detail, _, advice = str(error).partition("; ")
        return Finding(subject="OCR", grade="note", detail=detail, advice=advice or None)
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
