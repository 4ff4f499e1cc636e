"""Settings of `search_and_scrape`."""

from sourcewright.settings import kinds
from sourcewright.settings.table import setting


class ResearchSettings:
    """Optional parts of the answer of `search_and_scrape`."""

    _group = "Research"

    source_recommendations: bool = setting(
        "SOURCE_RECOMMENDATIONS",
        kind=kinds.FLAG,
        default=True,
        help="Whether search_and_scrape recommends the best of its sources.",
    )
    generative_ui: bool = setting(
        "GENERATIVE_UI_ENABLED",
        kind=kinds.FLAG,
        default=False,
        help="Whether search_and_scrape adds cards and a table that a client can display directly.",
    )
