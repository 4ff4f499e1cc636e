"""OCR: finds Tesseract on this machine, with its version and languages."""

import asyncio
import contextlib
import re
import shutil
import sys
from collections.abc import Sequence

from sourcewright.base.errors import NotConfigured, Unavailable
from sourcewright.reading.readings import OcrProgram

OCR = "ocr"
_SETTING = "TESSERACT_PATH"
_DISABLED = "disabled"
_SECONDS = 10.0
_MAX_OUTPUT = 1 << 16
_MOST_LANGUAGES = 3
_VERSION = re.compile(r"tesseract v?(\d[\w.-]{0,30})")
_LANGUAGE = re.compile(r"[A-Za-z][A-Za-z_]{1,30}")
_NO_LANGUAGES = frozenset({"osd", "equ", "snum"})
"""What Tesseract lists beside languages."""


class Ocr:
    """The Tesseract that the operator names, or the one on the path; asked once what it has."""

    def __init__(
        self, setting: str = "", languages: Sequence[str] = (), *, page_seconds: float = 12.0
    ) -> None:
        self._page_seconds = page_seconds
        self._setting = setting.strip()
        self._languages = tuple(languages)
        is_off = self._setting.lower() == _DISABLED
        self._path = None if is_off else shutil.which(self._setting or "tesseract")
        self._program: asyncio.Task[OcrProgram] | None = None

    async def arguments(self) -> dict[str, str | float] | None:
        """What a reading process has to know; None if no scan can be read."""
        try:
            program = await self.examine()
        except (NotConfigured, Unavailable):
            return None
        return {
            "program": program.path,
            "languages": "+".join(program.languages),
            "page_seconds": self._page_seconds,
        }

    async def examine(self) -> OcrProgram:
        """The program with its languages.

        Raises:
            NotConfigured: There is none; the message says what to do about it.
            Unavailable: It does not work.
        """
        if self._path is None:
            raise self._absence()
        if self._program is None or _has_failed(self._program):
            self._program = asyncio.create_task(self._examined(self._path))
        # A caller that is cancelled does not end it for the others.
        return await asyncio.shield(self._program)

    def _absence(self) -> NotConfigured | Unavailable:
        if self._setting.lower() == _DISABLED:
            return NotConfigured(f"disabled by {_SETTING}={_DISABLED}", setting=_SETTING)
        if self._setting:
            detail = f"{_SETTING} is {self._setting}, which is not an executable program"
            return Unavailable(OCR, detail)
        command = (
            "brew install tesseract" if sys.platform == "darwin" else "apt install tesseract-ocr"
        )
        return NotConfigured(
            f"no Tesseract was found, so scanned pages are not read; install it ({command}) or set {_SETTING}",
            setting=_SETTING,
        )

    async def _examined(self, path: str) -> OcrProgram:
        version = _VERSION.search(await _output(path, "--version"))
        listed = (await _output(path, "--list-langs")).splitlines()
        installed = [
            one for one in listed if _LANGUAGE.fullmatch(one) and one not in _NO_LANGUAGES
        ]
        usual = sorted(installed, key=lambda one: (one != "eng", one))[:_MOST_LANGUAGES]
        languages = [one for one in self._languages if one in installed] or usual
        if version is None or not languages:
            raise Unavailable(OCR, f"{path} names neither its version nor a language")
        return OcrProgram(
            path=path,
            version=version[1],
            languages=tuple(languages),
            not_installed=tuple(one for one in self._languages if one not in installed),
        )


def _has_failed(task: "asyncio.Task[OcrProgram]") -> bool:
    return task.done() and (task.cancelled() or task.exception() is not None)


async def _output(path: str, argument: str) -> str:
    """What the program prints, up to a limit of time and length.

    Raises:
        Unavailable: It cannot be started, or does not end.
    """
    try:
        process = await asyncio.create_subprocess_exec(
            path,
            argument,
            stdin=asyncio.subprocess.DEVNULL,
            stdout=asyncio.subprocess.PIPE,
            stderr=asyncio.subprocess.STDOUT,
            env={"LC_ALL": "C"},
            cwd="/",
            start_new_session=True,
        )
    except OSError as error:
        raise Unavailable(OCR, f"{path}: {error.strerror or error}") from error
    output = bytearray()
    try:
        async with asyncio.timeout(_SECONDS):
            while process.stdout is not None and len(output) <= _MAX_OUTPUT:
                piece = await process.stdout.read(_MAX_OUTPUT)
                if not piece:
                    return output.decode("utf-8", "replace")
                output += piece
    except TimeoutError as error:
        raise Unavailable(OCR, f"{path} did not answer within {_SECONDS:g} seconds") from error
    finally:
        with contextlib.suppress(ProcessLookupError):
            process.kill()
        await process.wait()
    raise Unavailable(OCR, f"{path} prints more than it should")
