"""GitHub's API and raw files: a few invented repositories, and a rate limit."""

import re
from base64 import encodebytes
from collections.abc import Callable, Mapping
from typing import Any

from sourcewright.world.corpus import Corpus
from sourcewright.world.messages import Request, Response, as_json, as_page, as_redirect, as_text
from sourcewright.world.pdf import paper

HOSTS = ("api.github.com", "raw.githubusercontent.com", "github.com")
FILES = "raw.githubusercontent.com"

README = """# Tide clock

<!-- Remember to update the badge. -->
A clock that shows the tide.

```html
<!-- this comment is an example -->
```
"""
CODE = 'def tide(hours):\n    """Return the height."""\n    return hours % 12.42\n'
SLOW = "def tide(hours):\n    return hours % 24.84\n"
COMMENTS = REVIEWS = 130
_OWNER = {"login": "lakeside", "type": "Organization"}
_REPOSITORY = {
    "full_name": "lakeside/tide-clock",
    "html_url": "https://github.com/lakeside/tide-clock",
    "description": "Shows the tide & the time",
    "owner": _OWNER,
    "stargazers_count": 1234,
    "forks_count": 56,
    "open_issues_count": 7,
    "language": "Python",
    "topics": ["tides", "clocks"],
    "license": {"key": "mit", "name": "MIT License"},
    "homepage": "",
    "created_at": "2019-03-09T08:00:00Z",
    "pushed_at": "2025-06-01T12:00:00Z",
    "archived": False,
    "default_branch": "main",
}
_BARE = _REPOSITORY | {"full_name": "lakeside/bare", "description": None, "language": None}
_BRANCHES = {
    ("main", "README.md"): README.encode(),
    ("main", "src/clock.py"): CODE.encode(),
    ("main", "docs/a guide.md"): b"# Guide\n\nWind it.\n",
    ("main", "logo.png"): b"\x89PNG\r\n\x1a\n\0\0\0",
    ("main", "latin.txt"): b"caf\xe9",
    ("feature/slow-hands", "src/clock.py"): SLOW.encode(),
    ("release/2.0", "notes.md"): b"# Notes of 2.0\n",
}
_REFS = {
    "heads": ("main", "feature/slow-hands", "feature"),
    "tags": ("v1.0", "release/2.0"),
}


def _issue(number: int, **more: Any) -> dict[str, Any]:
    return {
        "repository_url": "https://api.github.com/repos/lakeside/tide-clock",
        "number": number,
        "title": "Hands run backwards",
        "state": "closed",
        "state_reason": "completed",
        "user": {"login": "tiller"},
        "created_at": "2025-01-02T03:04:05Z",
        "updated_at": "2025-02-02T03:04:05Z",
        "closed_at": "2025-02-02T03:04:05Z",
        "comments": 0,
        "labels": [{"name": "bug"}, {"name": "time"}],
        "milestone": None,
        "body": "Steps:\r\n\r\n1. Look.\r\n\r\n<!-- do not delete -->",
        **more,
    }


_ISSUES = {
    7: _issue(7, comments=2),
    8: _issue(8, comments=COMMENTS, state="open", state_reason=None, closed_at=None),
    9: _issue(
        9,
        title="Turn the hands around",
        comments=1,
        state_reason=None,
        body=None,
        pull_request={"merged_at": "2025-02-01T00:00:00Z"},
    ),
    22: _issue(22, title="Polish", comments=1, pull_request={"merged_at": None}),
    23: _issue(23, title="Oil", comments=COMMENTS, pull_request={"merged_at": None}),
}


def _comment(at: int, login: str | None, body: str | None, **more: Any) -> dict[str, Any]:
    user = {"login": login} if login else None
    return {"user": user, "body": body, "created_at": f"2025-01-{at:02d}T00:00:00Z", **more}


_REMARKS: dict[str, list[dict[str, Any]]] = {
    "issues/7/comments": [_comment(3, "gull", "Mine too."), _comment(4, None, "Turn it over.")],
    "issues/8/comments": [
        _comment(1 + at // 8, f"voice{at}", f"Me too {at}") for at in range(100)
    ],
    "issues/9/comments": [_comment(9, "gull", "Thank you.")],
    "issues/22/comments": [_comment(2, "gull", "At last.")],
    "pulls/22/reviews": [_comment(3, f"eye{at}", f"Look {at}") for at in range(REVIEWS)],
    "issues/23/comments": [_comment(4, f"voice{at}", f"And {at}") for at in range(100)],
    "pulls/23/comments": [_comment(5, f"eye{at}", f"Here {at}") for at in range(50)],
    "pulls/9/comments": [_comment(7, "lamp", "Why twelve?", path="src/clock.py", line=3)],
    "pulls/9/reviews": [
        {
            "user": {"login": "lamp"},
            "body": "",
            "state": "APPROVED",
            "submitted_at": "2025-01-08T00:00:00Z",
        }
    ],
}


def _release(tag: str, **more: Any) -> dict[str, Any]:
    return {
        "tag_name": tag,
        "name": f"Clock {tag}",
        "html_url": f"https://github.com/lakeside/tide-clock/releases/tag/{tag}",
        "author": _OWNER,
        "published_at": "2025-03-01T00:00:00Z",
        "prerelease": False,
        "body": "* Fewer cogs",
        "assets": [
            {"name": "clock.zip", "browser_download_url": "https://github.com/lakeside/clock.zip"}
        ],
        **more,
    }


_RELEASES = [_release(f"v1.{minor}") for minor in range(12, 0, -1)]
_TAGGED = {one["tag_name"]: one for one in (*_RELEASES, _release("release/2.0", prerelease=True))}
_NOT_FOUND = {"message": "Not Found", "documentation_url": "https://docs.github.com/rest"}
_REPOS = re.compile(r"/repos/(?P<repo>[^/]+/[^/]+)(?:/(?P<rest>.+))?")


def answer(request: Request, corpus: Corpus) -> Response:
    if request.host == FILES and request.path.endswith(".pdf"):
        return Response(body=paper(corpus.works[0]), content_type="application/octet-stream")
    if request.host == FILES:
        return _raw(request.decoded_path)
    return _page(request.path) if request.host == "github.com" else _interface(request)


def _interface(request: Request) -> Response:
    if "user-agent" not in request.headers:
        return as_json({"message": "Request forbidden by administrative rules."}, status=403)
    if request.path == "/users/lakeside":
        return as_json(_OWNER)
    match = _REPOS.fullmatch(request.path)
    if match is None or match["repo"] not in {"lakeside/tide-clock", "lakeside/bare"}:
        return as_json(_NOT_FOUND, status=404)
    if match["repo"] == "lakeside/bare":
        return as_json(_NOT_FOUND, status=404) if match["rest"] else as_json(_BARE)
    return _inside(match["rest"] or "", request)


def _page(path: str) -> Response:
    """The HTML page around each file, with a link to the raw file."""
    owner, name, what, rest = (*path.strip("/").split("/", 3), "", "", "")[:4]
    if what == "raw":
        return as_redirect(f"https://{FILES}/{owner}/{name}/{rest}")
    return as_page(f"{owner}/{name}", "<p>Skip to content</p><p>Sign in</p>")


def _inside(rest: str, request: Request) -> Response:
    if rest == "issues/10":
        return as_redirect("https://api.github.com/repos/lakeside/tide-clock/issues/7", status=301)
    if rest == "issues/11":
        return as_json({"message": "This issue was deleted"}, status=410)
    thing = _thing(rest, request.decoded_path, request.params)
    return as_json(_NOT_FOUND, status=404) if thing is None else as_json(thing)


def _thing(rest: str, path: str, params: Mapping[str, str]) -> Any:
    what, _, which = rest.partition("/")
    most, ref = int(params.get("per_page", "30")), params.get("ref", "main")
    if what == "pulls" or rest in _REMARKS:
        return _REMARKS.get(rest, [])[:most]
    answers: dict[str, Callable[[], Any]] = {
        "": lambda: _REPOSITORY,
        "readme": lambda: _content(README.encode()),
        "issues": lambda: _ISSUES.get(int(which)) if which.isdecimal() else None,
        "releases": lambda: _released(path.partition("/releases")[2], most),
        "git": lambda: _matching(path.partition("/git/matching-refs/")[2]),
        "contents": lambda: _content(_BRANCHES.get((ref, path.partition("/contents/")[2]))),
    }
    return answers.get(what, lambda: None)()


def _released(which: str, most: int) -> Any:
    if which == "":
        return _RELEASES[:most]
    return _RELEASES[0] if which == "/latest" else _TAGGED.get(which.removeprefix("/tags/"))


def _matching(query: str) -> list[dict[str, str]]:
    kind, _, start = query.partition("/")
    return [{"ref": f"refs/{kind}/{ref}"} for ref in _REFS[kind] if ref.startswith(start)]


def _content(inside: bytes | None) -> dict[str, str] | None:
    if inside is None:
        return None
    return {"type": "file", "encoding": "base64", "content": encodebytes(inside).decode()}


def _raw(path: str) -> Response:
    """A file; the branch is assumed to be one path segment, because the URL does not say."""
    _, owner, name, branch, *rest = [*path.split("/"), "", "", "", ""]
    inside = _BRANCHES.get((branch, "/".join(rest).rstrip("/")))
    if f"{owner}/{name}" != "lakeside/tide-clock" or inside is None:
        return as_text("404: Not Found", status=404)
    return Response(body=inside, content_type="text/plain; charset=utf-8")
