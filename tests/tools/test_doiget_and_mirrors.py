"""The library's own tools never ask a mirror, and say nothing of one, whether it is on or off."""

import json

import pytest

from sourcewright import tools

pytestmark = pytest.mark.anyio

HOSTS = ("mirror.shadow.example", "second.shadow.example", "vault.shadow.example")
ON = {
    "SCIHUB_MIRRORS": f"https://{HOSTS[0]},https://{HOSTS[1]}",
    "SCIHUB_ACCEPT_RESPONSIBILITY": "1",
}
SETTINGS = [pytest.param({}, id="off"), pytest.param(ON, id="on")]
ONLY_MIRRORED = "10.5555/mirrored-only"
DOIGET = sorted(name for name in tools.discover() if name.startswith("doiget_"))
ARGUMENTS = {"ref": ONLY_MIRRORED, "refs": [ONLY_MIRRORED], "seed": ONLY_MIRRORED}


def is_silent_about_mirrors(text):
    return not any(word in text.lower() for word in ("scihub", "sci-hub", "shadow"))


async def ask_all(app):
    """Calls each tool with a paper that only a mirror has; returns all answers as one text."""
    messages = []
    for name in DOIGET:
        fields = tools.discover()[name].ask.model_fields
        known = {key: value for key, value in ARGUMENTS.items() if key in fields}
        messages.append((await app.call(name, known or {})).structured)
    return json.dumps(messages, default=dict)


@pytest.mark.parametrize("changes", SETTINGS)
async def test_no_tool_of_the_library_asks_or_names_a_mirror(
    application, internet, tmp_path, changes
):
    message = await ask_all(await application(**changes))

    logged = next(tmp_path.rglob("provenance.jsonl")).read_text("utf-8")
    assert ONLY_MIRRORED in message
    assert is_silent_about_mirrors(message + logged)
    assert not {seen.host for seen in internet.seen} & set(HOSTS)


@pytest.mark.parametrize("changes", SETTINGS)
async def test_a_closed_paper_stays_closed(call, changes):
    result = await call("doiget_fetch_paper", {"ref": ONLY_MIRRORED}, **changes)

    assert result["pdf"]["status"] == "no_oa_url"


@pytest.mark.parametrize("dry_run", [True, False])
async def test_what_may_be_asked_is_the_same_with_mirrors_and_without(call, dry_run):
    arguments = {"ref": ONLY_MIRRORED, "dry_run": dry_run}

    without, with_them = [
        await call("doiget_fetch_paper", arguments, **changes) for changes in ({}, ON)
    ]

    assert without.get("attempts") == with_them.get("attempts")
    assert is_silent_about_mirrors(json.dumps(with_them, default=dict))


async def test_the_profile_lists_the_same_sources_with_mirrors_and_without(call):
    without = await call("doiget_capability_profile", {})
    with_them = await call("doiget_capability_profile", {}, **ON)

    assert without == with_them


def test_the_doctor_says_nothing_of_mirrors_that_are_off(cli):
    done = cli("doctor")

    assert "crossref" in done.stdout
    assert is_silent_about_mirrors(done.stdout)
