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


def main() -> None:
    folder, name = Path(sys.argv[1]), sys.argv[2]
    logging.disable(logging.CRITICAL)
    extract = extractor(name)
    for number in sys.argv[3:]:
        body = gzip.decompress((folder / "html" / f"{number}.html.gz").read_bytes())
        start = time.process_time()
        try:
            text = extract(body)
        except (ValueError, TypeError, AttributeError) as error:
            text = ""
            sys.stderr.write(f"{name}: {error}\n")
        print(json.dumps({"seconds": time.process_time() - start, "text": text}))


if __name__ == "__main__":
    main()
