"""JSON files written by an operator, with their validation errors."""

import json
import logging
import stat
from collections.abc import Collection, Iterator
from contextlib import contextmanager
from os.path import realpath
from pathlib import Path
from typing import Any

logger = logging.getLogger(__name__)

_MAX_ERRORS = 50


class ValidationErrors:
    """Collects the validation errors of an operator's files; each is also logged."""

    def __init__(self, subject: str) -> None:
        self._subject = subject
        self.messages: list[str] = []

    @contextmanager
    def of(self, place: str) -> Iterator[None]:
        """Record errors raised inside, and continue."""
        try:
            yield
        except OSError as error:
            self._add(f"{place}: {error.strerror or 'cannot be read'}")
        except (ValueError, TypeError) as error:
            self._add(f"{place}: {error}")

    def _add(self, message: str) -> None:
        if len(self.messages) < _MAX_ERRORS:
            self.messages.append(message)
            logger.warning("%s: %s (left out)", self._subject, message)


def read_json_file(path: Path, *, most_bytes: int, inside: Path | None = None) -> Any:
    """Parse a JSON file, which must be inside the folder `inside` if one is given.

    Raises:
        OSError: It cannot be read.
        ValueError: It is outside, not a regular file, too large, or not JSON.
    """
    if inside is not None and not Path(realpath(path)).is_relative_to(realpath(inside)):
        raise ValueError("a symbolic link that leads out of the folder is not followed")
    if not stat.S_ISREG(path.stat().st_mode):
        raise ValueError("not a regular file")
    with path.open("rb") as stream:
        text = stream.read(most_bytes + 1)
    if len(text) > most_bytes:
        raise ValueError(f"larger than {most_bytes // 1024} KiB")
    try:
        return json.loads(text)
    except RecursionError as error:
        raise ValueError("nested too deeply") from error
    except ValueError as error:
        raise ValueError(f"not valid JSON: {error}") from error


def object_of(value: Any, fields: Collection[str]) -> dict[str, Any]:
    """The value, if it is an object with no other fields than these.

    Raises:
        TypeError: It is not an object.
        ValueError: It has an unknown field.
    """
    if not isinstance(value, dict):
        raise TypeError(f"expected an object, got {type(value).__name__}")
    if unknown := sorted(value.keys() - set(fields)):
        raise ValueError(f"unknown field {unknown[0]!r:.80}")
    return value


def text_in(fields: dict[str, Any], field: str, *, longest: int) -> str | None:
    """The text of a field; None if it is absent.

    Raises:
        ValueError: It is not a text, empty, too long, or not printable.
    """
    text = fields.get(field)
    if text is None:
        return None
    if not isinstance(text, str) or not text.strip() or not text.isprintable():
        raise ValueError(f"{field} is not printable text")
    if len(text) > longest:
        raise ValueError(f"{field} is longer than {longest} characters")
    return text.strip()
