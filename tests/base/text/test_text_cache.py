"""Cache for functions of one short text."""

from sourcewright.base.text.text_cache import cached_if_short


def test_a_short_text_is_computed_once_and_a_long_one_is_never_kept():
    calls = []

    @cached_if_short
    def length(text):
        calls.append(text[:1])
        return len(text)

    assert [length(text) for text in ("ab", "ab", "c" * 501, "c" * 501)] == [2, 2, 501, 501]
    assert calls == ["a", "c", "c"]
