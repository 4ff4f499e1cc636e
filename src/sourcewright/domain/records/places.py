"""Physical places: the query of a local search, and a provider's data about a place."""

from dataclasses import dataclass


@dataclass(frozen=True, slots=True, kw_only=True)
class Coordinates:
    """A point on the earth (WGS 84), in degrees."""

    latitude: float
    longitude: float


@dataclass(frozen=True, slots=True, kw_only=True)
class PlaceQuery:
    """One local search."""

    text: str
    limit: int
    """How many places to return, 1 to 20."""
    near: str | None = None
    """A city, neighbourhood or region, in words; ignored if there is an anchor."""
    anchor: Coordinates | None = None
    radius: float = 0.0
    """Metres around the anchor; 0 for no limit."""
    country: str | None = None
    """ISO 3166-1 alpha-2 code in upper case."""
    units: str | None = None


@dataclass(frozen=True, slots=True, kw_only=True)
class Place:
    """One place. None means that the provider has no value."""

    id: str
    name: str
    address: str | None = None
    location: Coordinates | None = None
    phone: str | None = None
    website: str | None = None
    categories: tuple[str, ...] = ()
    rating: float | None = None
    rating_count: int | None = None
    hours: tuple[str, ...] = ()
    """One line per day, such as `Thursday: 06:59-17:00`."""
    description: str | None = None


@dataclass(frozen=True, slots=True, kw_only=True)
class Places:
    """The places that a provider returned. An empty list is a valid answer."""

    places: tuple[Place, ...]
    missing: str | None = None
    """Why descriptions are missing, if they could not be fetched."""
    within: float | None = None
    """Metres around the location that were searched, if there was a limit."""
    ignored: tuple[str, ...] = ()
    """Filters of the query that had no effect."""
    attribution: str | None = None
    """What the provider's licence requires to be shown with the places."""
