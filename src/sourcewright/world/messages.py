"""Requests and responses of the simulated sites."""

import json
from collections.abc import Mapping
from dataclasses import dataclass, field
from http import HTTPStatus
from urllib.parse import parse_qsl, unquote

JSON = "application/json"
TEXT = "text/plain; charset=utf-8"
HTML = "text/html; charset=utf-8"
PDF = "application/pdf"


@dataclass(frozen=True, slots=True, kw_only=True)
class Request:
    """One request, as it arrived."""

    host: str
    method: str = "GET"
    path: str = "/"
    """Still percent-encoded, without the query."""
    query: str = ""
    headers: Mapping[str, str] = field(default_factory=dict)
    """Names in lower case."""
    body: bytes = b""
    scheme: str = "https"

    @property
    def decoded_path(self) -> str:
        return unquote(self.path)

    @property
    def params(self) -> Mapping[str, str]:
        """The query, decoded; the last of a repeated name wins."""
        return dict(parse_qsl(self.query, keep_blank_values=True))


@dataclass(frozen=True, slots=True, kw_only=True)
class Response:
    """One complete response."""

    status: int = 200
    body: bytes = b""
    content_type: str = JSON
    headers: tuple[tuple[str, str], ...] = ()


def phrase(status: int) -> str:
    """The reason phrase of a status, also of an unregistered one."""
    try:
        return HTTPStatus(status).phrase
    except ValueError:
        return "Invented"


def as_json(payload: object, *, status: int = 200, content_type: str = JSON) -> Response:
    """A payload as JSON."""
    body = json.dumps(payload, ensure_ascii=False, separators=(",", ":")).encode()
    return Response(status=status, body=body, content_type=content_type)


def as_text(text: str, *, status: int = 200, content_type: str = TEXT) -> Response:
    """A text as it is."""
    return Response(status=status, body=text.encode(), content_type=content_type)


def as_page(title: str, inside: str, *, status: int = 200, head: str = "") -> Response:
    """An HTML page; `inside` and `head` are markup, `title` is text."""
    text = (
        f'<!DOCTYPE html>\n<html lang="en"><head><meta charset="utf-8"><title>{title}</title>\n'
        f"{head}</head>\n<body>\n<h1>{title}</h1>\n{inside}\n</body></html>\n"
    )
    return as_text(text, status=status, content_type=HTML)


def as_redirect(to: str, *, status: int = 302) -> Response:
    """A redirect, with a page that says where it leads."""
    body = f'<html><body><a href="{to}">{to}</a></body></html>'.encode()
    return Response(status=status, body=body, content_type=HTML, headers=(("Location", to),))


@dataclass(frozen=True, slots=True, kw_only=True)
class Reaction:
    """What the server sends, after which delay, and whether it sends all of it."""

    response: Response | None
    """None closes the connection without a byte."""
    delay_seconds: float = 0.0
    cut: bool = False
    drip: bool = False
