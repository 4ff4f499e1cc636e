"""Reads PDFs with one peer and prints a line for each; lives in the peers' environment."""

import json
import logging
import sys
import time
from collections.abc import Callable
from importlib.util import find_spec

MODULES = {
    "pdf-inspector": "pdf_inspector",
    "edgeparse": "edgeparse",
    "markitdown": "markitdown",
    "PDFium": "pypdfium2",
}


def reader(name: str) -> Callable[[str], str]:
    """What makes Markdown, or plain text, of the PDF at a path."""
    if name == "pdf-inspector":
        import pdf_inspector

        return lambda path: pdf_inspector.process_pdf(path).markdown or ""
    if name == "edgeparse":
        import edgeparse

        return lambda path: str(edgeparse.convert(path))
    if name == "markitdown":
        from markitdown import MarkItDown

        converter = MarkItDown()
        return lambda path: str(converter.convert(path).text_content)
    import pypdfium2

    def plain(path: str) -> str:
        with pypdfium2.PdfDocument(path) as document:
            return "\n\n".join(page.get_textpage().get_text_bounded() for page in document)

    return plain


def main() -> None:
    name, *paths = sys.argv[1:]
    if find_spec(MODULES[name]) is None:
        return
    logging.disable(logging.CRITICAL)
    read = reader(name)
    read(paths[0])
    for path in paths:
        start = time.perf_counter()
        try:
            text = read(path)
        except (ValueError, TypeError, AttributeError, RuntimeError) as error:
            text = ""
            sys.stderr.write(f"{name}: {path}: {error}\n")
        print(json.dumps({"seconds": time.perf_counter() - start, "text": text}))


if __name__ == "__main__":
    main()
