"""Canonical URLs: one spelling for one page, and never that of another page."""

import pytest
from hypothesis import given
from hypothesis import strategies as st

from sourcewright.base.urls.canonical import (
    canonical_url,
    dedup_key,
    host_of,
    is_on_site,
    resource_url,
)

PIECES = st.sampled_from(
    [
        *("https://", "http://", "HTTP:", "//", "/", "\\", "..", ".", "%2e", "%2F", "%", "%%341"),
        *("?", "&", "=", "#", "#!", "#/", "@", ":", ":443", ":0", "[::1]", "www.", "m.", "amp."),
        *("nature.com", "evil.example", "x.cdn.ampproject.org/c/s/", "google.com/amp/s/", "/amp"),
        *(
            ".amp",
            ".html",
            "a-b-c",
            "utm_source=x",
            "id=1",
            "bücher.de",
            "\ud800",
            "\n",
            "ß",
            "\x00",
        ),
    ]
)
ADDRESSES = st.lists(PIECES | st.text(max_size=4), max_size=12).map("".join)


@pytest.mark.parametrize(
    ("url", "expected"),
    [
        ("HTTPS://Example.ORG/Path", "https://example.org/Path"),
        ("https://example.org", "https://example.org/"),
        ("https://example.org./", "https://example.org/"),
        ("https://example.org:443/", "https://example.org/"),
        ("http://example.org:80/", "http://example.org/"),
        ("http://example.org:443/", "http://example.org:443/"),
        ("https://example.org:8443/", "https://example.org:8443/"),
        ("https://user:secret@example.org/", "https://example.org/"),
        ("http://bücher.example/ä", "http://xn--bcher-kva.example/%C3%A4"),
        ("http://[2001:DB8::1]/", "http://[2001:db8::1]/"),
        ("https://example.org/a/./b/../c/..", "https://example.org/a/"),
        ("https://example.org/%7euser/%e4%2f", "https://example.org/~user/%E4%2F"),
        ("https://example.org/a b?q=c d", "https://example.org/a%20b?q=c%20d"),
        ("https://example.org/?b=2&a=1&b=1", "https://example.org/?b=2&a=1&b=1"),
        ("https://example.org/?a=1+2&b", "https://example.org/?a=1+2&b"),
        ("https://example.org/p?utm_source=x&id=7&fbclid=y", "https://example.org/p?id=7"),
        ("https://example.org/p?UTM_Medium=x&amp;utm_campaign=y", "https://example.org/p"),
        ("https://example.org/p#part-2", "https://example.org/p"),
        ("https://example.org/p#:~:text=hello", "https://example.org/p"),
        ("https://example.org/#!/inbox", "https://example.org/#!/inbox"),
        ("https://example.org/#/inbox", "https://example.org/#/inbox"),
        (" https://example.org/a\n", "https://example.org/a"),
    ],
)
def test_an_address_has_one_spelling(url, expected):
    assert canonical_url(url) == expected
    assert resource_url(url) == expected


@pytest.mark.parametrize(
    "url",
    [
        "https://example.org/2026/some-long-headline/amp",
        "https://example.org/2026/some-long-headline?amp=1",
        "https://example-org.cdn.ampproject.org/c/s/example.org/2026/some-long-headline",
    ],
)
def test_another_version_of_a_page_is_another_resource(url):
    assert resource_url(url) == url


@pytest.mark.parametrize(
    "url",
    [
        "https://www-example-org.cdn.ampproject.org/c/s/example.org/2026/some-long-headline",
        "https://www.google.com/amp/s/example.org/2026/some-long-headline",
        "https://example.org/2026/some-long-headline/amp/",
        "https://example.org/2026/some-long-headline?amp=1",
        "https://example.org/2026/some-long-headline?outputType=amp",
        "https://www.google.com/amp/s/www.google.com/amp/s/example.org/2026/some-long-headline",
    ],
)
def test_an_amp_form_stands_for_its_page(url):
    assert canonical_url(url) == "https://example.org/2026/some-long-headline"


@pytest.mark.parametrize(
    "url",
    [
        "https://example.org/wiki/amp",
        "https://example.org/?amp=2",
        "https://example.org/?ref=home&source=feed&id=utm",
        "https://example.org/?spm=3&icid=4&cmpid=5",
        "https://amp.example.org/",
        "https://example.org/?url=https%3A%2F%2Fexample.com%3Futm_source%3Dx",
    ],
)
def test_what_may_choose_the_page_is_kept(url):
    assert canonical_url(url) == url


@pytest.mark.parametrize(
    "text",
    [
        *("", "nature.com/x", "mailto:a@b.example", "javascript:alert(1)", "https://"),
        *("https://a..b/", "https://example.org:99999/", "https://exa mple.org/", "http://%zz/"),
        f"https://example.org/{'a' * 9000}",
    ],
)
def test_what_is_no_web_address_comes_back_as_it_is(text):
    assert canonical_url(text) == text


@given(ADDRESSES)
def test_a_canonical_address_is_its_own(url):
    once = canonical_url(url)

    assert canonical_url(once) == once
    assert dedup_key(once) == dedup_key(url)


@given(ADDRESSES)
def test_any_text_has_a_host_or_none(text):
    host = host_of(text)

    assert host == host.lower()
    assert not host or is_on_site(text, [host]) or ":" in host


@pytest.mark.parametrize(
    "other",
    [
        "http://example.org/story?a=1&b=2",
        "https://www.example.org/story/?b=2&a=1",
        "https://m.example.org/story?a=1&b=2&utm_source=x",
        "https://amp.example.org/story?a=1&b=2#top",
    ],
)
def test_one_page_has_one_identity(other):
    assert dedup_key(other) == dedup_key("https://example.org/story?a=1&b=2")


def test_a_mobile_encyclopedia_is_the_encyclopedia():
    mobile = dedup_key("https://en.m.wikipedia.org/wiki/Tide")

    assert mobile == dedup_key("https://en.wikipedia.org/wiki/Tide")


@pytest.mark.parametrize(
    ("one", "other"),
    [
        ("https://example.org/?a=1", "https://example.org/?a=2"),
        ("https://example.org/?a=1&a=2", "https://example.org/?a=2&a=1"),
        ("https://example.org/A", "https://example.org/a"),
        ("https://m.example.org/", "https://example.org/"),
        ("https://www.com/x", "https://com/x"),
        ("https://example.org:8443/", "https://example.org/"),
        ("https://example.org/a%2Fb", "https://example.org/a/b"),
        ("https://example.org/#!/a", "https://example.org/#!/b"),
        ("https://blog.example.org/a", "https://example.org/a"),
    ],
)
def test_different_pages_have_different_identities(one, other):
    assert dedup_key(one) != dedup_key(other)


@pytest.mark.parametrize(
    "url",
    [
        "https://nature.com/",
        "https://www.nature.com/articles/1",
        "https://NATURE.com.:8443/x",
        "https://user@nature.com/",
    ],
)
def test_a_page_is_on_its_site(url):
    assert is_on_site(url, ["nature.com"])


@pytest.mark.parametrize(
    "url",
    [
        *("https://evil.example/?nature.com", "https://evil.example/nature.com", "nature.com"),
        *("https://nature.com@evil.example/", "https://nature.com:80@evil.example/"),
        *("https://evil.example\\@nature.com/", "https://evil.example#@nature.com/"),
        *("https://notnature.com/", "https://nature.com.evil.example/", "ftp://nature.com/"),
        "https://n\u0430ture.com/",  # with a Cyrillic letter
        "https://www-nature-com.cdn.ampproject.org/c/s/nature.com/",
    ],
)
def test_a_page_elsewhere_is_not_on_a_site_however_it_looks(url):
    assert not is_on_site(url, ["nature.com"])


def test_a_site_with_a_path_is_no_more_than_that_part():
    site = ["github.com/topics"]

    assert is_on_site("https://github.com/Topics/awesome", site)
    assert is_on_site("https://github.com/topics?x=1", site)
    assert not is_on_site("https://github.com/topics-of-mine", site)
    assert not is_on_site("https://github.com/topics/../evil", site)
    assert not is_on_site("https://github.com/", site)


def test_a_site_named_with_www_does_not_take_its_neighbours_in():
    assert is_on_site("https://gov.uk/tides", ["www.gov.uk"])
    assert not is_on_site("https://ons.gov.uk/tides", ["www.gov.uk"])


def test_a_site_that_is_none_has_no_pages():
    assert not is_on_site("https://nature.com/", ["", " ", "..", "https://nature.com"])
