"""Hits made from lists in which anything may have any type."""

import pytest

from sourcewright.domain.finds import NewsHit, WebHit
from sourcewright.logic.hitting import (
    SNIPPET_LENGTH,
    hits_of,
    news_hit,
    pixels_of,
    snippet_of,
    web_hit,
)


def read(entry):
    return web_hit(entry.get("url"), title=entry.get("title"), snippet="", published=None)


def test_an_entry_without_a_web_address_is_left_out():
    listed = [
        {"url": "javascript:alert(1)", "title": "a"},
        {"url": "https://a.example/", "title": "b"},
        {"title": "c"},
    ]

    [hit] = hits_of(listed, read, 10)

    assert hit == WebHit(title="b", url="https://a.example/", snippet="")


def test_no_more_hits_are_kept_than_were_asked_for():
    listed = [{"url": f"https://a.example/{number}"} for number in range(5)]

    assert [hit.url for hit in hits_of(listed, read, 2)] == [one["url"] for one in listed[:2]]


def test_an_empty_list_is_an_answer():
    assert hits_of([], read, 10) == ()


@pytest.mark.parametrize("listed", [None, {}, "x", 7, {"url": "https://a.example"}])
def test_anything_but_a_list_is_a_changed_shape(listed):
    with pytest.raises(TypeError):
        hits_of(listed, read, 10)


def test_a_list_of_which_no_entry_leads_anywhere_is_a_changed_shape():
    with pytest.raises(ValueError, match="no hit has a web address"):
        hits_of([{"href": "https://a.example"}, {"href": "https://b.example"}], read, 10)


@pytest.mark.parametrize(
    ("parts", "snippet"),
    [
        ((), ""),
        ((None, ""), ""),
        (("<strong>Sea</strong> otters &amp; kelp",), "Sea otters & kelp"),
        (("one", None, "two"), "one two"),
        (("x" * SNIPPET_LENGTH,), "x" * SNIPPET_LENGTH),
        (("x" * (SNIPPET_LENGTH + 1),), "x" * (SNIPPET_LENGTH - 1) + "…"),
    ],
)
def test_a_snippet_is_plain_and_short(parts, snippet):
    assert snippet_of(*parts) == snippet


def test_what_has_no_title_goes_by_its_address_and_what_has_no_source_by_its_host():
    hit = news_hit("https://a.example/x", title=None, source=None, snippet="s", published=None)

    assert hit == NewsHit(
        title="https://a.example/x", url="https://a.example/x", source="a.example", snippet="s"
    )


@pytest.mark.parametrize(
    ("value", "pixels"),
    [
        (640, 640),
        ("640", 640),
        (640.0, 640),
        (None, None),
        (0, None),
        (-1, None),
        ("", None),
        ("wide", None),
        ("٣", None),
        (10**30, None),
        (1_000_001, None),
        (1e300, None),
    ],
)
def test_a_length_is_a_sensible_number_or_not_said(value, pixels):
    assert pixels_of(value) == pixels
