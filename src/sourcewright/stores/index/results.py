"""Result rows of the index, with the file stamps at the time of indexing."""

import json
import sqlite3
from collections.abc import Iterable
from typing import Any

from sourcewright.base.text.phrases import snippet_around
from sourcewright.base.works import Notice
from sourcewright.domain.papers.library import (
    LabelCount,
    Labels,
    LibraryHit,
    PaperPage,
    PaperSummary,
    PdfRecord,
)

_RECENT = (
    "SELECT mtime, size, inode, key, card FROM entries WHERE problem IS NULL{}"
    " ORDER BY fetched DESC, id DESC LIMIT ? OFFSET ?"
)
_COUNT = "SELECT count(*) FROM entries WHERE problem IS NULL{}"
_WITH_LABEL = " AND id IN (SELECT entry FROM labels WHERE kind = ? AND name = ?)"
_LABELS = (
    "SELECT kind, min(written), count(*) FROM labels GROUP BY kind, name ORDER BY kind DESC, name"
)
_SHARED_NAMES = (
    "SELECT json_group_array(entries.key) FROM ids JOIN entries ON entries.id = ids.entry"
    " WHERE ids.name NOT LIKE 'sha256:%' GROUP BY ids.name HAVING count(*) > 1"
)
_KNOWN_AS = (
    "SELECT DISTINCT mtime, size, inode, key FROM ids JOIN entries ON entries.id = entry"
    " WHERE name IN (SELECT value FROM json_each(?)) ORDER BY key"
)
# In the order of the list, which the cross join keeps.
_BY_IDS = (
    "SELECT entries.id, head, body, mtime, size, inode, entries.key, card"
    " FROM json_each(?) CROSS JOIN entries ON entries.id = atom"
)
_MATCHING = (
    "SELECT id, head, body, mtime, size, inode, key, card"
    " FROM words CROSS JOIN entries ON entries.id = words.rowid WHERE words MATCH ? LIMIT ?"
)

Stamps = dict[str, tuple[int, int, int]]
"""The stamps of the result's files when they were indexed, by key."""

Row = tuple[Any, ...]
"""A paper's id, its words line by line, the words of its abstract, the stamp of its file,
its key, and what is shown of it."""

ScoredRow = tuple[float, int, Row]
"""A paper's score, the position of the first matching word, and its row.

The position is an offset in the lines of words, or their length if the match is in the abstract.
"""


def recent(
    db: sqlite3.Connection, limit: int, offset: int, labels: Labels
) -> tuple[PaperPage, Stamps]:
    """The most recently fetched papers with these labels, newest first."""
    condition, names = _with_labels(labels)
    rows = db.execute(_RECENT.format(condition), (*names, limit, offset)).fetchall()
    papers = tuple(_listed(key, card.split("\n")) for *_, key, card in rows)
    [total] = db.execute(_COUNT.format(condition), names).fetchone()
    return PaperPage(papers, total), {row[3]: row[:3] for row in rows}


def label_counts(db: sqlite3.Connection) -> list[LabelCount]:
    """Every tag, and then every collection, with the number of papers that have it."""
    return [LabelCount(*row) for row in db.execute(_LABELS).fetchall()]


def _with_labels(labels: Labels) -> tuple[str, list[str]]:
    """A condition for papers with all of these labels, and its parameters."""
    pairs = [("tag", name) for name in labels.tags]
    pairs += [("collection", name) for name in labels.collections]
    names = [text for kind, name in pairs for text in (kind, name.casefold())]
    return _WITH_LABEL * len(pairs), names


def keys_with_names(db: sqlite3.Connection, names: Iterable[str]) -> tuple[list[str], Stamps]:
    """The keys of the papers that have one of these identifiers."""
    rows = db.execute(_KNOWN_AS, (json.dumps(sorted(names)),)).fetchall()
    return [row[3] for row in rows], {row[3]: row[:3] for row in rows}


def keys_sharing_names(db: sqlite3.Connection) -> list[tuple[str, ...]]:
    """The keys of papers that have an identifier in common, in groups."""
    rows = db.execute(_SHARED_NAMES).fetchall()
    return [tuple(json.loads(keys)) for [keys] in rows]


def rows_by_id(db: sqlite3.Connection, numbers: Iterable[int]) -> list[Row]:
    """The rows of the papers with these ids, in the same order."""
    return db.execute(_BY_IDS, (json.dumps(list(numbers)),)).fetchall()


def rows_matching(db: sqlite3.Connection, match: str, most: int) -> list[Row]:
    """The rows of matching papers, oldest first, at most `most`."""
    return db.execute(_MATCHING, (match, most)).fetchall()


def hits(papers: Iterable[ScoredRow], words: list[str]) -> tuple[list[LibraryHit], Stamps]:
    """Papers as hits, each with an excerpt of the first text that contains one of the words."""
    result: list[LibraryHit] = []
    stamps: Stamps = {}
    for score, position, (_, head, _, mtime, size, inode, key, card) in papers:
        stamps[key] = mtime, size, inode
        lines = card.split("\n")
        # The searched text and the shown text of a paper begin with the same lines.
        snippet = snippet_around(lines[head.count("\n", 0, position)], words)
        result.append(LibraryHit(_listed(key, lines), score, snippet))
    return result, stamps


def first_position(row: Row, words: list[str]) -> int:
    """Position of the first word that begins with one of these; 0, in the title, if none does."""
    _, head, body, *_ = row
    prefixes = [f" {word}" for word in words]
    positions = [head.find(prefix) for prefix in prefixes if prefix in head]
    if not positions and any(prefix in body for prefix in prefixes):
        return len(head)
    return min(positions, default=0)


def combined_score(weight: float, stage: int) -> float:
    """The score: the integer part is the ranking stage, the fraction the weight."""
    # Six digits, truncated instead of rounded, because rounding is several times slower.
    return int((stage + weight / (1 + weight)) * 1_000_000) / 1_000_000


def _listed(key: str, lines: list[str]) -> PaperSummary:
    title, authors, _, _, _, _, _, year, fetched_at, doi, *check, notices, pdf = lines
    checked_at, checked_by = check
    return PaperSummary(
        key,
        title,
        int(year) if year else None,
        fetched_at or None,
        doi or None,
        tuple(authors.split("; ")) if authors else (),
        tuple(Notice(**notice) for notice in json.loads(notices)) if notices else (),
        checked_at or None,
        tuple(checked_by.split(", ")) if checked_by else (),
        PdfRecord(*json.loads(pdf)) if pdf else None,
    )
