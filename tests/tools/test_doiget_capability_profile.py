"""doiget_capability_profile, through the whole pipeline."""

import pytest

from sourcewright.providers import discover

pytestmark = pytest.mark.anyio

TOOL = "doiget_capability_profile"
OPTIONAL = sorted(
    one.info.reported_name
    for one in discover().values()
    if one.info.tier == 2 and not one.info.refuses_keyless
)
"""Sources that work without a key, each of which can be turned off."""


def usable(result):
    return {source["name"]: source["usable"] for source in result["sources"]}


async def test_the_contracts_fields_are_there_and_true(call, internet):
    result = await call(TOOL, {})

    assert result["ok"] is True
    assert result["oa_enabled"] is True
    assert result["rate_limit_per_sec"] == 5.0
    assert result["tier_1"] == ["arxiv", "crossref", "unpaywall"]
    assert result["metadata_sources"] == result["tier_2"] == OPTIONAL
    assert not any(result[f"tdm_{name}"] for name in ("enabled", "elsevier", "aps", "springer"))
    assert internet.seen == []


async def test_a_source_that_is_turned_off_is_not_usable(call):
    result = await call(TOOL, {}, DOIGET_ENABLE_DATACITE="0")

    assert result["metadata_sources"] == [name for name in OPTIONAL if name != "datacite"]
    assert usable(result)["datacite"] is False
    datacite = next(one for one in result["sources"] if one["name"] == "datacite")
    assert datacite["needs"] == ["DOIGET_ENABLE_DATACITE"]
    assert datacite["advice"] == "set DOIGET_ENABLE_DATACITE=1"


async def test_a_source_without_its_setting_says_what_it_needs(call):
    result = await call(TOOL, {}, CONTACT_EMAIL="")

    unpaywall = next(s for s in result["sources"] if s["name"] == "unpaywall")
    assert unpaywall["usable"] is False
    assert {"UNPAYWALL_EMAIL", "CONTACT_EMAIL"} <= set(unpaywall["needs"])


async def test_no_address_and_no_key_is_shown(call):
    result = await call(TOOL, {}, CONTACT_EMAIL="somebody.private@uni.edu")

    assert "somebody.private" not in str(result)


@pytest.mark.parametrize("name", ["elsevier", "aps", "springer"])
async def test_a_publisher_with_a_key_and_an_agreement_is_usable(call, internet, name):
    changes = {f"DOIGET_KEY_{name.upper()}": "k-123456", f"DOIGET_AGREE_TDM_{name.upper()}": "1"}

    result = await call(TOOL, {}, **changes)

    assert result["tier_3"] == [f"tdm-{name}"]
    assert [one for one in ("elsevier", "aps", "springer") if result[f"tdm_{one}"]] == [name]
    assert result["tdm_enabled"] is True
    assert "k-123456" not in str(result)
    assert internet.seen == []


async def test_a_publisher_says_that_it_needs_a_key_and_an_agreement(call):
    result = await call(TOOL, {})

    aps = next(s for s in result["sources"] if s["name"] == "tdm-aps")
    assert aps["usable"] is False
    assert aps["needs"] == ["DOIGET_KEY_APS", "DOIGET_AGREE_TDM_APS"]
    assert (result["tier_3"], result["tdm_enabled"]) == ([], False)
