"""Coverage of a research session: how its sources are spread. Descriptive, never an answer."""

import re
from collections import Counter
from collections.abc import Mapping, Sequence
from dataclasses import dataclass

from sourcewright.base.text.phrases import count_phrase
from sourcewright.base.urls.canonical import host_of
from sourcewright.base.urls.suffixes import registrable_domain
from sourcewright.domain.users.sessions import SessionSource

_DOI_RESOLVER = "doi.org"
_DOMINANT_SHARE = 0.6
_FEW = 3
_YEAR = re.compile(r"(?:19|20)[0-9]{2}")
_OLD_YEARS = 5
"""If all sources are older than this, a remark is added."""


@dataclass(frozen=True, slots=True, kw_only=True)
class Coverage:
    """How many sources there are, of which domains, types, years and languages."""

    source_count: int
    unique_domains: int
    """Registrable domains: subdomains of one site count once. DOIs count by their registrant."""
    domain_spread: float
    """Domains per source, from 0 to 1."""
    source_types: Mapping[str, int]
    years: Mapping[str, int]
    languages: Mapping[str, int]
    gaps: tuple[str, ...]
    """Weaknesses of the coverage, as sentences."""
    dominant_domain: str | None = None
    """A domain with most of the sources; never doi.org, which publishes nothing itself."""


def coverage_of(sources: Sequence[SessionSource], *, this_year: int) -> Coverage:
    domains = Counter(_publisher(one) for one in sources)
    types = Counter(type_of(one) for one in sources)
    years = Counter(year for one in sources if (year := _year(one)))
    languages = Counter(one.language.partition("-")[0].lower() for one in sources if one.language)
    dominant = _dominant(domains)
    return Coverage(
        source_count=len(sources),
        unique_domains=len(domains),
        domain_spread=round(len(domains) / len(sources), 2) if sources else 0.0,
        dominant_domain=dominant,
        source_types=_sorted(types),
        years=dict(sorted(years.items())),
        languages=_sorted(languages),
        gaps=tuple(_thin(len(sources), dominant, types, years, languages, this_year)),
    )


def type_of(source: SessionSource) -> str:
    """The type of a source: that of the page if known, else how it was found."""
    if source.source_type not in (None, "unknown"):
        return str(source.source_type)
    return {"academic": "academic", "patent": "patent", "news": "news_publication"}.get(
        source.tag, "unknown"
    )


def _publisher(source: SessionSource) -> str:
    """The publisher of a source: its domain, or the registrant of its DOI, because doi.org only redirects."""
    domain = registrable_domain(host_of(source.url))
    if domain != _DOI_RESOLVER or not source.doi:
        return domain
    return f"{_DOI_RESOLVER}/{source.doi.partition('/')[0]}"


def _year(source: SessionSource) -> str | None:
    match = _YEAR.search(source.date or "")
    return match[0] if match else None


def _dominant(domains: Counter[str]) -> str | None:
    total = domains.total()
    if total <= 1:
        return None
    [(domain, count)] = domains.most_common(1)
    return domain if count > _DOMINANT_SHARE * total and "/" not in domain else None


def _thin(
    total: int,
    dominant: str | None,
    types: Counter[str],
    years: Counter[str],
    languages: Counter[str],
    this_year: int,
) -> list[str]:
    if not total:
        return ["No sources are recorded yet."]
    remarks = []
    if total < _FEW:
        remarks.append(
            f"Only {count_phrase(total, 'source')}: a finding may depend on a single source."
        )
    if dominant:
        remarks.append(f"Most sources are on {dominant}.")
    if total > 1 and len(types) == 1 and "unknown" not in types:
        remarks.append(f"All sources are of one type: {next(iter(types))}.")
    if years and int(max(years)) < this_year - _OLD_YEARS:
        remarks.append(f"No dated source is newer than {max(years)}.")
    if total >= _FEW and len(languages) == 1 and languages.total() == total:
        remarks.append(f"All sources are in one language: {next(iter(languages))}.")
    return remarks


def _sorted(counts: Counter[str]) -> dict[str, int]:
    """The most frequent first, and a fixed order among equals."""
    return dict(sorted(counts.items(), key=lambda item: (-item[1], item[0])))
