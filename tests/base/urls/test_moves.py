"""Whether a redirect leads to the same page, to another one, or to a home page."""

import pytest

from sourcewright.base.urls.moves import link_change

PAGE = "https://a.example/articles/7"


@pytest.mark.parametrize(
    "found",
    [
        PAGE,
        "https://www.a.example/articles/7/",
        "http://a.example/articles/7#part",
        "https://A.example/%61rticles/7",
    ],
)
def test_another_spelling_is_the_same_page(found):
    assert link_change(PAGE, found) is None


@pytest.mark.parametrize(
    "found",
    ["https://b.example/articles/7", "https://a.example/news/7", f"{PAGE}?page=2"],
)
def test_another_address_is_another_page(found):
    assert link_change(PAGE, found) == "moved"


@pytest.mark.parametrize(
    "found",
    [
        "https://a.example",
        "https://a.example/",
        "https://b.example/index.html",
        "https://a.example/en/",
        "https://a.example/de-AT",
        "https://a.example/home",
    ],
)
def test_a_page_that_became_a_front_page_is_gone(found):
    assert link_change(PAGE, found) == "front_page"


def test_a_front_page_that_leads_to_another_one_has_moved():
    assert link_change("https://a.example/", "https://b.example/") == "moved"


@pytest.mark.parametrize("resolver", ["doi.org", "dx.doi.org", "hdl.handle.net"])
def test_a_resolver_is_meant_to_lead_elsewhere(resolver):
    assert link_change(f"https://{resolver}/10.5555/a", "https://a.example/articles/7") is None
    assert link_change(f"https://{resolver}/10.5555/a", "https://a.example/") == "front_page"
