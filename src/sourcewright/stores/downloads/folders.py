"""Allowed folders for downloads: the working and home directories, and the operator's."""

from collections.abc import Iterable
from contextlib import suppress
from pathlib import Path
from unicodedata import category

from sourcewright.domain.errors import Denial, Denied, InvalidInput

_USUAL = Path("downloads")
"""The contract's own default, which callers may also spell out."""
_LONGEST_PATH = 3800
_LONGEST_PART = 255
_LONGEST_SHOWN = 200


class DownloadFolders:
    """The folders that a caller may have downloads saved in."""

    def __init__(self, *, cwd: Path, home: Path, allowed: tuple[Path, ...], default: Path) -> None:
        self._cwd = cwd
        self._home = home
        self._default = default
        own = [folder for folder in (cwd, home) if not _is_root(folder)]
        self._bases = tuple(dict.fromkeys((*own, *allowed)))

    def choose(self, asked: str | None) -> Path:
        """The folder that is meant, with no link left in it; nothing is made.

        Raises:
            InvalidInput: The text cannot be the name of a folder.
            Denied: Downloads are kept out of that folder.
        """
        parts = _USUAL.parts if asked is None else _parts(asked)
        if parts == _USUAL.parts:
            return self._chosen(asked or f"./{_USUAL}", self._default)
        at_home = parts[:1] == ("~",)
        wanted = Path(self._home, *parts[1:]) if at_home else Path(self._cwd, *parts)
        return self._chosen(asked or "", wanted)

    def _chosen(self, asked: str, wanted: Path) -> Path:
        found = _resolved(wanted)
        # The operator's own folder for data may be hidden, and may be anywhere.
        ours = wanted == self._default and wanted.parent != self._cwd
        if not ours:
            self._expect_inside(asked, found)
            self._expect_visible(asked, wanted, found)
        if obstacle := _obstacle(found):
            raise InvalidInput(f"output_dir {_shown(asked)}: {obstacle} is not a folder")
        return found

    def _expect_inside(self, asked: str, found: Path) -> None:
        if not any(found.is_relative_to(_resolved(base)) for base in self._bases):
            raise self._denied(asked, found, "is outside the folders that are open to downloads")

    def _expect_visible(self, asked: str, wanted: Path, found: Path) -> None:
        """Nothing hidden below a base, neither by the name that was given nor where it leads."""
        ends = [_resolved(base) for base in self._bases]
        starts = (*self._bases, *ends, Path(wanted.anchor))
        if not (_is_visible(found, ends) and _is_visible(wanted, starts)):
            raise self._denied(asked, found, "is hidden, because a part of it begins with a dot")

    def _denied(self, asked: str, found: Path, why: str) -> Denied:
        open_to = tuple(str(base) for base in self._bases)
        inside = f"choose a folder inside {' or '.join(open_to)}, or " if open_to else ""
        return Denied(
            f"output_dir {_shown(asked)}: {found} {why}; {inside}"
            "name a folder that you want to use in PAPER_ALLOWED_DIRS",
            Denial(reason="capability_not_granted", attempted=str(found), expected=open_to),
        )


def _parts(asked: str) -> tuple[str, ...]:
    text = asked.strip()
    parts = Path(text).parts
    if flaw := _flaw(text, parts):
        raise InvalidInput(f"output_dir {_shown(asked)}: {flaw}")
    return parts


def _flaw(text: str, parts: tuple[str, ...]) -> str:
    """Why the text cannot be a folder's name."""
    sizes = [len(part.encode(errors="replace")) + 1 for part in parts]
    flaws = {
        "names no folder": not text,
        "holds characters that no name may have": any(
            category(char) in {"Cc", "Cs", "Zl", "Zp"} for char in text
        ),
        "must be a plain path, its parts separated by /": "\\" in text or "://" in text,
        "must not go up by ..": ".." in parts,
        "may begin with ~/ but not with another user's home": (
            text.startswith("~") and parts[0] != "~"
        ),
        "is too long": sum(sizes) > _LONGEST_PATH or max(sizes, default=0) > _LONGEST_PART + 1,
    }
    return next((flaw for flaw, is_so in flaws.items() if is_so), "")


def _is_visible(path: Path, bases: Iterable[Path]) -> bool:
    """Whether the path lies in one of the bases and is not hidden below that."""
    inside = [path.relative_to(base) for base in bases if path.is_relative_to(base)]
    return any(not any(part.startswith(".") for part in below.parts) for below in inside)


def _is_root(folder: Path) -> bool:
    return _resolved(folder) == Path(folder.anchor)


def _resolved(path: Path) -> Path:
    """The path without links; one that leads in circles stays, and is nobody's folder."""
    with suppress(OSError, RuntimeError):
        return path.resolve()
    return path


def _obstacle(path: Path) -> Path | None:
    """What stands there, or on the way there, and is no folder."""
    with suppress(OSError):
        ways = (place for place in (path, *path.parents) if place.is_symlink() or place.exists())
        nearest = next(ways)
        return None if nearest.is_dir() else nearest
    return None


def _shown(asked: str) -> str:
    shown = repr(asked)
    return shown if len(shown) <= _LONGEST_SHOWN else shown[: _LONGEST_SHOWN - 1] + "…"
