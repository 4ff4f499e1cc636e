"""Settings of reading pages."""

from sourcewright.settings import kinds
from sourcewright.settings.table import setting

_READING = "Reading"


class ReadingSettings:
    """Which pages may be read, and how large an answer may be."""

    allowed_domains: tuple[str, ...] = setting(
        "ALLOWED_DOMAINS",
        kind=kinds.DOMAINS,
        group=_READING,
        default=(),
        help="When set, pages are read on these domains and below them, and nowhere else.",
    )
    link_bytes: int = setting(
        "SOURCEWRIGHT_LINK_BYTES",
        kind=kinds.number(at_least=1024, at_most=5_000_000),
        group=_READING,
        default=24 * 1024,
        help="From this size on a raw body is given as a link to a resource.",
    )
    exa_reader: bool = setting(
        "SOURCEWRIGHT_EXA_READER",
        kind=kinds.FLAG,
        group=_READING,
        default=True,
        help="With EXA_API_KEY, ask Exa for pages that cannot be read otherwise; 0 for never.",
    )
