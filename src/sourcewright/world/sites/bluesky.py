"""Bluesky's public API: threads, profiles, and its error messages."""

import re
from typing import Any

from sourcewright.world.corpus import Corpus
from sourcewright.world.messages import Request, Response, as_json

HOSTS = ("public.api.bsky.app",)

_URI = re.compile(r"at://([^/]+)/app\.bsky\.feed\.post/([a-z0-9]+)")
_KEEPER = {
    "did": "did:plc:keeper",
    "handle": "keeper.harbour.example",
    "displayName": "The Keeper",
    "labels": [],
}
_SHY = {
    "did": "did:plc:shy",
    "handle": "shy.harbour.example",
    "displayName": "",
    "labels": [{"src": "did:plc:shy", "val": "!no-unauthenticated"}],
}
_MEMBERS = {name: one for one in (_KEEPER, _SHY) for name in (one["did"], one["handle"])}
_TEXT = "Fog again. Notes: harbour.example/fo… \n\nLamp is lit ✨"
_LINK = "https://harbour.example/fog-notes"


def answer(request: Request, corpus: Corpus) -> Response:
    del corpus
    if request.path == "/xrpc/app.bsky.actor.getProfile":
        return _profile(request.params.get("actor", ""))
    if request.path == "/xrpc/app.bsky.feed.getPostThread":
        return _thread(request.params.get("uri", ""))
    return _error("MethodNotImplemented", "Method Not Implemented", 501)


def _profile(actor: str) -> Response:
    member = _MEMBERS.get(actor)
    if member is None:
        return _error("InvalidRequest", "Profile not found")
    facts = {
        "description": "Keeper of the north light.\nTalks of fog.",
        "followersCount": 1234,
        "followsCount": 56,
        "postsCount": 789,
        "createdAt": "2024-02-03T04:05:06.789Z",
        "indexedAt": "2024-02-03T04:05:06.789Z",
    }
    return as_json({**member, **facts})


def _thread(uri: str) -> Response:
    match = _URI.fullmatch(uri)
    if match is None:
        return _error("InvalidRequest", "Error: Params must be a valid at-uri")
    number = match[2]
    if match[1] not in _MEMBERS or number == "3gone":
        return _error("NotFound", f"Post not found: {uri}")
    threads: dict[str, Any] = {
        "3fog": _view(_fog(), replies=_replies(), parent=_view(_post(_KEEPER, "3old", "Clear."))),
        "3shy": _view(_post(_SHY, "3shy", "Not for strangers.")),
        "3deleted": {"$type": "app.bsky.feed.defs#notFoundPost", "uri": uri, "notFound": True},
        "3blocked": {"$type": "app.bsky.feed.defs#blockedPost", "uri": uri, "blocked": True},
    }
    if number not in threads:
        return _error("NotFound", f"Post not found: {uri}")
    return as_json({"thread": threads[number]})


def _error(name: str, message: str, status: int = 400) -> Response:
    return as_json({"error": name, "message": message}, status=status)


def _view(post: dict[str, Any], **around: Any) -> dict[str, Any]:
    return {"$type": "app.bsky.feed.defs#threadViewPost", "post": post, "replies": [], **around}


def _post(author: dict[str, Any], number: str, text: str, **more: Any) -> dict[str, Any]:
    return {
        "uri": f"at://{author['did']}/app.bsky.feed.post/{number}",
        "cid": f"bafy{number}",
        "author": author,
        "record": {
            "$type": "app.bsky.feed.post",
            "createdAt": "2026-01-02T03:04:05.678Z",
            "langs": ["en"],
            "text": text,
        },
        "replyCount": 0,
        "repostCount": 3,
        "likeCount": 9,
        "quoteCount": 1,
        "indexedAt": "2026-01-02T03:04:06.000Z",
        "labels": [],
        **more,
    }


def _fog() -> dict[str, Any]:
    """A post with a shortened link, a picture and a quotation."""
    start = len(_TEXT[: _TEXT.index("harbour")].encode())
    stop = len(_TEXT[: _TEXT.index("…") + 1].encode())
    quoted = _post(_KEEPER, "3old", "Clear.")
    quoted["value"] = quoted.pop("record")
    embed = {
        "$type": "app.bsky.embed.recordWithMedia#view",
        "media": {
            "$type": "app.bsky.embed.images#view",
            "images": [{"alt": "A lamp in fog", "fullsize": "https://cdn.example/lamp"}],
        },
        "record": {"record": {"$type": "app.bsky.embed.record#viewRecord", **quoted}},
    }
    post = _post(_KEEPER, "3fog", _TEXT, likeCount=25, replyCount=4, embed=embed)
    link = {"$type": "app.bsky.richtext.facet#link", "uri": _LINK}
    post["record"]["facets"] = [
        {"index": {"byteStart": start, "byteEnd": stop}, "features": [link]}
    ]
    return post


def _replies() -> list[dict[str, Any]]:
    deep = _view(_post(_KEEPER, "3r2", "It will."))
    return [
        _view(_post({**_KEEPER, "displayName": "Pier"}, "3r1", "Will it lift?"), replies=[deep]),
        {"$type": "app.bsky.feed.defs#blockedPost", "uri": "at://x", "blocked": True},
        _view(_post(_SHY, "3r3", "A secret.")),
    ]
