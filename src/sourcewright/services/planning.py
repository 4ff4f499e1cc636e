"""What a fetch would do, said without doing any of it: no network, no file, no row."""

from collections.abc import Mapping, Sequence
from dataclasses import dataclass
from pathlib import Path
from typing import Any

from sourcewright.domain.capabilities import (
    DeliversPapers,
    DescribesDois,
    FindsCopies,
    FindsPreprints,
)
from sourcewright.domain.identifiers import ArxivId, Doi
from sourcewright.logic.naming import store_key
from sourcewright.services.sources import Sources

ALLOWLISTS = ("crossref", "unpaywall", "arxiv", "oa-publisher")
BUDGET: Mapping[str, float] = {"global_per_sec": 5.0, "per_source_min_gap_ms": 200}


@dataclass(frozen=True, slots=True, kw_only=True)
class Planner:
    """Builds previews from what is configured."""

    sources: Sources
    store_root: Path
    open_hosts: tuple[str, ...]
    """Where open copies may be fetched from, the operator's own hosts included."""
    passing_hosts: tuple[str, ...]
    arxiv_hosts: tuple[str, ...]

    def preview(self, reference: Doi | ArxivId) -> dict[str, Any]:
        """The envelope of a dry run, without its `ok`."""
        return {
            "dry_run": True,
            "ref": {reference.kind: str(reference)},
            "plan": self._plan(reference),
            "rate_limit_budget": dict(BUDGET),
        }

    def _plan(self, reference: Doi | ArxivId) -> dict[str, Any]:
        key = store_key(reference)
        places = self._places(reference)
        return {
            "metadata_sources": self._metadata_sources(reference),
            "pdf_sources": places,
            "redirect_allowlists_loaded": list(
                dict.fromkeys([*ALLOWLISTS, *(place["key"] for place in places)])
            ),
            "candidate_hosts_are_upper_bound": True,
            "target_pdf_path": str(self.store_root / f"{key}.pdf"),
            "target_metadata_path": str(self.store_root / ".metadata" / f"{key}.toml"),
            "would_append_provenance": True,
        }

    def _metadata_sources(self, reference: Doi | ArxivId) -> list[str]:
        if isinstance(reference, ArxivId):
            return []
        able = [
            name
            for kind in (DescribesDois, FindsCopies, FindsPreprints)
            for name in self.sources.able(kind, reference)
        ]
        first = [name for name in ("crossref", "unpaywall") if name in able]
        return list(dict.fromkeys([*first, *sorted(able)]))

    def _places(self, reference: Doi | ArxivId) -> list[dict[str, Any]]:
        arxiv = _place("arxiv", self.arxiv_hosts)
        if isinstance(reference, ArxivId):
            return [arxiv]
        licensed = [
            _place(name, self.sources.hosts_of(name))
            for name in self.sources.able(DeliversPapers, reference)
        ]
        return [_place("oa-publisher", (*self.open_hosts, *self.passing_hosts)), arxiv, *licensed]


def _place(key: str, hosts: Sequence[str]) -> dict[str, Any]:
    return {"key": key, "candidate_hosts": list(hosts)}
