"""Builds the reference page of the sources (providers)."""

from collections.abc import Iterable, Sequence

from sourcewright.cli.reference.markdown import codes, page, table
from sourcewright.providers._base import Provider, ProviderInfo, RateLimit

_LEAD = """\
These are the available sources.
The rate limit of each is shared by all processes on the machine, and responses are accepted only from its own hosts.
A source whose URL you set is not used until you set it.
A source that has only a part of a subject cannot say that there is nothing: a search in which no other source answered is a failure."""

_HEAD = ("Source", "URL", "Rate limit", "Allowed hosts", "Settings", "Decides", "Has only")


def providers_page(kinds: Sequence[type[Provider]]) -> str:
    rows = [_row(infos) for kind in kinds for infos in _by_name(kind)]
    return page("Sources", _LEAD, table(_HEAD, rows) if rows else "")


def _by_name(kind: type[Provider]) -> Iterable[list[ProviderInfo]]:
    """Its metadata in each role, by name: another name is another host with its own rate limit."""
    by_name: dict[str, list[ProviderInfo]] = {}
    for info in (kind.info, *map(kind.info_for, kind.roles())):
        by_name.setdefault(info.name, []).append(info)
    return by_name.values()


def _row(infos: Sequence[ProviderInfo]) -> tuple[str, ...]:
    info, names = infos[0], dict.fromkeys(info.reported_name for info in infos)
    addresses = dict.fromkeys(one.base_url for one in infos if one.base_url)
    hosts = dict.fromkeys(host for one in infos for host in one.allowed_hosts)
    return (
        f"[{info.title}]({info.home}) ({codes(names)})",
        codes(addresses) or "set by you",
        _paces(info),
        codes(hosts) or "any public host",
        _settings(info),
        "whether a DOI exists" if info.decides_dois else "",
        "; ".join(dict.fromkeys(info.has_only.values())),
    )


def _settings(info: ProviderInfo) -> str:
    names = codes(dict.fromkeys(option.env[0] for option in info.options))
    return f"{names} (without its key: {info.refuses_keyless})" if info.refuses_keyless else names


def _paces(info: ProviderInfo) -> str:
    others = (("searches", info.search_rate), ("downloads", info.download_rate))
    return "; ".join(
        (_pace(info.rate), *(f"{name}: {_pace(rate)}" for name, rate in others if rate))
    )


def _pace(rate: RateLimit) -> str:
    at_once = f", {rate.at_once} at once" if rate.at_once else ""
    return f"{rate.starts} in {rate.per_seconds:g} s{at_once}, {rate.gap_seconds:g} s apart"
