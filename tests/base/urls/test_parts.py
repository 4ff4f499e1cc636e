"""A URL split into its parts; None for a URL that no site gives to its pages."""

import pytest

from sourcewright.base.urls.parts import UrlParts, url_parts_of


def test_an_address_is_taken_apart():
    place = url_parts_of("HTTPS://WWW.Example.org.:443/a%20b//c/?x=1&y=%2F#z")

    assert place == UrlParts(
        host="www.example.org", parts=("a b", "c"), params={"x": "1", "y": "/"}
    )


@pytest.mark.parametrize(
    "url",
    [
        "",
        "example.org/a",
        "ftp://example.org/a",
        "javascript:alert(1)",
        "https://user@example.org/a",
        "https://example.org:8080/a",
        "https://example.org:port/a",
        "https://[::1/a",
        "https://example.org/a/../b",
        "https://example.org/%2e%2e/b",
        "https://example.org/a%2f..%2fb",
        "https://example.org/a%00b",
        "https://example.org/a%E2%80%AEb",
        "https://example.org/" + "a" * 5000,
    ],
)
def test_what_no_site_would_give_to_its_pages_is_none(url):
    assert url_parts_of(url) is None
