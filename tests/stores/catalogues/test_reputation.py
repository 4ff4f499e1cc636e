"""Reputation of hosts: the ratings, their rules, and an operator's overrides."""

import json

import pytest

from sourcewright.base.urls.suffixes import single_owner_host
from sourcewright.domain.web.lenses import Reputation
from sourcewright.stores.catalogues.reputation import load_reputations

OURS = load_reputations(None)
OWN = {"tier": "low", "basis": "a rule of ours"}


@pytest.fixture
def overridden(tmp_path):
    def load(value):
        path = tmp_path / "ratings.json"
        path.write_text(value if isinstance(value, str) else json.dumps(value))
        return load_reputations(path)

    return load


def test_every_entry_of_ours_is_a_host_that_one_owner_answers_for():
    hosts = list(OURS._ratings)

    assert 90 <= len(hosts) <= 150
    assert [host for host in hosts if single_owner_host(host) != host] == []


def test_every_tier_of_ours_follows_from_a_stated_rule():
    rules = {}
    for rating in OURS._ratings.values():
        rules.setdefault(rating.basis, set()).add(rating.tier)

    assert all(len(basis) > 30 for basis in rules)
    assert all(len(tiers) == 1 for tiers in rules.values())
    assert {tier for tiers in rules.values() for tier in tiers} == {"high", "mixed", "low"}


@pytest.mark.parametrize(
    "url",
    [
        *("https://nature.com/", "https://www.nature.com/articles/x", "http://NATURE.com.:81/"),
        "https://a.b.nature.com/?q=evil.example",
    ],
)
def test_a_host_and_those_below_it_share_a_rating(url):
    assert OURS.rating_of(url).tier == "high"


@pytest.mark.parametrize(
    "url",
    [
        *("https://notnature.com/", "https://nature.com.evil.example/", "https://signature.com/"),
        *("https://evil.example/nature.com", "https://nature.com@evil.example/", "nature.com"),
        *("https://evil.example\\@nature.com/", "https://n\u0430ture.com/", "https://com/", ""),
        *("https://example.gov.uk/", "https://nhs.uk/"),
    ],
)
def test_of_a_host_that_is_not_listed_nothing_is_known(url):
    assert OURS.rating_of(url) is None


def test_an_encyclopedia_that_anyone_may_edit_is_mixed_and_says_why():
    rating = OURS.rating_of("https://de.wikipedia.org/wiki/Tide")

    assert rating.tier == "mixed"
    assert "anyone may edit" in rating.basis


def test_an_operator_adds_replaces_and_removes(overridden):
    ratings = overridden(
        {
            "version": "mine",
            "domains": {
                "tides.example": {**OWN, "note": "seen"},
                "Nature.com": OWN,
                "bbc.com": None,
                "blogs.bmj.com": None,
            },
        }
    )

    assert ratings.rating_of("https://x.tides.example/") == Reputation(**OWN, note="seen")
    assert ratings.rating_of("https://www.nature.com/").tier == "low"
    assert ratings.rating_of("https://www.bbc.com/") is None
    assert ratings.rating_of("https://blogs.bmj.com/") is None
    assert ratings.rating_of("https://bmj.com/").tier == "high"
    assert ratings.flaws == ()


@pytest.mark.parametrize(
    ("host", "entry", "flaw"),
    [
        ("co.uk", OWN, "public suffix"),
        ("github.io", OWN, "public suffix"),
        ("com", None, "public suffix"),
        ("a.example/x", OWN, "not a host"),
        ("https://a.example", OWN, "not a host"),
        ("a.example", "high", "expected an object"),
        ("a.example", {**OWN, "tier": "best"}, "high, mixed, low"),
        ("a.example", {**OWN, "tier": []}, "high, mixed, low"),
        ("a.example", {"tier": "high"}, "basis"),
        ("a.example", {**OWN, "basis": ""}, "basis"),
        ("a.example", {**OWN, "note": 7}, "note"),
        ("a.example", {**OWN, "reason": "x"}, "unknown field 'reason'"),
    ],
)
def test_a_flaw_costs_one_entry_and_is_named(overridden, log_records, host, entry, flaw):
    ratings = overridden({"domains": {host: entry, "good.example": OWN}})

    assert ratings.rating_of("https://good.example/")
    assert ratings.rating_of("https://a.example/") is None
    assert len(ratings.flaws) == 1
    assert ratings.flaws[0].startswith(f"ratings.json, '{host}'")
    assert flaw in ratings.flaws[0]
    assert any(ratings.flaws[0] in record.message for record in log_records)


@pytest.mark.parametrize(
    "text", ["", "[]", "{}", '{"domains": []}', '{"hosts": {}}', "[" * 99_999]
)
def test_a_file_that_is_none_leaves_ours_as_they_are(overridden, text):
    ratings = overridden(text)

    assert ratings.rating_of("https://nature.com/").tier == "high"
    assert "ratings.json" in ratings.flaws[0]


def test_a_file_that_is_not_there_is_told(tmp_path):
    ratings = load_reputations(tmp_path / "nowhere.json")

    assert ratings.rating_of("https://nature.com/").tier == "high"
    assert ratings.flaws == (f"{tmp_path / 'nowhere.json'}: No such file or directory",)
