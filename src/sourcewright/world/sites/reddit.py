"""Reddit: posts with comments and lists of them, as JSON and as feeds.

One subreddit serves anonymous clients only feeds, another one nothing.
"""

import re
from collections.abc import Iterator, Mapping
from html import escape
from typing import Any

from sourcewright.world.corpus import Corpus
from sourcewright.world.messages import Request, Response, as_json, as_redirect, as_text

HOSTS = ("www.reddit.com",)

_PATH = re.compile(r"/(?:r/[^/]+/)?comments/([a-z0-9]+)(?:/[^/]*)?/?\.(json|rss)")
_LISTS = re.compile(r"/(r|user)/([A-Za-z0-9_]+)(?:/(?:hot|new|top))?\.(json|rss)")
_SHARED = {"/r/lighthouses/s/AbC123": "fog1a2", "/r/lighthouses/s/Gone9": None}
_ATOM = "application/atom+xml; charset=UTF-8"
_START = 1_767_225_600

Comment = dict[str, Any]


def _reply(name: str, author: str, body: str, score: int, *replies: Comment) -> Comment:
    return {"id": name, "author": author, "body": body, "score": score, "replies": replies}


_POSTS: Mapping[str, dict[str, Any]] = {
    "fog1a2": {
        "title": "How do you keep a lens dry in sea fog & spray?",
        "author": "lamp_keeper",
        "subreddit": "lighthouses",
        "selftext": "Ours is *always* wet.\n\n- cloth\n- heater\n\nWhat else < 5 W?",
        "score": 412,
        "comments": (
            _reply(
                "c1",
                "dry_hand",
                "A **heater** below the lens.\n\nTen watts are enough.",
                120,
                _reply(
                    "c2", "lamp_keeper", "Thanks!", 8, _reply("c3", "dry_hand", "Any time.", 2)
                ),
            ),
            _reply("c4", "[deleted]", "[removed]", 1),
        ),
        "more": 3,
    },
    "lonely7": {
        "title": "A photograph of our pier",
        "author": "pier_walker",
        "subreddit": "lighthouses",
        "selftext": "",
        "url": "https://pictures.harbour.example/pier.jpg",
        "score": 4,
        "comments": (),
    },
    "closed9": {
        "title": "Feeds only",
        "author": "lamp_keeper",
        "subreddit": "feedsonly",
        "selftext": "Read it as a feed.",
        "score": 30,
        "comments": (_reply("c9", "dry_hand", "As you wish.", 5),),
    },
    "again4": {
        "title": "Look at this",
        "author": "pier_walker",
        "subreddit": "harbours",
        "selftext": "",
        "url": "/r/lighthouses/comments/fog1a2/a_title/",
        "score": 2,
        "comments": (),
        "crossed": "fog1a2",
    },
    "album5": {
        "title": "Three views and a question",
        "author": "pier_walker",
        "subreddit": "harbours",
        "selftext": "From my window.",
        "url": "https://www.reddit.com/gallery/album5",
        "score": 1,
        "comments": (_reply("c5", "dry_hand", "The first.", 1),),
        "deeper": True,
        "gallery_data": {
            "items": [
                {"media_id": "m1", "caption": "At dawn", "id": 1},
                {"media_id": "m2", "id": 2, "outbound_url": "https://prints.harbour.example/"},
                {"media_id": "m3", "id": 3},
            ]
        },
        "media_metadata": {
            "m1": {"status": "valid", "e": "Image", "s": {"u": "https://preview.redd.it/m1.jpg"}},
            "m2": {"status": "valid", "e": "Image", "s": {"u": "https://preview.redd.it/m2.jpg"}},
            "m3": {"status": "failed"},
        },
        "poll_data": {
            "options": [{"text": "Dawn", "id": "1", "vote_count": 1}, {"text": "Dusk", "id": "2"}],
            "total_vote_count": 4,
        },
    },
}


def answer(request: Request, corpus: Corpus) -> Response:
    del corpus
    if request.path in _SHARED:
        return _leading(_SHARED[request.path])
    if listed := _LISTS.fullmatch(request.path):
        return _listed(listed, raw=request.params.get("raw_json") == "1")
    match = _PATH.fullmatch(request.path)
    post = _POSTS.get(match[1]) if match else None
    if match is None or post is None:
        return as_json({"message": "Not Found", "error": 404}, status=404)
    if match[2] == "rss":
        return as_text(_feed(match[1], post), content_type=_ATOM)
    if post["subreddit"] == "feedsonly":
        return as_json({"message": "Forbidden", "error": 403}, status=403)
    raw = request.params.get("raw_json") == "1"
    return as_json(_listings(match[1], post, raw=raw, comment=request.params.get("comment")))


def _leading(number: str | None) -> Response:
    """The target of a share URL; anonymous clients do not get the page itself."""
    if number is None:
        return as_text("Forbidden", status=403)
    return as_redirect(f"https://www.reddit.com{_permalink(number, _POSTS[number])}", status=301)


def _listed(match: re.Match[str], *, raw: bool) -> Response:
    kind, name, form = match.groups()
    if name == "keepersonly":
        closed = {"reason": "private", "message": "Forbidden", "error": 403}
        return as_json(closed, status=403)
    if name == "feedsonly" and form == "json":
        return as_json({"message": "Forbidden", "error": 403}, status=403)
    by = "author" if kind == "user" else "subreddit"
    posts = {number: post for number, post in _POSTS.items() if post[by] == name}
    if not posts:
        return as_json({"message": "Not Found", "error": 404}, status=404)
    if form == "rss":
        return as_text("".join(_feed_of_posts(posts)), content_type=_ATOM)
    written = (lambda text: text) if raw else (lambda text: escape(text, quote=False))
    children = [_post(number, post, written) for number, post in posts.items()]
    if kind == "user":
        answered = {"link_title": "A lamp & a lens", "permalink": "/r/lamps/comments/l1/a/c1/"}
        comment = _comment(_reply("c1", name, "A *good*\n\nlamp.", 3), 0, written)
        children.append({**comment, "data": {**comment["data"], **answered}})
    listing = _listing(children)
    return as_json({**listing, "data": {**listing["data"], "after": f"t3_{next(iter(posts))}"}})


def _feed_of_posts(posts: Mapping[str, dict[str, Any]]) -> Iterator[str]:
    yield '<?xml version="1.0" encoding="UTF-8"?><feed xmlns="http://www.w3.org/2005/Atom">'
    for number, post in posts.items():
        address = f"https://www.reddit.com{_permalink(number, post)}"
        yield _entry(f"t3_{number}", post["author"], address, post["selftext"], post["title"])
    yield "</feed>"


def _listings(number: str, post: dict[str, Any], *, raw: bool, comment: str | None) -> list[Any]:
    """Texts have `&`, `<` and `>` escaped, unless `raw_json` is set."""
    written = (lambda text: text) if raw else (lambda text: escape(text, quote=False))
    comments = [one for one in post["comments"] if comment in {None, one["id"]}]
    children = [_comment(one, 0, written) for one in comments]
    if post.get("more"):
        below = {"count": post["more"], "name": "t1_more", "id": "more", "depth": 0}
        children.append({"kind": "more", "data": {**below, "children": ["c7", "c8"]}})
    if post.get("deeper"):
        on = {"count": 0, "name": "t1__", "id": "_", "depth": 10, "children": []}
        children.append({"kind": "more", "data": on})
    return [_listing([_post(number, post, written)]), _listing(children)]


def _listing(children: list[Any]) -> dict[str, Any]:
    data = {"after": None, "dist": None, "modhash": "", "geo_filter": "", "children": children}
    return {"kind": "Listing", "data": data}


def _post(number: str, post: dict[str, Any], written: Any) -> dict[str, Any]:
    permalink = _permalink(number, post)
    media = ("gallery_data", "media_metadata", "poll_data")
    more = {name: post[name] for name in media if name in post}
    if "crossed" in post:
        other = _post(post["crossed"], _POSTS[post["crossed"]], written)
        more["crosspost_parent_list"] = [other["data"]]
    return {
        "kind": "t3",
        "data": {
            "id": number,
            "name": f"t3_{number}",
            "title": written(post["title"]),
            "selftext": written(post["selftext"]),
            "author": post["author"],
            "subreddit": post["subreddit"],
            "subreddit_name_prefixed": f"r/{post['subreddit']}",
            "score": post["score"],
            "ups": post["score"],
            "num_comments": _count(post["comments"]) + post.get("more", 0),
            "created_utc": float(_START),
            "permalink": permalink,
            "url": post.get("url", f"https://www.reddit.com{permalink}"),
            "is_self": "url" not in post,
            "locked": number == "lonely7",
            "over_18": False,
            "removed_by_category": None,
            **more,
        },
    }


def _comment(one: Comment, depth: int, written: Any) -> dict[str, Any]:
    replies = [_comment(reply, depth + 1, written) for reply in one["replies"]]
    return {
        "kind": "t1",
        "data": {
            "id": one["id"],
            "name": f"t1_{one['id']}",
            "author": one["author"],
            "body": written(one["body"]),
            "score": one["score"],
            "score_hidden": one["id"] == "c3",
            "created_utc": float(_START + 3600 * (depth + 1)),
            "depth": depth,
            "replies": _listing(replies) if replies else "",
        },
    }


def _feed(number: str, post: dict[str, Any]) -> str:
    address = f"https://www.reddit.com{_permalink(number, post)}"
    entries = [_entry(f"t3_{number}", post["author"], address, post["selftext"], post["title"])]
    entries += [
        _entry(
            f"t1_{one['id']}", one["author"], f"{address}{one['id']}/", one["body"], "a comment"
        )
        for one in post["comments"]
    ]
    return (
        '<?xml version="1.0" encoding="UTF-8"?><feed xmlns="http://www.w3.org/2005/Atom">'
        f"<title>{escape(post['title'])}</title>{''.join(entries)}</feed>"
    )


def _entry(name: str, author: str, address: str, text: str, title: str) -> str:
    markup = (
        f'<!-- SC_OFF --><div class="md"><p>{escape(text)}</p> </div><!-- SC_ON --> &#32; '
        f'submitted by <a href="{address}"> /u/{author} </a> <a href="{address}">[link]</a>'
    )
    return (
        f"<entry><author><name>/u/{author}</name></author>"
        '<category term="feedsonly" label="r/feedsonly"/>'
        f'<content type="html">{escape(markup)}</content><id>{name}</id>'
        f'<link href="{address}" /><updated>2026-01-01T01:00:00+00:00</updated>'
        f"<published>2026-01-01T00:00:00+00:00</published><title>{escape(title)}</title></entry>"
    )


def _permalink(number: str, post: dict[str, Any]) -> str:
    return f"/r/{post['subreddit']}/comments/{number}/a_title/"


def _count(comments: tuple[Comment, ...]) -> int:
    return sum(1 + _count(one["replies"]) for one in comments)
