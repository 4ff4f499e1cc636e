"""`structured_search`: fields extracted from pages, through the whole pipeline."""

import pytest

pytestmark = pytest.mark.anyio

KEY = {"EXA_API_KEY": "an-invented-key"}
HOST = "api.exa.ai"
FLAT = {"type": "object", "properties": {"name": {"type": "string"}, "size": {"type": "integer"}}}


def object_of(**properties):
    return {"type": "object", "properties": properties}


async def test_fields_are_extracted_by_the_schema_and_passages_stay_verbatim(call):
    reply = await call(
        "structured_search", {"query": "sea otter", "schema": FLAT, "num_results": 2}, **KEY
    )

    first, _ = reply["results"]
    assert first["summary"] == {"name": first["title"], "size": None}
    [passage] = first["highlights"]
    assert passage.startswith("Sea otters keep kelp forests alive by eating urchins.")
    assert (reply["query"], reply["category"], reply["resultCount"]) == ("sea otter", "", 2)
    assert (reply["provider"], reply["costUsd"]) == ("exa", 0.005)


async def test_without_a_schema_the_summary_is_text(call):
    reply = await call("structured_search", {"query": "sea otter"}, **KEY)

    assert reply["results"][0]["summary"].startswith("About ")


async def test_a_company_comes_with_its_entities(call):
    reply = await call("structured_search", {"query": "sea otter", "category": "company"}, **KEY)

    [entity] = reply["results"][0]["entities"]
    assert entity["properties"]["foundedYear"] == 1987


@pytest.mark.parametrize(
    ("narrowed", "words"),
    [
        ({"category": "horoscope"}, "use one of company, people, research paper, news"),
        ({"schema": {"type": "array"}}, "the root must be of type object"),
        ({"schema": object_of()}, "schema must have properties"),
        (
            {"schema": object_of(**{f"f{n}": {"type": "string"} for n in range(11)})},
            "schema has 11 properties; at most 10 are allowed",
        ),
        (
            {"schema": object_of(a=object_of(b=object_of(c={"type": "string"})))},
            "schema.a.b is nested too deeply",
        ),
        (
            {"schema": object_of(a={"type": "array", "items": FLAT})},
            "the items of schema.a must be of a primitive type",
        ),
        ({"schema": object_of(a={"description": "no type"})}, "schema.a must name its type"),
        (
            {"schema": object_of(a={"type": "string", "description": "x" * 10_001})},
            "must not be longer than 10000 characters",
        ),
    ],
)
async def test_what_the_engine_does_not_support_is_refused_before_it_costs(
    call, internet, narrowed, words
):
    reply = await call("structured_search", {"query": "sea otter", **narrowed}, **KEY)

    assert reply["error"]["kind"] == "validation"
    assert words in reply["error"]["detail"]
    assert internet.seen == []


async def test_nothing_found_has_hints_and_is_not_cached(application, internet):
    app = await application(**KEY)

    for _ in range(2):
        result = await app.call("structured_search", {"query": "xyzzy plugh", "category": "news"})

    assert (result.structured["results"], result.structured["resultCount"]) == ([], 0)
    assert result.structured["hints"]["reason"]
    assert len(internet.requests_to(HOST)) == 2


async def test_a_schema_is_no_filter_that_could_have_removed_results(call):
    schema = {"type": "object", "properties": {"name": {"type": "string"}}}

    none = await call("structured_search", {"query": "qqq zzz", "schema": schema}, **KEY)
    narrow = await call("structured_search", {"query": "qqq zzz", "category": "pdf"}, **KEY)

    assert (none["hints"]["reason"], none["hints"]["filtersApplied"]) == ("no_match", {})
    assert narrow["hints"]["filtersApplied"] == {"category": "pdf"}
