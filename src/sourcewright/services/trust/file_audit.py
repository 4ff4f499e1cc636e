"""The audit of a whole file: every reference of a document, in batches."""

from pathlib import Path

from sourcewright.services.trust.audit_bibliography import (
    MAX_ENTRIES,
    Audit,
    BibliographyAuditor,
    ListedEntry,
)
from sourcewright.services.trust.reference_files import ReferenceFile, ReferenceFiles


async def audit_file(
    files: ReferenceFiles,
    auditor: BibliographyAuditor,
    source: Path | bytes,
    *,
    name: str = "",
    keep: bool = True,
) -> tuple[ReferenceFile, Audit]:
    """Read a file, or the content of one with this name, and check every reference in it.

    With `keep`, the results are remembered for audits without a network.
    """
    if isinstance(source, bytes):
        file = await files.open(source, name=name)
    else:
        file = await files.open_path(source)
    entries = [ListedEntry(entry=one) for one in file.references]
    audits = [
        await auditor.audit(entries[at : at + MAX_ENTRIES], source="file", first=at, keep=keep)
        for at in range(0, len(entries), MAX_ENTRIES)
    ]
    checked = tuple(entry for audit in audits for entry in audit.entries)
    return file, Audit(source="file", entries=checked, checked_at=audits[-1].checked_at)
