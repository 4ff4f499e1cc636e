"""How long the outcome of a download is remembered, by a clock that the test sets."""

from dataclasses import dataclass

import pytest

from sourcewright.base.errors import NotConfigured, NotFound, Unavailable
from sourcewright.services.papers.doiget_tools import REPLAY_SECONDS, WAIT_SECONDS, RepeatedErrors


@dataclass
class ManualClock:
    """A clock that stands still until it is moved."""

    seconds: float = 1000.0

    def monotonic(self) -> float:
        return self.seconds

    def now(self) -> float:
        return self.seconds

    async def sleep(self, seconds: float) -> None:
        self.seconds += seconds


@pytest.mark.parametrize(
    ("error", "window"),
    [(Unavailable("x", "away"), WAIT_SECONDS), (NotFound("x", "none"), REPLAY_SECONDS)],
)
def test_an_ending_after_the_window_opens_a_window_of_its_own(error, window):
    clock = ManualClock()
    repeats = RepeatedErrors(clock, lambda: "")
    repeats.note("key", error, "first")
    clock.seconds += window + 1
    repeats.note("key", error, "second")

    clock.seconds += window - 1
    message = repeats.last("key")

    assert message is not None
    assert "second" in str(message)


@pytest.mark.parametrize(
    ("error", "window"),
    [(Unavailable("x", "away"), WAIT_SECONDS), (NotFound("x", "none"), REPLAY_SECONDS)],
)
def test_asking_again_by_force_does_not_prolong_the_window(error, window):
    clock = ManualClock()
    repeats = RepeatedErrors(clock, lambda: "")
    repeats.note("key", error)
    clock.seconds += window - 1
    repeats.note("key", error)

    clock.seconds += 2

    assert repeats.last("key") is None


def test_the_wait_that_is_told_is_long_enough():
    clock = ManualClock()
    repeats = RepeatedErrors(clock, lambda: "")
    repeats.note("key", Unavailable("x", "away"))
    clock.seconds += WAIT_SECONDS - 0.4
    refusal = repeats.last("key")

    assert refusal is not None
    assert "try again in 1 s" in str(refusal)
    clock.seconds += refusal.retry_after
    assert repeats.last("key") is None


def test_a_changed_configuration_lifts_the_replay():
    fingerprint = "before"
    repeats = RepeatedErrors(ManualClock(), lambda: fingerprint)
    repeats.note("key", NotConfigured("no address"))

    fingerprint = "after"

    assert repeats.last("key") is None
