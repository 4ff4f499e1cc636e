"""The three tool families, and how each reports errors."""

from collections.abc import Callable, Mapping
from typing import Literal, NamedTuple

from pydantic import BaseModel

from sourcewright.base.errors import ResearchError
from sourcewright.domain.codes import code_of
from sourcewright.tools._failures.doiget import DoigetFailure, doiget_failure
from sourcewright.tools._failures.paper import DownloadFailure, download_failure
from sourcewright.tools._failures.research import ResearchFailure, kind_of, research_failure
from sourcewright.tools._results import FailedCall, ToolResult

Family = Literal["doiget", "paper", "research"]


class Envelope(NamedTuple):
    """Error response of a tool family: its model, and the function that builds it."""

    failure: type[BaseModel]
    explain: Callable[[ResearchError, FailedCall], ToolResult]
    code: Callable[[ResearchError], str] = code_of
    """Returns the error code for the audit log."""


ENVELOPES: Mapping[Family, Envelope] = {
    "doiget": Envelope(DoigetFailure, doiget_failure),
    "paper": Envelope(DownloadFailure, download_failure),
    "research": Envelope(ResearchFailure, research_failure, kind_of),
}
