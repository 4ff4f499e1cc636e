"""Pages of the dashboard as single documents, with a policy (CSP) under which nothing else runs."""

import base64
import hashlib
import html
from dataclasses import dataclass
from functools import cache
from importlib import resources

from starlette.responses import HTMLResponse, Response

_POLICY = (
    "default-src 'none'; {script}style-src '{style}'; img-src data:; connect-src 'self'; "
    "form-action 'self'; base-uri 'none'; frame-ancestors 'none'; "
    "require-trusted-types-for 'script'; trusted-types 'none'"
)


@dataclass(frozen=True, slots=True, kw_only=True)
class Page:
    """A document with its style and script inside, and the hashes by which they are allowed."""

    text: str
    policy: str

    def response(self, status: int = 200, *, message: str = "") -> Response:
        return HTMLResponse(
            self.text.replace("<!--message-->", html.escape(message)),
            status,
            {
                "Content-Security-Policy": self.policy,
                # With none at all, the browser would not say where a form comes from.
                "Referrer-Policy": "same-origin",
                "Cross-Origin-Opener-Policy": "same-origin",
                "Cross-Origin-Resource-Policy": "same-origin",
            },
        )


@cache
def dashboard_page() -> Page:
    return _page("page.html", script=_read("script.js"))


@cache
def sign_in_page() -> Page:
    return _page("sign_in.html")


def _page(name: str, *, script: str = "") -> Page:
    style = _read("style.css")
    text = _read(name).replace("/*style*/", style).replace("/*script*/", script)
    allowed = f"script-src '{_hash(script)}'; " if script else ""
    return Page(text=text, policy=_POLICY.format(script=allowed, style=_hash(style)))


def _hash(text: str) -> str:
    return f"sha256-{base64.b64encode(hashlib.sha256(text.encode()).digest()).decode()}"


def _read(name: str) -> str:
    return resources.files(__package__).joinpath(name).read_text(encoding="utf-8")
