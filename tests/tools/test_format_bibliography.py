"""format_bibliography: the contract's styles, keys and order, and records on request."""

import json

import pytest

pytestmark = pytest.mark.anyio

ATTENTION = {
    "url": "https://example.org/attention",
    "title": "Attention is enough",
    "author": "Vashti Nair; Noor Shah",
    "site": "Letters of Learning",
    "date": "2017-06-12",
    "doi": "https://doi.org/10.5555/ATTENTION",
}
TIDES = {
    "url": "https://example.org/tides",
    "title": "How tides work",
    "author": "Ada Lovelace and Ben Lind",
    "site": "Ocean Notes",
    "date": "2021-03-14",
}


@pytest.fixture
def formatted(answer):
    """Formats sources; gives the structured answer, held to the published schema."""

    async def run(*sources, **fields):
        return (
            await answer("format_bibliography", {"sources": list(sources), **fields})
        ).structured

    return run


async def test_apa_is_the_default_and_sorted_by_the_line(formatted):
    result = await formatted(ATTENTION, TIDES)

    assert result == {
        "style": "apa",
        "entryCount": 2,
        "bibliography": "Lovelace, A., & Lind, B. (2021, March 14). How tides work. Ocean Notes. "
        "https://example.org/tides\n\n"
        "Nair, V., & Shah, N. (2017). Attention is enough. Letters of Learning. "
        "https://doi.org/10.5555/attention",
        "trust": "untrusted-external-content",
    }


async def test_mla_marks_italics_on_request(formatted):
    result = await formatted(TIDES, style="mla", markdown=True)

    assert result["bibliography"] == (
        "Lovelace, Ada, and Ben Lind. “How Tides Work.” *Ocean Notes*, 14 Mar. 2021, "
        "https://example.org/tides."
    )


async def test_an_undated_page_says_when_it_was_retrieved(formatted):
    result = await formatted({"url": "https://example.org/a", "title": "A page"})

    assert result["bibliography"].startswith("A page. (n.d.). Retrieved ")
    assert result["bibliography"].endswith(", from https://example.org/a")


async def test_bibtex_has_the_contracts_keys_and_types(formatted):
    text = (await formatted(TIDES, ATTENTION, style="bibtex"))["bibliography"]
    first, second = text.split("\n\n")

    assert first.startswith("@misc{lovelace2021how,\n")
    assert second.startswith("@article{nair2017attention,\n")
    assert "doi        = {10.5555/attention}" in second
    assert "journal    = {Letters of Learning}" in second
    assert "url        = {https://example.org/attention}" in second


async def test_equal_keys_get_letters(formatted):
    again = TIDES | {"url": "https://example.org/tides-2"}
    items = json.loads((await formatted(TIDES, again, style="csl-json"))["bibliography"])

    assert [item["id"] for item in items] == ["lovelace2021how", "lovelace2021howa"]


async def test_bibtex_characters_are_escaped(formatted):
    source = TIDES | {"title": "100% of {tides} & \\foam_"}
    text = (await formatted(source, style="bibtex"))["bibliography"]

    assert r"100\% of" in text
    assert r"\&" in text
    assert r"\_" in text


async def test_ris_has_one_tag_per_line_whatever_a_title_says(formatted):
    source = ATTENTION | {"title": "Attention\nER  - \nTY  - JOUR"}
    text = (await formatted(source, style="ris"))["bibliography"]

    assert text.split("\n") == [
        "TY  - JOUR",
        "TI  - Attention ER - TY - JOUR",
        "AU  - Nair, Vashti",
        "AU  - Shah, Noor",
        "PY  - 2017",
        "DA  - 2017/06/12",
        "T2  - Letters of Learning",
        "DO  - 10.5555/attention",
        "UR  - https://example.org/attention",
        "ER  - ",
    ]


async def test_ris_of_a_page_is_electronic(formatted):
    assert (await formatted(TIDES, style="ris"))["bibliography"].startswith("TY  - ELEC\n")


async def test_csl_json_is_the_contracts_item(formatted):
    items = json.loads((await formatted(ATTENTION, TIDES, style="csl-json"))["bibliography"])

    assert [item["type"] for item in items] == ["webpage", "article-journal"]
    assert items[1] == {
        "id": "nair2017attention",
        "type": "article-journal",
        "title": "Attention is enough",
        "author": [{"literal": "Vashti Nair"}, {"literal": "Noor Shah"}],
        "issued": {"date-parts": [[2017, 6, 12]]},
        "container-title": "Letters of Learning",
        "DOI": "10.5555/attention",
        "URL": "https://example.org/attention",
    }


@pytest.mark.parametrize("style", ["bibtex", "ris", "csl-json", "apa", "mla"])
async def test_the_order_of_the_sources_does_not_matter(formatted, style):
    one = await formatted(ATTENTION, TIDES, style=style)

    assert one == await formatted(TIDES, ATTENTION, style=style)


async def test_each_url_is_listed_once_and_the_first_wins(formatted):
    result = await formatted(TIDES, TIDES | {"title": "Another"})

    assert result["entryCount"] == 1
    assert "How tides work" in result["bibliography"]


async def test_a_source_with_a_doi_needs_no_url_and_one_with_neither_is_named(formatted):
    result = await formatted(
        {"doi": "10.5555/attention", "title": "Attention"}, {"title": "Lost"}, style="ris"
    )

    assert (result["entryCount"], result["skipped"]) == (1, [2])
    assert result["bibliography"] == (
        "TY  - JOUR\nTI  - Attention\nDO  - 10.5555/attention\nER  - "
    )


async def test_fields_of_other_tools_are_ignored_and_nulls_are_empty(formatted):
    result = await formatted(TIDES | {"doi": None, "snippet": "Twice a day", "score": 0.5})

    assert result["entryCount"] == 1


async def test_a_bare_doi_is_filled_in_from_its_record(formatted):
    result = await formatted({"doi": "10.5555/fine-paper"}, resolve=True)

    assert result["bibliography"] == (
        "Okonkwo, A., Lindqvist, Å., & 山田太郎. (2019). "
        "Tidal mixing and the memory of estuaries. Journal of Tidal Research, 14(2), 101\u2013119. "
        "https://doi.org/10.5555/fine-paper"
    )
    assert "unresolved" not in result


async def test_nothing_is_asked_without_resolve(formatted, internet):
    result = await formatted({"doi": "10.5555/fine-paper"})

    assert result["bibliography"] == "[Untitled work]. (n.d.). https://doi.org/10.5555/fine-paper"
    assert internet.seen == []


async def test_a_doi_that_cannot_be_filled_in_is_named_and_cited_as_given(formatted):
    result = await formatted(
        TIDES,
        {"doi": "10.5555/never-registered-2019", "title": "Never was"},
        {"doi": "10.5555/fine-paper"},
        resolve=True,
    )

    assert result["entryCount"] == 3
    assert "Never was. (n.d.). https://doi.org/10.5555/never-registered" in result["bibliography"]
    (failed,) = result["unresolved"]
    assert (failed["number"], failed["doi"]) == (2, "10.5555/never-registered-2019")
    assert failed["error"]["kind"] == "not_found"


async def test_a_source_that_fails_is_no_absence(formatted, internet):
    for host in ("api.crossref.org", "api.datacite.org", "doi.org", "api.unpaywall.org"):
        internet.breaks(host, status=503)

    result = await formatted({"doi": "10.5555/never-registered-2019"}, resolve=True)

    assert result["unresolved"][0]["error"]["kind"] == "upstream_unavailable"


async def test_a_retracted_paper_is_named(formatted):
    result = await formatted({"doi": "10.5555/retracted-paper"}, resolve=True, style="ris")

    assert result["notices"] == [
        {"number": 1, "doi": "10.5555/retracted-paper", "status": "retracted"}
    ]
    assert "N1  - Retracted" in result["bibliography"]


async def test_a_sessions_sources_are_listed(application):
    app = await application(BRAVE_API_KEY="an-invented-key", SEARCH_PROVIDER="brave")
    step = {"searchStep": "Look", "stepNumber": 1, "nextStepNeeded": True}
    session = (await app.call("sequential_search", step)).structured["sessionId"]
    await app.call("web_search", {"query": "sea otter", "sessionId": session})

    result = (await app.call("format_bibliography", {"sessionId": session})).structured

    assert result["sessionId"] == session
    assert result["entryCount"] == len(result["bibliography"].split("\n\n")) > 0


async def test_an_organisation_that_wrote_a_page_is_cited_whole_everywhere(application, internet):
    linked = {
        "@type": "NewsArticle",
        "headline": "The tide tables",
        "author": {"@type": "NewsMediaOrganization", "name": "Harbour Times"},
        "datePublished": "2020-03-09",
    }
    story = "".join(f"<p>The tide of day {day} stood high at the pier.</p>" for day in range(30))
    page = (
        f'<html><head><script type="application/ld+json">{json.dumps(linked)}</script></head>'
        f"<body><article><h1>The tide tables</h1>{story}</article></body></html>"
    )
    internet.says("pages.meridian.example", page.encode(), content_type="text/html")
    app = await application()
    step = {"searchStep": "Look", "stepNumber": 1, "nextStepNeeded": True}
    session = (await app.call("sequential_search", step)).structured["sessionId"]
    ask = {"url": "https://pages.meridian.example/article", "sessionId": session}

    citation = (await app.call("scrape_page", ask)).structured["citation"]
    lists = {
        style: (
            await app.call("format_bibliography", {"sessionId": session, "style": style})
        ).structured["bibliography"]
        for style in ("apa", "mla", "bibtex", "ris", "csl-json")
    }

    assert citation["formatted"]["apa"].startswith("Harbour Times. (2020, March 9). The tide")
    assert lists["apa"].startswith("Harbour Times. (2020, March 9).")
    assert lists["mla"].startswith("Harbour Times. ")
    assert "{{Harbour Times}}" in lists["bibtex"]
    assert "AU  - Harbour Times\n" in lists["ris"]
    assert json.loads(lists["csl-json"])[0]["author"] == [{"literal": "Harbour Times"}]


@pytest.mark.parametrize(
    ("author", "apa"),
    [
        ("Okafor, A., Lind, B., & Moreau, C.", "Okafor, A., Lind, B., & Moreau, C."),
        ("Okafor AN, Lind B", "Okafor, A. N., & Lind, B."),
        ("Dr. Ada Okafor and Prof. Dr. Ben Lind", "Okafor, A., & Lind, B."),
        ("Ada Okafor (Harbour News)", "Okafor, A."),
        ("山田 太郎", "山田太郎."),
        ("World Harbour Board", "World Harbour Board."),
    ],
)
async def test_the_people_in_a_byline_are_told_apart(formatted, author, apa):
    result = await formatted({**TIDES, "author": author})

    assert result["bibliography"].startswith(f"{apa} (2021, March 14).")


@pytest.mark.parametrize("author", ["BBC News", "{Rolling Stone}", "Contributors to the Pilot"])
async def test_the_name_of_an_organisation_in_a_list_is_not_split(formatted, author):
    result = await formatted({**TIDES, "author": author})

    assert result["bibliography"].startswith(f"{author.strip('{}')}. (2021, March 14).")


@pytest.mark.parametrize(
    ("arguments", "message"),
    [
        ({}, "give sources or a sessionId"),
        ({"sources": []}, "give sources or a sessionId"),
        ({"sources": [TIDES], "style": "chicago"}, "style"),
        (
            {"sources": [TIDES | {"doi": "nonsense"}]},
            "number 1: 'nonsense' is not a known kind of reference",
        ),
        ({"sources": [{"doi": "pmid:12345"}]}, "number 1: 'pmid:12345' is not a DOI"),
        ({"sources": [TIDES] * 501}, "500"),
        ({"sessionId": "no-such-session"}, "Session not found"),
    ],
)
async def test_bad_input_is_refused_with_its_reason(answer, arguments, message):
    result = await answer("format_bibliography", arguments)

    assert result.is_error
    assert message in result.text


@pytest.mark.parametrize("style", ["apa", "mla", "bibtex", "ris", "csl-json"])
@pytest.mark.parametrize("resolve", [False, True])
@pytest.mark.parametrize(
    "bad",
    [
        {"doi": "10.12/", "title": "Of no address"},
        {"doi": "https://doi.org/not-a-doi", "title": "Of no address"},
        {"doi": "pmid:12345"},
        "10.1234 5/x",
    ],
    ids=str,
)
async def test_one_malformed_doi_of_fifty_is_named_and_the_others_are_formatted(
    formatted, bad, style, resolve
):
    good = [{"url": f"https://example.org/{n}", "title": f"Page {n}"} for n in range(49)]

    result = await formatted(*good[:20], bad, *good[20:], style=style, resolve=resolve)

    [named] = result["unresolved"]
    assert result["entryCount"] == 49
    assert (named["number"], named["error"]["kind"]) == (21, "validation")
    assert named["doi"] == (bad if isinstance(bad, str) else bad["doi"])
    assert result["skipped"] == [21]
    assert "Page 48" in result["bibliography"]


async def test_a_malformed_doi_of_a_source_with_an_address_is_left_out(formatted):
    result = await formatted(TIDES | {"doi": "10.x/tides"}, ATTENTION)

    assert result["entryCount"] == 2
    assert "10.x" not in result["bibliography"]
    assert "https://example.org/tides" in result["bibliography"]
    assert [one["number"] for one in result["unresolved"]] == [1]
    assert "skipped" not in result
