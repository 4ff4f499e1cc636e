"""Pages of the simulated web whose URLs hold no identifier."""

import pytest

HOST = "signposts.example"


@pytest.mark.parametrize(
    ("path", "element"),
    [
        ("/article/1", 'name="citation_doi" content="10.5555/fine-paper"'),
        ("/article/2", 'name="citation_pmid" content="99'),
        ("/article/3", 'name="citation_arxiv_id" content="2401.99901"'),
        ("/two-papers", 'name="citation_doi" content="10.5555/closed-paper"'),
        ("/no-paper", 'name="citation_doi" content=""'),
    ],
)
def test_a_page_says_in_its_head_what_it_is_about(visitor, path, element):
    answer = visitor.ask(HOST, path)

    assert answer.status == 200
    assert element in answer.text.partition("</head>")[0]


@pytest.mark.parametrize(
    ("path", "status"), [("/captcha", 403), ("/doi/10.5555/fine-paper", 403), ("/fallen", 404)]
)
def test_some_signs_cannot_be_read(visitor, path, status):
    assert visitor.ask(HOST, path).status == status


@pytest.mark.parametrize("path", ["/moved", "/resolved", "/guarded", "/inside"])
def test_some_signs_lead_elsewhere(visitor, path):
    assert visitor.ask(HOST, path).status == 302


def test_one_sign_stands_before_a_file(visitor):
    assert visitor.ask(HOST, "/file").body.startswith(b"%PDF-")
