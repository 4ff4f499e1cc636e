"""Runs one peer over the pages and prints a line for each; lives in the peers' environment."""

import gzip
import json
import logging
import sys
import time
from collections.abc import Callable
from pathlib import Path


def extractor(name: str) -> Callable[[bytes], str]:
    if name == "readability":
        import lxml.html
        import readability

        def simplified(body: bytes) -> str:
            summary = readability.Document(body.decode("utf-8", "replace")).summary()
            return str(lxml.html.fromstring(summary).text_content())

        return simplified
    import trafilatura

    return lambda body: trafilatura.extract(body, favor_precision=name != "trafilatura") or ""


def described(name: str, body: bytes, url: str | None) -> dict[str, str | None]:
    """Title, author and date as trafilatura finds them; nothing of the other peers."""
    if name != "trafilatura":
        return {}
    import trafilatura

    try:
        found = trafilatura.extract_metadata(body, default_url=url)
    except (ValueError, TypeError, AttributeError):
        return {}
    return {"title": found.title, "author": found.author, "date": found.date}


def main() -> None:
    folder, name = Path(sys.argv[1]), sys.argv[2]
    logging.disable(logging.CRITICAL)
    extract = extractor(name)
    truths = (folder / "truth.jsonl").read_text(encoding="utf-8").strip().split("\n")
    urls = {page["id"]: page["url"] for page in map(json.loads, truths)}
    for number in sys.argv[3:]:
        body = gzip.decompress((folder / "html" / f"{number}.html.gz").read_bytes())
        start = time.process_time()
        try:
            text = extract(body)
        except (ValueError, TypeError, AttributeError) as error:
            text = ""
            sys.stderr.write(f"{name}: {error}\n")
        seconds = time.process_time() - start
        print(
            json.dumps({"seconds": seconds, "text": text, **described(name, body, urls[number])})
        )


if __name__ == "__main__":
    main()
