"""Invented towns and the places in them, for simulated local searches."""

from dataclasses import dataclass


@dataclass(frozen=True, slots=True)
class TownPlace:
    """A place where people go."""

    id: str
    name: str
    kind: str
    address: str
    latitude: float
    longitude: float
    phone: str | None = None
    site: str | None = None
    words: str | None = None


PLACES = (
    TownPlace(
        "loc4AAAAA1=",
        "Fog & Bean",
        "coffee",
        "1 Quay Street, Port Meridian",
        10.5000,
        20.5000,
        "+00 555 0101",
        "https://fogandbean.example/",
        "A small roaster by the quay.",
    ),
    TownPlace(
        "loc4AAAAA2=", "Tidal Coffee", "coffee", "9 Mole Road, Port Meridian", 10.5100, 20.5000
    ),
    TownPlace("loc4AAAAA3=", "Lantern Coffee", "coffee", "2 Hill Lane, Faro", 10.9000, 20.9000),
    TownPlace(
        "loc4BBBBB1=",
        "Museum of Fog",
        "museum",
        "3 Hill Lane, Faro",
        10.9010,
        20.9010,
        site="https://museum.faro.example/",
    ),
)
