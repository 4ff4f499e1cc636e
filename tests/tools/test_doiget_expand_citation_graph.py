"""doiget_expand_citation_graph, through the whole pipeline."""

import pytest

from sourcewright.world.corpus import load

pytestmark = pytest.mark.anyio

TOOL = "doiget_expand_citation_graph"
OPENALEX = "api.openalex.org"
SEED = "10.5555/fine-paper"


async def test_the_graph_names_its_works_and_what_cites_what(call):
    result = await call(TOOL, {"ref": SEED, "depth": 1})

    ids = {node["id"] for node in result["nodes"]}
    assert result["nodes"][0]["id"] == result["seed_work_id"]
    assert result["nodes"][0]["doi"] == SEED
    assert len(result["nodes"]) > 1
    assert all(node["title"] for node in result["nodes"])
    assert {edge["from"] for edge in result["edges"]} == {result["seed_work_id"]}
    assert {edge["to"] for edge in result["edges"]} <= ids
    assert {node["depth"] for node in result["nodes"]} == {0, 1}
    assert result["total_visited"] == len(result["nodes"])


async def test_a_deeper_walk_meets_each_work_once(call):
    result = await call(TOOL, {"ref": SEED, "depth": 3})

    ids = [node["id"] for node in result["nodes"]]
    assert len(ids) == len(set(ids))
    assert max(node["depth"] for node in result["nodes"]) <= 3


@pytest.mark.parametrize(
    ("caps", "cap"),
    [({"total": 2, "depth": 1}, "total"), ({"per_paper": 1, "depth": 1}, "per_paper")],
)
async def test_a_cap_that_cut_it_short_is_named(call, caps, cap):
    result = await call(TOOL, {"ref": SEED, **caps})

    assert result["truncated"] is True
    assert cap in result["truncated_by"]


async def test_larger_caps_are_narrowed_to_the_hard_ones(call):
    result = await call(TOOL, {"ref": SEED, "depth": 99, "total": 9999, "per_paper": 9999})

    assert result["ok"] is True
    assert result["total_visited"] <= 100


async def test_a_number_may_come_as_text_or_as_nothing(call):
    plain = await call(TOOL, {"ref": SEED, "depth": 1})

    assert await call(TOOL, {"ref": SEED, "depth": "1", "total": None, "per_paper": ""}) == plain


async def test_what_the_library_has_is_marked(application):
    app = await application()
    graph = (await app.call(TOOL, {"ref": SEED, "depth": 1})).structured
    cited = next(node["doi"] for node in graph["nodes"][1:] if node["doi"])
    await app.call("doiget_metadata_only", {"ref": cited})

    again = (await app.call(TOOL, {"ref": SEED, "depth": 1})).structured

    assert {node["doi"] for node in again["nodes"] if node["in_library"]} == {cited}


async def test_a_work_that_could_not_be_asked_about_is_a_node_and_cuts_the_graph(call, internet):
    seed = await call(TOOL, {"ref": SEED, "depth": 1})
    internet.breaks(OPENALEX, status=503, path=f"*/{seed['nodes'][1]['id']}")

    result = await call(TOOL, {"ref": SEED, "depth": 1})

    assert "unanswered" in result["truncated_by"]
    assert result["nodes"][1]["title"] is None


async def test_a_source_that_is_down_is_not_an_empty_graph(call, internet):
    internet.breaks(OPENALEX, status=503)

    result = await call(TOOL, {"ref": SEED})

    assert (result["ok"], result["error"]["code"]) == (False, "NETWORK_ERROR")


async def test_a_paper_that_the_graph_lacks_is_not_called_absent(call):
    result = await call(TOOL, {"ref": "10.5555/never-registered-2019"})

    assert result["error"]["code"] == "NO_OA_AVAILABLE"


async def test_without_its_source_the_graph_is_denied(call, internet):
    result = await call(TOOL, {"ref": SEED}, DOIGET_ENABLE_OPENALEX="0")

    assert result["error"]["code"] == "CAPABILITY_DENIED"
    assert result["error"]["denial_context"]["reason"] == "capability_not_granted"
    assert internet.seen == []


async def test_an_arxiv_id_is_no_seed(call):
    result = await call(TOOL, {"ref": "2401.99901"})

    assert result["error"]["code"] == "INVALID_REF"


def test_the_seed_is_a_work_of_the_corpus():
    assert load().by_doi(SEED)


@pytest.mark.promise("absence.needs-every-source")
async def test_a_list_without_references_is_not_called_proof_that_there_are_none(call, internet):
    work = {"id": "https://openalex.org/W1", "doi": f"https://doi.org/{SEED}", "title": "Alone"}
    internet.says(OPENALEX, {**work, "publication_year": 2020, "referenced_works": []})

    result = await call(TOOL, {"ref": SEED})

    assert (result["edges"], result["truncated"], result["source"]) == ([], False, "openalex")
    assert result["note"].endswith("that does not mean that it cites nothing")
