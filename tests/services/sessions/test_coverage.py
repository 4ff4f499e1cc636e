"""Coverage: registrable domains, types, years and languages of what was found."""

from sourcewright.domain.users.sessions import SessionSource
from sourcewright.services.sessions.coverage import coverage_of


def coverage(*sources):
    return coverage_of(sources, this_year=2026)


def test_without_sources_it_says_so():
    found = coverage()

    assert (found.source_count, found.unique_domains, found.domain_spread) == (0, 0, 0.0)
    assert found.gaps == ("No sources are recorded yet.",)


def test_subdomains_of_one_site_are_one_domain():
    found = coverage(
        SessionSource(url="https://a.example.co.uk/1"),
        SessionSource(url="https://b.example.co.uk/2"),
        SessionSource(url="https://one.github.io/"),
        SessionSource(url="https://two.github.io/"),
    )

    assert found.unique_domains == 3
    assert found.domain_spread == 0.75
    assert found.dominant_domain is None


def test_a_domain_with_more_than_six_tenths_dominates():
    found = coverage(
        *(SessionSource(url=f"https://a.example/{n}") for n in range(3)),
        SessionSource(url="https://b.example/"),
    )

    assert found.dominant_domain == "a.example"
    assert "Most sources are on a.example." in found.gaps
    assert coverage(SessionSource(url="https://a.example/")).dominant_domain is None


def test_dois_count_by_their_registrant_and_their_resolver_never_dominates():
    found = coverage(
        SessionSource(url="https://doi.org/10.1234/a", doi="10.1234/a"),
        SessionSource(url="https://doi.org/10.1234/b", doi="10.1234/b"),
        SessionSource(url="https://doi.org/10.5678/c", doi="10.5678/c"),
        SessionSource(url="https://publisher.example/d", doi="10.5678/d"),
    )

    assert found.unique_domains == 3
    assert found.dominant_domain is None
    assert not any("doi.org" in gap for gap in found.gaps)


def test_types_years_and_languages_are_counted():
    found = coverage(
        SessionSource(
            url="https://a.example/",
            source_type="news_publication",
            date="2024-05-01",
            language="en-GB",
        ),
        SessionSource(
            url="https://b.example/",
            source_type="unknown",
            tag="academic",
            date="2019",
            language="en",
        ),
        SessionSource(url="https://c.example/", date="some day", language="EN"),
    )

    assert found.source_types == {"academic": 1, "news_publication": 1, "unknown": 1}
    assert found.years == {"2019": 1, "2024": 1}
    assert found.languages == {"en": 3}
    assert found.gaps == ("All sources are in one language: en.",)


def test_old_and_uniform_sources_are_worth_a_remark():
    found = coverage(
        *(
            SessionSource(url=f"https://{n}.example/", source_type="blog", date="2011")
            for n in "ab"
        )
    )

    assert found.gaps == (
        "Only 2 sources: a finding may depend on a single source.",
        "All sources are of one type: blog.",
        "No dated source is newer than 2011.",
    )
