"""The right file, through both families of paper tools: what is refused, kept, and tried again."""

import io
import random
import tomllib

import pytest
from reportlab.pdfgen.canvas import Canvas
from tests.material import SHARED

from sourcewright.world import pdf
from sourcewright.world.corpus import load

pytestmark = pytest.mark.anyio

FETCH, DOWNLOAD = "doiget_fetch_paper", "paper_download"
PLOS, EUROPE_PMC = "journals.plos.org", "*europepmc.org"
FINE, SCANNED = "10.5555/fine-paper", "10.5555/scanned-paper"
HAAR = {"SOURCEWRIGHT_ADDITIONAL_HOSTS": "*.haar.example"}
NOISE = random.Random(7)
UPSTREAM = SHARED / "upstream"
RECORDED = sorted(UPSTREAM.glob("*/*.pdf"))


def written(*lines, padding=12_000):
    """A PDF of one page; what follows its text only makes it longer than an error page."""
    out = io.BytesIO()
    canvas = Canvas(out, pageCompression=0)
    for at, line in enumerate(lines):
        canvas.drawString(72, 720 - 20 * at, line)
    canvas.setSubject("x" * padding)
    canvas.save()
    return out.getvalue()


def fine():
    return pdf.paper(load().by_doi(FINE))


def work_of(doi):
    return load().by_doi(doi)


TITLE = "Tidal mixing and the memory of estuaries"
WRONG = {
    "nine bytes": lambda: b"%PDF-1.4\n",
    "random bytes": lambda: b"%PDF-1.4\n" + NOISE.randbytes(50_000),
    "its first half": lambda: fine()[: len(fine()) // 2],
    "all but its end": lambda: fine()[:-200],
    "a sign-in page": lambda: written("Access denied, please sign in"),
    "a sign-in page that names it": lambda: written(
        work_of(FINE).plain_title, f"https://doi.org/{FINE}", "Please sign in to read this article"
    ),
    "another DOI": lambda: written("https://doi.org/10.5555/quite-another"),
    "little text": lambda: written("Invoice 17"),
    "a blank page": lambda: written(""),
}


def pdfs(tmp_path):
    return sorted(path.name for path in tmp_path.rglob("*.pdf"))


def own_location(internet, body):
    """Lets the paper's own location serve this."""
    internet.says(PLOS, body, content_type="application/pdf")


@pytest.mark.promise("file.is-the-paper-asked-for")
@pytest.mark.parametrize("what", WRONG)
async def test_a_file_that_is_not_the_paper_is_refused_at_any_length(
    call, internet, tmp_path, what
):
    own_location(internet, WRONG[what]())
    internet.breaks(EUROPE_PMC, status=404)

    result = await call(FETCH, {"ref": FINE})

    assert result["pdf"]["status"] == "blocked"
    assert pdfs(tmp_path) == []
    assert any(PLOS in (one["detail"] or "") for one in result["attempts"])


@pytest.mark.promise("file.is-the-paper-asked-for")
@pytest.mark.parametrize("what", WRONG)
async def test_the_download_tools_refuse_the_same_files(call, internet, tmp_path, what):
    own_location(internet, WRONG[what]())
    internet.breaks(EUROPE_PMC, status=404)

    result = await call(DOWNLOAD, {"identifier": FINE})

    assert result["error"] == "Paper not available from any source"
    assert pdfs(tmp_path) == []


@pytest.mark.promise("file.refused-does-not-end-the-search")
@pytest.mark.parametrize("tool", ["doiget_batch_fetch", "paper_batch_download"])
async def test_a_refused_file_does_not_end_the_search(call, internet, tmp_path, tool):
    own_location(internet, WRONG["all but its end"]())
    outcome = "refs" if tool.startswith("doiget") else "identifiers"

    result = await call(tool, {outcome: [FINE]})

    [paper] = result.get("results") or result["downloads"]
    checked = paper["pdf"]["file_check"] if "pdf" in paper else paper["file_check"]
    assert checked == "confirmed"
    [name] = pdfs(tmp_path)
    assert next(tmp_path.rglob("*.pdf")).read_bytes() == fine(), name


@pytest.mark.promise("file.unconfirmed-is-said")
async def test_a_scan_of_the_paper_s_own_location_is_kept_and_called_unconfirmed(call, tmp_path):
    result = await call(FETCH, {"ref": SCANNED}, **HAAR)

    answer = result["pdf"]
    assert (answer["status"], answer["file_check"]) == ("fetched", "unconfirmed")
    assert "could not be confirmed" in answer["reason"]
    [record] = (tmp_path / "papers" / ".metadata").glob("*.toml")
    assert tomllib.loads(record.read_text())["doiget"]["file_check"] == "unconfirmed"
    assert len(pdfs(tmp_path)) == 1


async def test_a_downloaded_scan_is_called_unconfirmed_in_the_answer(answer):
    result = await answer(DOWNLOAD, {"identifier": SCANNED})

    assert result.structured["file_check"] == "unconfirmed"
    assert "File check: unconfirmed" in result.text
    assert "could not be confirmed" in result.text


async def test_a_scan_that_was_found_by_title_is_refused(call, internet, tmp_path):
    listed = call_to_unpaywall(internet, SCANNED)
    for place in (listed["best_oa_location"], *listed["oa_locations"]):
        place["evidence"] = "oa repository (via OAI-PMH title and first author match)"
    internet.says("api.unpaywall.org", listed)

    result = await call(FETCH, {"ref": SCANNED}, **HAAR)

    assert result["pdf"]["status"] == "blocked"
    assert "from a third-party location" in result["pdf"]["reason"]
    assert pdfs(tmp_path) == []


def call_to_unpaywall(internet, doi):
    """The answer of Unpaywall about a DOI."""
    import json
    import urllib.request

    url = f"{internet.url}/v2/{doi}?email=a@b.example"
    request = urllib.request.Request(url, headers={"Host": "api.unpaywall.org"})
    with urllib.request.urlopen(request) as answered:
        return json.load(answered)


@pytest.mark.promise("file.unconfirmed-is-said")
@pytest.mark.parametrize("found", ["the paper", "nothing"])
async def test_the_next_fetch_of_an_unconfirmed_paper_tries_again(
    application, internet, tmp_path, found
):
    app = await application(**HAAR)
    await app.call(FETCH, {"ref": SCANNED})
    if found == "the paper":
        body = pdf.paper(work_of(SCANNED))
        internet.says("fog.haar.example", body, content_type="application/pdf")
    else:
        internet.breaks("fog.haar.example", status=404)

    again = (await app.call(FETCH, {"ref": SCANNED})).structured

    [name] = pdfs(tmp_path)
    stored = (await app.call("doiget_paper_pdf_path", {"ref": SCANNED})).structured
    if found == "the paper":
        assert again["pdf"]["file_check"] == stored["file_check"] == "confirmed"
    else:
        assert again["pdf"]["status"] == "blocked"
        assert stored["file_check"] == "unconfirmed"
        assert again["path"].endswith(name)


async def test_a_confirmed_copy_is_preferred_to_a_scan(call, internet):
    own_location(internet, pdf.scan(work_of(FINE)))

    result = await call(FETCH, {"ref": FINE})

    assert result["pdf"]["file_check"] == "confirmed"
    assert any("unconfirmed" in (one["detail"] or "") for one in result["attempts"])


@pytest.mark.skipif(not RECORDED, reason="the recorded documents are not beside this checkout")
async def test_no_unrelated_real_file_is_kept(application, internet, tmp_path):
    """Those that nobody here wrote, each served at the paper's own location."""
    app = await application()
    internet.breaks(EUROPE_PMC, status=404)
    kept = []
    for path in RECORDED:
        internet.mends(PLOS)
        own_location(internet, path.read_bytes())
        result = (await app.call(FETCH, {"ref": FINE, "force": True})).structured
        kept += [path.name] if result["pdf"]["status"] != "blocked" else []

    assert kept == []
    assert pdfs(tmp_path) == []
