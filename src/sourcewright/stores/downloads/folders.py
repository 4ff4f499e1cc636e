"""Allowed folders for downloads: working directory, home directory, and the operator's."""

from collections.abc import Iterable
from contextlib import suppress
from pathlib import Path
from unicodedata import category

from sourcewright.base.errors import Denial, Denied, InvalidInput
from sourcewright.base.text.phrases import shortened

_DEFAULT = Path("downloads")
"""The documented default, which callers may also pass explicitly."""
_MAX_PATH_BYTES = 3800
_MAX_NAME_BYTES = 255
_MAX_QUOTED = 200


class DownloadFolders:
    """Decides into which folders a caller may save downloads."""

    def __init__(self, *, cwd: Path, home: Path, allowed: tuple[Path, ...], default: Path) -> None:
        self._cwd = cwd
        self._home = home
        self._default = default
        own = [folder for folder in (cwd, home) if not _is_root(folder)]
        self._bases = tuple(dict.fromkeys((*own, *allowed)))

    def choose(self, requested_text: str | None) -> Path:
        """The resolved path of the requested folder; nothing is created.

        Raises:
            InvalidInput: The text is not a valid folder path.
            Denied: Downloads are not allowed in that folder.
        """
        parts = _DEFAULT.parts if requested_text is None else _parts(requested_text)
        if parts == _DEFAULT.parts:
            return self._checked(requested_text or f"./{_DEFAULT}", self._default)
        at_home = parts[:1] == ("~",)
        requested = Path(self._home, *parts[1:]) if at_home else Path(self._cwd, *parts)
        return self._checked(requested_text or "", requested)

    def _checked(self, text: str, requested: Path) -> Path:
        resolved = _resolved(requested)
        # The operator's own data folder may be hidden, and may be anywhere.
        is_operator_default = requested == self._default and requested.parent != self._cwd
        if not is_operator_default:
            self._expect_inside(text, resolved)
            self._expect_visible(text, requested, resolved)
        if obstacle := _obstacle(resolved):
            raise InvalidInput(f"output_dir {_quoted(text)}: {obstacle} is not a folder")
        return resolved

    def _expect_inside(self, text: str, resolved: Path) -> None:
        if not any(resolved.is_relative_to(_resolved(base)) for base in self._bases):
            raise self._denied(
                text, resolved, "is outside the folders that are allowed for downloads"
            )

    def _expect_visible(self, text: str, requested: Path, resolved: Path) -> None:
        """Raise if a part below a base is hidden, in the path as given or as resolved."""
        resolved_bases = [_resolved(base) for base in self._bases]
        starts = (*self._bases, *resolved_bases, Path(requested.anchor))
        if not (_is_visible(resolved, resolved_bases) and _is_visible(requested, starts)):
            raise self._denied(
                text, resolved, "is hidden, because one of its parts begins with a dot"
            )

    def _denied(self, text: str, resolved: Path, explanation: str) -> Denied:
        allowed = tuple(str(base) for base in self._bases)
        inside = f"choose a folder inside {' or '.join(allowed)}, or " if allowed else ""
        return Denied(
            f"output_dir {_quoted(text)}: {resolved} {explanation}; {inside}add the folder to PAPER_ALLOWED_DIRS",
            Denial(reason="capability_not_granted", attempted=str(resolved), expected=allowed),
        )


def _parts(text: str) -> tuple[str, ...]:
    stripped = text.strip()
    parts = Path(stripped).parts
    if flaw := _path_error(stripped, parts):
        raise InvalidInput(f"output_dir {_quoted(text)}: {flaw}")
    return parts


def _path_error(text: str, parts: tuple[str, ...]) -> str:
    """Why the text is not a valid folder path; empty if it is."""
    sizes = [len(part.encode(errors="replace")) + 1 for part in parts]
    checks = {
        "is empty": not text,
        "contains characters that are not allowed in file names": any(
            category(char) in {"Cc", "Cs", "Zl", "Zp"} for char in text
        ),
        "must be a plain path, with its parts separated by /": "\\" in text or "://" in text,
        "must not contain ..": ".." in parts,
        "may begin with ~/ but not with the home folder of another user": (
            text.startswith("~") and parts[0] != "~"
        ),
        "is too long": sum(sizes) > _MAX_PATH_BYTES or max(sizes, default=0) > _MAX_NAME_BYTES + 1,
    }
    return next((message for message, applies in checks.items() if applies), "")


def _is_visible(path: Path, bases: Iterable[Path]) -> bool:
    """Whether the path is inside one of the bases and not hidden below it."""
    inside = [path.relative_to(base) for base in bases if path.is_relative_to(base)]
    return any(not any(part.startswith(".") for part in below.parts) for below in inside)


def _is_root(folder: Path) -> bool:
    return _resolved(folder) == Path(folder.anchor)


def _resolved(path: Path) -> Path:
    """The path with symbolic links resolved; unchanged if the links form a loop."""
    with suppress(OSError, RuntimeError):
        return path.resolve()
    return path


def _obstacle(path: Path) -> Path | None:
    """The nearest existing part of the path if it is not a folder."""
    with suppress(OSError):
        existing = (
            candidate
            for candidate in (path, *path.parents)
            if candidate.is_symlink() or candidate.exists()
        )
        nearest = next(existing)
        return None if nearest.is_dir() else nearest
    return None


def _quoted(text: str) -> str:
    return shortened(repr(text), _MAX_QUOTED)
