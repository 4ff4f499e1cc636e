"""Quality scores of sources, signal by signal."""

from datetime import UTC, datetime, timedelta

import pytest

from sourcewright.domain.sources.classification import authority_tier
from sourcewright.domain.sources.scoring import (
    Score,
    authority,
    content_quality,
    freshness,
    word_count,
)
from sourcewright.domain.web.lenses import Reputation

NOW = datetime(2026, 11, 16, 12, tzinfo=UTC)


def ago(**span):
    return (NOW - timedelta(**span)).strftime("%Y-%m-%dT%H:%M:%SZ")


@pytest.mark.parametrize(
    ("dated", "worth"),
    [
        (None, 0.5),
        (ago(hours=5), 1.0),
        (ago(days=2), 0.9),
        (ago(days=20), 0.7),
        (ago(days=200), 0.5),
        (ago(days=2000), 0.3),
        ("2026-11-16", 1.0),
        ("2026-11-13", 0.9),
        ("2026-11", 0.7),
        ("2026", 0.5),
        ("1999", 0.3),
        (ago(hours=-20), 1.0),
        (ago(days=-20), 0.5),
        ("some day", 0.5),
    ],
)
def test_freshness_goes_by_the_age_of_the_date_as_far_as_it_is_known(dated, worth):
    assert freshness(dated, now=NOW.timestamp()) == worth


@pytest.mark.parametrize(
    ("url", "kind", "tier", "worth"),
    [
        ("https://www.nature.com/articles/1", "peer_reviewed", None, 0.9),
        ("https://data.gov/x", "government", None, 0.9),
        ("https://tide.gov.uk/x", "government", None, 0.9),
        ("https://www.uni.edu/~me", "unknown", None, 0.7),
        ("https://www.reuters.com/x", "news_publication", None, 0.7),
        ("https://shop.example/nature.com/.gov", "unknown", None, 0.5),
        ("https://signature.com/x", "unknown", None, 0.5),
        ("https://nature.com.evil.example/", "unknown", None, 0.5),
        ("https://somebody.substack.com/p", "blog", None, 0.3),
        ("https://shop.example/x", "unknown", "high", 0.9),
        ("https://shop.example/x", "unknown", "mixed", 0.7),
        ("https://www.nature.com/articles/1", "peer_reviewed", "low", 0.3),
    ],
)
def test_authority_goes_by_the_host_and_its_rating_and_by_no_substring(url, kind, tier, worth):
    rating = Reputation(tier=tier, basis="invented") if tier else None

    assert authority(url, kind, rating) == worth


@pytest.mark.parametrize("tier", [None, "high", "mixed", "low"])
@pytest.mark.parametrize("url", ["https://a.example/", "https://data.gov/", "https://reddit.com/"])
def test_the_tier_is_the_band_of_the_number(url, tier):
    rating = Reputation(tier=tier, basis="invented") if tier else None
    worth = authority(url, "unknown", rating)

    band = "high" if worth >= 0.8 else "medium" if worth >= 0.5 else "low"

    assert band == authority_tier(url, "unknown", rating)


PARAGRAPH = "The water rises twice a day, and twice it falls. Nobody asked it to.\n\n"


@pytest.mark.parametrize(
    ("text", "worth"),
    [
        ("", 0.0),
        ("Tides.", 0.2),
        ("aaaaaaaaaaaaaaaaaaaaaaaa " * 60, 0.1),
        (PARAGRAPH * 4, 0.7),
        (PARAGRAPH * 16, 0.8),
        (PARAGRAPH * 40, 0.9),
        (PARAGRAPH * 40 + "<https://a.example>", 1.0),
        ("潮は一日に二度満ちて、二度引く。誰も頼んでいない。\n\n" * 40, 0.9),
    ],
)
def test_content_goes_by_length_paragraphs_sentences_and_links(text, worth):
    assert content_quality(text, words=word_count(text)) == pytest.approx(worth)


@pytest.mark.parametrize(
    ("text", "count"),
    [
        ("", 0),
        ("Slow water.", 2),
        ("- x | y\n---", 2),
        ("潮位 tide", 3),
    ],
)
def test_words_are_counted_in_any_script(text, count):
    assert word_count(text) == count


def test_the_words_of_a_long_text_are_all_counted():
    assert word_count("abc " * 500_000) == 500_000


def test_the_whole_is_weighed_as_the_contract_says():
    parts = dict.fromkeys(("relevance", "freshness", "authority", "content"), 0.0)
    weights = {"relevance": 0.35, "freshness": 0.2, "authority": 0.25, "content": 0.2}

    assert {name: Score(**{**parts, name: 1.0}).overall for name in parts} == weights
    assert Score(**dict.fromkeys(parts, 1.0)).overall == 1.0
    assert Score(relevance=0.333, freshness=0.5, authority=0.9, content=0.7).overall == 0.58
