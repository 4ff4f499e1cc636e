"""Self-promotion and conflicts of interest in a text; a doubtful case is not reported."""

import pytest

from sourcewright.domain.sources.recommendations import brand_of, self_promotion, stake

STAKES = [
    ("Kelpify", "Jane is a product manager at Kelpify.", "employment"),
    ("Kelpify is the best", "Kelpify engineer and sailor", "employment"),
    ("Why Kelpify wins", "Jane works for Kelpify", "employment"),
    ("Kelpify", "co-founder and CTO of Kelpify", "employment"),
    ("Kelpify", "CEO of Kelpify, Inc.", "employment"),
    ("Kelpify", "Kelpify's head of growth", "employment"),
    ("Kelpify Cloud Run", "Senior engineer at Kelpify.", "employment"),
    ("1. Kelpify", "Engineer at Kelpify", "employment"),
    ("#2 Kelpify Cloud", "Engineer at Kelpify", "employment"),
    ("Kelpify", "Her travel was paid by Kelpify.", "funding"),
    ("Kelpify", "Advisor to Kelpify", "funding"),
    ("Kelpify", "He is a consultant for Kelpify.", "funding"),
    ("Kelpify", "Angel investor in Kelpify", "equity"),
    ("Kelpify", "She owns shares in Kelpify.", "equity"),
    ("Kelpify", "He sits on the board of Kelpify.", "equity"),
]
NO_STAKES = [
    ("Kelpify", "Formerly at Kelpify, Jane writes now."),
    ("Kelpify", "ex-Kelpify engineer"),
    ("Kelpify", "She left Kelpify and never works at Kelpify again"),
    ("Kelpify", "Not affiliated with Kelpify."),
    ("Kelpify", "No one paid by Kelpify was involved."),
    ("Kelpify", "Jane has used Kelpify, Tideline and others for years."),
    ("Kelpify", "She works at Kelpify Research Institute."),
    ("Square", "She works at Square Enix."),
    ("Kelpify", "She works at kelpifying things."),
    ("Best Coffee in Boston", "Professor at Boston University"),
    ("the best tool for you", "She works at the best shop."),
    ("Kelpify", ""),
    ("", "Works at Kelpify."),
]


@pytest.mark.parametrize(("text", "bio", "kind"), STAKES)
def test_a_stake_that_the_bio_states_is_found(text, bio, kind):
    found = stake(text, bio)

    assert (found.kind, found.entity) == (kind, "Kelpify")
    assert "Kelpify" in found.evidence


@pytest.mark.parametrize(("text", "bio"), NO_STAKES)
def test_a_bio_that_states_no_present_stake_is_no_accusation(text, bio):
    assert stake(text, bio) is None


@pytest.mark.parametrize(
    ("text", "url"),
    [
        ("1. Kelpify: fast", "https://www.kelpify.com/blog/best"),
        ("#1 Kelpify", "https://blog.kelpify.co.uk/x"),
        ("Intro\n\n## 1. Kelpify\n\n## 2. Tideline", "https://kelpify.com/"),
        ("**1) Kelp ify** wins", "https://kelpify.com/"),
        ("Best overall: Kelpify Plus", "https://kelpify.com/"),
        ("Our top pick - Kelpify", "https://kelpify.com/"),
    ],
)
def test_a_site_that_ranks_its_own_brand_first_promotes_itself(text, url):
    assert self_promotion(text, url).brand == "kelpify"


@pytest.mark.parametrize(
    ("text", "url"),
    [
        ("1. Tideline\n2. Kelpify", "https://kelpify.com/"),
        ("Kelpify", "https://kelpify.com/"),
        ("1.5 Kelpify plans compared", "https://kelpify.com/"),
        ("10. Kelpify", "https://kelpify.com/"),
        ("1. Kelpifying your life", "https://kelpify.com/"),
        ("1. Marketeer", "https://adoobe.com/"),
        ("1. Medium roast", "https://medium.com/@a/b"),
        ("1. Docs", "https://docs.kelpify.com/"),
        ("1. ab", "https://ab.com/"),
    ],
)
def test_other_lists_do_not_promote_themselves(text, url):
    assert self_promotion(text, url) is None


def test_the_brand_is_what_the_owner_registered():
    assert brand_of("https://blog.kelpify.co.uk/x") == "kelpify"
    assert brand_of("https://anna.github.io/") == "anna"
