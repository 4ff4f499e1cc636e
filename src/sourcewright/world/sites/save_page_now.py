"""The Internet Archive's copies of pages, the index of them, and Save Page Now, which makes new ones.

It answers browsers with the copy itself, or with a page that watches a job, and programs that post
the URL with a key with the job.
"""

import re
from datetime import UTC, datetime, timedelta
from html import escape
from urllib.parse import parse_qs, urlsplit

from sourcewright.world.archived_pages import index_rows, snapshots
from sourcewright.world.corpus import Corpus
from sourcewright.world.messages import Request, Response, as_json, as_page, as_redirect

HOSTS = ("web.archive.org",)

_KEPT_FRESH = timedelta(days=1)
"""How long a copy that was made is there."""
SLOW, _FORBIDDEN = "slow.lakeside.example", "nobody.example"
"""A host whose pages take long to copy, and one that there is not."""
_JOB = "spn2-0123456789abcdef"
_COPY = re.compile(r"/web/([0-9]{14})(?:id_)?/(https?:.+)")


def answer(request: Request, corpus: Corpus) -> Response:
    del corpus
    if request.path == "/cdx/search/cdx":
        return _index(request)
    if request.path == "/save" and request.method == "POST":
        return _save_for_account(request)
    return _save(request) if request.path.startswith("/save/") else _copy(request)


def _index(request: Request) -> Response:
    params = request.params
    if params.get("output") != "json" or params.get("fl") != "timestamp,original":
        return as_page("Index", "<p>Only the JSON of two fields is simulated.</p>", status=400)
    return as_json(index_rows(params.get("url", "")))


def _save_for_account(request: Request) -> Response:
    if not request.headers.get("authorization", "").startswith("LOW "):
        words = "You need to be logged in to use Save Page Now."
        return as_json({"message": words, "status": "error"}, status=401)
    [url] = parse_qs(request.body.decode())["url"]
    host = urlsplit(url).hostname or ""
    if host == _FORBIDDEN:
        return as_json(_error("error:invalid-host-resolution"))
    return as_json({"url": url, "job_id": f"{_JOB}-{_name(host)}"})


def _save(request: Request) -> Response:
    """Jobs are named after the host of the page, so that nothing need be remembered."""
    rest = request.decoded_path.removeprefix("/save/")
    if rest.startswith("status/"):
        return _job(rest.removeprefix("status/"))
    url = f"{rest}?{request.query}" if request.query else rest
    host = urlsplit(url).hostname or ""
    if request.headers.get("authorization", "").startswith("LOW "):
        return as_page("Too many requests", "<p>Too Many Requests</p>", status=429)
    if host in (SLOW, _FORBIDDEN):
        script = f'<script>spn.watchJob("{_JOB}-{_name(host)}", "/_static/", 6000);</script>'
        return as_page("Save Page Now", script)
    return as_redirect(f"/web/{_stamp(datetime.now(UTC))}/{url}", status=302)


def _stamp(time: datetime) -> str:
    return f"{time:%Y%m%d%H%M%S}"


def _name(host: str) -> str:
    return host.replace(".", "-")


def _job(job_id: str) -> Response:
    host = job_id.removeprefix(f"{_JOB}-")
    if host == _name(_FORBIDDEN):
        return as_json({"job_id": job_id, **_error("error:invalid-host-resolution")})
    if host == _name(SLOW):
        return as_json({"status": "pending", "job_id": job_id, "resources": []})
    page = "https://signposts.example/article/1"
    stamp = _stamp(datetime.now(UTC))
    done = {"status": "success", "original_url": page, "timestamp": stamp, "duration_sec": 6.2}
    return as_json({**done, "job_id": job_id, "resources": [page], "outlinks": {}})


def _error(code: str) -> dict[str, object]:
    return {"status": "error", "status_ext": code, "message": "Couldn't resolve the host."}


def _copy(request: Request) -> Response:
    match = _COPY.fullmatch(request.decoded_path)
    since = _stamp(datetime.now(UTC) - _KEPT_FRESH)
    if match is None or not (match[1] > since or snapshots(match[2])):
        return as_page("Wayback Machine", "<p>has not archived that URL.</p>", status=404)
    return as_page("A copy", f"<p>As {escape(match[2])} was in {match[1][:4]}.</p>")
