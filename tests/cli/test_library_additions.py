"""Adding PDFs without saying what they are, one by one and by the folder."""

import io
import json

import pytest
from reportlab.pdfgen.canvas import Canvas

from sourcewright.world import pdf
from sourcewright.world.corpus import load

FINE, CLOSED = "10.5555/fine-paper", "10.5555/closed-paper"
KEY = "doi_10.5555_fine-paper"
PROSE = "Water that rises twice a day moves what the river brought, and leaves it elsewhere. "


def written(*lines, pages=4, metadata=""):
    """A PDF with these lines at the top of its first page, and prose below and after them."""
    out = io.BytesIO()
    canvas = Canvas(out, pageCompression=0)
    canvas.setSubject(metadata)
    for page in range(pages):
        texts = [*(lines if page == 0 else ()), *[f"{page} {PROSE}"] * 30]
        for at, line in enumerate(texts):
            canvas.drawString(72, 780 - 20 * at, line)
        canvas.showPage()
    canvas.save()
    return out.getvalue()


def head_of(doi):
    """The title, the authors and the year of a work, without its identifier."""
    work = load().by_doi(doi)
    names = ", ".join(author.name for author in work.authors)
    return work.plain_title, names, f"Published in {work.year}"


@pytest.fixture
def folder(tmp_path):
    folder = tmp_path / "downloads"
    folder.mkdir()

    def put(name, body):
        path = folder / name
        path.parent.mkdir(exist_ok=True)
        path.write_bytes(body)
        return path

    return put


def stored(tmp_path):
    papers = tmp_path / "papers"
    return sorted(path.name for path in papers.rglob("*") if path.suffix in (".pdf", ".toml"))


def test_a_paper_is_identified_by_the_doi_on_its_first_page(cli, folder, tmp_path):
    path = folder("article (3).pdf", pdf.paper(load().by_doi(FINE)))

    done = cli("library", "add", str(path), "--json")

    assert done.returncode == 0, done.stderr
    [file] = json.loads(done.stdout)["files"]
    assert (file["status"], file["doi"], file["file_check"]) == ("added", FINE, "confirmed")
    assert FINE in file["identified_by"]
    assert stored(tmp_path) == [f"{KEY}.pdf", f"{KEY}.toml"]
    info = json.loads(cli("info", FINE, "--json").stdout)
    assert info["metadata"]["authors"]
    assert info["metadata"]["doiget"]["origin"] == "user-supplied"
    assert info["integrity"]["status"] != "unchecked"
    assert cli("log", "verify").returncode == 0


def test_a_doi_in_the_metadata_or_the_name_of_the_file_identifies_it_too(cli, folder):
    stated = folder("a.pdf", written(*head_of(FINE), metadata=f"doi:{FINE}"))
    named = folder("10.5555_closed-paper.pdf", written(*head_of(CLOSED)))

    by_metadata = cli("library", "add", str(stated))
    by_name = cli("library", "add", str(named))

    assert by_metadata.returncode == 0, by_metadata.stderr
    assert "in the PDF metadata" in " ".join(by_metadata.stdout.split())
    assert by_name.returncode == 0, by_name.stderr


def test_a_paper_without_an_identifier_is_found_by_its_title(cli, folder):
    path = folder("scan0001.pdf", written(*head_of(FINE)))

    done = cli("library", "add", str(path), "--json")

    assert done.returncode == 0, done.stdout + done.stderr
    [file] = json.loads(done.stdout)["files"]
    assert (file["doi"], file["identified_by"]) == (FINE, "its title")


@pytest.mark.parametrize(
    "lines",
    [
        ("Invoice 482", "Total due: 300 EUR"),
        ("A treatise on something that nobody has ever published", "Nemo Nobody"),
        ("Notes of a meeting", f"We discussed https://doi.org/{FINE} at length"),
    ],
)
def test_what_nothing_identifies_is_not_stored_and_said(cli, folder, tmp_path, lines):
    path = folder("unknown.pdf", written(*lines))

    done = cli("library", "add", str(path))

    assert done.returncode == 2
    assert "nothing in it identifies a paper" in done.stderr
    assert stored(tmp_path) == []


def test_a_source_that_does_not_answer_is_no_unknown_paper(cli, folder, tmp_path, internet):
    path = folder("article.pdf", pdf.paper(load().by_doi(FINE)))
    for host in ("api.crossref.org", "doi.org", "api.datacite.org", "api.unpaywall.org"):
        internet.breaks(host, status=500)
    internet.breaks("api.openalex.org", status=500)

    done = cli("library", "add", str(path), "--json")

    assert done.returncode == 1
    error = json.loads(done.stdout)["files"][0]["error"]
    assert error["code"] == "NETWORK_ERROR"
    assert "could not be looked up" in error["message"]
    assert stored(tmp_path) == []


def test_a_folder_is_added_file_by_file_and_again_without_a_request(cli, folder, internet):
    folder("one.pdf", pdf.paper(load().by_doi(FINE)))
    folder("deeper/two.PDF", written(*head_of(CLOSED), metadata=CLOSED))
    folder("deeper/broken.pdf", b"%PDF-1.7 cut")
    folder("notes.txt", b"no PDF")
    where = folder(".hidden.pdf", b"%PDF-1.7").parent

    first = cli("library", "add", str(where), "--json")
    internet.forget()
    again = cli("library", "add", str(where), "--json")

    files = {row["file"].rpartition("/")[2]: row for row in json.loads(first.stdout)["files"]}
    assert (first.returncode, again.returncode) == (1, 1)
    assert {name: row.get("status") for name, row in files.items()} == {
        "one.pdf": "added",
        "two.PDF": "added",
        "broken.pdf": None,
    }
    assert files["broken.pdf"]["error"]["code"] == "INVALID_REF"
    repeated = [row.get("status") for row in json.loads(again.stdout)["files"]]
    assert sorted(map(str, repeated)) == ["None", "already_stored", "already_stored"]
    assert internet.seen == []


def test_another_pdf_of_a_stored_paper_is_not_replaced_unless_forced(cli, folder, tmp_path):
    cli("fetch", FINE)
    before = (tmp_path / "papers" / f"{KEY}.pdf").read_bytes()
    path = folder("mine.pdf", written(*head_of(FINE), f"https://doi.org/{FINE}"))

    refused = cli("library", "add", str(path))
    kept = (tmp_path / "papers" / f"{KEY}.pdf").read_bytes()
    forced = cli("library", "add", str(path), "--force")

    assert (refused.returncode, forced.returncode) == (2, 0), forced.stderr
    assert "--force" in refused.stderr
    assert kept == before
    assert (tmp_path / "papers" / f"{KEY}.pdf").read_bytes() == path.read_bytes()


def test_a_dry_run_says_what_would_be_looked_up_and_asks_nobody(cli, folder, tmp_path, internet):
    path = folder("article.pdf", pdf.paper(load().by_doi(FINE)))

    done = cli("library", "add", str(path), "--dry-run", "--json")

    [file] = json.loads(done.stdout)["files"]
    assert done.returncode == 0
    assert file["ids"][0] == FINE
    assert internet.seen == []
    assert stored(tmp_path) == []
    assert not (tmp_path / "state" / "provenance.jsonl").exists()


@pytest.mark.parametrize("words", [("missing.pdf",), ("nonsense", "x"), (FINE, "missing.pdf")])
def test_what_is_no_file_is_misuse(cli, words):
    assert cli("library", "add", *words).returncode == 2
