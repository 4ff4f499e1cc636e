"""No text makes `base`, `domain`, `reading` or `references` slow: their time grows with the length of what they are given.

Patterns and public functions get long runs of awkward characters. Steps inside a regular expression
cannot be counted, so the processor time of this thread is measured. Other work on the machine slows
a thread too, by emptying its caches: so the least of several runs counts, a long text is compared
with as much text in short pieces, in turns, and what seems slow is measured again.
"""

import ast
import importlib
import inspect
import pkgutil
import re
import signal
import time
from collections.abc import Callable, Iterator
from contextlib import contextmanager
from functools import cache
from pathlib import Path
from types import FrameType, FunctionType, ModuleType
from typing import Any, get_type_hints

import pytest

import sourcewright.base
import sourcewright.domain
import sourcewright.reading
import sourcewright.references
import sourcewright.services.brands
import sourcewright.services.papers.file_check
import sourcewright.services.sessions

PACKAGES = (
    sourcewright.base,
    sourcewright.domain,
    sourcewright.reading,
    sourcewright.references,
    sourcewright.services.brands,
    sourcewright.services.papers.file_check,
    sourcewright.services.sessions,
)
RUNS = (
    *(
        " ",
        "\t",
        "\n",
        " \n",
        "a",
        "A",
        "1",
        "1,",
        ".",
        ". ",
        ".111",
        "-",
        "_",
        "*",
        "=",
        "'",
        '"',
    ),
    *("[", "]", "(", "()", "{", "<", "<a", "<?", "<!--", "&", "&#", "\\", "\\(", "$$", "a ", "a."),
    *("a@", "a,", "A.", "/", ":", "#", "|", "%", "`", "²", "½", "é", "漢", "\u0301", "。", "and "),
)
FEW_RUNS = (
    *(" ", "\n", "a", "1", ".", "<a", "<?", "<!--", "<math>", "[", "(", "&#", "\\(", "a@", "*"),
    *("\u0301", "漢", "a ", "A. ", "%", "/", '"', "<p>", "{", "not ", "more than "),
)
"""For functions, of which one may do what many patterns do."""
END = "\x01"
"""What follows a run, so that a pattern which took all of it has to think again."""
SMALL, LARGE = 1_000, 8_000
LONG_ENOUGH = 0.015
"""Seconds from which a time is judged."""
MOST_GROWTH = 3
"""Times the time that a text may take, of that of the same length in short pieces; a square would be eight."""
TURNS, TRIALS = 4, 4
"""Measurements in a trial, of which the least count, and trials that must all find it slow."""
TOO_LONG = 1.5
"""Seconds of processor time after which a call is ended."""
SEARCHES = frozenset(("search", "sub", "subn", "finditer", "findall", "split"))
USUAL = {"language": "en", "url": "https://example.org/a"}
"""What arguments are that do not get the long text, where a letter would only be refused."""
Pattern = re.Pattern[Any]


class TooSlowError(Exception):
    """A call took so long that it was ended."""


@contextmanager
def ended_after(seconds: float) -> Iterator[None]:
    """Ends what takes more processor time than this, also inside a regular expression."""

    def end(_signal: int, _frame: FrameType | None) -> None:
        raise TooSlowError

    before = signal.signal(signal.SIGPROF, end)
    signal.setitimer(signal.ITIMER_PROF, seconds)
    try:
        yield
    finally:
        signal.setitimer(signal.ITIMER_PROF, 0)
        signal.signal(signal.SIGPROF, before)


def spent(call: Callable[[str], object], text: str) -> float:
    start = time.thread_time()
    try:
        call(text)
    except TooSlowError:
        raise
    except Exception:  # noqa: BLE001 -- what it answers to such a text is for other tests to say
        pass
    return time.thread_time() - start


def grows_too_fast(call: Callable[[str], object], run: str) -> bool:
    """Whether a long text takes far more time than as much text in short pieces."""
    short, long = (run * (size // len(run)) + END for size in (SMALL, LARGE))
    try:
        with ended_after(TOO_LONG):
            if spent(call, long) < LONG_ENOUGH:
                return False
        return all(is_slow(call, short, long) for _ in range(TRIALS))
    except TooSlowError:
        return True


def is_slow(call: Callable[[str], object], short: str, long: str) -> bool:
    """One trial. Both sides last equally long where time grows with length, and take turns."""
    with ended_after(12 * TOO_LONG):
        turns = [
            (spent(call, long), sum(spent(call, short) for _ in range(LARGE // SMALL)))
            for _ in range(TURNS)
        ]
    whole, pieces = min(turn[0] for turn in turns), min(turn[1] for turn in turns)
    return whole > LONG_ENOUGH and whole > MOST_GROWTH * pieces


def slow_on(call: Callable[[str], object], runs: tuple[str, ...] = RUNS) -> str | None:
    """The first run that takes too long."""
    return next((run for run in runs if grows_too_fast(call, run)), None)


@cache
def modules() -> tuple[ModuleType, ...]:
    return tuple(
        importlib.import_module(found.name)
        for package in PACKAGES
        for found in pkgutil.walk_packages(package.__path__, f"{package.__name__}.")
    )


def methods(module: ModuleType) -> dict[str, set[str]]:
    """How the names of a module are used: `search` for `_NAME.search`."""
    used: dict[str, set[str]] = {}
    for node in ast.walk(ast.parse(Path(module.__file__ or "").read_text(encoding="utf-8"))):
        if isinstance(node, ast.Attribute) and isinstance(node.value, ast.Name):
            used.setdefault(node.value.id, set()).add(node.attr)
    return used


def compiled(value: object) -> list[Pattern]:
    """The patterns in a value: itself, or those in a tuple, a list or a table."""
    if isinstance(value, dict):
        several = [*value.values()]
    else:
        several = [*value] if isinstance(value, list | tuple) else [value]
    return [one for one in several if isinstance(one, re.Pattern)]


def patterns_in(module: ModuleType) -> Iterator[tuple[str, Callable[[str], object]]]:
    uses = methods(module)
    for name, value in vars(module).items():
        used = uses.get(name, set())
        searches = not used or not used.isdisjoint(SEARCHES)
        for at, pattern in enumerate(compiled(value)):
            yield f"{name}[{at}]", tried(pattern, searches=searches)


def tried(pattern: Pattern, *, searches: bool) -> Callable[[str], object]:
    def call(text: str) -> None:
        given = text if isinstance(pattern.pattern, str) else text.encode()
        if searches:
            for _ in pattern.finditer(given):
                pass
        else:
            pattern.match(given)
            pattern.fullmatch(given)

    return call


def functions_in(module: ModuleType) -> Iterator[tuple[str, Callable[[str], object]]]:
    """Public functions whose required arguments are all text or bytes, for each of those."""
    for name, function in vars(module).items():
        plain = inspect.unwrap(function) if callable(function) else None
        if not isinstance(plain, FunctionType) or plain.__module__ != module.__name__:
            continue
        kinds = {} if name.startswith("_") else required(plain)
        for long in kinds if set(kinds.values()) <= {str, bytes} else ():
            yield f"{name}({long})", given(plain, kinds, long)


def required(function: FunctionType) -> dict[str, object]:
    hints = get_type_hints(function)
    parameters = inspect.signature(function).parameters.values()
    return {
        one.name: hints.get(one.name)
        for one in parameters
        if one.default is one.empty and one.kind not in (one.VAR_POSITIONAL, one.VAR_KEYWORD)
    }


def given(
    function: Callable[..., object], kinds: dict[str, object], long: str
) -> Callable[[str], object]:
    """The function with a long text for one argument, and a letter for each of the others."""

    def call(text: str) -> None:
        texts = {name: text if name == long else USUAL.get(name, "a") for name in kinds}
        found = function(
            **{
                name: message if kinds[name] is str else message.encode()
                for name, message in texts.items()
            }
        )
        if isinstance(found, Iterator):
            for _ in found:
                pass

    return call


@pytest.mark.parametrize("module", modules(), ids=lambda module: module.__name__)
def test_no_text_takes_more_time_than_its_length_explains(module: ModuleType) -> None:
    patterns = {name: slow_on(call) for name, call in patterns_in(module)}
    functions = {name: slow_on(call, FEW_RUNS) for name, call in functions_in(module)}

    slow = {name: run for name, run in (patterns | functions).items() if run}
    assert slow == {}


def test_a_pattern_whose_time_grows_with_the_square_is_found() -> None:
    assert slow_on(tried(re.compile(r"[ \t]+$"), searches=True)) in (" ", "\t")
    assert slow_on(tried(re.compile(r"(?<![ \t])[ \t]++$"), searches=True)) is None


def test_a_pattern_that_never_ends_is_found() -> None:
    assert slow_on(tried(re.compile(r"(?:\w\w?)+!"), searches=True), ("a",)) is not None


def test_a_function_whose_time_grows_with_the_square_is_found() -> None:
    def beginnings(text: str) -> int:
        return sum(1 for at in range(len(text)) for _ in text[:at])

    assert slow_on(given(beginnings, {"text": str}, "text"), ("a",)) == "a"


def test_enough_is_looked_at() -> None:
    assert sum(1 for module in modules() for _ in patterns_in(module)) > 300
    assert sum(1 for module in modules() for _ in functions_in(module)) > 100
