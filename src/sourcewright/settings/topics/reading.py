"""Settings of reading web pages and documents, and of the browser."""

from sourcewright.settings import kinds
from sourcewright.settings.ocr_languages import OCR_LANGUAGES
from sourcewright.settings.table import setting


class ReadingSettings:
    """Which pages may be read, size limits, concurrency and the browser."""

    _group = "Reading"

    allowed_domains: tuple[str, ...] = setting(
        "ALLOWED_DOMAINS",
        kind=kinds.DOMAINS,
        default=(),
        help="If set, only pages on these domains and their subdomains are read.",
    )
    max_html_bytes: int = setting(
        "MAX_HTML_BYTES",
        kind=kinds.number(at_least=1024, at_most=64 * 1024 * 1024),
        default=8 * 1024 * 1024,
        help="Maximum size of a web page in bytes; a longer page is truncated and marked as such.",
    )
    max_document_bytes: int = setting(
        "MAX_DOCUMENT_BYTES",
        kind=kinds.number(at_least=1024, at_most=512 * 1024 * 1024),
        default=50 * 1024 * 1024,
        help="Maximum size of a document, such as a PDF, in bytes.",
    )
    link_bytes: int = setting(
        "SOURCEWRIGHT_LINK_BYTES",
        kind=kinds.number(at_least=1024, at_most=5_000_000),
        default=24 * 1024,
        help="A raw body, a response of search_and_scrape, or an exported session of at least this many bytes is returned as a link to a resource.",
    )
    exa_reader: bool = setting(
        "SOURCEWRIGHT_EXA_READER",
        kind=kinds.FLAG,
        default=True,
        help="Whether Exa is used for pages that cannot be read otherwise. Needs EXA_API_KEY; 0 turns it off.",
    )
    scrape_concurrency: int = setting(
        "MAX_SCRAPE_CONCURRENCY",
        kind=kinds.number(at_least=1, at_most=64),
        default=5,
        help="How many pages are read concurrently.",
    )
    chrome_path: str | None = setting(
        "CHROME_PATH",
        kind=kinds.TEXT,
        help="Path of the Chromium that renders pages which need JavaScript; detected automatically if not set. `disabled` turns it off.",
    )
    tesseract_path: str | None = setting(
        "TESSERACT_PATH",
        kind=kinds.TEXT,
        help="Path of the Tesseract that recognises the text of scanned PDF pages (OCR); detected automatically if not set. `disabled` turns it off.",
    )
    ocr_languages: tuple[str, ...] = setting(
        "SOURCEWRIGHT_OCR_LANGUAGES",
        kind=OCR_LANGUAGES,
        default=(),
        help="Languages of scanned pages by Tesseract's names, such as `deu, eng`; each makes OCR slower. If not set, the first three that are installed, English first.",
    )
    browser_concurrency: int = setting(
        "MAX_SCRAPE_CONCURRENCY_BROWSER",
        kind=kinds.number(at_least=1, at_most=16),
        default=2,
        help="How many pages the browser renders concurrently.",
    )
    browser_idle_seconds: int = setting(
        "BROWSER_IDLE_TIMEOUT",
        kind=kinds.DURATION,
        default=300,
        help="How long an unused browser keeps running.",
    )
