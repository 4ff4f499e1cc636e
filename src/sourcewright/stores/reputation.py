"""What is known of hosts' reliability: the data that comes with the program, and the operator's."""

import json
from collections.abc import Mapping
from pathlib import Path
from typing import Any

from sourcewright.domain.errors import StoreError
from sourcewright.domain.lenses import Rating
from sourcewright.logic.addressing import host_of

_OURS = Path(__file__).parents[1] / "data" / "reputation.json"
_LARGEST_BYTES = 5_000_000
_TIERS = ("high", "mixed", "low")


class Reputations:
    """Ratings by host; a host below a rated one shares its rating."""

    def __init__(self, ratings: Mapping[str, Rating]) -> None:
        self._ratings = ratings

    def rating_of(self, url: str) -> Rating | None:
        labels = host_of(url).split(".")
        names = (".".join(labels[at:]) for at in range(len(labels) - 1))
        return next((self._ratings[name] for name in names if name in self._ratings), None)


def load_reputations(overrides: Path | None) -> Reputations:
    """Ours, and over them the operator's.

    Raises:
        StoreError: A file cannot be read or is none of ratings.
    """
    ratings = _read(_OURS)
    return Reputations(ratings if overrides is None else {**ratings, **_read(overrides)})


def _read(path: Path) -> dict[str, Rating]:
    try:
        with path.open("rb") as stream:
            said = json.loads(stream.read(_LARGEST_BYTES))
        return {host.lower(): _rating(one) for host, one in said["domains"].items()}
    except (OSError, ValueError, TypeError, KeyError, AttributeError) as error:
        raise StoreError(f"{path}: not a file of ratings ({error})") from error


def _rating(said: Mapping[str, Any]) -> Rating:
    if said["tier"] not in _TIERS:
        raise ValueError(f"{said['tier']!r} is no tier")
    return Rating(tier=said["tier"], basis=str(said["basis"]), note=said.get("note"))
