"""Lines are read whole from chunks of any size, within a bounded buffer."""

from hypothesis import given
from hypothesis import strategies as st

from sourcewright.server.stdio.wire import LineSplitter

PORTIONS = st.lists(
    st.binary(max_size=12).map(lambda data: data.replace(b"x", b"\n")), max_size=12
)


@given(PORTIONS)
def test_lines_do_not_depend_on_how_the_bytes_arrive(portions):
    lines = LineSplitter()

    read = [line for portion in portions for line in lines.feed(portion)]

    assert [*read, lines.end()] == b"".join(portions).split(b"\n")


def test_a_line_beyond_the_limit_is_dropped_and_the_next_is_whole():
    lines = LineSplitter(limit=4)

    read = [
        line for portion in (b"12", b"345", b"67\nok", b"\n1234\n") for line in lines.feed(portion)
    ]

    assert read == [None, b"ok", b"1234"]


def test_the_bytes_of_a_line_beyond_the_limit_are_not_kept():
    lines = LineSplitter(limit=4)

    for _ in range(100):
        assert not list(lines.feed(b"x" * 1000))

    assert not lines._parts
