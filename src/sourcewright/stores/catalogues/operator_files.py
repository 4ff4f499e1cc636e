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

_MOST_TOLD = 50


class Flaws:
    """What is wrong with somebody's files: logged at once, and told again when asked."""

    def __init__(self, subject: str) -> None:
        self._subject = subject
        self.told: list[str] = []

    @contextmanager
    def of(self, place: str) -> Iterator[None]:
        """Note what goes wrong inside, and go on."""
        try:
            yield
        except OSError as error:
            self._note(f"{place}: {error.strerror or 'cannot be read'}")
        except (ValueError, TypeError) as error:
            self._note(f"{place}: {error}")

    def _note(self, flaw: str) -> None:
        if len(self.told) < _MOST_TOLD:
            self.told.append(flaw)
            logger.warning("%s: %s (left out)", self._subject, flaw)


def read_json(path: Path, *, most_bytes: int, inside: Path | None = None) -> Any:
    """The value in a file, which must lie inside a folder where one is named.

    Raises:
        OSError: It cannot be read.
        ValueError: It lies elsewhere, is no plain file, is too large, or is no JSON.
    """
    if inside is not None and not Path(realpath(path)).is_relative_to(realpath(inside)):
        raise ValueError("a link that leads out of the folder is not followed")
    if not stat.S_ISREG(path.stat().st_mode):
        raise ValueError("not a plain file")
    with path.open("rb") as stream:
        text = stream.read(most_bytes + 1)
    if len(text) > most_bytes:
        raise ValueError(f"larger than {most_bytes // 1024} KiB")
    try:
        return json.loads(text)
    except RecursionError as error:
        raise ValueError("nested too deeply") from error
    except ValueError as error:
        raise ValueError(f"no JSON: {error}") from error


def object_of(value: Any, fields: Collection[str]) -> dict[str, Any]:
    """The value, when it is an object with some of these fields and no others.

    Raises:
        TypeError: It is no object.
        ValueError: It has another field.
    """
    if not isinstance(value, dict):
        raise TypeError(f"expected an object, got {type(value).__name__}")
    if strange := sorted(value.keys() - set(fields)):
        raise ValueError(f"unknown field {strange[0]!r:.80}")
    return value


def text_in(said: dict[str, Any], field: str, *, longest: int) -> str | None:
    """The text of a field; None where there is none.

    Raises:
        ValueError: It is no text, empty, too long, or has something unprintable in it.
    """
    text = said.get(field)
    if text is None:
        return None
    if not isinstance(text, str) or not text.strip() or not text.isprintable():
        raise ValueError(f"{field} is no printable text")
    if len(text) > longest:
        raise ValueError(f"{field} is longer than {longest} characters")
    return text.strip()
