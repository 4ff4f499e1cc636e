"""The local retraction list: what the CSV file says, what is stored, and what is found."""

import json
import random

import pytest
from tests.stores.catalogues.retraction_lists import COLUMNS, csv_of, row

from sourcewright.base.errors import InvalidInput, StoreError
from sourcewright.domain.papers.retraction_csv import BadRow, UnnamedRow, read_rows
from sourcewright.domain.papers.retractions import ListedUpdate
from sourcewright.stores.catalogues.retractions import RetractionFile, csv_lines, decoded_lines

pytestmark = pytest.mark.anyio

NOW = "2026-02-03T04:05:06.000Z"


def rows_of(text):
    return list(read_rows(text.splitlines(keepends=True)))


def one(**fields):
    [found] = rows_of(csv_of(row(**fields)))
    return found


def test_a_row_is_read_in_full():
    assert one(OriginalPaperPubMedID="123", RetractionPubMedID="456") == ListedUpdate(
        record_id="1",
        kind="retraction",
        date="2021-04-15",
        doi="10.7777/paper",
        pmid="123",
        notice_doi="10.7777/notice",
        notice_pmid="456",
        reasons=("Error in Data", "Investigation by Journal/Publisher"),
    )


@pytest.mark.parametrize(
    ("nature", "kind"),
    [
        ("Retraction", "retraction"),
        ("Expression of concern", "expression_of_concern"),
        ("EXPRESSION OF CONCERN ", "expression_of_concern"),
        ("Correction", "correction"),
        ("Reinstatement", "reinstatement"),
    ],
)
def test_the_nature_is_the_kind(nature, kind):
    assert one(RetractionNature=nature).kind == kind


@pytest.mark.parametrize(
    ("written", "date"),
    [
        ("4/15/2021 0:00", "2021-04-15"),
        ("12/1/1999 0:00", "1999-12-01"),
        ("2021-04-15", "2021-04-15"),
        ("15/4/2021 0:00", "2021"),
        ("soon", None),
        ("", None),
    ],
)
def test_dates_are_american_and_never_guessed(written, date):
    assert one(RetractionDate=written).date == date


@pytest.mark.parametrize(
    ("written", "doi"),
    [
        ("10.1016/S0140-6736(97)11096-0", "10.1016/s0140-6736(97)11096-0"),
        (" https://doi.org/10.7777/ABC ", "10.7777/abc"),
        ("unavailable", None),
        ("Unavailable", None),
        ("", None),
    ],
)
def test_a_doi_is_lower_case_or_absent(written, doi):
    assert one(OriginalPaperDOI=written, OriginalPaperPubMedID="7").doi == doi


@pytest.mark.parametrize("doi", ["unavailable", "", "n/a"])
def test_a_work_without_identifiers_is_counted(doi):
    assert one(OriginalPaperDOI=doi) == UnnamedRow(line=2)


def test_a_title_may_span_lines_and_hold_quotation_marks():
    rows = rows_of(csv_of(row(Title='On "bells",\nand harbours'), row(RecordID="2")))

    assert [found.record_id for found in rows] == ["1", "2"]


def test_one_quotation_mark_too_many_hides_no_other_row():
    lines = csv_of(*(row(RecordID=str(at), OriginalPaperDOI=f"10.7777/p{at}") for at in range(50)))
    lines = lines.splitlines(keepends=True)
    lines[10] = '9,"' + lines[10].partition(",")[2]

    rows = list(read_rows(lines))

    bad = [found for found in rows if isinstance(found, BadRow)]
    assert [found.line for found in bad] == [11]
    assert len({found.doi for found in rows if isinstance(found, ListedUpdate)}) == 49


def test_a_row_of_another_length_is_named():
    text = csv_of(row()) + "1,2,3\r\n" + ",".join("x" * 40) + "\r\n\r\n"

    assert [type(found) for found in rows_of(text)] == [ListedUpdate, BadRow, BadRow]


@pytest.mark.parametrize("text", ["", "a,b,c\n1,2,3\n", "<html><p>Sign in</p></html>"])
def test_another_file_is_refused(text):
    with pytest.raises(InvalidInput, match="not the list of Retraction Watch"):
        rows_of(text)


def test_a_damaged_file_is_refused():
    text = csv_of(*(row(RetractionNature="?") for _ in range(1001)))

    with pytest.raises(InvalidInput, match="damaged"):
        rows_of(text)


def test_lines_in_an_old_encoding_are_read():
    [line] = decoded_lines(["Universität".encode("cp1252")])

    assert line == "Universität"


def test_a_byte_order_mark_and_empty_columns_at_the_end_are_accepted():
    text = csv_of(row())
    lines = [f"{line},,\n" for line in text.split("\r\n") if line]

    [found] = read_rows(["\ufeff" + lines[0], *lines[1:]])

    assert found.doi == "10.7777/paper"


@pytest.fixture
def store(tmp_path):
    return RetractionFile(tmp_path / "state" / "retractions.sqlite")


async def test_without_a_list_nothing_is_said(store):
    assert await store.status() is None
    assert await store.find({"10.7777/paper"}, set()) is None


async def test_sixty_thousand_rows_are_all_found_and_none_is_invented(store, tmp_path):
    luck = random.Random(17)
    natures = ["Retraction"] * 8 + ["Expression of concern", "Correction"]
    path = tmp_path / "list.csv"
    path.write_text(
        csv_of(
            *(
                row(
                    RecordID=str(at),
                    OriginalPaperDOI="unavailable"
                    if at % 10 == 9
                    else f"10.{1000 + at % 9}/W{at}",
                    OriginalPaperPubMedID=str(500_000 + at)
                    if at % 3 == 0 or at % 10 == 9
                    else "0",
                    RetractionDOI=f"10.2222/notice.{at}",
                    RetractionNature=luck.choice(natures),
                )
                for at in range(60_000)
            )
        )
    )
    with csv_lines(path) as lines:
        written = [found for found in read_rows(lines) if isinstance(found, ListedUpdate)]
    status = store.replace(written, origin="list.csv", now=NOW)

    assert (status.rows, status.works) == (60_000, 60_000)
    dois = {found.doi for found in written if found.doi}
    pmids = {found.pmid for found in written if found.pmid}
    assert set(await store.find(dois, pmids)) == set(written)
    assert await store.find({f"{doi}x" for doi in dois}, {f"9{one}" for one in pmids}) == ()
    [single] = await store.find({"10.1001/w1"}, set())
    assert single.record_id == "1"


async def test_a_notice_is_found_by_its_own_doi(store):
    store.replace(rows_of(csv_of(row())), origin="x", now=NOW)

    [found] = await store.find({"10.7777/notice"}, set())

    assert found.doi == "10.7777/paper"


async def test_an_update_that_fails_leaves_the_old_list(store):
    store.replace(rows_of(csv_of(row())), origin="old", now=NOW)

    def rows():
        yield from rows_of(csv_of(row(RecordID="2")))
        raise InvalidInput("the file ends here")

    with pytest.raises(InvalidInput):
        store.replace(rows(), origin="new", now=NOW)
    assert (await store.status()).origin == "old"
    assert [path.name for path in store.path.parent.iterdir()] == [store.path.name]


async def test_the_file_is_private(store):
    store.replace(rows_of(csv_of(row())), origin="x", now=NOW)

    assert store.path.stat().st_mode & 0o077 == 0


@pytest.mark.parametrize("content", [b"", b"not a database, but long enough to be one" * 50])
async def test_a_foreign_file_is_an_error_and_not_an_empty_list(store, content):
    store.path.parent.mkdir()
    store.path.write_bytes(content)

    with pytest.raises(StoreError):
        await store.find({"10.7777/paper"}, set())


async def test_the_reasons_of_a_row_are_kept(store):
    store.replace(rows_of(csv_of(row(Reason="+A;B; +C"))), origin="x", now=NOW)

    [found] = await store.find({"10.7777/paper"}, set())

    assert found.reasons == ("A", "B", "C")
    assert json.dumps(found.reasons)
    assert len(COLUMNS) == 20
