"""Rows of the index: which fields of an entry are searched, shown and compared."""

import json
import sqlite3
from collections import Counter
from collections.abc import Iterable, Iterator
from dataclasses import asdict
from datetime import datetime

from sourcewright.base.text.words import pad_words
from sourcewright.domain.papers.identity import entry_names
from sourcewright.references.entries import Entry
from sourcewright.stores.files import FileStamp
from sourcewright.stores.papers.pdf_changes import recorded_pdf

COLUMNS = ("title", "authors", "tags", "venue", "ids", "note", "abstract")
"""The searched columns, in the order of the `words` table.

The last one is by far the longest, and has the lowest weight.
"""

WEIGHTS = (10, 6, 5, 3, 8, 2, 1)
"""The weight of a word in each of these columns."""

_MAX_COLUMN_CHARS = 50_000
"""Characters indexed of one column; the rest of a longer text is not searched."""

_INSERT = (
    "INSERT INTO words (rowid, title, authors, tags, venue, ids, note, abstract)"
    " VALUES (?, ?, ?, ?, ?, ?, ?, ?)"
)
_DELETE = (
    "INSERT INTO words (words, rowid, title, authors, tags, venue, ids, note, abstract)"
    " VALUES ('delete', ?, ?, ?, ?, ?, ?, ?, ?)"
)
_INSERT_TITLE = "INSERT INTO titles (rowid, title) VALUES (?, ?)"
_DELETE_TITLE = "INSERT INTO titles (titles, rowid, title) VALUES ('delete', ?, ?)"
_INSERT_WEIGHT = "INSERT INTO title_words (word, weight, id) VALUES (?, ?, ?)"
_DELETE_WEIGHT = "DELETE FROM title_words WHERE word = ? AND weight = ? AND id = ?"
_COUNT = (
    "INSERT INTO vocabulary (word, papers) VALUES (?, ?)"
    " ON CONFLICT (word) DO UPDATE SET papers = papers + excluded.papers"
)
_MEAN_TITLE_WORDS = 12
"""Words of a title of average length."""

FrequencyChanges = Counter[str]
"""By word, the change in the number of papers that contain it."""


def index_entry(
    db: sqlite3.Connection, tally: FrequencyChanges, entry: Entry, key: str, stamp: FileStamp
) -> None:
    """Index an entry, replacing what was indexed under the key of its file."""
    remove(db, tally, key)
    texts = _texts(entry)
    *lines, body = pad_words(texts)
    head = "".join(f"{line}\n" for line in lines)
    cursor = db.execute(
        "INSERT INTO entries (key, mtime, size, inode, fetched, head, body, card)"
        " VALUES (?, ?, ?, ?, ?, ?, ?, ?)",
        (key, *stamp, _timestamp(entry.holding.fetched_at), head, body, _card(entry, texts)),
    )
    digest = entry.holding.pdf_sha256
    ids = entry_names(entry) | ({f"sha256:{digest}"} if digest else set())
    names = [(name, cursor.lastrowid) for name in sorted(ids)]
    db.executemany("INSERT INTO ids (name, entry) VALUES (?, ?)", names)
    db.executemany(
        "INSERT OR IGNORE INTO labels (kind, name, entry, written) VALUES (?, ?, ?, ?)",
        [(kind, name.casefold(), cursor.lastrowid, name) for kind, name in _labels(entry)],
    )
    words = _words(head, body)
    db.execute(_INSERT, (cursor.lastrowid, *words))
    db.execute(_INSERT_TITLE, (cursor.lastrowid, words[0]))
    db.executemany(_INSERT_WEIGHT, _weights(words[0], cursor.lastrowid))
    tally.update(set(" ".join(words).split()))


def index_problem(
    db: sqlite3.Connection, tally: FrequencyChanges, key: str, stamp: FileStamp, problem: str
) -> None:
    """Record that a file cannot be read, so that it is retried only when it changes."""
    remove(db, tally, key)
    db.execute(
        "INSERT INTO entries (key, mtime, size, inode, fetched, problem) VALUES (?, ?, ?, ?, 0, ?)",
        (key, *stamp, problem),
    )


def remove(db: sqlite3.Connection, tally: FrequencyChanges, key: str) -> None:
    row = db.execute("SELECT id, head, body FROM entries WHERE key = ?", (key,)).fetchone()
    if row is None:
        return
    number, head, body = row
    if head is not None:
        # FTS5 needs exactly what was inserted to delete it, which is why it is stored.
        words = _words(head, body)
        db.execute(_DELETE, (number, *words))
        db.execute(_DELETE_TITLE, (number, words[0]))
        db.executemany(_DELETE_WEIGHT, _weights(words[0], number))
        tally.subtract(set(" ".join(words).split()))
    db.execute("DELETE FROM ids WHERE entry = ?", (number,))
    db.execute("DELETE FROM labels WHERE entry = ?", (number,))
    db.execute("DELETE FROM entries WHERE id = ?", (number,))


def update_frequencies(db: sqlite3.Connection, tally: FrequencyChanges) -> None:
    """Update the number of papers per word."""
    db.executemany(_COUNT, tally.items())


def _labels(entry: Entry) -> Iterator[tuple[str, str]]:
    yield from (("tag", name) for name in entry.holding.tags)
    yield from (("collection", name) for name in entry.holding.collections)


def _texts(entry: Entry) -> tuple[str, ...]:
    holding = entry.holding
    lists = {
        "authors": entry.authors,
        "tags": (*holding.tags, *holding.collections, *entry.keywords),
        "venue": _present(entry.venue, holding.short_venue, entry.publisher),
        "ids": _present(
            *(entry.doi, entry.published_doi, entry.arxiv_id, entry.preprint_doi),
            *(entry.pmid, entry.pmcid),
        ),
    }
    joined = {name: "; ".join(values)[:_MAX_COLUMN_CHARS] for name, values in lists.items()}
    plain_texts = {
        "title": entry.title[:_MAX_COLUMN_CHARS],
        "abstract": (entry.abstract or "")[:_MAX_COLUMN_CHARS],
        "note": (holding.annotation or "")[:_MAX_COLUMN_CHARS],
    }
    return tuple((joined | plain_texts)[name] for name in COLUMNS)


def _present(*values: str | None) -> tuple[str, ...]:
    return tuple(value for value in values if value)


def _card(entry: Entry, texts: Iterable[str]) -> str:
    """What is shown of an entry: its texts, and then the fields that are not searched.

    The key is not included, because a file name may contain anything, even line feeds.
    """
    year = "" if entry.year is None else str(entry.year)
    holding = entry.holding
    lines = (
        *(*texts, year, holding.fetched_at, entry.doi or ""),
        *(holding.notices_checked_at or "", ", ".join(holding.notices_checked_by)),
        json.dumps([asdict(notice) for notice in holding.notices]) if holding.notices else "",
        json.dumps(recorded_pdf(entry)) if entry.claims_pdf else "",
    )
    return "\n".join(" ".join(line.split()) for line in lines)


def _words(head: str, body: str) -> list[str]:
    """The words of each text, without the surrounding spaces."""
    return [words[1:-1] for words in f"{head}{body}".split("\n")]


def title_weight(times: int, length: int) -> float:
    """The bm25 weight of a word in a title, with a fixed mean length of titles."""
    return 2.2 * times / (times + 0.3 + 0.9 * length / _MEAN_TITLE_WORDS)


def _weights(title: str, number: int | None) -> list[tuple[str, int, int | None]]:
    """The weight of each word of a title, in thousandths."""
    words = title.split()
    return [
        (word, round(1000 * title_weight(times, len(words))), number)
        for word, times in Counter(words).items()
    ]


def _timestamp(moment: str) -> float:
    """Seconds since the epoch, for sorting; an invalid time sorts last."""
    try:
        return datetime.fromisoformat(moment).timestamp()
    except (ValueError, OverflowError, OSError):
        return 0.0
