"""Openverse's API: openly licensed images without a key, twenty per page."""

from typing import Any
from uuid import NAMESPACE_URL, uuid5

from sourcewright.world import operators
from sourcewright.world.corpus import Corpus
from sourcewright.world.corpus.web import Item
from sourcewright.world.messages import Request, Response, as_json

HOSTS = ("api.openverse.org",)

Params = dict[str, str]

_MOST, _LONGEST = 20, 200
_CHOICES = {
    "size": {"small", "medium", "large"},
    "category": {"photograph", "illustration", "digitized_artwork"},
    "mature": {"true", "false"},
}


def answer(request: Request, corpus: Corpus) -> Response:
    del corpus
    params = dict(request.params)
    if request.path != "/v1/images/":
        return as_json({"detail": "Not found."}, status=404)
    size = params.get("page_size", "20")
    if not size.isdecimal() or not int(size):
        return as_json({"page_size": ["A valid integer is required."]}, status=400)
    if int(size) > _MOST:
        detail = "Ensure this value is less than or equal to 20."
        return as_json({"detail": detail}, status=401)
    for name, choices in _CHOICES.items():
        if params.get(name, next(iter(choices))) not in choices:
            return as_json({name: [f"Invalid value for {name}."]}, status=400)
    hits = [item for item in _search(params) if _passes(item, params)]
    return as_json(
        {
            "result_count": len(hits),
            "page_count": min(1, len(hits)),
            "page_size": int(size),
            "page": 1,
            "results": [_picture(item) for item in hits[: int(size)]],
        }
    )


def _search(params: Params) -> list[Item]:
    """Longer values are truncated silently."""
    return operators.search("images", params.get("q", "")[:_LONGEST])


def _passes(item: Item, params: Params) -> bool:
    extensions = params.get("extension", item.file_type).split(",")
    category = "illustration" if item.host.startswith("museum.") else "photograph"
    return (
        item.file_type in extensions
        and params.get("size", _size(item)) == _size(item)
        and params.get("category", category) == category
        and (params.get("mature") == "true" or not item.host.startswith("blog."))
    )


def _size(item: Item) -> str:
    return "small" if item.width < 640 else "medium" if item.width < 1600 else "large"


def _picture(item: Item) -> dict[str, Any]:
    name = str(uuid5(NAMESPACE_URL, item.url))
    at = f"https://api.openverse.org/v1/images/{name}"
    return {
        "id": name,
        "title": item.title,
        "indexed_on": item.published.strftime("%Y-%m-%dT%H:%M:%S.000000Z"),
        "foreign_landing_url": item.url.removesuffix(".jpg"),
        "url": item.url,
        "creator": "Ida Quist",
        "creator_url": f"https://{item.host}/ida",
        "license": "by",
        "license_version": "2.0",
        "license_url": "https://creativecommons.org/licenses/by/2.0/",
        "provider": "flickr",
        "source": "flickr",
        "category": None,
        "filesize": None,
        "filetype": item.file_type,
        "tags": [],
        "attribution": f'"{item.title}" by Ida Quist is licensed under CC BY 2.0.',
        "fields_matched": ["title"],
        "mature": item.host.startswith("blog."),
        "height": item.height,
        "width": item.width,
        "thumbnail": f"{at}/thumb/",
        "detail_url": f"{at}/",
        "related_url": f"{at}/related/",
    }
