"""Builds the reference page of the sources (providers)."""

from collections.abc import Iterable, Sequence

from sourcewright.cli.reference.markdown import code, codes, page, table
from sourcewright.providers._base import Provider, ProviderInfo, RateLimit

_LEAD = """\
These are the available sources.
The rate limit of each is shared by all processes on the machine, and responses are accepted only from its own hosts.
A source whose URL you set is not used until you set it."""

_HEAD = ("Source", "Address", "Pace", "Hosts that may answer", "Settings", "Decides")


def providers_page(kinds: Sequence[type[Provider]]) -> str:
    rows = [_row(info) for kind in kinds for info in _infos(kind)]
    return page("Sources", _LEAD, table(_HEAD, rows) if rows else "")


def _infos(kind: type[Provider]) -> Iterable[ProviderInfo]:
    """Its metadata, and that of roles in which it has another name."""
    others = (info for info in kind.info_in.values() if info.name != kind.info.name)
    return (kind.info, *others)


def _row(info: ProviderInfo) -> tuple[str, ...]:
    return (
        f"[{info.title}]({info.home}) ({code(info.known_as)})",
        code(info.base_url) if info.base_url else "set by you",
        _pace(info.rate),
        codes(info.allowed_hosts) or "any public one",
        codes(dict.fromkeys(option.env[0] for option in info.options)),
        "whether a DOI exists" if info.decides_dois else "",
    )


def _pace(rate: RateLimit) -> str:
    at_once = f", {rate.at_once} at once" if rate.at_once else ""
    return f"{rate.starts} in {rate.per_seconds:g} s{at_once}, {rate.gap_seconds:g} s apart"
