"""Oversized answers of sources: refused or cut, without slowing other calls."""

import gzip
import json

import pytest

from sourcewright.base.formats.answer_limits import MAX_TEXT_LENGTH

pytestmark = pytest.mark.anyio

DOI, ARXIV_ID = "10.5555/fine-paper", "2301.00001"
CROSSREF, ARXIV = "api.crossref.org", "export.arxiv.org"
NOTICE = {"type": "retraction", "DOI": "10.5555/notice", "label": "Retraction"}
ATOM = (
    '<feed xmlns="http://www.w3.org/2005/Atom" xmlns:o="http://a9.com/-/spec/opensearch/1.1/">'
    "<o:totalResults>1</o:totalResults>{}</feed>"
)


def work(**fields):
    message = {"DOI": DOI, "title": ["A fine paper"], **fields}
    return {"status": "ok", "message-type": "work", "message": message}


def attempt_of(source, result):
    made = result.structured.get("attempts") or result.structured["error"]["attempts"]
    return next(one for one in made if one["source"] == source)


@pytest.fixture
def resolve(internet, answer):
    """Resolves a paper while Crossref sends these bytes, compressed."""

    async def ask(body):
        body = body if isinstance(body, bytes) else json.dumps(body).encode()
        packed = gzip.compress(body)
        internet.packs(CROSSREF, packed, encoding="gzip", content_type="application/json")
        return await answer("doiget_resolve_paper", {"ref": DOI})

    return ask


@pytest.mark.parametrize(
    ("body", "why"),
    [
        (lambda: work(**{"updated-by": [NOTICE] * 60_000}), "a list in it has 60000 entries"),
        (lambda: work(author=[{"family": "B"}] * 60_000), "a list in it has 60000 entries"),
        (
            lambda: work(relation={str(n): [] for n in range(60_000)}),
            "a list in it has 60000 entries",
        ),
        (lambda: work(more=[[0] * 10_000] * 40), "it has more than 250000 values"),
        (lambda: b"[" + b"[]," * 5_000_000 + b"[]]", "it has more than 250000 values"),
        (
            lambda: b'{"a":' * 900 + b'"%s"' % (b"x" * 70_000) + b"}" * 900,
            "nested more than 200 levels deep",
        ),
        (lambda: b'{"a":' * 300 + b"1" + b"}" * 300, "nested more than 200 levels deep"),
        (lambda: b"[" * 100_000, "nested too deeply"),
        (lambda: b'{"message": 1e999999}', "a number is too large"),
        (lambda: b'{"message": ' + b"9" * 1_000_000 + b"}", "4300 digits"),
    ],
    ids=[
        "notices",
        "authors",
        "names",
        "values",
        "lists",
        "nested",
        "small and nested",
        "deep",
        "float",
        "integer",
    ],
)
async def test_an_answer_with_too_much_in_it_is_one_that_cannot_be_read(resolve, body, why):
    result = await resolve(body())

    crossref = attempt_of("crossref", result)
    assert crossref["outcome"] == "consulted_failed"
    assert why in crossref["detail"]
    assert len(result.text) < 20_000


@pytest.mark.parametrize(
    ("fields", "name"),
    [
        (lambda: {"title": ["<" * 6_000_000]}, "title"),
        (lambda: {"title": ["&amp;" * 1_500_000]}, "title"),
        (lambda: {"publisher": "\ud800" * 1_000_000}, "publisher"),
        (lambda: {"abstract": "<p>x" * 1_500_000}, "abstract"),
    ],
    ids=["brackets", "entities", "halves", "abstract"],
)
async def test_a_text_without_an_end_is_cut_and_says_so(resolve, fields, name):
    result = await resolve(work(**fields()))

    text = {**result.structured["metadata"], **result.structured["work"]}[name]
    assert len(text) < MAX_TEXT_LENGTH + 100
    assert text.endswith("characters]")
    assert "[truncated after" in text
    assert len(result.text) < 8 * MAX_TEXT_LENGTH


async def test_the_longest_doi_is_no_doi(resolve):
    result = await resolve(work(DOI=f"10.5555/{'x' * 1_000_000}"))

    assert attempt_of("crossref", result)["outcome"] == "consulted_failed"
    assert len(result.text) < 20_000


@pytest.mark.parametrize(
    ("inside", "why"),
    [
        (lambda: "<entry/>" * 120_000, "too many elements"),
        (lambda: "<a>" * 1_000, "nested too deep"),
        (lambda: f"<entry><title>{'<' * 10}</title></entry>", "not well-formed"),
    ],
    ids=["many", "deep", "broken"],
)
async def test_a_feed_with_too_much_in_it_is_one_that_cannot_be_read(
    internet, answer, inside, why
):
    internet.says(ARXIV, ATOM.format(inside()).encode(), content_type="application/atom+xml")

    result = await answer("doiget_resolve_paper", {"ref": f"arxiv:{ARXIV_ID}"})

    arxiv = attempt_of("arxiv", result)
    assert arxiv["outcome"] == "consulted_failed"
    assert why in arxiv["detail"]


async def test_a_feed_whose_title_has_no_end_is_cut_and_says_so(internet, answer):
    link = f'<link title="pdf" href="https://arxiv.org/pdf/{ARXIV_ID}v1"/>'
    days = "<published>2023-01-01T00:00:00Z</published><updated>2023-01-01T00:00:00Z</updated>"
    title = f"<id>http://arxiv.org/abs/{ARXIV_ID}v1</id><title>{'&lt;' * 2_000_000}</title>"
    feed = ATOM.format(f"<entry>{title}{days}<summary>s</summary>{link}</entry>")
    internet.says(ARXIV, feed.encode(), content_type="application/atom+xml")

    result = await answer("doiget_resolve_paper", {"ref": f"arxiv:{ARXIV_ID}"})

    assert result.structured["work"]["title"].endswith("of 2000000 characters]")
    assert len(result.text) < 4 * MAX_TEXT_LENGTH


async def test_a_bomb_in_a_feed_is_not_expanded(internet, answer):
    names = "".join(f'<!ENTITY a{n} "{f"&a{n - 1};" * 10 if n else "lol"}">' for n in range(12))
    feed = f"<!DOCTYPE feed [{names}]>" + ATOM.format("<entry><title>&a11;</title></entry>")
    internet.says(ARXIV, feed.encode(), content_type="application/atom+xml")

    result = await answer("doiget_resolve_paper", {"ref": f"arxiv:{ARXIV_ID}"})

    assert "declares a document type" in attempt_of("arxiv", result)["detail"]


async def test_a_list_of_the_length_that_the_largest_collaborations_have_is_read(resolve):
    authors = [{"given": f"A{n}", "family": "Kelp", "affiliation": []} for n in range(6_000)]

    result = await resolve(work(author=authors))

    assert attempt_of("crossref", result)["outcome"] == "consulted_resolved"
    assert len(result.structured["work"]["authors"]) == 6_000
