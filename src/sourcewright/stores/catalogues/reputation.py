"""The catalogue of host reputation: built in, and the operator's.

A host that is not listed is unknown, which is neither good nor bad.
"""

import json
from collections.abc import Iterable, Mapping
from pathlib import Path
from typing import Any, get_args

from sourcewright.domain.lenses import Rating, Tier
from sourcewright.logic.urls.canonical import host_of
from sourcewright.logic.urls.suffixes import rated_host
from sourcewright.stores.catalogues.operator_files import Flaws, object_of, read_json, text_in

_OURS = Path(__file__).parents[2] / "data" / "reputation.json"
_LARGEST_BYTES = 2 * 1024 * 1024
_TIERS: tuple[Tier, ...] = get_args(Tier)


class Reputations:
    """Ratings by host; a host below a rated one shares its rating."""

    def __init__(self, ratings: Mapping[str, Rating | None], flaws: Iterable[str] = ()) -> None:
        self._ratings = ratings
        self.flaws = tuple(flaws)
        """What was left out of the operator's file, each with the reason."""

    def rating_of(self, url: str) -> Rating | None:
        """The rating of the address's host, or of the nearest host above it that has one."""
        labels = host_of(url).split(".")
        names = (".".join(labels[at:]) for at in range(len(labels) - 1))
        return next((self._ratings[name] for name in names if name in self._ratings), None)


def load_reputations(overrides: Path | None) -> Reputations:
    """Ours, and over them the operator's; null there takes a host's rating away."""
    ours = json.loads(_OURS.read_bytes())["domains"]
    ratings: dict[str, Rating | None] = {host: Rating(**said) for host, said in ours.items()}
    flaws = Flaws("reputation")
    if overrides is not None:
        ratings |= _own(overrides, flaws)
    return Reputations(ratings, flaws.told)


def _own(path: Path, flaws: Flaws) -> dict[str, Rating | None]:
    listed: dict[str, Any] = {}
    with flaws.of(str(path)):
        listed = _listed(path)
    ratings: dict[str, Rating | None] = {}
    for host, one in listed.items():
        with flaws.of(f"{path.name}, {host!r:.80}"):
            ratings[rated_host(host)] = None if one is None else _rating(one)
    return ratings


def _listed(path: Path) -> dict[str, Any]:
    said = object_of(read_json(path, most_bytes=_LARGEST_BYTES), ("version", "domains"))
    listed = said.get("domains")
    if not isinstance(listed, dict):
        raise TypeError("there is no object `domains`")
    return listed


def _rating(said: Any) -> Rating:
    fields = object_of(said, ("tier", "basis", "note"))
    tier = next((one for one in _TIERS if one == fields.get("tier")), None)
    if tier is None:
        raise ValueError(f"tier is one of {', '.join(_TIERS)}")
    basis = text_in(fields, "basis", longest=300)
    if basis is None:
        raise ValueError("a rating needs the public rule that it follows from, as basis")
    return Rating(tier=tier, basis=basis, note=text_in(fields, "note", longest=300))
