"""The catalogue of search lenses: built in, and from the operator's folder.

A validation error excludes only the lens that has it: the others are used, and the error
is logged and shown by `doctor`.
"""

import json
import re
from collections.abc import Iterable, Iterator
from pathlib import Path
from typing import Any

from sourcewright.base.urls.canonical import host_of
from sourcewright.base.urls.suffixes import site_of
from sourcewright.domain.web.lenses import Lens
from sourcewright.stores.catalogues.operator_files import (
    ValidationErrors,
    object_of,
    read_json_file,
    text_in,
)

MOST_FILES = 100
MOST_DOMAINS = 200
_MAX_FILE_BYTES = 256 * 1024
_BUILT_IN = Path(__file__).parents[2] / "data" / "lenses.json"
_NAME = re.compile(r"[a-z0-9][a-z0-9_-]{0,63}")
_ENGINE_ID = re.compile(r"[A-Za-z0-9][A-Za-z0-9:_-]{2,99}")


class LensCatalog:
    """Lenses by name, in alphabetical order."""

    def __init__(self, lenses: Iterable[Lens], flaws: Iterable[str] = ()) -> None:
        self._by_name = {lens.name: lens for lens in sorted(lenses, key=lambda each: each.name)}
        self.flaws = tuple(flaws)
        """Validation errors in the operator's folder, each with its file."""

    def names(self) -> list[str]:
        return list(self._by_name)

    def get(self, name: str) -> Lens | None:
        return self._by_name.get(name.strip().lower())


def load_lenses(folder: Path | None) -> LensCatalog:
    """The built-in lenses, and those of a folder, which replace built-in ones of the same name.

    No other folder is read. Files are read in order of their names, and a later lens
    replaces an earlier one.
    """
    lenses = {lens.name: lens for lens in map(_built_in_lens, json.loads(_BUILT_IN.read_bytes()))}
    flaws = ValidationErrors("lenses")
    if folder is not None:
        lenses |= {lens.name: lens for lens in _operator_lenses(folder, flaws)}
    return LensCatalog(lenses.values(), flaws.messages)


def _built_in_lens(fields: dict[str, Any]) -> Lens:
    """A built-in lens; a test validates them, so this does not."""
    return Lens(**{**fields, "domains": tuple(fields["domains"])})


def _operator_lenses(folder: Path, flaws: ValidationErrors) -> Iterator[Lens]:
    for path in _files(folder, flaws):
        content = None
        with flaws.of(path.name):
            content = read_json_file(path, inside=folder, most_bytes=_MAX_FILE_BYTES)
        if content is None:
            continue
        for number, lens in enumerate(content if isinstance(content, list) else [content], 1):
            with flaws.of(f"{path.name}, lens {number}"):
                yield _validated(lens)


def _files(folder: Path, flaws: ValidationErrors) -> list[Path]:
    paths: list[Path] = []
    with flaws.of(str(folder)):
        paths = sorted(path for path in folder.iterdir() if path.suffix == ".json")
        if len(paths) > MOST_FILES:
            raise ValueError(f"more than {MOST_FILES} files; the others are ignored")
    return paths[:MOST_FILES]


def _validated(value: Any) -> Lens:
    """An operator's lens, validated.

    Raises:
        ValueError, TypeError: It is not valid; the message says why.
    """
    fields = object_of(value, ("name", "description", "domains", "cx", "goggle"))
    name, description = (text_in(fields, field, longest=500) for field in ("name", "description"))
    if name is None or not _NAME.fullmatch(name):
        raise ValueError(
            "name must consist of lower-case letters, digits, - and _, at most 64 characters"
        )
    if description is None:
        raise ValueError("a lens needs a description")
    domains, cx = _domains(fields.get("domains")), text_in(fields, "cx", longest=100)
    if cx is not None and not _ENGINE_ID.fullmatch(cx):
        raise ValueError("cx is not an id of a Programmable Search engine")
    goggle = _goggle(text_in(fields, "goggle", longest=2000))
    if not domains and not cx and not goggle:
        raise ValueError("a lens needs domains, cx or goggle")
    return Lens(
        name=name,
        description=description,
        domains=domains,
        cx=cx,
        goggle=goggle,
    )


def _domains(value: Any) -> tuple[str, ...]:
    if value is None:
        return ()
    if not isinstance(value, list) or not 0 < len(value) <= MOST_DOMAINS:
        raise ValueError(f"domains must be a list of 1 to {MOST_DOMAINS} hosts")
    return tuple(dict.fromkeys(map(site_of, value)))


def _goggle(url: str | None) -> str | None:
    if url is not None and not (url.startswith("https://") and host_of(url)):
        raise ValueError("goggle must be an https URL")
    return url
