"""FxTwitter's API for X: posts, an article, profiles, with status codes in the response body."""

import re
from typing import Any

from sourcewright.world.corpus import Corpus
from sourcewright.world.messages import Request, Response, as_json

HOSTS = ("api.fxtwitter.com",)

_PATH = re.compile(r"/([A-Za-z0-9_]{1,15})(?:/status/([0-9]+))?")
_AUTHOR = {
    "id": "77",
    "name": "North Light",
    "screen_name": "NorthLight",
    "followers": 1200,
    "following": 34,
}


def answer(request: Request, corpus: Corpus) -> Response:
    del corpus
    match = _PATH.fullmatch(request.path)
    if match is None:
        return _error(404, "NOT_FOUND")
    if match[2] is None:
        return _member(match[1])
    posts = {"1001": _fog(), "1002": _article()}
    if match[2] == "1009":
        return _error(401, "PRIVATE_TWEET")
    post = posts.get(match[2])
    if post is None:
        return _error(404, "NOT_FOUND")
    return as_json({"code": 200, "message": "OK", "tweet": post})


def _error(code: int, message: str) -> Response:
    return as_json({"code": code, "message": message}, status=code)


def _member(handle: str) -> Response:
    if handle.lower() != "northlight":
        return as_json({"code": 404, "message": "User not found"}, status=404)
    user = {
        **_AUTHOR,
        "url": "https://x.com/NorthLight",
        "description": "A lighthouse.\nSometimes lit.",
        "location": "Harbour",
        "tweets": 567,
        "likes": 8,
        "joined": "Thu Aug 14 03:50:42 +0000 2008",
        "website": {"url": "https://harbour.example/", "display_url": "harbour.example"},
    }
    return as_json({"code": 200, "message": "OK", "user": user})


def _post(number: str, text: str, **more: Any) -> dict[str, Any]:
    return {
        "url": f"https://x.com/NorthLight/status/{number}",
        "id": number,
        "text": text,
        "author": _AUTHOR,
        "replies": 5,
        "retweets": 6,
        "likes": 70,
        "quotes": 8,
        "views": None,
        "created_at": "Fri Jan 02 03:04:05 +0000 2026",
        "created_timestamp": 1_767_323_045,
        "lang": "en",
        "replying_to": None,
        "replying_to_status": None,
        "community_note": None,
        **more,
    }


def _fog() -> dict[str, Any]:
    photo = {"type": "photo", "url": "https://pbs.example/fog.jpg", "altText": "Fog on a pier"}
    poll = {
        "choices": [
            {"label": "It lifts", "count": 30, "percentage": 75},
            {"label": "It stays", "count": 10, "percentage": 25},
        ],
        "total_votes": 40,
        "ends_at": "2026-01-03T03:04:05.000Z",
    }
    return _post(
        "1001",
        "Fog again.\n\nWill it lift?",
        replying_to="PierWalker",
        replying_to_status="900",
        media={"all": [photo], "photos": [photo]},
        poll=poll,
        quote=_post("999", "Clear\nskies."),
        community_note={"text": "It is mist."},
    )


def _article() -> dict[str, Any]:
    blocks = [
        {"key": "a", "type": "unstyled", "text": "A lens wants care."},
        {"key": "b", "type": "header-two", "text": "Tools"},
        {"key": "c", "type": "unordered-list-item", "text": "A cloth"},
        {"key": "d", "type": "unordered-list-item", "text": "A heater"},
        {"key": "e", "type": "blockquote", "text": "Dry is bright."},
        {"key": "f", "type": "code-block", "text": "warm(lens)"},
        {"key": "g", "type": "atomic", "text": " "},
    ]
    article = {
        "title": "On keeping lenses dry",
        "preview_text": "A lens wants care.",
        "content": {"blocks": blocks, "entityMap": []},
    }
    return _post("1002", "", article=article)
