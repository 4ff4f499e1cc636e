"""Log messages that strangers can cause as often as they like."""

import logging

import pytest

from sourcewright.wiring.repeated_messages import RepeatedMessages


class Clock:
    """A time that a test sets."""

    seconds = 100.0

    def __call__(self):
        return self.seconds


@pytest.fixture
def clock():
    return Clock()


@pytest.fixture
def log(clock):
    """Logs a message, and returns the text that is written; None if it is left out."""
    messages = RepeatedMessages(clock)

    def write(message, *values, level=logging.WARNING, name="web"):
        record = logging.LogRecord(name, level, "", 0, message, values, None)
        return record.getMessage() if messages.filter(record) else None

    return write


def test_ten_of_one_kind_are_written_in_a_minute_and_the_rest_is_counted(log, clock):
    written = [log("address %s is refused", number) for number in range(50)]
    clock.seconds += 61

    assert written[:10] == [f"address {number} is refused" for number in range(10)]
    assert written[10:] == [None] * 40
    assert log("address %s is refused", 7) == (
        "address 7 is refused (and 40 times more, which were left out)"
    )
    assert log("address %s is refused", 8) == "address 8 is refused"


def test_other_messages_are_written_meanwhile(log):
    for _ in range(50):
        log("a")

    assert log("b") == "b"
    assert log("a", name="stores") == "a"
    assert [log("a", level=logging.INFO) for _ in range(20)] == ["a"] * 20


def test_any_number_of_kinds_takes_bounded_room(log):
    written = [log(f"message {number}") for number in range(5000)]

    assert len([one for one in written if one]) == 1010
