"""Wikimedia Commons' API: the images of the invented web, as files with description pages."""

from typing import Any
from urllib.parse import quote

from sourcewright.world import wikis
from sourcewright.world.corpus import Corpus
from sourcewright.world.corpus.web import Item
from sourcewright.world.messages import Request, Response, as_json

HOSTS = ("commons.wikimedia.org",)

_UPLOADS = "https://upload.wikimedia.org/wikipedia/commons"
_TYPES = {"jpg": "image/jpeg", "png": "image/png", "svg": "image/svg+xml"}


def answer(request: Request, corpus: Corpus) -> Response:
    del corpus
    problem = wikis.objection(request, "gsr")
    if problem is not None:
        return problem
    params = dict(request.params)
    images = wikis.hits("images", params, "gsr") if params.get("gsrnamespace") == "6" else []
    if not images:  # a generator without pages leaves nothing to tell
        return as_json({"batchcomplete": True})
    pages = [_page(place, item, params) for place, item in enumerate(images, start=1)]
    # Pages come in the order of their ids, which is none.
    return as_json({"batchcomplete": True, "query": {"pages": sorted(pages, key=_by_id)}})


def _by_id(page: dict[str, Any]) -> int:
    return int(page["pageid"])


def _page(place: int, item: Item, params: dict[str, str]) -> dict[str, Any]:
    name = f"{item.title}.{item.file_type}"
    return {
        "pageid": 900_000 - place,
        "ns": 6,
        "title": f"File:{name}",
        "index": place,
        "imagerepository": "local",
        "imageinfo": [_info(name.replace(" ", "_"), item, params)],
    }


def _info(name: str, item: Item, params: dict[str, str]) -> dict[str, Any]:
    path, properties = quote(name), params.get("iiprop", "timestamp|user").split("|")
    fields: dict[str, Any] = {}
    if "size" in properties:
        fields |= {"size": item.width * 100, "width": item.width, "height": item.height}
    if "url" in properties:
        fields |= {
            "url": f"{_UPLOADS}/a/a1/{path}",
            "descriptionurl": f"https://commons.wikimedia.org/wiki/File:{path}",
            "descriptionshorturl": "https://commons.wikimedia.org/w/index.php?curid=1",
        }
        if width := params.get("iiurlwidth"):
            fields["thumburl"] = f"{_UPLOADS}/thumb/a/a1/{path}/{width}px-{path}"
    if "mime" in properties:
        fields["mime"] = _TYPES[item.file_type]
    if "extmetadata" in properties:
        info = {
            "LicenseShortName": "CC BY-SA 4.0",
            "LicenseUrl": "https://creativecommons.org/licenses/by-sa/4.0",
            "Artist": '<a href="//commons.wikimedia.org/wiki/User:Ida">Ida &amp; Ole</a>',
        }
        names = params.get("iiextmetadatafilter", "|".join(info)).split("|")
        fields["extmetadata"] = wikis.shown({n: v for n, v in info.items() if n in names})
    return fields
