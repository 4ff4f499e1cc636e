"""doiget_capability_profile, through the whole pipeline."""

import pytest

pytestmark = pytest.mark.anyio

TOOL = "doiget_capability_profile"


def usable(result):
    return {source["name"]: source["usable"] for source in result["sources"]}


async def test_the_contracts_fields_are_there_and_true(call, internet):
    result = await call(TOOL, {})

    assert result["ok"] is True
    assert result["oa_enabled"] is True
    assert result["rate_limit_per_sec"] == 5.0
    assert result["tier_1"] == ["arxiv", "crossref", "unpaywall"]
    assert result["metadata_sources"] == result["tier_2"] == ["datacite"]
    assert not any(result[f"tdm_{name}"] for name in ("enabled", "elsevier", "aps", "springer"))
    assert internet.seen == []


async def test_a_source_that_is_turned_off_is_not_usable(call):
    result = await call(TOOL, {}, DOIGET_ENABLE_DATACITE="0")

    assert result["metadata_sources"] == []
    assert usable(result)["datacite"] is False


async def test_a_source_without_its_setting_says_what_it_needs(call):
    result = await call(TOOL, {}, CONTACT_EMAIL="")

    unpaywall = next(s for s in result["sources"] if s["name"] == "unpaywall")
    assert unpaywall["usable"] is False
    assert {"UNPAYWALL_EMAIL", "CONTACT_EMAIL"} <= set(unpaywall["needs"])


async def test_no_address_and_no_key_is_shown(call):
    result = await call(TOOL, {}, CONTACT_EMAIL="somebody.private@example.org")

    assert "somebody.private" not in str(result)
