"""Settings of web search: engines, routing, lenses, reputation ratings."""

from collections.abc import Mapping
from pathlib import Path

from sourcewright.settings import kinds
from sourcewright.settings.table import setting

ENGINE_LISTS = ("web", "images", "news", "default")
"""The lists of SEARCH_ROUTING that name search engines."""

MOST_TOGETHER = 20
"""More engines than there are of any kind."""


class SearchSettings:
    """Which engines are queried, in which order, and custom lenses and ratings."""

    _group = "Search"

    search_provider: str | None = setting(
        "SEARCH_PROVIDER",
        kind=kinds.NAME,
        help="The only search engine to query. If not set, all configured engines are tried in turn.",
    )
    search_routing: Mapping[str, tuple[str, ...]] | None = setting(
        "SEARCH_ROUTING",
        kind=kinds.ROUTING,
        help='The order of engines: a list such as brave,duckduckgo, or JSON with lists for web, images, news, academic and default, such as {"web": "brave,exa", "default": "searxng"}.',
    )
    search_fusion: int = setting(
        "SEARCH_FUSION",
        kind=kinds.switch_or_number(on=MOST_TOGETHER),
        default=1,
        help="How many search engines or paper indexes are queried concurrently; their results are merged by rank. `on` queries all.",
    )
    custom_lenses_path: Path | None = setting(
        "CUSTOM_LENSES_PATH",
        kind=kinds.PATH,
        help="A folder of JSON files with custom lenses; one with the name of a built-in lens replaces it.",
    )
    reputation_path: Path | None = setting(
        "SOURCEWRIGHT_REPUTATION_PATH",
        kind=kinds.PATH,
        help="A JSON file with reputation ratings of hosts that extend or replace the built-in ones.",
    )
