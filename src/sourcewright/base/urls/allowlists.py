"""Redirect allowlists: hosts from which an open copy may come, and how to add one."""

import re
from collections.abc import Iterable
from dataclasses import dataclass
from typing import Literal

from sourcewright.base.errors import Denial

OA_PUBLISHER_HOSTS = (
    "*.springer.com",
    "*.springeropen.com",
    "*.springernature.com",
    "*.nature.com",
    "*.wiley.com",
    "*.elsevier.com",
    "*.sciencedirect.com",
    "*.frontiersin.org",
    "*.mdpi.com",
    "*.plos.org",
    "*.biorxiv.org",
    "*.medrxiv.org",
    "europepmc.org",
    "*.europepmc.org",
    "*.nih.gov",
    "*.ncbi.nlm.nih.gov",
    "*.aps.org",
    "scipost.org",
    "*.scipost.org",
    "*.iop.org",
    "doaj.org",
    "*.doaj.org",
    "arxiv.org",
    "*.arxiv.org",
)
"""Hosts from which an open copy may come without any setting."""

RESOLVER_HOSTS = ("doi.org", "dx.doi.org", "hdl.handle.net")
"""Resolvers that redirect elsewhere: followed, but never listed and never suggested."""

ACADEMIC_REPOS = (
    "*.ac.uk",
    "*.ac.jp",
    "*.jst.go.jp",
    "*.edu.au",
    "*.edu.cn",
    "*.ac.cn",
    "*.edu.pl",
    "*.ac.nz",
    "*.ac.za",
    "*.ac.in",
    "*.edu.br",
    "*.edu.tw",
    "*.edu.tr",
    "*.edu.ar",
    "*.edu.mx",
)
"""Added by trust in academic repositories: domains that only universities can register."""

OA_REGISTRIES = (
    "scielo.org",
    "*.scielo.org",
    "*.scielo.br",
    "zenodo.org",
    "*.zenodo.org",
    "osf.io",
    "*.osf.io",
    "hal.science",
    "*.hal.science",
    "core.ac.uk",
    "www.jstage.jst.go.jp",
)
"""Added by trust in open-access registries."""

TRUST_FLAGS = {
    "SOURCEWRIGHT_TRUST_ACADEMIC_REPOS": ACADEMIC_REPOS,
    "SOURCEWRIGHT_TRUST_OA_REGISTRIES": OA_REGISTRIES,
}

OA_PUBLISHER_SOURCE = "oa-publisher"
"""The source name of copies from these hosts; users cannot add hosts to other sources."""

_ALLOWLIST_REASONS = frozenset({"redirect_not_in_allowlist", "host_in_block_list"})
_NAME = re.compile(r"(?:[a-z0-9](?:[a-z0-9-]*[a-z0-9])?\.)+[a-z][a-z0-9-]*[a-z0-9]")
# Below a country's domain these are shared by unrelated owners, as in co.uk or ac.jp.
_SHARED_LABELS = frozenset(
    {
        "co",
        "com",
        "ne",
        "net",
        "or",
        "org",
        "ac",
        "edu",
        "gov",
        "go",
        "gr",
        "lg",
        "mil",
        "id",
        "in",
    }
)


@dataclass(frozen=True, slots=True, kw_only=True)
class Remedy:
    """A change of settings that would help."""

    kind: Literal["additional_host", "trust_flag"]
    value: str
    note: str


def oa_publisher_hosts(
    additional: Iterable[str], *, trust_academic: bool, trust_registries: bool
) -> tuple[str, ...]:
    """Every host pattern from which an open copy may come, without duplicates."""
    trusted = (
        *(ACADEMIC_REPOS if trust_academic else ()),
        *(OA_REGISTRIES if trust_registries else ()),
    )
    return tuple(dict.fromkeys((*OA_PUBLISHER_HOSTS, *trusted, *additional)))


def host_matches(host: str, patterns: Iterable[str]) -> bool:
    """Whether a host matches a pattern: `*.suffix` means the suffix and all its subdomains."""
    host = host.lower()
    return any(_matches(host, pattern.lower()) for pattern in patterns)


def remediations(denial: Denial) -> tuple[Remedy, ...]:
    """The settings that would allow the rejected host, the narrowest change first."""
    host = (denial.attempted or "").lower().rstrip(".")
    if (
        not _is_allowlist_refusal(denial)
        or not _NAME.fullmatch(host)
        or host_matches(host, RESOLVER_HOSTS)
    ):
        return ()
    flags = (name for name, patterns in TRUST_FLAGS.items() if host_matches(host, patterns))
    return (
        *_host_suggestions(host),
        *(Remedy(kind="trust_flag", value=name, note=_FLAG_NOTE) for name in flags),
    )


_FLAG_NOTE = "set it to 1 to allow a curated list of such hosts"


def _is_allowlist_refusal(denial: Denial) -> bool:
    """Whether a longer allowlist would lift the refusal; if one caused it, `expected` is set."""
    by_list = denial.reason in _ALLOWLIST_REASONS and denial.expected is not None
    return by_list and denial.source in {OA_PUBLISHER_SOURCE, None}


def _host_suggestions(host: str) -> Iterable[Remedy]:
    yield _additional_host(host, "this hop only")
    parent = host.partition(".")[2]
    if "." not in parent:
        yield _additional_host(f"*.{host}", "the whole publisher")
    elif not _is_shared_domain(parent):
        yield _additional_host(f"*.{parent}", "the whole publisher")
        yield _additional_host(parent, "the main domain of the publisher")


def _additional_host(value: str, note: str) -> Remedy:
    return Remedy(kind="additional_host", value=value, note=note)


def _is_shared_domain(domain: str) -> bool:
    """Whether unrelated owners register names directly below this domain (a cautious guess)."""
    first, _, last = domain.partition(".")
    return len(last) == 2 and first in _SHARED_LABELS


def _matches(host: str, pattern: str) -> bool:
    if pattern.startswith("*."):
        return host == pattern[2:] or host.endswith(pattern[1:])
    return host == pattern
