"""Kinds of sources, their weight, and their field."""

import json

import pytest

from sourcewright.domain.sources.classification import authority_tier, domain_category, source_type
from sourcewright.domain.web.lenses import Reputation
from sourcewright.reading.readings import EmbeddedMetadata
from sourcewright.stores.catalogues.lenses import load_lenses

ARTICLE = "https://journal.example/article/7"


def linked(*things):
    return EmbeddedMetadata(json_ld=(json.dumps({"@graph": list(things)}),))


@pytest.mark.parametrize(
    ("url", "kind"),
    [
        ("https://www.nature.com/articles/s41586-020-2649-2", "peer_reviewed"),
        ("https://pmc.ncbi.nlm.nih.gov/articles/PMC123/", "peer_reviewed"),
        ("https://docs.python.org/3/library/json.html", "official_docs"),
        ("https://docs.harbour.example/guide", "official_docs"),
        ("https://numpy.readthedocs.io/en/latest/", "official_docs"),
        ("https://www.cdc.gov/flu/", "government"),
        ("https://www.ons.gov.uk/economy", "government"),
        ("https://www.stat.go.jp/data", "government"),
        ("https://ec.europa.eu/eurostat", "government"),
        ("https://www.who.int/news", "government"),
        ("https://www.reuters.com/world/", "news_publication"),
        ("https://keeper.substack.com/p/fog", "blog"),
        ("https://blog.harbour.example/fog", "blog"),
        ("https://old.reddit.com/r/fog/", "forum"),
        ("https://news.ycombinator.com/item?id=1", "forum"),
        ("https://de.wikipedia.org/wiki/Nebel", "wiki"),
        ("https://bsky.app/profile/a/post/b", "social_media"),
        ("https://x.com/a/status/1", "social_media"),
        ("https://harbour.example/fog", "unknown"),
        ("no address", "unknown"),
    ],
)
def test_a_host_that_is_known_says_what_its_pages_are(url, kind):
    assert source_type(url, None) == kind


@pytest.mark.parametrize(
    "url",
    [
        "https://signature.com/articles/1",
        "https://nature.com.evil.example/articles/1",
        "https://evil.example/nature.com/articles/1",
        "https://nature.com@evil.example/articles/1",
        "https://evil.example/?u=https://www.cdc.gov/",
        "https://cdc.gov.evil.example/",
        "https://notgov/",
        "https://example.gov.de/",
        "https://shop.go.it/",
        "https://docs.google.com/document/d/1",
        "https://docs.example/",
    ],
)
def test_a_name_inside_an_address_proves_nothing(url):
    kind = source_type(url, None)

    assert kind == "unknown"
    assert authority_tier(url, kind, None) == "medium"


@pytest.mark.parametrize(
    "url",
    [
        "https://arxiv.org/abs/2401.12345",
        "https://www.biorxiv.org/content/10.1101/2020.01.01.123456v1",
        "https://papers.ssrn.com/sol3/papers.cfm?abstract_id=1",
        "https://peerj.com/preprints/27295/",
        "https://europepmc.org/article/PPR/PPR123",
        "https://www.university.edu/~student/essay.html",
        "https://www.harbour.ac.uk/news",
    ],
)
def test_preprints_and_pages_of_universities_are_not_reviewed(url):
    assert source_type(url, None) == "unknown"


@pytest.mark.parametrize("journal", ["bioRxiv", "arXiv preprint", "SSRN Electronic Journal"])
@pytest.mark.parametrize("url", [ARTICLE, "https://pubmed.ncbi.nlm.nih.gov/123/"])
def test_a_preprint_server_in_the_place_of_the_journal_is_no_review(url, journal):
    embedded = EmbeddedMetadata(
        citation={"citation_journal_title": journal, "citation_doi": "10.1101/1"},
        json_ld=('{"@type": "ScholarlyArticle"}',),
    )

    assert source_type(url, embedded) == "unknown"


@pytest.mark.parametrize(
    ("tags", "kind"),
    [
        ({"citation_journal_title": "Fog", "citation_title": "x"}, "peer_reviewed"),
        ({"Citation_Conference_Title": "Fogs 2020"}, "peer_reviewed"),
        ({"citation_title": "x", "citation_pdf_url": "y"}, "unknown"),
        ({"citation_journal_title": ""}, "unknown"),
        ({"citation_issn": "1", "citation_dissertation_institution": "MIT"}, "unknown"),
    ],
)
def test_tags_that_name_a_journal_make_a_page_reviewed(tags, kind):
    assert source_type(ARTICLE, EmbeddedMetadata(citation=tags)) == kind


@pytest.mark.parametrize(
    ("thing", "kind"),
    [
        ("ScholarlyArticle", "peer_reviewed"),
        ("https://schema.org/MedicalScholarlyArticle", "peer_reviewed"),
        ("ReportageNewsArticle", "news_publication"),
        ("GovernmentService", "government"),
        ("BlogPosting", "blog"),
        ("APIReference", "official_docs"),
        ("QAPage", "forum"),
        ("SocialMediaPosting", "social_media"),
        (["Thing", "TechArticle"], "official_docs"),
        ("Recipe", "unknown"),
        (7, "unknown"),
    ],
)
def test_linked_data_says_what_a_page_is_also_inside_a_graph(thing, kind):
    embedded = linked({"@type": "WebSite"}, {"@type": thing})

    assert source_type(ARTICLE, embedded) == kind


@pytest.mark.parametrize(
    ("url", "kind"),
    [
        ("https://medium.com/@a/b", "blog"),
        ("https://www.reddit.com/r/a/comments/b/c/", "forum"),
        ("https://arxiv.org/abs/2401.12345", "unknown"),
        ("https://en.wikipedia.org/wiki/Fog", "wiki"),
    ],
)
def test_where_anyone_may_write_a_page_cannot_raise_itself(url, kind):
    embedded = EmbeddedMetadata(
        json_ld=('{"@type": "ScholarlyArticle"}', '{"@type": "NewsArticle"}'),
        citation={"citation_journal_title": "Nature"},
    )

    assert source_type(url, embedded) == kind


@pytest.mark.parametrize(
    ("tier", "weight"), [("high", "high"), ("mixed", "medium"), ("low", "low")]
)
def test_a_rating_decides_the_weight(tier, weight):
    rating = Reputation(tier=tier, basis="a public rule")

    assert authority_tier("https://a.example/", "social_media", rating) == weight


@pytest.mark.parametrize(
    ("url", "kind", "weight"),
    [
        ("https://www.ons.gov.uk/", "government", "high"),
        ("https://docs.python.org/3/", "official_docs", "high"),
        ("https://blog.harbour.example/", "blog", "low"),
        ("https://forum.harbour.example/", "forum", "low"),
        ("https://harbour.example/", "unknown", "medium"),
        ("https://harbour.example/", "peer_reviewed", "medium"),
        ("https://harbour.example/", "government", "medium"),
    ],
)
def test_without_a_rating_the_host_alone_gives_weight(url, kind, weight):
    assert authority_tier(url, kind, None) == weight


@pytest.mark.parametrize(
    ("url", "field"),
    [
        ("https://arxiv.org/abs/2401.12345", "academic"),
        ("https://www.university.edu/", "academic"),
        ("https://law.justia.com/cases/", "legal"),
        ("https://www.mayoclinic.org/x", "medical"),
        ("https://www.investopedia.com/x", "financial"),
        ("https://docs.harbour.example/", "technical"),
        ("https://harbour.example/", "general"),
        ("https://www.law.cornell.edu/uscode", "legal"),
        ("https://pmc.ncbi.nlm.nih.gov/articles/PMC1/", "academic"),
        ("https://www.nih.gov/", "medical"),
        ("https://www.sec.gov/edgar", "financial"),
        ("https://stackoverflow.com/q/1", "technical"),
    ],
)
def test_the_nearest_name_among_known_hosts_and_those_of_lenses_gives_the_field(url, field):
    assert domain_category(url, load_lenses(None)) == field
