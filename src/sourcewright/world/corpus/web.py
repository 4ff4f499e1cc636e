"""The invented web of the search engines: pages, news and images, the same for all engines."""

import re
from collections.abc import Iterable, Sequence
from dataclasses import dataclass
from datetime import UTC, datetime, timedelta
from functools import cache, lru_cache
from typing import Literal

Kind = Literal["web", "images", "news"]


@dataclass(frozen=True, slots=True, kw_only=True)
class Item:
    """One page, article or picture."""

    kind: Kind
    host: str
    path: str
    title: str
    text: str
    published: datetime
    language: str = "en"
    country: str = "us"
    width: int = 0
    height: int = 0
    file_type: str = "html"

    @property
    def url(self) -> str:
        return f"https://{self.host}{self.path}"

    @property
    def age(self) -> timedelta:
        return datetime.now(UTC) - self.published


_TOPICS = (
    ("tidal energy", "Turbines in tidal channels turn slow water into steady power."),
    ("sea otter", "Sea otters keep kelp forests alive by eating urchins."),
    ("glacier memory", "Ice remembers storms that nobody wrote down."),
    ("lantern festival", "Paper lanterns rise over the harbour at midwinter."),
    ("asyncio cancellation", "A cancelled task must clean up and raise again."),
    ("lighthouse history", "Keepers logged every ship and every fog."),
    ("rye bread", "Sourdough rye needs time more than kneading."),
    ("quantum compass", "Cold atoms measure turns without a satellite."),
    ("mountain railway", "Rack trains climb what wheels alone cannot."),
    ("urban bees", "Roof gardens feed more bees than parks do."),
)
_HOSTS = (
    "en.wikipedia.org",
    "www.nature.com",
    "arxiv.org",
    "www.reuters.com",
    "www.bbc.co.uk",
    "docs.python.org",
    "stackoverflow.com",
    "www.harbour-times.example",
    "blog.lakeside.example",
    "museum.faro.example",
)
_COMPANY_PAGES = (
    ("www.lumenfjord.example", "/", "Lumenfjord", "Official lamps of Lumenfjord."),
    ("saltwick.example", "/", "Saltwick", "Official salt of Saltwick."),
    ("saltwick.example", "/about-us/our-look", "Our look", "Saltwick brand guidelines."),
)
_LANGUAGES = (("en", "us"), ("en", "gb"), ("de", "de"), ("fr", "fr"), ("ja", "jp"))
_HOURS = (0.5, 10, 80, 500, 5_000, 30_000)
"""Ages such that every time range includes some items and excludes others."""


@cache
def items() -> tuple[Item, ...]:
    """All items, with ages counted from the first call, or from the last renewal."""
    now = datetime.now(UTC)
    companies = (
        Item(kind="web", host=host, path=path, title=title, text=text, published=now)
        for host, path, title, text in _COMPANY_PAGES
    )
    return (*(_item(number) for number in range(len(_TOPICS) * 18)), *companies)


def renew(*, after: timedelta = timedelta(minutes=10)) -> None:
    """Date all items from now, if they were dated longer ago than that.

    Otherwise no item would be newer than an hour once the world is half an hour old.
    """
    if items()[0].age > timedelta(hours=_HOURS[0]) + after:
        items.cache_clear()


def search(
    kind: Kind, words: str, *, sites: Sequence[str] = (), newest_hours: float | None = None
) -> list[Item]:
    """Items whose title or text contains any of the words, best matches first."""
    query_words = set(re.findall(r"\w+", words.lower()))
    scored = [(len(query_words & _words(item)), item) for item in items() if item.kind == kind]
    matches = [(score, item) for score, item in scored if score and _is_on(item, sites)]
    if newest_hours is not None:
        matches = [one for one in matches if one[1].age <= timedelta(hours=newest_hours)]
    return [item for _, item in sorted(matches, key=lambda one: (-one[0], one[1].url))]


def _item(number: int) -> Item:
    topic, sentence = _TOPICS[number % len(_TOPICS)]
    round_ = number // len(_TOPICS)
    kind: Kind = ("web", "news", "images")[round_ % 3]
    host = _HOSTS[(number * 7 + round_) % len(_HOSTS)]
    language, country = _LANGUAGES[number % len(_LANGUAGES)]
    ending, slug = ("jpg" if kind == "images" else "html"), topic.replace(" ", "-")
    return Item(
        kind=kind,
        host=host,
        path=f"/{kind}/{slug}-{round_}.{ending}",
        title=f"{topic.capitalize()} ({kind} {round_})",
        text=f"{sentence} Number {number} of the invented web says so.",
        published=datetime.now(UTC) - timedelta(hours=_HOURS[(number + round_) % len(_HOURS)]),
        language=language,
        country=country,
        width=400 + 100 * round_ if kind == "images" else 0,
        height=300 + 75 * round_ if kind == "images" else 0,
        file_type=ending,
    )


@lru_cache(maxsize=1024)
def _words(item: Item) -> frozenset[str]:
    return frozenset(re.findall(r"\w+", f"{item.title} {item.text}".lower()))


def _is_on(item: Item, sites: Iterable[str]) -> bool:
    places = [site.partition("/") for site in sites]
    return not places or any(
        (item.host == host or item.host.endswith(f".{host}"))
        and item.path.startswith(slash + path)
        for host, slash, path in places
    )
