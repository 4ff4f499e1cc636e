"""The paper store: entries, files, tags, locks and damage."""

import asyncio
import hashlib
import os
import stat
import tomllib
from dataclasses import replace
from pathlib import Path

import pytest
from hypothesis import HealthCheck, given, settings
from hypothesis import strategies as st

from sourcewright.base.clocks import SystemClock
from sourcewright.base.errors import LockTimeout, LogError, SchemaTooNew, StoreError
from sourcewright.base.identifiers import parse_reference
from sourcewright.domain.papers.file_names import store_key
from sourcewright.references.entries import Acquisition, Entry
from sourcewright.stores.locks import locked
from sourcewright.stores.papers.metadata import entry_bytes, read_entry
from sourcewright.stores.papers.pdf_changes import recorded_pdf
from sourcewright.stores.papers.shelf import BadEntry
from sourcewright.stores.papers.store import PaperStore

pytestmark = pytest.mark.anyio

DOI = parse_reference("10.1234/tides")
KEY = "doi_10.1234_tides"
PDF = b"%PDF-1.7 tides"
HOLDING = Acquisition(fetched_at="2031-05-04T12:00:00Z", source="oa-publisher", license="cc-by")
ENTRY = Entry(
    key=KEY,
    title="Tides, “again”",
    authors=("Ås, Øya", "Moon, A."),
    holding=HOLDING,
    year=2031,
    doi="10.1234/tides",
    abstract="Water\nrises.",
    keywords=("sea", "moon"),
    issn=("1234-5678",),
)


class Clock(SystemClock):
    """A clock whose waits time out at once."""

    def __init__(self) -> None:
        self.ticks = 0

    def monotonic(self) -> float:
        self.ticks += 1
        return self.ticks


@pytest.fixture
def root(tmp_path):
    return tmp_path / "papers"


@pytest.fixture
async def store(root):
    opened = PaperStore(root, clock=SystemClock(), sandbox=False)
    yield opened
    await opened.aclose()


def metadata(root: Path, key: str = KEY) -> Path:
    return root / ".metadata" / f"{key}.toml"


def by_hand(root: Path, text: str, key: str = KEY) -> Path:
    """A metadata file that another program wrote."""
    path = metadata(root, key)
    path.parent.mkdir(mode=0o700, parents=True, exist_ok=True)
    path.write_text(text, encoding="utf-8")
    return path


def everything(root: Path) -> dict[str, bytes]:
    """All files but locks, which a failed attempt may leave."""
    files = (path for path in root.rglob("*") if path.is_file() and path.suffix != ".lock")
    return {path.relative_to(root).as_posix(): path.read_bytes() for path in files}


async def listed(items) -> list:
    return [item async for item in items]


# Keeping and reading


async def test_a_saved_paper_is_read_back_with_its_pdf(store, root):
    saved = await store.save(ENTRY, PDF)

    assert saved == await store.read(KEY) == await store.find(DOI)
    assert saved.pdf_path == f"{KEY}.pdf"
    assert saved.holding.size_bytes == len(PDF)
    assert await store.pdf_path(KEY) == root / f"{KEY}.pdf"
    assert (root / f"{KEY}.pdf").read_bytes() == PDF
    assert replace(saved, pdf_path=None, holding=HOLDING) == ENTRY


async def test_the_metadata_file_has_the_published_fields_in_their_normal_order(store, root):
    await store.save(ENTRY, PDF)

    text = metadata(root).read_text(encoding="utf-8")
    content = tomllib.loads(text)
    assert text.startswith('schema_version = "1.0"\nabstract = ')
    assert content["authors"] == ["Ås, Øya", "Moon, A."]
    assert content["issn"] == "1234-5678"
    assert content["pdf_path"] == f"{KEY}.pdf"
    assert content["doiget"] == {
        "fetched_at": "2031-05-04T12:00:00Z",
        "source": "oa-publisher",
        "license": "cc-by",
        "size_bytes": len(PDF),
        "pdf_sha256": hashlib.sha256(PDF).hexdigest(),
        "pdf_modified": (root / f"{KEY}.pdf").stat().st_mtime_ns,
    }


async def test_what_is_not_there_is_none_and_makes_no_folder(store, root):
    assert await store.read(KEY) is None
    assert await store.find(DOI) is None
    assert await store.pdf_path(KEY) is None
    assert await listed(store.keys()) == []
    assert await listed(store.entries()) == []
    assert await store.remove_leftovers() == 0
    assert not root.exists()


async def test_folders_and_files_belong_to_their_owner_alone(store, root):
    await store.save(ENTRY, PDF)

    modes = {path.name: stat.S_IMODE(path.stat().st_mode) for path in (root, *root.rglob("*"))}
    assert modes == {
        "papers": 0o700,
        ".metadata": 0o700,
        f"{KEY}.pdf": 0o600,
        f"{KEY}.toml": 0o600,
        f"{KEY}.toml.lock": 0o600,
    }


async def test_metadata_alone_claims_no_pdf_whatever_the_caller_says(store):
    boasting = replace(ENTRY, pdf_path="x.pdf", holding=replace(HOLDING, size_bytes=7))

    saved = await store.save(boasting)

    assert saved.pdf_path is None
    assert saved.holding.size_bytes == 0
    assert await store.pdf_path(KEY) is None


async def test_describing_a_paper_again_keeps_its_pdf(store, root):
    await store.save(ENTRY, PDF)

    again = await store.save(replace(ENTRY, venue="Sea", holding=replace(HOLDING, source="hal")))

    assert (again.venue, again.holding.size_bytes) == ("Sea", len(PDF))
    assert again.pdf_path == f"{KEY}.pdf"
    assert await store.pdf_path(KEY) == root / f"{KEY}.pdf"


async def test_an_identical_pdf_is_not_written_again(store, root):
    await store.save(ENTRY, PDF)
    before = (root / f"{KEY}.pdf").stat()

    await store.save(ENTRY, PDF)

    after = (root / f"{KEY}.pdf").stat()
    assert (after.st_ino, after.st_mtime_ns) == (before.st_ino, before.st_mtime_ns)


async def test_an_entry_that_names_no_paper_goes_by_its_key_and_loses_nothing(store):
    await store.save(ENTRY, PDF)

    saved = await store.save(replace(ENTRY, doi=None, venue="Sea"))

    assert (saved.doi, saved.venue, saved.holding.size_bytes) == (ENTRY.doi, "Sea", len(PDF))


async def test_another_pdf_takes_the_place_of_the_first(store, root):
    await store.save(ENTRY, PDF)

    saved = await store.save(ENTRY, PDF + b" more")

    assert (root / f"{KEY}.pdf").read_bytes() == PDF + b" more"
    assert saved.holding.size_bytes == len(PDF) + 5
    assert set(everything(root)) == {f"{KEY}.pdf", f".metadata/{KEY}.toml"}


async def test_a_pdf_that_was_taken_away_is_no_longer_claimed_after_a_rewrite(store, root):
    await store.save(ENTRY, PDF)
    (root / f"{KEY}.pdf").unlink()

    saved = await store.save(ENTRY)

    assert (saved.pdf_path, saved.holding.size_bytes) == (None, 0)


async def test_a_rewrite_never_takes_a_pdf_that_somebody_changed_for_the_stored_one(store, root):
    first = await store.save(ENTRY, PDF)
    (root / f"{KEY}.pdf").write_bytes(b"%PDF-")

    saved = await store.save(ENTRY)
    [problem] = await store.pdf_problems([recorded_pdf(saved)])

    assert saved.holding == first.holding
    assert (problem.kind, problem.size) == ("changed", 5)


@pytest.mark.promise("evidence.invention-is-marked")
async def test_entries_of_a_sandbox_say_so_and_leave_nothing_in_a_real_one(store, root):
    sandboxed = PaperStore(root, clock=SystemClock(), sandbox=True)
    await sandboxed.save(replace(ENTRY, title="Invented"), PDF)
    await sandboxed.update(KEY, lambda entry: tagged(entry, "mine"))
    await sandboxed.aclose()
    invented = await store.read(KEY)

    real = await store.save(ENTRY)

    assert invented.holding.sandbox
    assert tomllib.loads(entry_bytes(invented).decode())["doiget"]["sandbox"] is True
    assert (real.title, real.holding.sandbox, real.pdf_path) == (ENTRY.title, False, None)
    assert real.holding.tags == ("mine",)


def tagged(entry: Entry, *tags: str) -> Entry:
    return replace(entry, holding=replace(entry.holding, tags=(*entry.holding.tags, *tags)))


# What must happen before a rename


async def test_before_the_rename_everything_is_on_the_disk_and_nothing_has_changed(store, root):
    await store.save(ENTRY, PDF)
    before, seen = everything(root), {}

    async def look() -> None:
        seen.update(everything(root))

    await store.save(ENTRY, PDF + b" more", look)

    assert {name: seen[name] for name in before} == before
    assert PDF + b" more" in seen.values()


@pytest.mark.parametrize("stored", [None, PDF])
@pytest.mark.parametrize("pdf", [None, PDF, PDF + b" more"])
async def test_when_the_row_cannot_be_kept_nothing_changes(store, root, stored, pdf):
    await store.save(ENTRY, stored)
    before = everything(root)

    async def refuse() -> None:
        raise LogError("the log is full")

    with pytest.raises(LogError, match="full"):
        await store.save(replace(ENTRY, venue="Sea"), pdf, refuse)

    assert everything(root) == before


async def test_the_row_is_asked_for_once_also_without_a_new_pdf(store):
    calls = []

    async def count() -> None:
        calls.append(None)

    await store.save(ENTRY, PDF, count)
    await store.save(ENTRY, PDF, count)
    await store.save(ENTRY, None, count)
    await store.update(KEY, lambda entry: entry, count)

    assert len(calls) == 4


async def test_a_caller_that_leaves_does_not_leave_half_a_paper(store, root):
    began, go_on = asyncio.Event(), asyncio.Event()

    async def wait() -> None:
        began.set()
        await go_on.wait()

    caller = asyncio.create_task(store.save(ENTRY, PDF, wait))
    await asyncio.wait_for(began.wait(), 300)
    caller.cancel()
    await asyncio.wait([caller], timeout=300)
    go_on.set()
    await asyncio.wait_for(store.aclose(), 300)

    assert caller.cancelled()
    assert set(everything(root)) == {f"{KEY}.pdf", f".metadata/{KEY}.toml"}


# What others wrote


OTHERS = """\
schema_version = "1.0"
title = "Tides"
authors = ["Moon, A."]
rating = 5
seen = 1979-05-27T07:32:00Z

[doiget]
fetched_at = "2030-01-01T00:00:00Z"
source = "crossref"
license = "unknown"
size_bytes = 0
mcp_call_id = "abc"

[vault]
note = "x"

[vault.deep.er]
list = [1, [2.5, true], {a = "b"}]
"""


async def test_unknown_fields_and_nested_tables_survive_rewrites(store, root):
    path = by_hand(root, OTHERS)

    await store.save(ENTRY, PDF)
    await store.update(KEY, lambda entry: tagged(entry, "read"))

    before, after = tomllib.loads(OTHERS), tomllib.loads(path.read_text(encoding="utf-8"))
    assert {name: after[name] for name in ("rating", "seen", "vault")} == {
        name: before[name] for name in ("rating", "seen", "vault")
    }
    assert after["doiget"]["mcp_call_id"] == "abc"
    assert (after["title"], after["year"]) == ("Tides", 2031)
    assert after["doiget"]["tags"] == ["read"]


@pytest.mark.parametrize("version", ["1.1", "2.0", "1.10"])
async def test_a_newer_file_is_read_and_never_written(store, root, version):
    path = by_hand(root, OTHERS.replace('"1.0"', f'"{version}"'))
    before = path.read_bytes()

    assert (await store.read(KEY)).title == "Tides"
    with pytest.raises(SchemaTooNew, match=version):
        await store.save(ENTRY, PDF)
    with pytest.raises(SchemaTooNew, match=version):
        await store.update(KEY, lambda entry: entry)

    assert everything(root) == {f".metadata/{KEY}.toml": before}


BROKEN = {
    "no version": OTHERS.replace('schema_version = "1.0"\n', ""),
    "no title": OTHERS.replace('title = "Tides"\n', ""),
    "no authors": OTHERS.replace('authors = ["Moon, A."]\n', ""),
    "odd version": OTHERS.replace('"1.0"', '"latest"'),
    "odd title": OTHERS.replace('"Tides"', "{}"),
    "odd authors": OTHERS.replace('["Moon, A."]', '"Moon"'),
    "odd year": OTHERS.replace("rating = 5", "year = [2020]"),
    "odd size": OTHERS.replace("size_bytes = 0", "size_bytes = -1"),
    "odd table": OTHERS.partition("[doiget]")[0] + "doiget = 1\n",
    "no TOML": "\x00",
    "no UTF-8": "\udcff",
    "too deep": OTHERS + "\n[" + ".".join("a" * 500) + "]\n",
    "too many brackets": "a = " + "[" * 5000,
}


@pytest.mark.parametrize("what", BROKEN)
async def test_a_file_that_is_no_entry_is_refused_by_name_and_left_alone(store, root, what):
    path = by_hand(root, "")
    path.write_bytes(BROKEN[what].encode(errors="surrogateescape"))
    before = everything(root)

    for attempt in (store.read(KEY), store.find(DOI), store.save(ENTRY, PDF)):
        with pytest.raises(StoreError, match=f"{KEY}.toml"):
            await attempt

    assert everything(root) == before


async def test_listing_tells_of_what_cannot_be_read(store, root):
    await store.save(ENTRY)
    by_hand(root, BROKEN["no title"], key="doi_10.1234_broken")
    by_hand(root, OTHERS, key="no paper's name")
    metadata(root, "folder").mkdir()

    keys = await listed(store.keys())
    found = await listed(store.entries())

    bad = {item.name: str(item.error) for item in found if isinstance(item, BadEntry)}
    assert sorted(keys) == ["doi_10.1234_broken", KEY, "folder"]
    assert [item.key for item in found if isinstance(item, Entry)] == [KEY]
    assert bad.keys() == {"doi_10.1234_broken", "no paper's name", "folder"}
    assert "has no title" in bad["doi_10.1234_broken"]


async def test_many_entries_are_listed_once_each(store):
    expected = {f"doi_10.1234_{number}" for number in range(450)}
    for key in expected:
        doi = key.replace("doi_10.1234_", "10.1234/")
        by_hand(store.root, entry_bytes(replace(ENTRY, key=key, doi=doi)).decode(), key)

    keys, found = await listed(store.keys()), await listed(store.entries())

    assert len(keys) == len(found) == 450
    assert set(keys) == {entry.key for entry in found} == expected


# Names of doiget's


LOUD = "10.1016/S0370-1573(98)00122-3"
LOUD_KEY = "doi_10.1016_S0370-1573_98_00122-3"
LEGACY = OTHERS.replace("rating = 5", f'doi = "{LOUD}"\nrating = 5').replace(
    "size_bytes = 0", 'size_bytes = 14\ntags = ["kept"]'
)


async def test_a_paper_of_doigets_is_found_and_gets_our_name_when_it_is_written(store, root):
    reference = parse_reference(LOUD)
    by_hand(root, LEGACY, LOUD_KEY)
    (root / f"{LOUD_KEY}.pdf").write_bytes(PDF)
    found = await store.find(reference)

    saved = await store.save(replace(ENTRY, key=store_key(reference), doi=reference.value))

    assert (found.key, found.title) == (LOUD_KEY, "Tides")
    assert saved.key == store_key(reference)
    assert (saved.title, saved.holding.tags, saved.extras["rating"]) == ("Tides", ("kept",), 5)
    assert saved.doi == reference.value
    assert await store.find(reference) == saved
    assert await store.pdf_path(saved.key) == root / f"{LOUD_KEY}.pdf"
    assert await listed(store.keys()) == [saved.key]
    assert metadata(root, LOUD_KEY).with_suffix(".toml.adopted").read_text() == LEGACY


async def test_a_tag_on_a_paper_of_doigets_gives_it_our_name(store, root):
    by_hand(root, LEGACY, LOUD_KEY)

    updated = await store.update(LOUD_KEY, lambda entry: tagged(entry, "new"))

    assert updated.key == store_key(parse_reference(LOUD))
    assert updated.holding.tags == ("kept", "new")
    assert await listed(store.keys()) == [updated.key]


async def test_another_paper_under_a_shared_name_is_not_adopted(store, root):
    """doiget gives 10.1234/a:1 and 10.1234/a(1 one name."""
    by_hand(root, OTHERS.replace("rating = 5", 'doi = "10.1234/a:1"'), "doi_10.1234_a_1")

    mine = parse_reference("10.1234/a(1")
    assert await store.find(mine) is None
    assert (await store.find(parse_reference("10.1234/a:1"))).title == "Tides"

    saved = await store.save(replace(ENTRY, key=store_key(mine), doi=mine.value), PDF)

    assert saved.title == ENTRY.title
    assert sorted(await listed(store.keys())) == ["doi_10.1234_a_1", store_key(mine)]


async def test_a_name_that_another_paper_has_stays_with_it(store, root):
    by_hand(root, OTHERS.replace("rating = 5", 'doi = "10.1234/a:1"'), "doi_10.1234_a_1")
    before = everything(root)

    assert await store.find(parse_reference("10.1234/a_1")) is None
    with pytest.raises(StoreError, match=r"belongs to another paper, 10\.1234/a:1"):
        await store.save(replace(ENTRY, key="doi_10.1234_a_1", doi="10.1234/a_1"), PDF)

    assert everything(root) == before


# Links and names that lead elsewhere


@pytest.mark.parametrize("key", ["../x", "a/b", "", ".x", "..", "a\0b", "x" * 202, "doi_é"])
async def test_a_key_that_is_none_is_refused_and_touches_nothing(store, root, key):
    await store.save(ENTRY, PDF)
    before = sorted(root.parent.rglob("*"))

    for attempt in (store.read(key), store.save(replace(ENTRY, key=key), PDF)):
        with pytest.raises(StoreError, match="not a valid store key"):
            await attempt

    assert sorted(root.parent.rglob("*")) == before


async def test_a_metadata_folder_behind_a_link_is_refused(store, root, tmp_path):
    elsewhere = tmp_path / "elsewhere"
    elsewhere.mkdir()
    root.mkdir()
    (root / ".metadata").symlink_to(elsewhere)

    for attempt in (store.read(KEY), store.save(ENTRY, PDF)):
        with pytest.raises(StoreError, match=r"\.metadata"):
            await attempt

    assert everything(tmp_path) == {}


async def test_links_under_final_and_temporary_names_are_replaced_and_never_followed(
    store, root, tmp_path
):
    victim = tmp_path / "victim"
    victim.write_bytes(b"precious")
    await store.save(replace(ENTRY, key="doi_10.1234_x", doi="10.1234/x"))
    for name in (f"{KEY}.pdf", f".{KEY}.pdf.tmp", f".metadata/.{KEY}.toml.tmp"):
        (root / name).symlink_to(victim)

    await store.save(ENTRY, PDF)

    assert victim.read_bytes() == b"precious"
    assert (root / f"{KEY}.pdf").read_bytes() == PDF
    assert not (root / f"{KEY}.pdf").is_symlink()


@pytest.mark.parametrize("name", [f"{KEY}.toml", f"{KEY}.toml.lock"])
async def test_metadata_and_locks_behind_links_are_refused(store, root, tmp_path, name):
    victim = tmp_path / "victim.toml"
    victim.write_text(OTHERS)
    await store.save(replace(ENTRY, key="doi_10.1234_x", doi="10.1234/x"))
    (root / ".metadata" / name).symlink_to(victim)

    with pytest.raises(StoreError, match="could not be written"):
        await store.save(ENTRY, PDF)

    assert victim.read_text() == OTHERS
    assert not (root / f"{KEY}.pdf").exists()


@pytest.mark.parametrize("named", ["../secret.pdf", "/etc/passwd", ".hidden.pdf", "a/b.pdf"])
async def test_metadata_cannot_name_a_pdf_outside_the_store(store, root, tmp_path, named):
    (tmp_path / "secret.pdf").write_bytes(PDF)
    by_hand(root, OTHERS.replace("rating = 5", f'pdf_path = "{named}"'))

    assert await store.pdf_path(KEY) is None
    assert (await store.read(KEY)).pdf_path == f"{KEY}.pdf"


async def test_a_pdf_behind_a_link_is_no_pdf(store, root, tmp_path):
    (tmp_path / "secret.pdf").write_bytes(PDF)
    await store.save(ENTRY)
    (root / f"{KEY}.pdf").symlink_to(tmp_path / "secret.pdf")

    assert await store.pdf_path(KEY) is None


async def test_a_pipe_in_the_place_of_metadata_is_an_error_and_no_wait(store, root):
    path = by_hand(root, "")
    path.unlink()
    os.mkfifo(path)

    with pytest.raises(StoreError, match="not a regular file"):
        await asyncio.wait_for(store.read(KEY), 300)


# Leftovers


async def test_leftovers_of_killed_writers_go_and_those_of_living_ones_stay(store, root):
    await store.save(ENTRY, PDF)
    dead = ["doi_10.1234_dead.pdf", "doi_10.1234_v1.0.pdf"]
    leftovers = [root / f".{name}.tmp" for name in dead]
    leftovers += [
        root / ".metadata" / f".doi_10.1234_dead.toml{kind}.tmp" for kind in ("", ".bare")
    ]
    theirs = [root / ".DS_Store.tmp", root / ".metadata" / ".toml.tmp", root / f".{KEY}.pdf.tmp"]
    for path in leftovers + theirs:
        path.write_bytes(b"half")

    with locked(metadata(root).with_suffix(".toml.lock"), clock=SystemClock()):
        removed = await store.remove_leftovers()

    assert removed == 4
    assert not any(path.exists() for path in leftovers)
    assert all(path.exists() for path in theirs)


async def test_the_first_save_has_leftovers_removed(store, root):
    leftover = by_hand(root, OTHERS).with_name(".doi_10.1234_dead.toml.tmp")
    leftover.touch()

    await store.save(ENTRY, PDF)
    await store.aclose()

    assert not leftover.exists()


async def test_a_paper_that_another_process_holds_is_a_lock_timeout(root):
    store = PaperStore(root, clock=Clock(), sandbox=False)
    await store.save(ENTRY, PDF)
    before = everything(root)

    with locked(metadata(root).with_suffix(".toml.lock"), clock=SystemClock()):
        for attempt in (
            store.save(ENTRY, PDF + b" more"),
            store.update(KEY, lambda entry: tagged(entry, "x")),
        ):
            with pytest.raises(LockTimeout, match="held"):
                await attempt
        assert (await store.read(KEY)).title == ENTRY.title

    assert everything(root) == before
    await store.save(ENTRY, PDF + b" more")
    await store.aclose()


async def test_updating_what_is_not_there_is_an_error(store):
    with pytest.raises(StoreError, match="not in the store"):
        await store.update(KEY, lambda entry: entry)


# Files and entries


TEXT = st.text(st.characters(exclude_categories=["Cs"]), max_size=20)
WORDS = st.lists(TEXT, max_size=3).map(tuple)
LATER = st.dictionaries(
    st.sampled_from(["x", "y z", "é.", "table"]),
    st.recursive(
        TEXT | st.integers(-(2**63), 2**63) | st.booleans() | st.datetimes(),
        lambda inner: st.lists(inner, max_size=3) | st.dictionaries(TEXT, inner, max_size=3),
        max_leaves=5,
    ),
    max_size=3,
)
NONEMPTY_TEXT = TEXT.filter(bool)
HOLDINGS = st.builds(
    Acquisition,
    fetched_at=TEXT,
    source=NONEMPTY_TEXT,
    license=NONEMPTY_TEXT,
    oa_status=st.none() | NONEMPTY_TEXT,
    size_bytes=st.integers(0, 2**40),
    tags=WORDS,
    annotation=st.none() | NONEMPTY_TEXT,
    repaired_fields=st.dictionaries(TEXT, TEXT, max_size=2),
    sandbox=st.booleans(),
    extras=LATER,
)
ENTRIES = st.builds(
    Entry,
    key=st.just(KEY),
    title=TEXT,
    authors=WORDS,
    holding=HOLDINGS,
    year=st.none() | st.integers(1, 9999),
    abstract=st.none() | NONEMPTY_TEXT,
    keywords=WORDS,
    issn=st.lists(NONEMPTY_TEXT, max_size=3).map(tuple),
    extras=LATER,
)


@given(ENTRIES)
@settings(suppress_health_check=[HealthCheck.too_slow])
def test_every_entry_is_read_back_as_it_was_written(entry):
    assert read_entry(KEY, entry_bytes(entry)) == entry
    assert entry_bytes(read_entry(KEY, entry_bytes(entry))) == entry_bytes(entry)


def test_text_that_utf_8_cannot_carry_is_replaced():
    entry = replace(ENTRY, title="a\ud800b")

    assert read_entry(KEY, entry_bytes(entry)).title == "a?b"


def test_an_entry_that_could_not_be_read_again_is_not_written():
    with pytest.raises(StoreError, match="longer than"):
        entry_bytes(replace(ENTRY, abstract="x" * (5 << 20)))
