"""Hits made from lists in which anything may have any type."""

import pytest

from sourcewright.domain.search.results import (
    SNIPPET_LENGTH,
    RawHit,
    hits_of,
    image_hit,
    news_hit,
    pixels_of,
    snippet_of,
    web_hit,
)
from sourcewright.domain.web.hits import ImageHit, NewsHit, WebHit

NOW = 1_750_000_000.0


def raw_hit(url="https://a.example/x", title="T", **more):
    return RawHit(url=url, title=title, **more)


def test_an_entry_without_a_web_address_is_left_out():
    entries = [raw_hit("javascript:alert(1)"), raw_hit("https://a.example/"), raw_hit(None)]

    assert hits_of(entries, web_hit, NOW) == (
        WebHit(title="T", url="https://a.example/", snippet=""),
    )


def test_an_empty_list_is_an_answer():
    assert hits_of([], web_hit, NOW) == ()


def test_a_list_of_which_no_entry_leads_anywhere_is_a_changed_shape():
    with pytest.raises(ValueError, match="no result has a URL"):
        hits_of([raw_hit(None), raw_hit("/x")], web_hit, NOW)


@pytest.mark.parametrize("title", [{}, [], True])
@pytest.mark.parametrize("make", [web_hit, news_hit, image_hit])
def test_a_title_that_is_no_text_is_a_changed_shape(make, title):
    with pytest.raises(TypeError):
        hits_of([raw_hit(title=title)], make, NOW)


def test_an_article_says_all_that_was_told():
    one = raw_hit(snippet=("a", "<b>b</b>"), source="The <i>Times</i>", dates=(None, "2025-06-01"))

    assert hits_of([one], news_hit, NOW) == (
        NewsHit(
            title="T",
            url="https://a.example/x",
            source="The Times",
            snippet="a b",
            published="2025-06-01T00:00:00Z",
        ),
    )


def test_what_has_no_title_goes_by_its_address_and_what_has_no_source_by_its_host():
    [hit] = hits_of([raw_hit(title=None)], news_hit, NOW)

    assert (hit.title, hit.source) == ("https://a.example/x", "a.example")


def test_a_picture_says_all_that_was_told():
    one = raw_hit(
        thumbnail="data:image/png;base64,AA==",
        context="https://a.example/page",
        size=("640", 480),
        file_size=1234,
    )

    assert hits_of([one], image_hit, NOW) == (
        ImageHit(
            title="T",
            link="https://a.example/x",
            context="https://a.example/page",
            width=640,
            height=480,
            file_size="1234",
        ),
    )


@pytest.mark.parametrize(
    ("dates", "published"),
    [
        ((), None),
        (("soon", None, {}), None),
        (("soon", "2 hours ago"), "2025-06-15T13:06:40Z"),
        (("2025-06-01T10:00:00+02:00", "1 day ago"), "2025-06-01T08:00:00Z"),
    ],
)
def test_the_first_date_that_can_be_read_counts(dates, published):
    [hit] = hits_of([raw_hit(dates=dates)], web_hit, NOW)

    assert hit.published == published


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
        ("\u0663", None),
        (10**30, None),
        (1_000_001, None),
        (1e300, None),
    ],
)
def test_a_length_is_a_sensible_number_or_not_said(value, pixels):
    assert pixels_of(value) == pixels


def test_a_picture_says_whose_it_is_and_what_is_allowed():
    one = raw_hit(licence="CC BY-SA 4.0", creator="<a href='/ida'>Ida</a>")

    [hit] = hits_of([one], image_hit, NOW)

    assert (hit.licence, hit.creator) == ("cc-by-sa-4.0", "Ida")
