"""The peer of library_search: tantivy over the same papers, queried through pipes."""

import json
import sys
import time
from importlib import import_module
from pathlib import Path
from typing import Any

# The peer's own Python has it, and ours does not.
tantivy: Any = import_module("tantivy")

BOOSTS = {"title": 10.0, "authors": 6.0, "tags": 5.0, "venue": 3.0, "abstract": 1.0}
FIELDS = list(BOOSTS)


def build(path: Path) -> Any:
    """Index the papers, in one segment."""
    builder = tantivy.SchemaBuilder()
    for name in ("key", *FIELDS):
        builder.add_text_field(name, stored=True)
    schema = builder.build()
    index = tantivy.Index(schema)
    writer = index.writer(256_000_000, 1)
    for line in path.read_text(encoding="utf-8").splitlines():
        writer.add_document(tantivy.Document(**json.loads(line)))
    writer.commit()
    writer.wait_merging_threads()
    index.reload()
    return index


def question(index: Any, kind: str, text: str) -> Any:
    if kind == "words":
        return index.parse_query(text, FIELDS, field_boosts=BOOSTS, conjunction_by_default=True)
    beginnings = [
        (tantivy.Occur.Should, tantivy.Query.regex_query(index.schema, name, f"{text}.*"))
        for name in FIELDS
    ]
    return tantivy.Query.boolean_query(beginnings)


def answer(index: Any, kind: str, text: str, limit: int) -> list[dict[str, Any]]:
    """The best papers with their fields and where the words stand."""
    searcher = index.searcher()
    query = question(index, kind, text)
    snippets = [
        tantivy.SnippetGenerator.create(searcher, query, index.schema, name)
        for name in ("title", "abstract")
    ]
    found = []
    for score, address in searcher.search(query, limit, count=False).hits:
        paper = searcher.doc(address)
        snippet = snippets[0].snippet_from_doc(paper).fragment()
        snippet = snippet or snippets[1].snippet_from_doc(paper).fragment()
        fields = {name: paper[name] for name in ("key", "title", "authors")}
        found.append({**fields, "score": score, "snippet": snippet})
    return found


def main() -> None:
    """Build, say so, and answer one line of questions after the other with their times."""
    index, limit = build(Path(sys.argv[1])), int(sys.argv[2])
    print("built", flush=True)
    for line in sys.stdin:
        request = json.loads(line)
        taken = []
        for text in request["queries"]:
            start = time.perf_counter()
            answer(index, request["kind"], text, limit)
            taken.append((time.perf_counter() - start) * 1000)
        print(json.dumps(taken), flush=True)


if __name__ == "__main__":
    main()
