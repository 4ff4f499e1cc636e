"""The report on a research session: its sources with their status, shared by all export formats."""

from collections.abc import Mapping, Sequence
from dataclasses import dataclass, field
from urllib.parse import urlsplit

from sourcewright.base.links import LinkCheck
from sourcewright.base.notices import most_serious_notice
from sourcewright.base.text.plain import strip_invisible
from sourcewright.base.works import Notice
from sourcewright.domain.sources.classification import source_type
from sourcewright.domain.users.sessions import Session, SessionSource, Step
from sourcewright.domain.web.lenses import Reputation
from sourcewright.references.notice_text import notice_text, status_word
from sourcewright.services.sessions.selection import SourceSelection, select_sources

_MAX_LINK = 2000
_KINDS = {
    "peer_reviewed": "peer-reviewed",
    "official_docs": "official documentation",
    "government": "government",
    "news_publication": "news",
    "blog": "blog",
    "forum": "forum",
    "wiki": "wiki",
    "social_media": "social media",
}


@dataclass(frozen=True, slots=True, kw_only=True)
class Report:
    """A session at the time of its export, with the status of its sources."""

    session: Session
    exported_at: str
    """RFC 3339."""
    ratings: Mapping[str, Reputation] = field(default_factory=dict)
    """Reputation of hosts, by the URL of the source."""
    notices: Mapping[str, Sequence[Notice]] = field(default_factory=dict)
    """Notices that the library knows beyond those of the session, by DOI."""
    notice_problem: str | None = None
    """Why the library's notices could not be read."""
    checks: Mapping[str, LinkCheck] = field(default_factory=dict)
    """Results of the link check, by the URL of the source."""

    @property
    def selection(self) -> SourceSelection:
        return select_sources(self.session.sources)

    @property
    def sources(self) -> "tuple[ReportSource, ...]":
        """The selected sources."""
        return self._with_status(self.selection.sources, 1)

    @property
    def other_sources(self) -> "tuple[ReportSource, ...]":
        """Those that were left out, with the numbers after the selected ones."""
        selection = self.selection
        return self._with_status(selection.others, len(selection.sources) + 1)

    def _with_status(
        self, sources: Sequence[SessionSource], first: int
    ) -> "tuple[ReportSource, ...]":
        return tuple(
            ReportSource(
                number=number,
                source=source,
                rating=self.ratings.get(source.url),
                notices=_notices_of(source, self.notices),
                check=self.checks.get(source.url),
            )
            for number, source in enumerate(sources, first)
        )


@dataclass(frozen=True, slots=True, kw_only=True)
class ReportSource:
    """One source, with its number in the list of sources."""

    number: int
    source: SessionSource
    rating: Reputation | None = None
    notices: tuple[Notice, ...] = ()
    check: LinkCheck | None = None

    @property
    def title(self) -> str:
        return clean_line(self.source.title) or clean_line(self.source.url)

    @property
    def link(self) -> str | None:
        return safe_link(self.source.url)

    @property
    def kind(self) -> str | None:
        """What kind of source it is, in words; by its host if its text was not read."""
        name = self.source.source_type or source_type(self.source.url, None)
        return _KINDS.get(name)

    @property
    def notice(self) -> str | None:
        """Every retraction, correction or concern, in words."""
        return notice_text(self.notices) if self.notices else None

    @property
    def notice_word(self) -> str | None:
        """The most serious notice as a word."""
        return status_word(self.notices)

    @property
    def is_withdrawn(self) -> bool:
        """Whether the work may no longer be relied on."""
        worst = most_serious_notice(self.notices)
        return worst is not None and worst.kind in ("retraction", "withdrawal", "removal")

    @property
    def link_note(self) -> str | None:
        """The result of the link check, in words."""
        return None if self.check is None else _link_note(self.check)


def _notices_of(
    source: SessionSource, known: Mapping[str, Sequence[Notice]]
) -> tuple[Notice, ...]:
    own = () if source.notice is None else (source.notice,)
    return tuple(dict.fromkeys((*own, *known.get(source.doi or "", ()))))


def _link_note(check: LinkCheck) -> str:
    status = f" (HTTP {check.http_status})" if check.http_status else ""
    reason = f": {clean_line(check.problem)}" if check.problem else ""
    if check.state == "live":
        return f"link works{status}{reason}"
    if check.state == "refused":
        return f"link works, but refuses automated requests{status}"
    if check.state == "unchecked":
        return f"link could not be checked{reason}"
    return f"link is dead{status or reason}"


def clean_line(text: str) -> str:
    """Third-party text on one line, without characters that hide or reorder it."""
    return " ".join(strip_invisible(text).split())


def clean_text(text: str) -> str:
    """Text with its lines, without characters that hide or reorder it."""
    lines = strip_invisible(text).replace("\r\n", "\n").replace("\r", "\n").split("\n")
    return "\n".join(line.rstrip() for line in lines).strip("\n")


def safe_link(url: str) -> str | None:
    """The URL if a reader may be sent there: http or https, a host, no credentials, no spaces."""
    if len(url) > _MAX_LINK or any(not c.isprintable() or c in ' "<>\\^`{|}' for c in url):
        return None
    try:
        parts = urlsplit(url)
        _ = parts.port
    except ValueError:
        return None
    if parts.scheme.lower() not in ("http", "https") or not parts.hostname or "@" in parts.netloc:
        return None
    return url


def doi_link(doi: str) -> str | None:
    return safe_link(f"https://doi.org/{doi}")


def step_labels(session: Session, step: Step, superseded: Mapping[int, int]) -> list[str]:
    """Labels of a step: revision, branch with its starting step, superseded."""
    labels = []
    if step.revises is not None:
        labels.append(f"revises step {session.step_name(step.revises)}")
    if step.branch is not None:
        branch = session.branch_of(step)
        name = clean_line(step.branch)
        labels.append(
            f"branch {name}"
            + (f" from step {session.step_name(branch.from_step)}" if branch else "")
        )
    if step.position in superseded:
        labels.append(f"superseded by step {session.step_name(superseded[step.position])}")
    return labels
