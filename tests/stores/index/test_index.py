"""The library's index: ranking, folding, and keeping in step with the files."""

import subprocess
import sys
from pathlib import Path

import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

from sourcewright.base.clocks import SystemClock
from sourcewright.base.text.words import terms_of
from sourcewright.domain.papers.library import PaperSummary
from sourcewright.references.entries import Acquisition, Entry
from sourcewright.stores.index import LibraryIndex, search
from sourcewright.stores.papers.metadata import entry_bytes
from sourcewright.stores.papers.shelf import PaperFolder

PAPERS = {
    # Nine words each, so that it is the place of a word that counts.
    "abstract": {"title": "On things", "abstract": "A circuit of a kind is shown."},
    "venue": {
        "title": "Another",
        "venue": "Circuit Letters",
        "abstract": "We look at it once again.",
    },
    "tagged": {
        "title": "Untitled",
        "tags": ("circuit",),
        "abstract": "We look at things once again today.",
    },
    "authors": {
        "title": "Study",
        "authors": ("Circuit, Ann", "Müller, Jörg"),
        "abstract": "We look again today.",
    },
    "title": {"title": "The transformer circuit", "abstract": "We look at things once again."},
    "chinese": {"title": "基于深度学习的图像识别方法", "abstract": "我们提出一种新方法。"},
    "polish": {"title": "Łódź i Sørensen", "venue": "Zeitschrift für Größe"},
    "doi": {"title": "Nothing else", "doi": "10.1234/abc-5(98)00122"},
}


def entry(key: str, **fields) -> Entry:
    held = Acquisition(
        fetched_at=fields.pop("fetched_at", "2026-01-01T00:00:00Z"),
        source="crossref",
        tags=fields.pop("tags", ()),
        annotation=fields.pop("annotation", None),
    )
    return Entry(key=key, holding=held, **{"title": key, "authors": (), **fields})


@pytest.fixture
def folder(tmp_path):
    folder = tmp_path / "papers" / ".metadata"
    folder.mkdir(parents=True)
    return folder


@pytest.fixture
def opened(tmp_path, folder):
    """Opens the index as a process of its own would."""
    made = []

    def open_index(name="index.sqlite3") -> LibraryIndex:
        shelf = PaperFolder(folder.parent, clock=SystemClock(), sandbox=False, lock_seconds=5.0)
        made.append(LibraryIndex(tmp_path / "state" / name, folder, read=shelf.read))
        return made[-1]

    yield open_index
    for index in made:
        index.close()


@pytest.fixture
def write(folder):
    def write(key, **fields) -> Path:
        path = folder / f"{key}.toml"
        path.write_bytes(entry_bytes(entry(key, **fields)))
        return path

    return write


@pytest.fixture
def library(write, opened):
    for key, fields in PAPERS.items():
        write(key, **fields)
    return opened()


def keys(index, query, limit=50):
    return [hit.paper.key for hit in index.search(query, limit).hits]


def test_titles_come_before_authors_tags_venues_and_abstracts(library):
    found = library.search("circuit", 50)

    assert [hit.paper.key for hit in found.hits] == [
        "title",
        "authors",
        "tagged",
        "venue",
        "abstract",
    ]
    scores = [hit.score for hit in found.hits]
    assert scores == sorted(scores, reverse=True)
    assert not found.capped


@pytest.mark.parametrize(
    ("query", "found"),
    [
        ("muller", ["authors"]),
        ("MÜLLER jorg", ["authors"]),
        ("mu\u0308ller", ["authors"]),
        ("lodz", ["polish"]),
        ("sorensen", ["polish"]),
        ("grosse", ["polish"]),
        ("深度学习", ["chinese"]),
        ("学习", ["chinese"]),
        ("学度", []),
        ("图像 新方法", ["chinese"]),
        ("10.1234/abc-5(98)00122", ["doi"]),
        ("https://doi.org/10.1234/ABC-5(98)00122", ["doi"]),
        ("transf", ["title"]),
        ("transf*", ["title"]),
        ("transf* circuit", ["title"]),
        ("transf circuit", []),
        ("circuit transf", ["title"]),
        ('"transformer circuit"', ["title"]),
        ('"circuit transformer"', []),
        ("transformer letters", []),
        ("!?*", []),
    ],
)
def test_words_are_found_however_they_are_spelt(library, query, found):
    assert keys(library, query) == found


def test_the_snippet_shows_where_the_words_stand(library, write):
    write("long", title="Long", abstract="filler " * 200 + "the zebrafish swims " + "on " * 200)

    [hit] = library.search("zebrafish", 5).hits

    assert "the zebrafish swims" in hit.snippet
    assert hit.snippet.startswith("…")
    assert len(hit.snippet) < 400


def test_a_limit_is_kept_and_takes_the_best(library):
    assert keys(library, "circuit", 2) == ["title", "authors"]


@pytest.mark.parametrize(
    "query",
    [
        'title:circuit" OR "x',
        "circuit AND",
        "NEAR(circuit",
        '"',
        "^circuit -",
        "{title} : x",
        "*",
        "circuit\x00transformer",
        "\ud800",
        "col:'; DROP TABLE entries; --",
    ],
)
def test_the_query_language_is_out_of_reach(library, query):
    library.search(query, 5)

    assert keys(library, "transformer") == ["title"]


@given(query=st.text(max_size=60))
def test_any_text_at_all_is_a_query(query, anything_goes):
    found = anything_goes.search(query, 5)

    assert terms_of(query) or found.hits == ()


@pytest.fixture(scope="module")
def anything_goes(tmp_path_factory):
    root = tmp_path_factory.mktemp("any") / "papers"
    (root / ".metadata").mkdir(parents=True)
    for key, fields in PAPERS.items():
        (root / ".metadata" / f"{key}.toml").write_bytes(entry_bytes(entry(key, **fields)))
    shelf = PaperFolder(root, clock=SystemClock(), sandbox=False, lock_seconds=5.0)
    index = LibraryIndex(root.parent / "index.sqlite3", root / ".metadata", read=shelf.read)
    yield index
    index.close()


@given(query=st.text(" aZ9b", max_size=20))
def test_plain_words_are_read_as_they_are_among_other_marks(query):
    assert terms_of(query) == terms_of(f"{query} !")


@settings(max_examples=30, deadline=None)
@given(title=st.text(st.characters(exclude_categories=["Cs", "Cc"]), min_size=1, max_size=40))
def test_every_title_finds_its_paper(title, tmp_path_factory):
    root = tmp_path_factory.mktemp("titles")
    (root / ".metadata").mkdir()
    (root / ".metadata" / "one.toml").write_text("", encoding="utf-8")
    made = entry("one", title=title)
    index = LibraryIndex(root / "index.sqlite3", root / ".metadata", read=lambda _: made)

    found = keys(index, title.replace('"', " "))
    index.close()

    assert found == (["one"] if terms_of(title.replace('"', " ")) else [])


def test_more_than_five_thousand_matches_are_ranked_among_the_newest_and_it_says_so(
    tmp_path, folder
):
    count = search.MAX_RANKED + 10
    for number in range(count):
        (folder / f"{number:05}.toml").write_text("", encoding="utf-8")
    index = LibraryIndex(
        tmp_path / "index.sqlite3",
        folder,
        read=lambda key: entry(
            key,
            title=f"{'another' if key == '00004' else 'common'} word {key}",
            abstract="rare" if key in {"00003", "00004"} else "",
        ),
    )

    common, rare = index.search("common", 3), index.search("common rare", 3)
    index.close()

    assert common.capped
    assert len(common.hits) == 3
    assert not rare.capped
    assert [hit.paper.key for hit in rare.hits] == ["00003"]


def test_of_many_papers_with_all_words_those_with_the_rarer_one_in_the_title_come_first(
    tmp_path, folder
):
    titles = {
        "00003": "rare thing",
        "00004": "common thing",
        "00005": "common and rare",
        "00006": "both common and rare things",
        "00007": "common and rare" + " things" * 200,
    }
    for number in range(700):
        (folder / f"{number:05}.toml").write_text("", encoding="utf-8")
    index = LibraryIndex(
        tmp_path / "index.sqlite3",
        folder,
        read=lambda key: entry(
            key,
            title=titles.get(key, "another thing"),
            abstract="common" if key > "00650" else "common and rare",
        ),
    )

    found = index.search("common rare", 10)
    index.close()

    keys = [hit.paper.key for hit in found.hits]
    assert keys[:5] == ["00005", "00006", "00007", "00003", "00004"]
    assert [int(hit.score) for hit in found.hits] == [5, 5, 5, 4, 4, 3, 3, 3, 3, 3]
    assert not found.capped


def test_a_paper_is_shown_on_one_line_and_its_file_may_have_any_name(tmp_path, folder):
    (folder / "one\ntwo.toml").write_text("", encoding="utf-8")
    index = LibraryIndex(
        tmp_path / "index.sqlite3",
        folder,
        read=lambda key: entry(
            key, title="A\n  giraffe", authors=("A. B", "C\nD"), year=1999, doi="10.1/x"
        ),
    )

    [hit] = index.search("giraffe", 5).hits
    [paper] = index.recent(5).papers
    index.close()

    assert hit.paper == paper
    assert hit.snippet == "A giraffe"
    assert paper == PaperSummary(
        "one\ntwo", "A giraffe", 1999, "2026-01-01T00:00:00Z", "10.1/x", ("A. B", "C D")
    )


def test_a_word_that_no_paper_holds_any_longer_is_the_beginning_of_others(library, write):
    write("gone", title="A gira")
    write("giraffe", title="A giraffe")
    before = keys(library, "gira")

    write("gone", title="A zebra")

    assert before == ["gone", "giraffe"]
    assert keys(library, "gira") == ["giraffe"]


def test_the_newest_come_first_and_those_without_a_date_last(write, opened):
    write("old", fetched_at="2025-12-31T23:59:59Z")
    write("undated", fetched_at="")
    write("new", fetched_at="2026-01-01T02:00:00+01:00")
    write("newer", fetched_at="2026-01-01T01:30:00.500Z")

    assert [paper.key for paper in opened().recent(10).papers] == [
        "newer",
        "new",
        "old",
        "undated",
    ]


@pytest.mark.parametrize("in_place", [True, False])
def test_a_file_that_was_edited_behind_its_back_is_read_again(library, folder, in_place):
    assert keys(library, "transformer") == ["title"]
    text = entry_bytes(entry("title", title="A giraffe"))

    if in_place:
        (folder / "title.toml").write_bytes(text)
    else:
        (folder / "title.tmp").write_bytes(text)
        (folder / "title.tmp").replace(folder / "title.toml")

    assert keys(library, "giraffe") == ["title"]
    assert keys(library, "transformer") == []


def test_files_that_come_and_go_behind_its_back_are_noticed(library, write, folder):
    assert keys(library, "giraffe") == []

    write("fresh", title="A giraffe")
    after_adding = keys(library, "giraffe")
    (folder / "fresh.toml").unlink()

    assert after_adding == ["fresh"]
    assert keys(library, "giraffe") == []


def test_a_stranger_that_comes_right_after_our_own_write_is_noticed(library, write):
    for number in range(20):
        ticket = library.announce(f"ours-{number}")
        write(f"ours-{number}", title=f"ours{number}")
        library.index_announced(ticket, [f"ours-{number}"])
        write(f"theirs-{number}", title=f"theirs{number}")

        assert keys(library, f"ours{number}") == [f"ours-{number}"]
        assert keys(library, f"theirs{number}") == [f"theirs-{number}"]


def test_a_stranger_that_came_before_our_own_write_is_noticed(library, write):
    keys(library, "anything")
    write("theirs", title="A giraffe")

    ticket = library.announce("ours")
    write("ours", title="A zebra")
    library.index_announced(ticket, ["ours"])

    assert keys(library, "giraffe") == ["theirs"]


def test_a_paper_whose_writer_died_before_it_was_indexed_is_found(library, write, opened):
    keys(library, "anything")
    library.announce("lost")
    write("lost", title="A giraffe")
    ticket = library.announce("ours")
    write("ours", title="A zebra")
    library.index_announced(ticket, ["ours"])

    assert keys(opened(), "giraffe") == ["lost"]


@pytest.mark.parametrize("missing", ["file", "folder"])
def test_an_index_that_is_gone_is_built_again(library, tmp_path, missing):
    assert keys(library, "transformer") == ["title"]
    for path in (tmp_path / "state").iterdir():
        path.unlink()
    if missing == "folder":
        (tmp_path / "state").rmdir()

    assert keys(library, "transformer") == ["title"]


def damaged_everywhere(path):
    path.write_bytes(b"no database at all " * 500)


def damaged_inside(path):
    data = bytearray(path.read_bytes())
    for place in range(4096, len(data), 512):
        data[place : place + 200] = b"\xff" * 200
    path.write_bytes(data)


def of_another_version(path):
    import sqlite3

    with sqlite3.connect(path) as db:
        db.execute("PRAGMA user_version = 99")
    db.close()


def without_a_table(path):
    import sqlite3

    with sqlite3.connect(path) as db:
        db.execute("DROP TABLE titles")
    db.close()


@pytest.mark.parametrize(
    "damage", [damaged_everywhere, damaged_inside, of_another_version, without_a_table]
)
def test_an_index_that_cannot_be_used_is_begun_anew_and_the_files_are_untouched(
    library, opened, tmp_path, folder, damage
):
    assert keys(library, "transformer") == ["title"]
    library.close()
    files = {path.name: path.read_bytes() for path in folder.iterdir()}
    path = tmp_path / "state" / "index.sqlite3"
    for tail in ("-wal", "-shm"):
        Path(f"{path}{tail}").unlink(missing_ok=True)
    damage(path)

    again = opened()

    assert keys(again, "transformer") == ["title"]
    assert keys(opened(), "circuit", 1) == ["title"]
    assert {path.name: path.read_bytes() for path in folder.iterdir()} == files


def test_where_no_index_can_be_written_the_answer_is_the_same(tmp_path, folder, write):
    write("one", title="A giraffe")
    (tmp_path / "blocked").write_text("a file where the folder should be", encoding="utf-8")
    shelf = PaperFolder(folder.parent, clock=SystemClock(), sandbox=False, lock_seconds=5.0)

    index = LibraryIndex(tmp_path / "blocked" / "index.sqlite3", folder, read=shelf.read)

    assert keys(index, "giraffe") == ["one"]
    index.close()


def test_a_library_that_is_not_there_yet_is_empty(tmp_path):
    index = LibraryIndex(tmp_path / "i.sqlite3", tmp_path / "nowhere", read=lambda _: None)

    assert (keys(index, "x"), index.recent(5).papers) == ([], ())
    index.close()


def test_a_file_that_cannot_be_read_hides_nobody_else_and_is_named(library, folder):
    (folder / "broken.toml").write_text("title = [", encoding="utf-8")

    found, report = keys(library, "transformer"), library.reindex()

    assert found == ["title"]
    assert report.papers == len(PAPERS)
    [(key, problem)] = report.unreadable
    assert key == "broken"
    assert "broken.toml" in problem


def test_a_broken_file_is_found_once_it_is_mended(library, folder, write):
    (folder / "broken.toml").write_text("title = [", encoding="utf-8")
    keys(library, "giraffe")

    write("broken", title="A giraffe")

    assert keys(library, "giraffe") == ["broken"]


def test_links_and_other_files_in_the_folder_are_no_papers(library, folder, tmp_path):
    outside = tmp_path / "outside.toml"
    outside.write_bytes(entry_bytes(entry("outside", title="A giraffe")))
    (folder / "link.toml").symlink_to(outside)
    (folder / "notes.txt").write_text("giraffe", encoding="utf-8")

    assert keys(library, "giraffe") == []


def test_reindexing_tells_how_far_it_is(library):
    report = []

    library.reindex(report=lambda done, total: report.append((done, total)))

    assert report == [(len(PAPERS), len(PAPERS))]


def test_an_old_paper_that_is_fetched_again_is_new(library, write):
    write("title", title="The transformer circuit", fetched_at="2026-05-05T00:00:00Z")

    assert library.recent(1).papers[0].key == "title"


WRITER = """
import sys
from pathlib import Path
from sourcewright.references.entries import Entry, Acquisition
from sourcewright.base.clocks import SystemClock
from sourcewright.stores.index import LibraryIndex
from sourcewright.stores.papers.metadata import entry_bytes
from sourcewright.stores.papers.shelf import PaperFolder
folder, path, name = Path(sys.argv[1]), Path(sys.argv[2]), sys.argv[3]
shelf = PaperFolder(folder.parent, clock=SystemClock(), sandbox=False, lock_seconds=5.0)
index = LibraryIndex(path, folder, read=shelf.read)
for number in range(25):
    key = f"{name}-{number}"
    entry = Entry(key=key, title=f"common {key}", authors=(),
                  holding=Acquisition(fetched_at="2026-01-01T00:00:00Z", source="x"))
    ticket = index.announce(key)
    (folder / f".{key}.tmp").write_bytes(entry_bytes(entry))
    (folder / f".{key}.tmp").replace(folder / f"{key}.toml")
    index.index_announced(ticket, [key])
    assert index.search(f"{name} {number}", 5).hits, key
"""


def test_processes_that_write_at_once_lose_nothing(tmp_path, folder, opened):
    path = tmp_path / "state" / "index.sqlite3"
    command = [sys.executable, "-c", WRITER, str(folder), str(path)]

    running = [
        subprocess.Popen([*command, name], stderr=subprocess.PIPE, text=True)
        for name in ("ann", "bob", "cid")
    ]
    errors = [process.communicate(timeout=300)[1] for process in running]

    assert errors == ["", "", ""]
    assert len(opened().search("common", 200).hits) == 75


def test_what_is_indexed_does_not_depend_on_how_it_came(library, opened, write):
    ticket = library.announce("new")
    write("new", title="Giraffe circuit", annotation="remember this")
    library.index_announced(ticket, ["new"])

    other = opened("other.sqlite3")

    for query in ("circuit", "giraffe", "remember", "muller"):
        ours, theirs = library.search(query, 9), other.search(query, 9)
        assert {hit.paper for hit in ours.hits} == {hit.paper for hit in theirs.hits}
