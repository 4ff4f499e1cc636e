"""The first pages of a PDF, and the result of checking that it is the requested paper."""

from collections.abc import Mapping
from dataclasses import dataclass
from types import MappingProxyType
from typing import Literal

KeptStatus = Literal["confirmed", "probable", "unconfirmed"]
"""Status of a file that is kept. The first two are based on the text of the file. `unconfirmed` is a
scan without text from the work's own location that nothing contradicts."""
FileStatus = KeptStatus | Literal["mismatch", "unusable"]
"""The last two are refused: another document, and a damaged or unreadable file."""

UNCONFIRMED: KeptStatus = "unconfirmed"
KEPT_STATUSES: Mapping[str, KeptStatus] = MappingProxyType(
    {"confirmed": "confirmed", "probable": "probable", UNCONFIRMED: UNCONFIRMED}
)
"""To validate stored values: a metadata file may contain anything, and only these are valid."""
NOT_CONFIRMED = "the file is a scan without text and could not be confirmed to be this paper"


@dataclass(frozen=True, slots=True, kw_only=True)
class FileCheck:
    """Whether a file is the requested paper, with the evidence for and against."""

    status: FileStatus
    evidence: tuple[str, ...]
    other_work: str | None = None
    """What the file seems to be instead."""
    arxiv_version: int | None = None
    """The version that arXiv's stamp on the file names."""
