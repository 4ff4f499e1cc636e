"""The catalogue of host reputation: built in, and from the operator's file.

A host that is not listed is unknown, which is neither good nor bad.
"""

import json
from collections.abc import Iterable, Mapping
from functools import lru_cache
from pathlib import Path
from typing import Any, get_args

from sourcewright.base.urls.canonical import host_of
from sourcewright.base.urls.suffixes import single_owner_host
from sourcewright.domain.web.lenses import Reputation, Tier
from sourcewright.stores.catalogues.operator_files import (
    ValidationErrors,
    object_of,
    read_json_file,
    text_in,
)

_BUILT_IN = Path(__file__).parents[2] / "data" / "reputation.json"
_MAX_FILE_BYTES = 2 * 1024 * 1024
_CACHED_HOSTS = 1024
_TIERS: tuple[Tier, ...] = get_args(Tier)


class Reputations:
    """Ratings by host; a subdomain of a rated host shares its rating."""

    def __init__(
        self, ratings: Mapping[str, Reputation | None], flaws: Iterable[str] = ()
    ) -> None:
        self._ratings = ratings
        self._rating_of_host = lru_cache(maxsize=_CACHED_HOSTS)(self._nearest_rating)
        self.flaws = tuple(flaws)
        """Validation errors in the operator's file."""

    def rating_of(self, url: str) -> Reputation | None:
        """The rating of the URL's host, or of the nearest parent domain that has one."""
        return self._rating_of_host(host_of(url))

    def _nearest_rating(self, host: str) -> Reputation | None:
        labels = host.split(".")
        names = (".".join(labels[at:]) for at in range(len(labels) - 1))
        return next((self._ratings[name] for name in names if name in self._ratings), None)


def load_reputations(overrides: Path | None) -> Reputations:
    """The built-in ratings, overridden by the operator's; null there removes a rating."""
    built_in = json.loads(_BUILT_IN.read_bytes())["domains"]
    ratings: dict[str, Reputation | None] = {
        host: Reputation(**fields) for host, fields in built_in.items()
    }
    flaws = ValidationErrors("reputation")
    if overrides is not None:
        ratings |= _operator_ratings(overrides, flaws)
    return Reputations(ratings, flaws.messages)


def _operator_ratings(path: Path, flaws: ValidationErrors) -> dict[str, Reputation | None]:
    listed: dict[str, Any] = {}
    with flaws.of(str(path)):
        listed = _listed(path)
    ratings: dict[str, Reputation | None] = {}
    for host, rating in listed.items():
        with flaws.of(f"{path.name}, {host!r:.80}"):
            ratings[single_owner_host(host)] = None if rating is None else _rating(rating)
    return ratings


def _listed(path: Path) -> dict[str, Any]:
    content = object_of(read_json_file(path, most_bytes=_MAX_FILE_BYTES), ("version", "domains"))
    listed = content.get("domains")
    if not isinstance(listed, dict):
        raise TypeError("the object `domains` is missing")
    return listed


def _rating(value: Any) -> Reputation:
    fields = object_of(value, ("tier", "basis", "note"))
    tier = next((known for known in _TIERS if known == fields.get("tier")), None)
    if tier is None:
        raise ValueError(f"tier must be one of {', '.join(_TIERS)}")
    basis = text_in(fields, "basis", longest=300)
    if basis is None:
        raise ValueError("a rating needs a basis: the public rule that it follows")
    return Reputation(tier=tier, basis=basis, note=text_in(fields, "note", longest=300))
