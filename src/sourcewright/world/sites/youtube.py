"""YouTube: watch pages with the player response, the player API, and captions.

The caption URLs in a watch page return an empty body, except for one old video; those from
the player API of another client work.
"""

import json
from html import escape
from typing import Any

from sourcewright.world.corpus import Corpus
from sourcewright.world.messages import Request, Response, as_json, as_page, as_text

HOSTS = ("www.youtube.com",)

_VTT = "text/vtt; charset=utf-8"
_LINES = ("the tide comes in", "at half past nine", "and goes out", "before the lamp is lit")
_GATED = "&exp=xpe"


def _video(title: str, description: str, *languages: str, gated: str = "") -> dict[str, Any]:
    return {"title": title, "description": description, "languages": languages, "gated": gated}


_VIDEOS: dict[str, dict[str, Any]] = {
    "harbourfilm": _video(
        "How a harbour works",
        'Code is {"a": "};var x = 1;"} and a brace: }\nSecond line.',
        "de",
        "asr:en",
        "en",
    ),
    "rollingtide": _video("The rolling tide", "On tides.", "asr:en", gated="page"),
    "oldcaptions": _video("An old film", "From the archive."),
    "silentocean": _video("The silent ocean", "Nothing but waves, for an hour."),
    "mutewithout": _video("Untitled", ""),
    "gatedwaters": _video("Gated waters", "Only for browsers.", "en", gated="everywhere"),
    "agelimited_": _video("Only for adults", "About rum."),
    "humansalone": _video("For people", "About people.", "en"),
}
_WITHHELD = {
    "privatefilm": {"status": "LOGIN_REQUIRED", "reason": "This is a private video."},
    "warnedabout": {
        "status": "CONTENT_CHECK_REQUIRED",
        "errorScreen": {
            "playerErrorMessageRenderer": {"reason": {"simpleText": "Some may be offended."}}
        },
    },
    "hiccupvideo": {"status": "ERROR", "reason": "An error occurred. Please try again later."},
}
_ABSENT = {"status": "ERROR", "reason": "Video unavailable"}
_BOT = {"status": "LOGIN_REQUIRED", "reason": "Sign in to confirm you\u2019re not a bot"}
_AGE = {"status": "LOGIN_REQUIRED", "reason": "Sign in to confirm your age."}


def answer(request: Request, corpus: Corpus) -> Response:
    del corpus
    if request.path == "/watch":
        return _page(request.params.get("v", ""))
    if request.path == "/youtubei/v1/player" and request.method == "POST":
        payload = json.loads(request.body)
        return as_json(_player(payload["videoId"], payload["context"]["client"]["clientName"]))
    if request.path == "/api/timedtext":
        return _captions(request.params)
    return as_page("404 Not Found", "", status=404)


def _page(number: str) -> Response:
    player = json.dumps(_player(number, "WEB"))
    title = escape(_VIDEOS.get(number, {"title": ""})["title"])
    script = f"<script>var ytInitialPlayerResponse = {player};var meta = {{}};</script>"
    decoy = "<script>if (!window['ytInitialPlayerResponse']) {window.x = null;}</script>"
    return as_page(f"{title} - YouTube", decoy + script)


def _player(number: str, client: str) -> dict[str, Any]:
    video = _VIDEOS.get(number)
    if video is None:
        return {"playabilityStatus": _WITHHELD.get(number, _ABSENT)}
    if number == "humansalone" and client == "WEB":
        return {"playabilityStatus": _BOT}
    fields: dict[str, Any] = {
        "playabilityStatus": _AGE if number == "agelimited_" else {"status": "OK"},
        "videoDetails": {
            "videoId": number,
            "title": video["title"],
            "author": "Harbour Works",
            "lengthSeconds": "3725",
            "shortDescription": video["description"],
        },
    }
    if client == "WEB":
        dates = {"publishDate": "2024-05-06T07:08:09-07:00", "uploadDate": "2024-05-05"}
        fields["microformat"] = {"playerMicroformatRenderer": dates}
    if video["languages"]:
        tracks = [_track(number, one, client, video["gated"]) for one in video["languages"]]
        fields["captions"] = {"playerCaptionsTracklistRenderer": {"captionTracks": tracks}}
    return fields


def _track(number: str, language: str, client: str, gated: str) -> dict[str, Any]:
    kind, _, code = language.rpartition(":")
    closed = gated == "everywhere" or (gated == "page" and client == "WEB")
    address = f"https://www.youtube.com/api/timedtext?v={number}&kind={kind}&lang={code}&fmt=srv3"
    fields = {"kind": "asr"} if kind else {}
    signed = f"{address}&signature=abc{_GATED if closed else ''}"
    return {"baseUrl": signed, "languageCode": code, "name": {"simpleText": code}, **fields}


def _captions(params: Any) -> Response:
    """An empty body with status 200 for clients without access to captions."""
    number, language, kind = params.get("v"), params.get("lang"), params.get("kind")
    plain = number == "oldcaptions" and language == "en-US"
    if params.get("exp") == "xpe" or not (plain or "signature" in params):
        return as_text("", content_type="text/html; charset=UTF-8")
    if params.get("fmt") == "vtt":
        return as_text(_rolling(), content_type=_VTT)
    if params.get("fmt") == "srv3":
        return as_text(_paragraphs(), content_type="text/xml; charset=UTF-8")
    return as_text(_texts(f"{language}{' by machine' if kind else ''}: "), content_type="text/xml")


def _texts(before: str) -> str:
    inside = "".join(
        f'<text start="{12.5 * at}" dur="12">{escape(escape(before))}it&amp;#39;s\n{line}</text>'
        for at, line in enumerate(_LINES)
    )
    return f'<?xml version="1.0" encoding="utf-8" ?><transcript>{inside}</transcript>'


def _paragraphs() -> str:
    inside = "".join(f'<p t="{2000 * at}" d="9">{line}</p>' for at, line in enumerate(_LINES))
    return f'<timedtext format="3"><head><pen id="1"/></head><body>{inside}</body></timedtext>'


def _rolling() -> str:
    """Each cue repeats the line before it, and each line appears again briefly."""
    cues, last = [], " "
    for at, line in enumerate(_LINES):
        words = line.replace(" ", f"<00:00:{10 + at}.500><c> ", 1) + "</c>"
        cues.append(f"00:00:{10 * at:02d}.000 --> 00:00:{10 * at + 9:02d}.990\n{last}\n{words}\n")
        cues.append(f"00:00:{10 * at + 9:02d}.990 --> 00:00:{10 * at + 10:02d}.000\n{line}\n \n")
        last = line
    return "WEBVTT\nKind: captions\nLanguage: en\n\n" + "\n".join(cues)
