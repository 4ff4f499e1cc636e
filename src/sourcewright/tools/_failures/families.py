"""The three families of tools and their failure envelopes."""

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
    """A family's envelope for failures: its form, and who fills it in."""

    failure: type[BaseModel]
    explain: Callable[[ResearchError, Failed], ToolResult]
    code: Callable[[ResearchError], str] = code_of
    """Under which the audit keeps an error."""


MANNERS: Mapping[Family, Manner] = {
    "doiget": Manner(DoigetFailure, doiget_failure),
    "paper": Manner(DownloadFailure, download_failure),
    "research": Manner(ResearchFailure, research_failure, kind_of),
}
