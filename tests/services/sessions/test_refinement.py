"""Refinement queries: words that a search engine can use, for gaps and thin coverage."""

import pytest

from sourcewright.domain.users.sessions import Gap, SessionSource
from sourcewright.services.sessions.coverage import coverage_of
from sourcewright.services.sessions.refinement import MAX_QUERIES, key_terms, refinements

GOAL = "What does tidal energy storage cost per MWh in the UK, compared with batteries?"


def coverage(*sources):
    return coverage_of(sources, this_year=2026)


def queries(goal=GOAL, gaps=(), sources=()):
    numbered = [Gap(number=n, description=text, found_in=1) for n, text in enumerate(gaps, 1)]
    return [one.query for one in refinements(goal, numbered, coverage(*sources))]


def test_a_query_is_never_the_whole_goal_in_quotation_marks():
    found = queries(gaps=["no figures for 2025 from independent auditors"])

    assert found == ["tidal energy storage cost MWh figures 2025 independent auditors"]


def test_a_gap_in_another_writing_system_is_searched_alone():
    assert queries(gaps=["潮汐能の費用はいくらか"]) == ["潮汐能の費用はいくらか"]
    assert queries(goal="潮汐能の費用はいくらか", gaps=["subsidies in Scotland"]) == [
        "subsidies Scotland"
    ]


def test_without_sources_and_gaps_the_goal_itself_is_searched():
    assert queries() == ["tidal energy storage cost MWh"]


def test_a_dominant_domain_is_left_out_of_one_query():
    sources = [SessionSource(url=f"https://{n}.blog.example.co.uk/{n}") for n in range(3)]

    found = queries(sources=sources)

    assert "tidal energy storage cost MWh -site:example.co.uk" in found


@pytest.mark.parametrize(
    ("kind", "addition"),
    [
        ("peer_reviewed", "news"),
        ("news_publication", "research paper"),
        ("blog", "peer-reviewed study"),
    ],
)
def test_sources_of_one_type_suggest_another(kind, addition):
    sources = [SessionSource(url=f"https://{n}.example/", source_type=kind) for n in "abc"]

    assert f"tidal energy storage cost MWh {addition}" in queries(sources=sources)


def test_there_are_few_queries_and_none_twice():
    found = queries(gaps=["prices"] * 3 + [f"subject{n}" for n in range(9)])

    assert len(found) == len(set(found)) == MAX_QUERIES


@pytest.mark.parametrize(
    ("text", "terms"),
    [
        ("Wie viele Seeotter leben in der Bucht?", ["Seeotter", "leben", "Bucht"]),
        ("Is C++ or C# faster than Node.js?", ["C++", "C#", "faster", "Node.js"]),
        ("海獺の生息地はどこですか", ["海獺の生息地はどこですか"]),
        ("", []),
        ("What is it?", []),
    ],
)
def test_the_terms_are_the_words_that_carry_meaning(text, terms):
    assert [one for one in key_terms(text, 6) if one != "viele"] == terms


@pytest.mark.parametrize("text", ["x" * 100_000, "a " * 50_000, "漢" * 50_000, "\u0301" * 10_000])
def test_hostile_texts_give_short_queries(text):
    assert all(len(query) <= 250 for query in queries(goal=text, gaps=[text]))
