"""Keys go to the sources that they are for, and to no screen, result, error or log."""

import pytest

from sourcewright.world.sites.tdm_elsevier import NARROW_KEY, WRONG_KEY

pytestmark = pytest.mark.anyio

DOWN = ("api.crossref.org", "doi.org")
"""Publishers are asked about a record that Crossref could not give, and that may exist."""
ELSEVIER, SPRINGER, NCBI = (
    "api.elsevier.com",
    "api.springernature.com",
    "eutils.ncbi.nlm.nih.gov",
)
REFS = ("10.1016/j.nobody.2020.1", "10.1007/nobody-2020-1", "pmid:99999999")
KEYS = {
    "DOIGET_KEY_ELSEVIER": "els-9f8e7d6c5b",
    "DOIGET_KEY_SPRINGER": "spr-1a2b3c4d5e",
    "DOIGET_KEY_APS": "aps-0f1e2d3c4b",
    "PUBMED_API_KEY": "ncb-a1b2c3d4e5",
}
AGREED = {f"DOIGET_AGREE_TDM_{name}": "1" for name in ("ELSEVIER", "SPRINGER", "APS")}
EVERYTHING = {**KEYS, **AGREED, "AUDIT_INCLUDE_REQUEST_BODY": "1"}
ECHO = " ".join(KEYS.values())


def honest(_internet, _host):
    """No fault at all."""


def forbids(internet, host):
    internet.breaks(host, status=403, body=f'{{"message": "{ECHO} may not"}}')


def limits(internet, host):
    internet.breaks(host, status=429, body=ECHO)


def fails(internet, host):
    internet.breaks(host, status=500, body=ECHO)


def repeats(internet, host):
    internet.says(host, {"error": ECHO, "apiKey": ECHO})


def rambles(internet, host):
    internet.says(host, ECHO.encode(), content_type="text/plain")


def sends_away(internet, host):
    internet.redirects(host, f"https://elsewhere.example/?api_key={ECHO.replace(' ', '+')}")


def unplugs(internet, host):
    internet.unplugs(host)


FAULTS = [honest, forbids, limits, fails, repeats, rambles, sends_away, unplugs]


def shown_in(text):
    return [name for name, key in KEYS.items() if key in text]


@pytest.mark.promise("wire.secrets-never-show")
@pytest.mark.parametrize("fault", FAULTS)
async def test_whatever_a_source_does_no_key_is_shown(call, internet, tmp_path, fault):
    for host in DOWN:
        internet.breaks(host, status=503)
    for host in (ELSEVIER, SPRINGER, NCBI):
        fault(internet, host)

    results = [await call("doiget_resolve_paper", {"ref": ref}, **EVERYTHING) for ref in REFS]

    assert all(internet.requests_to(host) for host in (ELSEVIER, SPRINGER, NCBI))
    kept = [file for file in tmp_path.rglob("*.jsonl*") if file.is_file()]
    assert len(kept) >= 2
    assert shown_in("\n".join(file.read_text("utf-8") for file in kept)) == []
    assert shown_in(str(results)) == []


@pytest.mark.promise("wire.secrets-never-show")
@pytest.mark.parametrize(
    "words",
    [
        ("config", "show", "--all"),
        ("config", "show", "--json"),
        ("doctor",),
        ("tool", "doiget_capability_profile"),
        *(("resolve", ref) for ref in REFS),
    ],
)
def test_no_command_shows_a_key_even_when_it_says_all_it_can(cli, internet, words):
    for host in DOWN:
        internet.breaks(host, status=503)

    done = cli(*words, **EVERYTHING, LOG_LEVEL="debug")

    assert done.stdout + done.stderr
    assert shown_in(done.stdout + done.stderr) == []


@pytest.mark.parametrize("key", [WRONG_KEY, NARROW_KEY])
async def test_a_key_that_opens_nothing_is_said_to_without_it(call, internet, key):
    for host in DOWN:
        internet.breaks(host, status=503)
    changes = EVERYTHING | {"DOIGET_KEY_ELSEVIER": key}

    result = await call("doiget_resolve_paper", {"ref": REFS[0]}, **changes)

    made = {one["source"]: one for one in result["error"]["attempts"]}
    assert made["tdm-elsevier"]["outcome"] == "consulted_failed"
    assert key not in str(result)


@pytest.mark.parametrize("name", ["ELSEVIER", "SPRINGER", "APS"])
@pytest.mark.parametrize("given", ["DOIGET_KEY_{}", "DOIGET_AGREE_TDM_{}"])
def test_a_key_or_an_agreement_alone_stops_the_start_and_names_both(cli, name, given):
    alone = given.format(name)

    done = cli("doctor", **{alone: EVERYTHING[alone]})

    assert done.returncode == 2
    assert f"DOIGET_KEY_{name}" in done.stderr
    assert f"DOIGET_AGREE_TDM_{name}" in done.stderr
    assert shown_in(done.stdout + done.stderr) == []
