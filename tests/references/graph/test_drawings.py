"""Drawings of a citation graph: DOT and HTML."""

import re
from html.parser import HTMLParser

import pytest

from sourcewright.references.graph.dot import write_dot
from sourcewright.references.graph.neighbourhood import neighbourhood_of
from sourcewright.references.graph.page import write_page

HOSTILE = '<script>alert(1)</script> "]; evil [label="x\\'
RETRACTED = {"retracted": True, "kind": "retraction"}


def paper(number, year=2019, **more):
    return {
        "title": f"Paper {number}",
        "url": f"https://doi.org/10.1/{number}",
        "doi": f"10.1/{number}",
        "authors": ["Ann Lee", "Bo Ek"],
        "year": year,
        "source": "openalex",
        "citationCount": number,
        **more,
    }


def graph(citing=(), cited=(), **more):
    answer = {"seed": "10.1/0", "provider": "openalex", "seedPaper": paper(0), **more}
    return neighbourhood_of({**answer, "citedBy": list(citing), "references": list(cited)})


class _Reader(HTMLParser):
    def __init__(self):
        super().__init__()
        self.tags, self.addresses = [], []

    def handle_starttag(self, tag, attrs):
        self.tags.append(tag)
        self.addresses += [value for name, value in attrs if name in ("href", "src")]


def read(page):
    reader = _Reader()
    reader.feed(page)
    return reader


def test_edges_lead_from_the_citing_work_to_the_cited_one():
    drawn = graph([paper(1)], [paper(2)])

    assert drawn.edges == (("10.1/1", "10.1/0"), ("10.1/0", "10.1/2"))
    assert "n1 -> n0;" in write_dot(drawn)
    assert "n0 -> n2;" in write_dot(drawn)


def test_a_work_on_both_sides_is_drawn_once():
    drawn = graph([paper(1)], [paper(1)])

    assert [node.role for node in drawn.nodes] == ["seed", "both"]
    assert len(drawn.edges) == 2


def test_a_retracted_work_is_marked_in_both():
    drawn = graph([paper(1, retractionStatus=RETRACTED)])

    assert "RETRACTED" in write_page(drawn)
    assert 'class="cross"' in write_page(drawn)
    assert "RETRACTED: " in write_dot(drawn)


@pytest.mark.parametrize(
    ("status", "text"),
    [
        ({"retracted": False, "kind": "retraction", "partial": True}, "PARTLY RETRACTED"),
        ({"retracted": False, "kind": "expression_of_concern"}, "EXPRESSION OF CONCERN"),
        ({"retracted": False, "kind": "correction"}, "CORRECTED"),
    ],
)
def test_every_kind_of_notice_is_named_as_what_it_is(status, text):
    drawn = graph([paper(1, retractionStatus=status)])

    assert text in write_page(drawn)
    assert text in write_dot(drawn)
    assert "RETRACTED" not in write_dot(drawn).replace("PARTLY RETRACTED", "")


def test_titles_of_others_are_text_and_never_markup():
    drawn = graph([paper(1, title=HOSTILE, authors=[HOSTILE], journal=HOSTILE)])

    reader = read(write_page(drawn))
    assert "script" not in reader.tags
    outside = re.sub(r'"(?:[^"\\]|\\.)*"', "", write_dot(drawn))
    assert "evil" not in outside


def test_only_web_addresses_become_links():
    drawn = graph([paper(1, url="javascript:alert(1)"), paper(2, url="")])

    assert all(one.startswith("https://doi.org/") for one in read(write_page(drawn)).addresses)


def test_the_page_loads_nothing_from_anywhere():
    page = write_page(graph([paper(1)], [paper(2)]))

    assert not {"script", "link", "img", "iframe"} & set(read(page).tags)
    assert "default-src 'none'" in page


def test_a_seed_without_a_record_and_works_without_a_year_are_drawn():
    lonely = neighbourhood_of({"seed": "A title", "provider": "x", "citedBy": [paper(1, None)]})

    assert "no year" in write_page(lonely)
    assert write_dot(lonely).startswith("digraph")
