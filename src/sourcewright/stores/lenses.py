"""The lenses that come with the program, and those of the operator."""

import json
from collections.abc import Iterable, Mapping
from pathlib import Path
from typing import Any

from sourcewright.domain.errors import StoreError
from sourcewright.domain.lenses import Lens

_OURS = Path(__file__).parents[1] / "data" / "lenses.json"
_LARGEST_BYTES = 1_000_000


class LensCatalog:
    """Lenses by name, in alphabetical order."""

    def __init__(self, lenses: Iterable[Lens]) -> None:
        self._by_name = {lens.name: lens for lens in sorted(lenses, key=lambda one: one.name)}

    def names(self) -> list[str]:
        return list(self._by_name)

    def get(self, name: str) -> Lens | None:
        return self._by_name.get(name.strip().lower())

    def all(self) -> list[Lens]:
        return list(self._by_name.values())


def load_lenses(folder: Path | None) -> LensCatalog:
    """Ours, and over them those of a folder.

    Raises:
        StoreError: A file cannot be read or is no lens.
    """
    own = [] if folder is None else sorted(folder.glob("*.json"))
    found = [lens for path in (_OURS, *own) for lens in _read(path)]
    return LensCatalog({lens.name: lens for lens in found}.values())


def _read(path: Path) -> list[Lens]:
    try:
        with path.open("rb") as stream:
            said = json.loads(stream.read(_LARGEST_BYTES))
        return [_lens(one) for one in (said if isinstance(said, list) else [said])]
    except (OSError, ValueError, TypeError, KeyError) as error:
        raise StoreError(f"{path}: not a file of lenses ({error})") from error


def _lens(said: Mapping[str, Any]) -> Lens:
    lens = Lens(
        name=str(said["name"]).strip().lower(),
        description=str(said["description"]),
        domains=tuple(str(one).strip().lower() for one in said.get("domains", ())),
        cx=said.get("cx") or None,
        goggle=said.get("goggle") or None,
    )
    if not lens.name or not (lens.domains or lens.cx):
        raise ValueError("a lens needs a name, and domains or cx")
    return lens
