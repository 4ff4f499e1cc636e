"""Examines what is kept in files that are no database: the papers of a library, and the logs."""

from collections.abc import Callable
from pathlib import Path

from sourcewright.base.errors import ResearchError
from sourcewright.base.text.phrases import count_phrase
from sourcewright.services.instance.storage import StoreFinding
from sourcewright.services.library.catalogue import Library
from sourcewright.stores.logs.verification import VerificationReport

_ALL = 10**9
_NAMED = 3
"""How many papers are named; the commands that repair them list all."""


Facts = tuple[str, str, Path]
"""The name, the title and the place of what is examined."""


async def examine_papers(library: Library, folder: Path, whose: str = "") -> list[StoreFinding]:
    """Read every record of a library, and compare every PDF with its record."""
    records = ("records", f"records of the library{whose}", folder)
    files = ("papers", f"PDFs of the library{whose}", folder)
    try:
        unreadable = await library.examine()
        papers = (await library.recent(_ALL)).papers
        changed = await library.pdf_problems(papers, in_use=True)
    except ResearchError as error:
        return [_unknown(records, str(error)), _unknown(files, str(error))]
    if not papers and not unreadable.count and not unreadable.problem:
        return [_absent(records), _absent(files)]
    bad = [*([unreadable.problem] if unreadable.problem else [])]
    bad += [f"{key}: {reason}" for key, reason in unreadable.unreadable]
    return [
        _counted(
            records,
            bad,
            count=unreadable.count + bool(unreadable.problem),
            good=f"{count_phrase(len(papers), 'record')}, all readable",
            advice="repair the file or restore a copy; `sourcewright doctor` names each",
        ),
        _counted(
            files,
            list(changed.values()),
            count=len(changed),
            good=f"{count_phrase(sum(one.pdf is not None for one in papers), 'PDF')}, each as it was stored",
            advice="restore the file, or fetch the paper again: `sourcewright fetch`",
        ),
    ]


def examine_chain(facts: Facts, verify: Callable[[Path], VerificationReport]) -> StoreFinding:
    """Verify the hash chain of a log."""
    name, _, path = facts
    try:
        report = verify(path)
    except ResearchError as error:
        return _unknown(facts, str(error))
    if not report.rows and report.chain_ok:
        return _absent(facts)
    issues = [f"{one.file} line {one.line}: {one.kind}" for one in report.issues]
    return _counted(
        facts,
        issues,
        count=report.count,
        good=f"{count_phrase(report.rows, 'row')}, the hash chain is intact",
        advice=f"`sourcewright log verify{' --audit' if name == 'audit-log' else ''}` lists the damage, and `sourcewright log repair` sets it aside",
    )


def _counted(facts: Facts, bad: list[str], *, count: int, good: str, advice: str) -> StoreFinding:
    name, title, path = facts
    if not count:
        return StoreFinding(name=name, title=title, path=path, state="whole", detail=good)
    more = f"; and {count - _NAMED} more" if count > _NAMED else ""
    detail = f"{'; '.join(bad[:_NAMED])}{more}"
    return StoreFinding(
        name=name, title=title, path=path, state="damaged", detail=detail, advice=advice
    )


def _absent(facts: Facts) -> StoreFinding:
    name, title, path = facts
    return StoreFinding(name=name, title=title, path=path, state="absent", detail="not used yet")


def _unknown(facts: Facts, reason: str) -> StoreFinding:
    name, title, path = facts
    advice = "give read access to it, or check what is in its place"
    return StoreFinding(
        name=name, title=title, path=path, state="unknown", detail=reason, advice=advice
    )
