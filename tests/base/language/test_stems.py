"""Stems of words, also when several threads ask at once."""

import sys
from collections.abc import Iterator
from concurrent.futures import ThreadPoolExecutor

import pytest

from sourcewright.base.language.stems import stem_of

_WORDS = ["nationalization", "hopeful", "relational", "conditional", "digitizer", "vileness"]


@pytest.fixture
def frequent_switches() -> Iterator[None]:
    interval = sys.getswitchinterval()
    sys.setswitchinterval(1e-6)
    yield
    sys.setswitchinterval(interval)


@pytest.mark.usefixtures("frequent_switches")
def test_threads_that_stem_at_once_do_not_disturb_each_other() -> None:
    expected = [stem_of(word, "en") for word in _WORDS]

    def stems(_: int) -> list[list[str]]:
        return [[stem_of(word, "en") for word in _WORDS] for _ in range(50)]

    with ThreadPoolExecutor(8) as threads:
        for answers in threads.map(stems, range(8)):
            assert all(answer == expected for answer in answers)
