"""Papers: identification, resolution, fetch into the library, download into a folder."""

from typing import TYPE_CHECKING, Protocol

if TYPE_CHECKING:
    # Imported for type checking only: a service is imported on first use.
    from sourcewright.services.artifacts import Artifacts
    from sourcewright.services.papers.doiget_tools import PaperService
    from sourcewright.services.papers.notice_check import NoticeCheck
    from sourcewright.services.papers.paper_tools import DownloadService
    from sourcewright.services.papers.resolution import Resolver


class PaperServices(Protocol):
    """The services on papers that tools use, each built on first use."""

    @property
    def artifacts(self) -> "Artifacts": ...
    @property
    def doiget(self) -> "PaperService": ...
    @property
    def downloads(self) -> "DownloadService": ...
    @property
    def notices(self) -> "NoticeCheck": ...
    @property
    def resolver(self) -> "Resolver": ...
