"""Which paper a text, an identifier or a page refers to."""

import json
from pathlib import Path

import pytest

from sourcewright.base.errors import BadAnswer, Denied, InvalidInput, Refused, Unavailable
from sourcewright.base.identifiers import ArxivId, Doi
from sourcewright.domain.codes import code_of
from sourcewright.domain.evidence import NoSourceAnswered
from sourcewright.net.fetch.pages import OpenPages
from sourcewright.services.papers.identification import identify_text

pytestmark = pytest.mark.anyio

HOST = "signposts.example"
PAPER = Doi("10.5555/fine-paper")


@pytest.fixture
def identify(application):
    """Identifies a text against the world."""

    async def run(text, **changes):
        services = (await application(**changes)).services
        pages = OpenPages(services.parts.network)
        return await identify_text(text, services.parts.recorder, services.papers.sources, pages)

    return run


@pytest.fixture
def rows(environment):
    """The rows that visits of pages left in the provenance log."""

    def read():
        lines = Path(environment["DOIGET_LOG_PATH"]).read_text(encoding="utf-8").splitlines()
        return [row for row in map(json.loads, lines) if row.get("source") == "page"]

    return read


async def unanswered(identify, text):
    with pytest.raises(NoSourceAnswered) as caught:
        await identify(text)
    return caught.value


async def account(identify, text):
    """Everything that is reported to the caller, whatever the outcome."""
    try:
        return str(await identify(text))
    except NoSourceAnswered as error:
        return f"{error} {error.attempts}"


@pytest.mark.parametrize(
    ("text", "paper"),
    [
        ("doi:10.5555/FINE-paper", PAPER),
        ("https://doi.org/10.5555/fine-paper", PAPER),
        ("https://arxiv.org/abs/2401.99901v2", ArxivId("2401.99901", 2)),
        ("https://www.nature.com/articles/nature12373", Doi("10.1038/nature12373")),
    ],
)
async def test_what_carries_an_identifier_needs_nobody(identify, internet, text, paper):
    found = await identify(text)

    assert (found.reference, found.attempts) == (paper, ())
    assert internet.seen == []


@pytest.mark.parametrize(
    ("path", "paper", "evidence"),
    [
        ("/article/1", PAPER, "citation_doi"),
        ("/article/3", ArxivId("2401.99901"), "citation_arxiv_id"),
        ("/article/4", PAPER, "dc.identifier"),
        ("/moved", PAPER, "citation_doi"),
        ("/resolved", PAPER, "its redirect target"),
        ("/guarded", PAPER, "its redirect target"),
    ],
)
async def test_a_page_says_which_paper_it_is_about(identify, path, paper, evidence):
    found = await identify(f"https://{HOST}{path}")

    [attempt] = found.attempts
    assert found.reference == paper
    assert (attempt.source, attempt.outcome) == ("page", "consulted_resolved")
    assert attempt.detail == f"https://{HOST}{path} is {paper}, according to {evidence}"


async def test_every_invented_landing_page_leads_to_its_own_paper(identify, internet):
    landings = {
        work.landing: work.key
        for work in internet.corpus.works
        if "/invented/article/" in work.landing and work.agency == "crossref"
    }
    chosen = dict(list(landings.items())[::40])

    found = {landing: str((await identify(landing)).reference) for landing in chosen}

    assert found == chosen
    assert len(chosen) > 3


async def test_a_page_that_names_a_pubmed_number_is_followed_to_pubmed(identify):
    found = await identify(f"https://{HOST}/article/2")

    assert found.reference == PAPER
    assert [attempt.source for attempt in found.attempts] == ["page", "ncbi"]


async def test_a_number_that_pubmed_does_not_know_keeps_the_visit_in_the_account(identify):
    error = await unanswered(identify, f"https://{HOST}/unknown-number")

    assert [attempt.source for attempt in error.attempts] == ["page", "ncbi"]
    assert "pmid:999999999 does not exist" in str(error)


async def test_an_unencrypted_address_is_visited_by_https(identify, internet):
    found = await identify(f"http://{HOST}/article/1")

    assert found.reference == PAPER
    assert {seen.scheme for seen in internet.requests_to(HOST)} == {"https"}


@pytest.mark.parametrize(
    ("path", "why"),
    [
        ("/no-paper", "names no paper: it has no citation_doi"),
        ("/two-papers", "names 2 papers in its citation_doi, such as '10.5555/fine-paper'"),
        ("/file", "is a PDF file"),
    ],
)
async def test_a_page_that_does_not_name_one_paper_is_never_guessed_at(identify, path, why):
    error = await unanswered(identify, f"https://{HOST}{path}")

    [attempt] = error.attempts
    assert why in str(error)
    assert "use the paper's DOI instead, such as 10.1234/abc" in str(error)
    assert (code_of(error), attempt.outcome) == ("INVALID_REF", "consulted_no_record")


async def test_a_page_that_names_a_thousand_papers_is_refused_briefly(identify, internet):
    tags = (f'<meta name="citation_doi" content="10.5555/{at}">' for at in range(1000))
    internet.says(HOST, "".join(tags).encode(), content_type="text/html")

    error = await unanswered(identify, f"https://{HOST}/issue")

    assert "names 1000 papers" in str(error)
    assert len(str(error)) < 500


@pytest.mark.parametrize(
    ("path", "kind"),
    [("/captcha", Refused), ("/fallen", BadAnswer), ("/inside", Denied)],
)
async def test_a_page_that_is_not_given_says_nothing_about_a_paper(identify, path, kind):
    error = await unanswered(identify, f"https://{HOST}{path}")

    [attempt] = error.attempts
    assert isinstance(error.decisive, kind)
    assert "this does not mean that the paper does not exist" in str(error)
    assert attempt.error is error.decisive
    assert attempt.detail.startswith(f"https://{HOST}{path}: ")


@pytest.mark.parametrize(
    ("fault", "kind"),
    [
        (lambda world: world.breaks(HOST, status=500), Unavailable),
        (lambda world: world.unplugs(HOST), Unavailable),
        (lambda world: world.cuts(HOST), Unavailable),
        (lambda world: world.redirects(HOST, "https://10.0.0.1/paper"), Denied),
        (lambda world: world.redirects(HOST, "http://signposts.example/article/1"), Denied),
        (lambda world: world.redirects(HOST, "https://signposts.example/article/1"), BadAnswer),
        (lambda world: world.says(HOST, b"", content_type="text/html"), BadAnswer),
    ],
)
async def test_a_failing_page_is_never_a_page_without_a_paper(identify, internet, fault, kind):
    fault(internet)

    error = await unanswered(identify, f"https://{HOST}/article/1")

    assert isinstance(error.decisive, kind)
    assert code_of(error) not in {"NOT_FOUND", "INVALID_REF"}


@pytest.mark.parametrize(
    "address", ["https://127.0.0.1/paper", "https://u:secret@signposts.example/"]
)
async def test_an_address_that_our_rules_refuse_is_not_visited(identify, internet, address):
    error = await unanswered(identify, address)

    assert isinstance(error.decisive, Denied)
    assert "secret" not in str(error) + str(error.attempts)
    assert internet.seen == []


async def test_a_page_without_an_end_is_read_as_far_as_its_head(identify, internet):
    head = b'<html><head><meta name="citation_doi" content="10.5555/fine-paper"></head><body>'
    internet.says(HOST, head + b"and so on " * 700_000, content_type="text/html")

    found = await identify(f"https://{HOST}/endless")

    assert found.reference == PAPER


async def test_a_page_says_where_the_doi_in_its_address_ends(identify, internet):
    internet.redirects(HOST, f"https://{HOST}/doi/10.5555/fine-paper/full-text", "/short")
    internet.says(
        HOST,
        b'<head><meta name="citation_doi" content="10.5555/fine-paper"></head>',
        path="/doi/*",
        content_type="text/html",
    )

    found = await identify(f"https://{HOST}/short")

    assert found.reference == PAPER


async def test_of_several_addresses_on_the_way_the_last_one_counts(identify, internet):
    internet.redirects(HOST, f"https://{HOST}/doi/10.5555/alias", "/short")
    internet.redirects(HOST, f"https://{HOST}/doi/10.5555/fine-paper", "/doi/10.5555/alias")

    found = await identify(f"https://{HOST}/short")

    assert found.reference == PAPER


async def test_a_longer_number_in_an_address_is_not_cut_to_what_a_page_says(identify, internet):
    internet.redirects(HOST, f"https://{HOST}/doi/10.5555/12", "/short")
    page = b'<meta name="citation_doi" content="10.5555/1">'
    internet.says(HOST, page, path="/doi/*", content_type="text/html")

    found = await identify(f"https://{HOST}/short")

    assert found.reference == Doi("10.5555/12")


@pytest.mark.parametrize(
    ("path", "result", "code"),
    [
        ("/article/1", "ok", None),
        ("/no-paper", "ok", None),
        ("/captcha", "err", "CAPABILITY_DENIED"),
        ("/inside", "denied", "CAPABILITY_DENIED"),
    ],
)
async def test_every_visit_leaves_a_row_without_the_query(identify, rows, path, result, code):
    answer = await account(identify, f"https://{HOST}{path}?token=secret#part")

    [row] = rows()
    assert "secret" not in answer
    assert (row["ref"], row["result"], row.get("error_code")) == (
        f"https://{HOST}{path}",
        result,
        code,
    )


@pytest.mark.parametrize(
    ("text", "advice"),
    [
        ("10.1234", "a slash and a suffix, as in 10.1234/abc"),
        ("10.1038 nature12373", "did you mean '10.1038/nature12373'"),
        ("nature12373", "did you mean '10.1038/nature12373'"),
        ("see 10.1234/abc.", "did you mean '10.1234/abc'"),
        ("Attention is all you need", "if it is a title, look up its DOI first"),
        ("https://signposts.example/a b", "contains white space"),
        ("ftp://signposts.example/article/1", "accepted: a DOI"),
    ],
)
async def test_what_names_nothing_is_refused_with_advice(identify, internet, text, advice):
    with pytest.raises(InvalidInput) as caught:
        await identify(text)

    assert advice in str(caught.value)
    assert internet.seen == []
