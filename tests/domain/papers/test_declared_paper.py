"""The paper that a page declares in its head, in every form of the metadata."""

import gzip
import html
from html.parser import HTMLParser

import pytest
from hypothesis import given
from hypothesis import strategies as st
from tests.material import SHARED

from sourcewright.base.identifiers import ArxivId, Doi, Pmid, parse_reference
from sourcewright.domain.papers.declared_paper import DeclaredPapers, declared_papers
from sourcewright.reading.html.tags import MAX_BYTES, head_tags

DOI, OTHER = Doi("10.1234/abc"), Doi("10.1234/xyz")
META = '<meta name="citation_doi" content="10.1234/abc">'

STATEMENTS = [
    ('<meta name="citation_doi" content="10.1234/{}">', "citation_doi"),
    ('<meta name="bepress_citation_doi" content="10.1234/{}">', "bepress_citation_doi"),
    ('<meta name="prism.doi" content="doi:10.1234/{}">', "prism.doi"),
    ('<meta name="DC.Identifier" scheme="doi" content="10.1234/{}">', "dc.identifier"),
    ('<link rel="canonical" href="https://a.example/doi/10.1234/{}">', "canonical address"),
    (
        """<script type="application/ld+json">{{"@type": "ScholarlyArticle",
        "sameAs": "https://doi.org/10.1234/{}"}}</script>""",
        "JSON-LD",
    ),
]


def read(head):
    return declared_papers(
        f"<!DOCTYPE html><html><head>{head}</head><body></body></html>".encode()
    )


def linked(text):
    return read(f'<script type="application/ld+json">{text}</script>')


@pytest.mark.parametrize(
    "tag",
    [
        META,
        "<META NAME='Citation_DOI' CONTENT='10.1234/ABC' />",
        "<meta name=citation_doi content=10.1234/abc>",
        "<meta content = '10.1234/abc'\n name = citation_doi >",
        "<meta name=citation_doi content=https://doi.org/10.1234/abc>",
        "<meta name=citation_doi content=' doi:10.1234/abc '>",
        "<meta name=citation_doi content='10.1234&#x2F;abc'>",
        "<meta name=citation_doi content='10.1234/abc' content='10.1234/xyz'>",
        "<meta property=citation_doi content=10.1234/abc>",
        "<meta it's name=citation_doi content=10.1234/abc>",
        "<title>a < b <meta></title>" + META,
        "<style>a > b { content: '<meta>' }</style>" + META,
        "<!-- > -->" + META,
        "<!-->" + META,
        "<?xml version='1.0'?>" + META,
        "<template><template></template></template>" + META,
        META + META,
        "<div>Accept our biscuits</div>" + META,
        "<meta name=citation_doi content=''>" + META,
        "<meta name=citation_doi content='see the issue'>" + META,
    ],
)
def test_the_doi_is_read_however_the_tag_is_written(tag):
    assert read(tag) == DeclaredPapers(papers=(DOI,), source="citation_doi")


@pytest.mark.parametrize(("statement", "source"), STATEMENTS)
def test_each_kind_of_statement_is_understood(statement, source):
    assert read(statement.format("abc")) == DeclaredPapers(papers=(DOI,), source=source)


@pytest.mark.parametrize(
    ("stronger", "weaker"),
    [(a, b) for at, (a, _) in enumerate(STATEMENTS) for b, _ in STATEMENTS[at + 1 :]],
)
def test_the_more_authoritative_statement_counts(stronger, weaker):
    assert read(weaker.format("xyz") + stronger.format("abc")).papers == (DOI,)


@pytest.mark.parametrize(("statement", "source"), STATEMENTS)
def test_a_statement_that_contradicts_itself_is_never_decided(statement, source):
    result = read(statement.format("abc") + statement.format("xyz"))

    assert result == DeclaredPapers(papers=(DOI, OTHER), source=source)


@pytest.mark.parametrize(
    ("tag", "paper"),
    [
        ("<meta name=citation_arxiv_id content=2401.12345v2>", ArxivId("2401.12345", 2)),
        ("<meta name=citation_pmid content=12345>", Pmid("12345")),
        ("<meta name=og:url content=https://arxiv.org/abs/2401.12345>", ArxivId("2401.12345")),
        ("<meta property=og:url content=https://doi.org/10.1234/abc>", DOI),
        ("<link rel=canonical href=/doi/10.1234/abc>", None),
        ("<link rel=alternate href=https://doi.org/10.1234/abc>", None),
        ("<meta name=citation_pmid content=PMC12>", None),
        ("<meta name=citation_arxiv_id content=10.1234/abc>", None),
        ("<meta name=dc.identifier content=2401.12345>", None),
        ("<meta name=citation_reference content=citation_doi=10.1234/abc>", None),
        ("<meta name=dc.relation content=doi:10.1234/abc>", None),
    ],
)
def test_other_identifiers_count_where_they_name_the_page(tag, paper):
    assert read(tag).papers == ((paper,) if paper else ())


@pytest.mark.parametrize(
    "hidden",
    [
        "<!-- {} -->",
        "<!-- {}",
        "<script>document.write('{}')</script>",
        "<script>{}",
        "<style>{}</style>",
        "<title>{}</title>",
        "<noscript>{}</noscript>",
        "<template>{}</template>",
        "<template><template></template>{}</template>",
        "<textarea>{}</textarea>",
        "<meta name='description' content='{}'>",
        '<meta name="x" content="{}',
        "</head>{}",
        "</head><head>{}</head>",
        "<body>{}",
        "</head><body><div class=comment>{}</div>",
        "<svg><title>{}</title></svg>",
        "<iframe>{}</iframe>",
    ],
)
def test_what_is_not_the_heads_own_does_not_count(hidden):
    tag = META.replace('"', "") if '"' in hidden or "'" in hidden else META

    assert read(hidden.format(tag)) == DeclaredPapers()


def test_where_no_head_ends_what_follows_text_does_not_count():
    assert declared_papers(f"<title>Signs</title>{META}<p>First!".encode()).papers == (DOI,)
    assert declared_papers(f"<title>Signs</title><p>First! {META}".encode()).papers == ()


@pytest.mark.parametrize("codec", ["utf-8", "utf-8-sig", "utf-16", "latin-1", "shift_jis"])
def test_the_encoding_of_a_page_does_not_matter(codec):
    page = f"<html><head><title>{'' if codec == 'shift_jis' else chr(233)}</title>{META}</head>"

    assert declared_papers(page.encode(codec)).papers == (DOI,)


def test_a_doi_whose_letters_could_not_be_read_is_none():
    page = '<head><meta name="citation_doi" content="10.1234/caf\u00e9"></head>'

    assert declared_papers(page.encode("utf-8")).papers == (Doi("10.1234/caf\u00e9"),)
    assert declared_papers(page.encode("latin-1")).papers == ()


@pytest.mark.parametrize(
    "body", [b"", b"%PDF-1.7\n" + META.encode(), b"\r\n%PDF-1.4" + META.encode()]
)
def test_what_is_no_page_says_nothing(body):
    assert declared_papers(body) == DeclaredPapers()


@pytest.mark.parametrize(
    "text",
    [
        '{"@type": "ScholarlyArticle", "identifier": "https://doi.org/10.1234/abc"}',
        '{"@type": ["Thing", "schema:ScholarlyArticle"], "@id": "https://doi.org/10.1234/abc"}',
        '{"@type": "http://schema.org/MedicalScholarlyArticle", "identifier": "10.1234/abc"}',
        '[{"@type": "WebPage"}, {"@type": "ScholarlyArticle", "sameAs": ["doi:10.1234/abc", 7]}]',
        """{"@graph": [{"@type": "ScholarlyArticle", "identifier":
        [{"propertyID": "doi", "value": "10.1234/abc"}, {"value": 3}, null]}]}""",
        """{"@type": "WebPage", "mainEntity": {"@type": "ScholarlyArticle", "@id":
        "https://doi.org/10.1234/abc", "citation": [{"@type": "ScholarlyArticle",
        "@id": "https://doi.org/10.1234/xyz"}]}}""",
    ],
)
def test_linked_data_names_the_article_that_it_is_about(text):
    assert linked(text) == DeclaredPapers(papers=(DOI,), source="JSON-LD")


@pytest.mark.parametrize(
    "text",
    [
        '{"@type": "NewsArticle", "identifier": "10.1234/abc"}',
        '{"@type": "WebPage", "citation": {"@type": "ScholarlyArticle", "@id": "doi:10.1234/abc"}}',
        '{"@type": "ScholarlyArticle", "identifier": "2401.12345", "sameAs": {"value": []}}',
        '{"@type": 7, "@graph": "x", "mainEntity": [[[]]]}',
        "[" * 100_000,
        '{"@graph": ' * 5_000 + "1" + "}" * 5_000,
        "1" * 10_000,
        "",
        "NaN",
        "null",
    ],
)
def test_linked_data_about_something_else_or_nothing_is_passed_over(text):
    assert linked(text) == DeclaredPapers()


@given(st.binary(max_size=400))
def test_no_bytes_are_too_strange(body):
    assert isinstance(declared_papers(b"<head>" + body), DeclaredPapers)


MARKUP = [
    *("<", ">", "/", "=", '"', "'", "<!--", "-->", "<![CDATA[", "]]>", "<!", "<?", "&#", "&amp"),
    *("<meta ", "name=", "citation_doi", "content=", "10.1234/abc", "<script>", "</script>", " "),
    *("<template>", "</template>", "<title>", "</title>", "<head>", "<div>", "{", "}", "\x00"),
]


@given(st.lists(st.sampled_from(MARKUP), max_size=60).map("".join))
def test_no_markup_is_too_broken_and_comments_never_count(junk):
    assert isinstance(read(junk), DeclaredPapers)
    assert read(f"<!-- {junk.replace('--', '')} -->").papers == ()


NAMES = st.from_regex(r"[a-z][a-z0-9:._-]{0,8}", fullmatch=True)
VALUES = st.text(st.characters(codec="utf-8", exclude_categories=["Cc", "Cs"]), max_size=20)


@given(st.lists(st.dictionaries(NAMES, VALUES, max_size=4), max_size=6))
def test_well_formed_tags_are_read_as_the_standard_library_reads_them(tags):
    written = [
        "<meta " + " ".join(f'{key}="{html.escape(text)}"' for key, text in tag.items()) + ">"
        for tag in tags
    ]

    found = [dict(tag.attributes) for tag in head_tags("".join(written).encode())]

    assert found == [{key: text.strip() for key, text in tag.items()} for tag in tags]


HOSTILE = [
    *(b"<!--", b"<a ", b"<a x='", b"</", b"<!", b"<![CDATA[", b"<template>", b"<script>", b"<"),
    *(b"<meta a =  ", b'<meta name="&amp', b"<title><", b"<meta " + b" " * 500),
    b"<meta" + b" a" * 50 + b">",
    b"<meta name=citation_doi content=10.1234>",
    b"<meta name=citation_doi content=10.1234/%ff>",
]


@pytest.mark.parametrize("piece", HOSTILE)
@pytest.mark.parametrize("before", [b"", b"<meta "])
def test_a_page_full_of_unfinished_markup_is_read_once(piece, before):
    """Reading any place twice would take hours here, and the suite's own limit would end it."""
    assert declared_papers(before + piece * (MAX_BYTES // len(piece))).papers == ()


RECORDED = {
    "metascraper-journals-plos-org-plosone-article-id-10-1371-journal-pone": "10.1371/journal.pone.0000001",
    "metascraper-pmc-ncbi-nlm-nih-gov-articles-pmc3531190": "10.1093/nar/gks1195",
    "papis-acl-2021-naacl-main-208": "10.18653/v1/2021.naacl-main.208",
    "papis-aps-revmodphys-94-045004": "10.1103/revmodphys.94.045004",
    "papis-fallback-peerj": "10.7717/peerj.4886",
    "papis-iopscience-ab007b": "10.1088/1748-605x/ab007b",
    "papis-nber-w29971": "10.3386/w29971",
    "papis-projecteuclid-1391109086": "10.57262/ade/1391109086",
    "papis-sciencedirect-s2210271x18305656": "10.1016/j.comptc.2018.10.004",
    "papis-springerlink-s10924-010-0192-1": "10.1007/s10924-010-0192-1",
    "sandcrawler-first-monday-ojs3-landingpage": "10.5210/fm.v25i10.10274",
    "metascraper-arxiv-org-abs-1706-03762": "1706.03762",
    "papis-usenix-goyal": None,
    "papis-acl-n04-1001": None,
}


@pytest.mark.parametrize(("name", "paper"), RECORDED.items())
def test_the_pages_of_real_publishers_name_their_papers(name, paper):
    path = SHARED / "upstream" / "citation_meta_html" / f"{name}.html"
    if not path.is_file():
        pytest.skip("the recorded pages are not beside this checkout")

    papers = declared_papers(path.read_bytes()).papers

    assert papers == ((parse_reference(paper),) if paper else ())


class HeadReader(HTMLParser):
    """The head's tags as the standard library sees them."""

    def __init__(self):
        super().__init__()
        self.found, self._hidden, self._over = [], 0, False

    def handle_starttag(self, tag, attributes):
        self._over = self._over or tag == "body"
        self._hidden += tag in {"noscript", "template"}
        if tag in {"meta", "link"} and not self._over and not self._hidden:
            first = dict(reversed([(key, (text or "").strip()) for key, text in attributes]))
            self.found.append((tag, first))

    def handle_endtag(self, tag):
        self._over = self._over or tag == "head"
        self._hidden = max(0, self._hidden - (tag in {"noscript", "template"}))


def test_real_pages_are_read_as_the_standard_library_reads_them():
    paths = sorted((SHARED / "pages" / "html").glob("*.html.gz"))
    if not paths:
        pytest.skip("the real pages are not beside this checkout")
    differing = []

    for path in paths[::25]:
        page = gzip.decompress(path.read_bytes())[:MAX_BYTES]
        peer = HeadReader()
        peer.feed(page.decode("utf-8", errors="replace"))
        ours = [
            (tag.name, dict(tag.attributes))
            for tag in head_tags(page)
            if tag.name in {"meta", "link"}
        ]
        if ours != peer.found:
            differing.append(path.name)

    assert differing == []


def test_no_ordinary_page_is_taken_for_a_paper():
    paths = sorted((SHARED / "pages" / "html").glob("*.html.gz"))
    if not paths:
        pytest.skip("the real pages are not beside this checkout")

    named = {path.name: declared_papers(gzip.decompress(path.read_bytes())) for path in paths[::3]}

    assert {name: result for name, result in named.items() if result.papers} == {}
