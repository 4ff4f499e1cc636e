"""What the metadata of a page is read from: meta tags, JSON-LD, attributes, lines near the headline."""

from collections.abc import Iterable, Iterator, Mapping, Sequence
from dataclasses import dataclass
from functools import cached_property
from itertools import chain, islice
from urllib.parse import parse_qsl, urlsplit

from sourcewright.base.urls.canonical import is_tracking_parameter
from sourcewright.reading.html.blocks import tokens_of
from sourcewright.reading.html.document import AttributeIndex, Node
from sourcewright.reading.html.metadata.described_works import DescribedWorks
from sourcewright.reading.html.metadata.headline import Surroundings, surroundings_of
from sourcewright.reading.html.visibility import strip_invisible

MetaTags = Mapping[str, Sequence[str]]
"""Contents of the meta tags by name."""
_MAX_VALUE = 500
_MAX_PLACES = 8
_MAIN_TAGS = frozenset(("article", "main", "body"))
_ASIDE_TAGS = frozenset(("aside", "nav", "footer", "figure", "figcaption"))
_ASIDE_NAMES = (
    "comment comments reply replies related recommended recommendation recommendations sidebar "
    "widget widgets teaser promo popular trending latest carousel slider footer menu infobox "
    "testimonial testimonials review reviews similar upcoming"
)
_ASIDE_WORDS = frozenset(_ASIDE_NAMES.split())


@dataclass(frozen=True, kw_only=True)
class PageSources:
    """Where the metadata of one page is read from."""

    root: Node
    marks: AttributeIndex
    metas: MetaTags
    works: DescribedWorks
    title: str | None
    url: str
    language: str | None

    @cached_property
    def surroundings(self) -> Surroundings:
        """The lines around the headline; a page that declares author and date needs none."""
        return surroundings_of(self.root, self.title)

    @property
    def is_home_page(self) -> bool:
        """Whether this is a site's first page, where bylines and dates are those of other pages."""
        try:
            parts = urlsplit(self.url)
        except ValueError:
            return False
        names = parse_qsl(parts.query, keep_blank_values=True)
        has_query = any(not is_tracking_parameter(name, value) for name, value in names)
        return bool(parts.netloc) and not parts.path.strip("/") and not has_query

    def is_aside(self, node: Node) -> bool:
        """Whether an element is outside the text: in a comment, another page's card, an infobox.

        What contains the headline is not: names of the whole page say nothing about its parts.
        """
        return any(place.tag in _ASIDE_TAGS for place in self._places(node)) or (
            self.is_named_aside(node)
        )

    def is_in_article_footer(self, node: Node) -> bool:
        """Whether an element is in the footer of the article whose headline is the page's."""
        footer = next(node.iterancestors("footer"), None)
        article = next(footer.iterancestors("article"), None) if footer is not None else None
        return article is not None and article in self.surroundings.places

    def is_named_aside(self, node: Node) -> bool:
        """Whether an element is outside the text by its names, or in an infobox."""
        return any(
            _is_aside_name(tokens_of(place))
            or (place.tag == "tr" and place.find("th") is not None)
            for place in self._places(node)
        )

    def _places(self, node: Node) -> Iterator[Node]:
        """The element and what contains it, up to what contains the headline too."""
        for place in islice(chain([node], node.iterancestors()), _MAX_PLACES):
            if place in self.surroundings.places or place.tag in _MAIN_TAGS:
                return
            yield place


def _is_aside_name(tokens: Sequence[str]) -> bool:
    """Whether an element is an aside by its names; to Elementor every element is a widget."""
    asides = _ASIDE_WORDS.intersection(tokens)
    return bool(asides - {"widget"}) or (bool(asides) and "elementor" not in tokens)


def is_same_name(one: str, other: str) -> bool:
    """Whether two names are the same but for case, spaces and punctuation."""
    return bool(folded := folded_name(one)) and folded == folded_name(other)


def folded_name(name: str) -> str:
    """The letters and digits of a name, without regard to case."""
    return "".join(filter(str.isalnum, name.casefold()))


def first_contents(metas: MetaTags, names: Iterable[str]) -> list[str]:
    """The first value of each of these meta tags."""
    return [metas[name][0] for name in names if name in metas]


def text_of(node: Node) -> str | None:
    return None if node is None else first_text([node.text_content()])


def first_text(values: Iterable[str | None]) -> str | None:
    """The first value that has a visible character, in one line and bounded."""
    for value in values:
        text = " ".join(strip_invisible(value or "").split())[:_MAX_VALUE]
        if text:
            return text
    return None
