"""The three tool families, and how each reports errors."""

from collections.abc import Callable, Mapping
from typing import Literal, NamedTuple

from pydantic import BaseModel

from sourcewright.domain.codes import code_of
from sourcewright.domain.errors import ResearchError
from sourcewright.tools._failures.doiget import DoigetFailure, doiget_failure
from sourcewright.tools._failures.paper import DownloadFailure, download_failure
from sourcewright.tools._failures.research import ResearchFailure, kind_of, research_failure
from sourcewright.tools._results import Failed, ToolResult

Family = Literal["doiget", "paper", "research"]


class Manner(NamedTuple):
    """Error response of a tool family: its model, and the function that builds it."""

    failure: type[BaseModel]
    explain: Callable[[ResearchError, Failed], ToolResult]
    code: Callable[[ResearchError], str] = code_of
    """Returns the error code for the audit log."""


MANNERS: Mapping[Family, Manner] = {
    "doiget": Manner(DoigetFailure, doiget_failure),
    "paper": Manner(DownloadFailure, download_failure),
    "research": Manner(ResearchFailure, research_failure, kind_of),
}
