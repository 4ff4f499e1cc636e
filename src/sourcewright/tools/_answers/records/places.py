"""Places in the responses of `local_search`."""

from pydantic import Field

from sourcewright.domain.records.places import Place
from sourcewright.tools._base import Answer
from sourcewright.tools._results import CAMEL, OmittedIfNone


class PlaceFound(Answer):
    """One place."""

    model_config = CAMEL

    id: str = Field(description="Valid for this answer only.")
    name: str
    address: OmittedIfNone[str] = None
    lat: OmittedIfNone[float] = None
    lon: OmittedIfNone[float] = None
    phone: OmittedIfNone[str] = None
    website: OmittedIfNone[str] = None
    categories: list[str]
    rating: OmittedIfNone[float] = None
    rating_count: OmittedIfNone[int] = None
    hours: list[str]
    description: OmittedIfNone[str] = None
    source: str


def place_found(place: Place, source: str) -> PlaceFound:
    return PlaceFound(
        id=place.id,
        name=place.name,
        address=place.address,
        lat=place.location.latitude if place.location else None,
        lon=place.location.longitude if place.location else None,
        phone=place.phone,
        website=place.website,
        categories=list(place.categories),
        rating=place.rating,
        rating_count=place.rating_count,
        hours=list(place.hours),
        description=place.description,
        source=source,
    )
