"""The cache of sessions is bounded by the size of their records, not by their number."""

from sourcewright.domain.users.sessions import Head, Owner, Session, SessionChange, Step, Subject
from sourcewright.stores.sessions.cache import SessionCache

OWNER = Owner(tenant="default", user="anonymous")
MEGABYTE = 1024 * 1024


def session(name):
    return Session(owner=OWNER, head=Head(id=name, started_at=""), subject=Subject(goal="tides"))


def kept(cache, names):
    return [name for name in names if cache.get(name, b"1")]


def test_all_sessions_of_an_owner_are_kept_if_they_are_small():
    cache, names = SessionCache(), [str(number) for number in range(50)]
    for name in names:
        cache.put(name, b"1", session(name), 30_000)

    assert kept(cache, names) == names


def test_sessions_that_are_too_large_together_leave_the_cache_the_oldest_first():
    cache = SessionCache()
    for name in "abc":
        cache.put(name, b"1", session(name), 3 * MEGABYTE)

    assert kept(cache, "abc") == ["b", "c"]


def test_one_session_is_kept_whatever_its_size():
    cache = SessionCache()
    cache.put("a", b"1", session("a"), 3 * MEGABYTE)
    cache.put("b", b"1", session("b"), 100 * MEGABYTE)

    assert kept(cache, "ab") == ["b"]


def test_what_a_change_adds_counts_and_what_leaves_does_not():
    cache = SessionCache()
    for name in "ab":
        cache.put(name, b"1", session(name), 3 * MEGABYTE)
    change = SessionChange(
        head=Head(id="a", started_at="", step_count=1),
        steps=(Step(number=1, description="Read the reviews.", at=""),),
    )

    cache.advance("a", (b"1", b"2"), change, 4 * MEGABYTE)

    assert kept(cache, "b") == []
    assert cache.get("a", b"2").steps == change.steps
    cache.put("b", b"1", session("b"), MEGABYTE)
    assert cache.get("a", b"2")
    cache.advance("a", (b"elsewhere", b"3"), change, 1)
    assert cache.get("a", b"2") is None
    cache.put("c", b"1", session("c"), 7 * MEGABYTE)
    assert kept(cache, "bc") == ["b", "c"]
