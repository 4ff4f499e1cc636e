"""Settings of reading web pages and documents, and of the browser."""

from sourcewright.settings import kinds
from sourcewright.settings.table import setting


class ReadingSettings:
    """Which pages may be read, size limits, concurrency and the browser."""

    _group = "Reading"

    allowed_domains: tuple[str, ...] = setting(
        "ALLOWED_DOMAINS",
        kind=kinds.DOMAINS,
        default=(),
        help="When set, pages are read on these domains and below them, and nowhere else.",
    )
    max_html_bytes: int = setting(
        "MAX_HTML_BYTES",
        kind=kinds.number(at_least=1024, at_most=64 * 1024 * 1024),
        default=8 * 1024 * 1024,
        help="How many bytes of a web page are read; a longer page is truncated and marked as such.",
    )
    max_document_bytes: int = setting(
        "MAX_DOCUMENT_BYTES",
        kind=kinds.number(at_least=1024, at_most=512 * 1024 * 1024),
        default=50 * 1024 * 1024,
        help="How much of a document, such as a PDF, is read.",
    )
    link_bytes: int = setting(
        "SOURCEWRIGHT_LINK_BYTES",
        kind=kinds.number(at_least=1024, at_most=5_000_000),
        default=24 * 1024,
        help="From this size on a raw body, the answer of search_and_scrape, or an exported session is given as a link to a resource.",
    )
    exa_reader: bool = setting(
        "SOURCEWRIGHT_EXA_READER",
        kind=kinds.FLAG,
        default=True,
        help="With EXA_API_KEY, ask Exa for pages that cannot be read otherwise; 0 for never.",
    )
    scrape_concurrency: int = setting(
        "MAX_SCRAPE_CONCURRENCY",
        kind=kinds.number(at_least=1, at_most=64),
        default=5,
        help="How many pages are read at once.",
    )
    chrome_path: str | None = setting(
        "CHROME_PATH",
        kind=kinds.TEXT,
        help="The Chromium that renders pages which need JavaScript; detected automatically if"
        " nothing is set, `disabled` for none.",
    )
    browser_concurrency: int = setting(
        "MAX_SCRAPE_CONCURRENCY_BROWSER",
        kind=kinds.number(at_least=1, at_most=16),
        default=2,
        help="How many pages the browser shows at once.",
    )
    browser_idle_seconds: int = setting(
        "BROWSER_IDLE_TIMEOUT",
        kind=kinds.DURATION,
        default=300,
        help="How long the browser stays when nobody needs it.",
    )
