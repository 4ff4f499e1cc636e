"""What a homepage states in its linked data, whatever is in it."""

import json

import pytest

from sourcewright.domain.records.brands import BrandFacts
from sourcewright.services.brands.homepage import homepage_facts
from sourcewright.services.brands.markup import markup_of

VALUES = [None, True, 7, 1.5, "x", "", [], {}, [[]], [{}], [None], {"@id": 7}, {"url": []}, ["a"]]
FIELDS = "name slogan description industry foundingDate address location logo sameAs url publisher"


def facts(*blocks, head=""):
    scripts = (f'<script type="application/ld+json">{json.dumps(one)}</script>' for one in blocks)
    page = f"<head>{head}{''.join(scripts)}</head>".encode()
    return homepage_facts(markup_of(page, url="https://a.example/"), "a.example")


@pytest.mark.parametrize("value", VALUES)
def test_a_field_of_any_type_is_survived(value):
    for field in FIELDS.split():
        brand = facts({"@type": "Organization", field: value})

        assert isinstance(brand, BrandFacts)
    assert isinstance(facts(value, {"@graph": value}, {"@type": value}), BrandFacts)


def test_the_organisation_of_another_site_is_not_this_one():
    other = {"@type": "Organization", "name": "Other", "url": "https://other.example/"}
    own = {"@type": "WebPage", "publisher": {"@type": "Organization", "name": "Own"}}

    assert facts(other).identity.name is None
    assert facts(other, own).identity.name == "Own"


def test_links_that_share_a_page_are_no_profiles():
    links = "".join(
        f'<a href="{url}">x</a>'
        for url in (
            "https://www.facebook.com/sharer/sharer.php?u=x",
            "https://twitter.com/intent/tweet",
            "https://www.linkedin.com/shareArticle?url=x",
            "https://www.youtube.com/watch?v=x",
            "https://github.com/own/project",
            "https://www.instagram.com/own/",
        )
    )

    page = markup_of(f"<body>{links}".encode(), url="https://a.example/")

    assert homepage_facts(page, "a.example").social == {
        "instagram": "https://www.instagram.com/own/"
    }
