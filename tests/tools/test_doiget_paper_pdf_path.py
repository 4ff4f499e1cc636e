"""doiget_paper_pdf_path, through the whole pipeline."""

import pytest

pytestmark = pytest.mark.anyio

ASK = {"ref": "10.1234/example"}
KEY = "doi_10.1234_example"


@pytest.fixture
def paper(shelve):
    return shelve(
        KEY,
        doi="10.1234/example",
        pdf_path=f"{KEY}.pdf",
        held={"size_bytes": 9, "license": "cc-by", "origin": "user-supplied"},
    )


async def test_without_an_entry_there_is_no_path_and_no_error(call, tmp_path):
    result = await call("doiget_paper_pdf_path", ASK)

    assert (result["ok"], result["path"], result["pdf_exists"]) == (True, None, False)
    assert result["safekey"] == KEY
    assert not (tmp_path / "papers").exists()


@pytest.mark.usefixtures("paper")
async def test_the_path_is_absolute_and_nobody_is_asked(call, tmp_path, internet):
    pdf = tmp_path / "papers" / f"{KEY}.pdf"
    pdf.write_bytes(b"%PDF-1.7\n")

    result = await call("doiget_paper_pdf_path", ASK)

    assert (result["path"], result["pdf_exists"]) == (str(pdf), True)
    assert (result["origin"], result["license"]) == ("user-supplied", "cc-by")
    assert internet.seen == []


@pytest.mark.usefixtures("paper")
async def test_an_entry_whose_pdf_is_gone_has_none(call):
    result = await call("doiget_paper_pdf_path", ASK)

    assert (result["path"], result["pdf_exists"], result["origin"]) == (None, False, None)


@pytest.mark.usefixtures("paper")
async def test_a_link_is_not_reported_as_the_pdf(call, tmp_path):
    outside = tmp_path / "secret.pdf"
    outside.write_bytes(b"%PDF-1.7\n")
    (tmp_path / "papers" / f"{KEY}.pdf").symlink_to(outside)

    result = await call("doiget_paper_pdf_path", ASK)

    assert (result["path"], result["pdf_exists"]) == (None, False)


@pytest.mark.parametrize("place", ["../secret.pdf", "/etc/passwd", "sub/secret.pdf", ".."])
async def test_a_path_that_leads_out_of_the_store_is_not_followed(call, shelve, tmp_path, place):
    (tmp_path / "secret.pdf").write_bytes(b"%PDF-1.7\n")
    shelve(KEY, doi="10.1234/example", pdf_path=place, held={"size_bytes": 9})

    result = await call("doiget_paper_pdf_path", ASK)

    assert (result["path"], result["pdf_exists"]) == (None, False)
