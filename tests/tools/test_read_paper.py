"""read_paper, and the text and bytes of stored papers as commands."""

import json

import pytest

from sourcewright.services.instance.paper_resources import PART_BYTES

pytestmark = pytest.mark.anyio

REF = "10.5555/fine-paper"
KEY = "doi_10.5555_fine-paper"


@pytest.fixture
def file(tmp_path):
    return tmp_path / "papers" / f"{KEY}.pdf"


@pytest.mark.parametrize("name", [REF, KEY, f"https://doi.org/{REF}"])
async def test_the_text_of_a_stored_paper_is_read_with_its_pages(application, name):
    app = await application()
    await app.call("doiget_fetch_paper", {"ref": REF})

    result = await app.call("read_paper", {"ref": name})

    paper = result.structured
    assert not result.is_error, result.text
    assert (paper["safekey"], paper["truncated"]) == (KEY, False)
    assert "<!-- page 2 -->" in paper["content"]
    assert "Tidal mixing" in paper["content"]
    assert paper["trust"] == "untrusted-external-content"
    assert [link["uri"] for link in result.links] == [f"paper://{KEY}/pdf"]


async def test_parts_and_sections_join_to_the_whole(answer):
    await answer("doiget_fetch_paper", {"ref": REF})
    whole = (await answer("read_paper", {"ref": REF})).structured["content"]

    parts, offset = [], 0
    while offset is not None:
        arguments = {"ref": REF, "max_length": 300, "offset": offset}
        part = (await answer("read_paper", arguments)).structured
        assert len(part["content"].encode()) <= 300
        parts.append(part["content"])
        offset = part.get("nextOffset")
    beyond = await answer("read_paper", {"ref": REF, "offset": 10**7})
    unknown = await answer("read_paper", {"ref": REF, "section": "No such"})

    assert "".join(parts) == whole
    assert len(parts) > 1
    for failure in (beyond, unknown):
        assert failure.structured["error"]["kind"] == "validation"


async def test_what_the_library_does_not_have_is_not_found_and_needs_no_network(
    answer, internet, shelve
):
    shelve("doi_10.1234_record", doi="10.1234/record")

    absent = await answer("read_paper", {"ref": "10.1234/absent"})
    record = await answer("read_paper", {"ref": "10.1234/record"})
    senseless = await answer("read_paper", {"ref": "no paper at all"})

    assert [one.structured["error"]["kind"] for one in (absent, record, senseless)] == [
        "not_found",
        "not_found",
        "validation",
    ]
    assert "no PDF" in record.text
    assert internet.seen == []


async def test_a_pdf_that_cannot_be_read_is_an_error_that_names_its_bytes(answer, file):
    await answer("doiget_fetch_paper", {"ref": REF})
    file.write_bytes(b"%PDF-1.7 nothing else")

    result = await answer("read_paper", {"ref": REF})

    assert result.is_error
    assert f"paper://{KEY}/pdf" in result.text


async def test_the_notices_and_the_change_of_a_file_come_with_its_text(application, file):
    app = await application()
    await app.call("doiget_fetch_paper", {"ref": REF})
    file.write_bytes(file.read_bytes() + b"\n% a remark")

    paper = (await app.call("read_paper", {"ref": REF})).structured

    assert "has changed since it was stored" in paper["pdfProblem"]
    assert paper["integrity"]["status"]


async def test_both_resources_of_a_paper_are_read(application, file):
    app = await application()
    await app.call("doiget_fetch_paper", {"ref": REF})

    text = await app.views().read(f"paper://{KEY}/text")
    pdf = await app.views().read(f"paper://{KEY}/pdf")

    content = (await app.call("read_paper", {"ref": REF})).structured["content"]
    assert text == ("text/markdown", content)
    assert pdf == ("application/pdf", file.read_bytes())


async def test_a_large_pdf_is_read_in_parts(application, file):
    app = await application()
    await app.call("doiget_fetch_paper", {"ref": REF})
    file.write_bytes(b"%PDF-1.7 " + bytes(PART_BYTES + 5))

    with pytest.raises(Exception, match=r"in 2 parts, from paper://.*\?part=1 to"):
        await app.views().read(f"paper://{KEY}/pdf")
    parts = [(await app.views().read(f"paper://{KEY}/pdf?part={n}"))[1] for n in (1, 2)]

    assert b"".join(parts) == file.read_bytes()


@pytest.mark.parametrize(
    "uri",
    [
        f"paper://{KEY}/toml",
        f"paper://{KEY}",
        "paper:///pdf",
        "paper://doi_10.1234_absent/pdf",
        "paper://../../etc/passwd/pdf",
        "paper://%2e%2e%2fstate/text",
        f"paper://{KEY}/pdf?part=2",
        f"paper://{KEY}/pdf?part=x",
    ],
)
async def test_nothing_else_is_a_resource(application, uri):
    from sourcewright.base.errors import NotFound

    app = await application()
    await app.call("doiget_fetch_paper", {"ref": REF})

    with pytest.raises(NotFound):
        await app.views().read(uri)


async def test_a_paper_that_is_read_is_a_source_of_its_session(application):
    app = await application()
    await app.call("doiget_fetch_paper", {"ref": REF})
    step = {"searchStep": "Read", "stepNumber": 1, "nextStepNeeded": True}
    session = (await app.call("sequential_search", step)).structured["sessionId"]

    await app.call("read_paper", {"ref": REF, "sessionId": session})

    found = (await app.call("get_research_session", {"sessionId": session})).structured
    assert f"https://doi.org/{REF}" in json.dumps(found)


def test_the_commands_give_text_and_bytes(cli, file, tmp_path):
    cli("fetch", REF)

    text = cli("library", "text", KEY)
    as_json = cli("library", "text", REF, "--max-length", "200", "--json")
    path = cli("library", "pdf", REF)
    copy = cli("library", "pdf", KEY, "--output", "copy.pdf", "--json")
    again = cli("library", "pdf", KEY, "--output", "copy.pdf")
    absent = cli("library", "text", "10.5555/closed-paper")

    assert text.returncode == 0, text.stderr
    assert "<!-- page 2 -->" in text.stdout
    assert json.loads(as_json.stdout)["nextOffset"]
    assert path.stdout.strip() == str(file)
    assert json.loads(copy.stdout)["bytes"] == file.stat().st_size
    assert (tmp_path / "copy.pdf").read_bytes() == file.read_bytes()
    assert (again.returncode, absent.returncode) == (4, 1)
